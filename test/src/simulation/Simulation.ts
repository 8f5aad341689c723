/**
 * One simulated run: the whole service over its interface, its workers, its webhooks and its ports, several clients at once, and a seed that
 * decides everything: who does what, what overlaps, what goes wrong between any two steps, and how time passes. The same seed is the same run.
 * Source: issue "The Test and Verify doors", deterministic simulation; D-235.
 */

import { noAnswers } from "./Asking.ts"
import { audit, auditOpen } from "./Audit.ts"
import { chance } from "./Chance.ts"
import { live } from "./Clients.ts"
import { climate, weather } from "./Weather.ts"
import { type Beginning, begin, type Pay } from "./World.ts"

/** What came of a run. */
export interface Outcome {
  readonly seed: number
  /** What is wrong; nothing, if all is well. */
  readonly problems: ReadonlyArray<string>
  readonly requests: number
  readonly faults: ReadonlyMap<string, number>
  /** What clients did, by name. */
  readonly deeds: ReadonlyMap<string, number>
  /** Everything that was told, in order: two runs of one seed have the same. */
  readonly trace: string
}

/** What plays a run again. */
export const replay = (seed: number): string => `seed ${seed}: npm run simulate -- --from ${seed} --runs 1`

let begun: Promise<Beginning> | undefined

/** Jumps of the clock, in seconds. */
const jumps: readonly [number, ...ReadonlyArray<number>] = [0.2, 1, 1, 5, 31, 61, 3600, 86_400]

/** A worker that may die at any time: whoever comes next goes on when its leases have run out. */
const work = (pay: Pay) => pay.settle().catch(() => 0)

const played = async (seed: number, change: (pay: Pay) => void): Promise<Outcome> => {
  begun ??= begin()
  const { known, parts, pay: parent } = await begun
  const luck = chance(seed)
  const air = weather(luck.split(), climate(luck.split()))
  const forked = await parent.fork({
    seed,
    interleave: seed,
    around: air.store,
    failPoints: air.failPoints,
    ports: air.ports,
  })
  await using pay = Object.assign(forked, parts)
  change(pay)
  const answers = noAnswers()
  const clients = 1 + luck.below(3)
  const rounds = 2 + luck.below(4)
  air.isOn = true
  for (let round = 0; round < rounds; round++) {
    const lives = Array.from({ length: clients }, (_, index) =>
      live(pay, luck.split(), answers, `${round}-${index}`, 1 + luck.below(4)),
    )
    const workers = Array.from({ length: luck.below(3) }, () => work(pay))
    air.endpoint(pay.webhooks)
    // A question that is heard with 202 is answered by a call.
    if (luck.once(3)) pay.webhooks.answerNext(202, 202, 202, 202)
    await Promise.all([...lives, ...workers])
    await pay.clock.advance(`${luck.pick(jumps)} seconds`).catch(() => undefined)
  }
  air.isOn = false
  // Leases of the dead run out, and what was put off comes.
  for (let left = 2; left > 0; left--) await pay.clock.advance("1 hour")
  const whileOpen = await auditOpen(pay, known)
  // Authorizations that nobody cleared come to their end.
  await pay.clock.advance("8 days")
  const problems = [...whileOpen, ...(await audit(pay, answers, known))]
  const trace = pay.webhooks.received.map(({ id, type }) => `${type} ${id}`).join("\n")
  return { seed, problems, requests: answers.requests, faults: air.faults, deeds: answers.deeds, trace }
}

/** Plays one run; one that cannot be played to its end has that as its problem. */
export const simulate = async (seed: number, change: (pay: Pay) => void = () => undefined): Promise<Outcome> => {
  try {
    return await played(seed, change)
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { seed, problems: [problem], requests: 0, faults: new Map(), deeds: new Map(), trace: "" }
  }
}
