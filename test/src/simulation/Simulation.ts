/**
 * One simulated run: the whole service with its interface, workers, webhooks and ports, and several concurrent clients. The seed decides every
 * action, overlap and fault, and how time passes. The same seed is the same run.
 * Source: D-235.
 */

import { noAnswers } from "./Answers.ts"
import { audit, auditOpen } from "./Audit.ts"
import { runClient } from "./Clients.ts"
import { faultInjection, faultRatesOf } from "./FaultInjection.ts"
import { randomness } from "./Randomness.ts"
import { type InitialWorld, makeInitialWorld, type Pay } from "./World.ts"

/** The result of a run. */
export interface Outcome {
  readonly seed: number
  /** The problems found; empty if there are none. */
  readonly problems: ReadonlyArray<string>
  readonly requests: number
  readonly faults: ReadonlyMap<string, number>
  /** How often clients performed each action. */
  readonly actionCounts: ReadonlyMap<string, number>
  /** All events in order: two runs of one seed have the same. */
  readonly trace: string
}

/** The command that repeats a run. */
export const replay = (seed: number): string => `seed ${seed}: npm run simulate -- --from ${seed} --runs 1`

let begun: Promise<InitialWorld> | undefined

/** Jumps of the clock, in seconds. */
const jumps: readonly [number, ...ReadonlyArray<number>] = [0.2, 1, 1, 5, 31, 61, 3600, 86_400]

/** A worker that may die at any time: the next one continues after its leases have expired. */
const work = (pay: Pay) => pay.settle().catch(() => 0)

const played = async (seed: number, change: (pay: Pay) => void): Promise<Outcome> => {
  begun ??= makeInitialWorld()
  const { known, parts, pay: parent } = await begun
  const random = randomness(seed)
  const air = faultInjection(random.split(), faultRatesOf(random.split()))
  const forked = await parent.fork({
    seed,
    interleave: seed,
    around: air.store,
    failPoints: air.failPoints,
    ports: air.ports,
  })
  await using pay = Object.assign(forked, parts, { outside: air.outside })
  change(pay)
  const answers = noAnswers()
  const clients = 1 + random.below(3)
  const rounds = 2 + random.below(4)
  air.isOn = true
  for (let round = 0; round < rounds; round++) {
    const lives = Array.from({ length: clients }, (_, index) =>
      runClient(pay, random.split(), answers, `${round}-${index}`, 1 + random.below(4)),
    )
    const workers = Array.from({ length: random.below(3) }, () => work(pay))
    air.endpoint(pay.webhooks)
    // A question that was answered 202 needs a call.
    if (random.once(3)) pay.webhooks.answerNext(202, 202, 202, 202)
    await Promise.all([...lives, ...workers])
    await pay.clock.advance(`${random.pick(jumps)} seconds`).catch(() => undefined)
  }
  air.isOn = false
  // Leases of dead workers expire, and delayed work runs. The endpoint may still refuse one delivery for each round, each after an hour.
  for (let left = rounds + 2; left > 0; left--) await pay.clock.advance("1 hour")
  const whileOpen = await auditOpen(pay, answers, known)
  // Authorizations that were never cleared expire.
  await pay.clock.advance("8 days")
  const problems = [...whileOpen, ...(await audit(pay, answers, known))]
  const trace = pay.webhooks.received.map(({ id, type }) => `${type} ${id}`).join("\n")
  return { seed, problems, requests: answers.requests, faults: air.faults, actionCounts: answers.actionCounts, trace }
}

/** Executes one run; an exception is reported as its problem. */
export const simulate = async (seed: number, change: (pay: Pay) => void = () => undefined): Promise<Outcome> => {
  try {
    return await played(seed, change)
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { seed, problems: [problem], requests: 0, faults: new Map(), actionCounts: new Map(), trace: "" }
  }
}
