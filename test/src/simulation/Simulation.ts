/**
 * One simulated run: the whole service with its interface, workers, webhooks and ports, and several concurrent clients. The seed decides every
 * action, overlap and fault, and how time passes. The same seed is the same run, but in a store whose answers take time.
 * Source: D-235.
 */

import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { noAnswers } from "./Answers.ts"
import { allEvents, audit, auditOpen } from "./Audit.ts"
import { type Area, actionBag, runClient } from "./Clients.ts"
import { restoreEndpoint, sendUnsent } from "./EndpointEnd.ts"
import { type FaultInjection, faultInjection, faultRatesOf, timeTravel } from "./FaultInjection.ts"
import { processOptions, startProcesses } from "./Processes.ts"
import { randomness } from "./Randomness.ts"
import { countReached, failPointCounts } from "./Reached.ts"
import { retentionProblems } from "./Retention.ts"
import * as SweepingCommits from "./SweepingCommits.ts"
import { travel } from "./TimeTravel.ts"
import { sessionProblems } from "./WalletAudit.ts"
import { type InitialWorld, makeInitialWorld, type Pay } from "./World.ts"

/**
 * What determines a run: the seeds of what clients do, of the faults, and of how calls overlap and what identifiers are drawn. A run of one
 * seed has it three times.
 */
export interface Schedule {
  readonly actions: number
  readonly faults: number
  readonly order: number
}

export const scheduleOf = (seed: number): Schedule => ({ actions: seed, faults: seed, order: seed })

/** The result of a run. */
export interface Outcome {
  /** The problems found; empty if there are none. */
  readonly problems: ReadonlyArray<string>
  readonly requests: number
  readonly faults: ReadonlyMap<string, number>
  /** How often clients performed each action. */
  readonly actionCounts: ReadonlyMap<string, number>
  /** How often each arrow, rule, error code and fail point was reached. */
  readonly reached: ReadonlyMap<string, number>
  /** All events in order: two runs of one seed have the same. */
  readonly trace: string
}

/** The command that repeats a run. */
export const replay = (run: number | Schedule): string => {
  if (typeof run === "number") return `seed ${run}: npm run simulate -- --from ${run} --runs 1`
  const { actions, faults, order } = run
  if (actions === faults && actions === order) return replay(actions)
  const seeds = [actions, faults, order].join()
  return `schedule ${seeds}: npm run simulate -- --schedule ${seeds}`
}

let begun: Promise<InitialWorld> | undefined

/** Jumps of the clock, in seconds. */
const jumps: readonly [number, ...ReadonlyArray<number>] = [0.2, 1, 1, 5, 31, 61, 3600, 86_400]

/** One in this number of runs goes on until the retention of all that is deleted has ended. */
const retentionTimes = 4

/** One in this number of jumps moves business time alone. */
const travelTimes = 5

/** A worker that may die at any time: the next one continues after its leases have expired. */
const work = (pay: Pay) => pay.settle().catch(() => 0)

/** What a run may have of its own. */
export interface Variation {
  /** Changes the run's world before it begins. */
  readonly change?: (pay: Pay) => void
  /** The areas of its actions, instead of those that the seed favours. */
  readonly areas?: ReadonlyArray<Area>
  /** The empty store of the run, in which its initial world is made. Each process opens it. */
  readonly store?: WorldStore
}

/** The world of a run: a fork of the initial one, or one that is made in the run's own store. */
const worldOf = async (
  { order: seed }: Schedule,
  options: Omit<ReturnType<typeof processOptions>, "life">,
  store: WorldStore | undefined,
): Promise<InitialWorld> => {
  const seeded = { ...options, seed, interleave: seed }
  if (store !== undefined) return makeInitialWorld({ ...seeded, store })
  begun ??= makeInitialWorld()
  const { pay, ...rest } = await begun
  return { ...rest, pay: await pay.fork(seeded) }
}

/** The processes of a run: its first one, and in half of the runs a second one. */
const processesOf = async (schedule: Schedule, air: FaultInjection, store: WorldStore | undefined) => {
  const random = randomness(schedule.order).split()
  const { life, ...options } = processOptions(air)
  const { pay, ...rest } = await worldOf(schedule, options, store)
  const count = 1 + random.below(2)
  const processes = await startProcesses({ pay, life }, { air, count, random })
  return { ...rest, processes }
}

const played = async (schedule: Schedule, { areas, change, store }: Variation): Promise<Outcome> => {
  const ofFaults = randomness(schedule.faults)
  const air = faultInjection(ofFaults.split(), faultRatesOf(ofFaults.split()))
  const random = randomness(schedule.actions)
  // The choices of faults come first: a run of one seed takes them from one source.
  for (let taken = 0; taken < 2; taken++) random.split()
  const { known, parts, processes } = await processesOf(schedule, air, store)
  await using pay = Object.assign(processes.pay, parts, { outside: air.outside, wallNow: processes.wallNow })
  change?.(pay)
  const answers = noAnswers()
  const reached = countReached(answers)
  const clients = 1 + random.below(3)
  const bag = actionBag(random.split(), areas)
  const rounds = 2 + random.below(4)
  air.isOn = true
  for (let round = 0; round < rounds; round++) {
    const lives = Array.from({ length: clients }, (_, index) =>
      runClient(pay, random.split(), answers, { bag, name: `${round}-${index}`, steps: 1 + random.below(4) }),
    )
    const workers = Array.from({ length: random.below(3) }, () => work(pay))
    air.endpoint(pay.webhooks)
    processes.endOne()
    // A question that was answered 202 needs a call.
    if (random.once(3)) pay.webhooks.answerNext(202, 202, 202, 202)
    await Promise.all([...lives, ...workers])
    const jump = random.pick(jumps)
    if (random.once(travelTimes)) {
      air.faults.set(timeTravel, (air.faults.get(timeTravel) ?? 0) + 1)
      await travel(pay, answers, Math.ceil(jump))
    } else await pay.clock.advance(`${jump} seconds`).catch(() => undefined)
    await processes.replaceDead()
  }
  air.isOn = false
  const ofSessions = await sessionProblems(pay, answers)
  await restoreEndpoint(pay, answers)
  // Leases of dead workers expire, and delayed work runs. The endpoint may still refuse one delivery for each round, each after an hour.
  for (let left = rounds + 2; left > 0; left--) await pay.clock.advance("1 hour")
  await sendUnsent(pay, answers, await allEvents(pay))
  const whileOpen = await auditOpen(pay, answers, known)
  // Authorizations that were never cleared expire.
  await pay.clock.advance("8 days")
  const problems = [...ofSessions, ...whileOpen, ...(await audit(pay, answers, known))]
  const commit = store === undefined ? SweepingCommits.inMemory : SweepingCommits.onServer
  if (random.once(retentionTimes)) problems.push(...(await retentionProblems(pay, answers, commit)))
  const trace = pay.webhooks.received.map(({ id, type }) => `${type} ${id}`).join("\n")
  const { actionCounts, requests } = answers
  const passages = failPointCounts(air.passages)
  return {
    problems,
    requests,
    faults: air.faults,
    actionCounts,
    reached: new Map([...reached.end(), ...passages]),
    trace,
  }
}

/** Executes one run; an exception is reported as its problem. */
export const simulate = async (run: number | Schedule, variation: Variation = {}): Promise<Outcome> => {
  try {
    return await played(typeof run === "number" ? scheduleOf(run) : run, variation)
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return {
      problems: [problem],
      requests: 0,
      faults: new Map(),
      actionCounts: new Map(),
      reached: new Map(),
      trace: "",
    }
  }
}
