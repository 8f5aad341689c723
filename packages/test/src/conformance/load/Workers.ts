/**
 * Under load: workers claim, finish, return, park and lose random jobs. None is lost, run twice at once or run too early.
 * Source: D-518; ports/Store.ts (claim).
 */
import type { ClaimedJob, JobFence, JobReturn, NewJob, ParkedJobDecision, Queue } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "../ChangeSets.ts"
import { alpha, alphaId, ann, beta, betaId, bob, job } from "../Examples.ts"
import { equal, never } from "../Law.ts"
import { claim, commit, committed } from "../Suite.ts"
import * as Generator from "./Generator.ts"

const steps = 60
const leaseMillis = 300
const queues: readonly [Queue, Queue, Queue] = ["work", "work", "webhook"]

interface Tracked {
  readonly job: NewJob
  readonly platformId: string
  readonly number: number
  readonly state: "waiting" | "leased" | "parked" | "done"
  readonly attempt: number
  /** Wall time (ms) of the end of its lease or of its back-off. */
  readonly until: number
}

const callerOf = ({ platformId }: { readonly platformId: string }) => (platformId === alphaId ? alpha : beta)
const laneOf = ({ job: { lane, queue }, platformId }: Tracked) =>
  lane === undefined ? undefined : `${platformId} ${queue} ${lane}`

/** Requires a claimed job to be free, and the first of its lane. */
const requireFree = (all: ReadonlyMap<string, Tracked>, tracked: Tracked, claimed: ClaimedJob, now: number) => {
  const { attempt, job, number, state, until } = tracked
  equal("each claim of a job is its next attempt, which no other worker has", claimed.attempt, attempt + 1)
  never("a parked job is not claimed", state === "parked" ? [claimed] : [])
  never("a job under a lease is not claimed by another worker", state === "leased" && until > now ? [claimed] : [])
  never("a returned job is not claimed before its time", state === "waiting" && until > now ? [claimed] : [])
  const lane = laneOf(tracked)
  const earlier = [...all.values()].filter(
    (other) => lane !== undefined && laneOf(other) === lane && other.state !== "done" && other.number < number,
  )
  never(
    "the jobs of a lane run one after another, in commit order",
    earlier.map((other) => [other.job.id, claimed.id]),
  )
  equal("a returned job has its new payload", claimed.payload, job.payload)
}

const makeWorld = (generator: Generator.Generator) => {
  const { below, isOneIn, many, pick } = generator
  const all = new Map<string, Tracked>()
  const update = (jobId: string, changes: Partial<Tracked>) => {
    const tracked = all.get(jobId)
    if (tracked !== undefined) all.set(jobId, { ...tracked, ...changes })
  }

  const add = Effect.fnUntraced(function* (now: number) {
    const platformId = pick([alphaId, alphaId, betaId])
    const jobs = many(1 + below(4), (index): NewJob => {
      const customerId = platformId === betaId ? null : pick([ann, bob, null])
      // A lane is of one owner: a store in cells has no order between two customers.
      const lane = isOneIn(3) ? {} : { lane: `${customerId ?? platformId} ${below(2)}` }
      const n = all.size + index + 1
      return job(n, {
        customerId,
        queue: pick(queues),
        dueAt: now - 200 + below(500),
        payload: { n, step: now },
        ...lane,
      })
    })
    yield* committed(changeSet({ jobs }), callerOf({ platformId }))
    for (const added of jobs) {
      all.set(added.id, { job: added, platformId, number: all.size, state: "waiting", attempt: 0, until: 0 })
    }
  })

  const take = Effect.fnUntraced(function* (queue: Queue, now: number, limit: number) {
    const claimed = yield* claim({ queue, businessNow: now, wallNow: now, limit, leaseMillis })
    never("a claim has no more jobs than its limit", claimed.slice(limit))
    for (const each of claimed) {
      const tracked = all.get(each.id)
      if (tracked === undefined || tracked.state === "done") {
        never("only jobs of the queue are claimed that are due, committed and not finished", [each])
      } else {
        requireFree(all, tracked, each, now)
        update(each.id, { state: "leased", attempt: each.attempt, until: now + leaseMillis })
      }
    }
    return claimed
  })

  const finish = Effect.fnUntraced(function* ({ attempt, id, platformId }: ClaimedJob) {
    yield* committed(changeSet({ finishes: [{ id, attempt }] }), callerOf({ platformId }))
    update(id, { state: "done" })
  })

  const giveBack = Effect.fnUntraced(function* (claimed: ClaimedJob, change: Omit<JobReturn, keyof JobFence>) {
    const { attempt, id, platformId } = claimed
    yield* committed(changeSet({ returns: [{ id, attempt, ...change }] }), callerOf({ platformId }))
    const tracked = all.get(id)
    const payload = change.payload ?? tracked?.job.payload ?? null
    const state = change.outcome === "parked" ? "parked" : "waiting"
    if (tracked !== undefined) update(id, { state, until: change.notBefore, job: { ...tracked.job, payload } })
  })

  const decide = Effect.fnUntraced(function* (outcome: ParkedJobDecision["outcome"]) {
    const parked = [...all.values()].find(({ state }) => state === "parked")
    if (parked === undefined) return
    const { attempt, job, platformId } = parked
    yield* committed(changeSet({ returns: [{ id: job.id, attempt, outcome }] }), callerOf({ platformId }))
    update(job.id, outcome === "dropped" ? { state: "done" } : { state: "waiting", until: 0 })
  })

  /** Ends the claim of a job at random, or lets its lease expire. */
  const end = Effect.fnUntraced(function* (claimed: ClaimedJob, now: number) {
    const back = { notBefore: now + below(600), error: "no answer" }
    if (isOneIn(3)) return
    if (isOneIn(12)) yield* giveBack(claimed, { ...back, outcome: "parked" })
    else if (isOneIn(3)) yield* giveBack(claimed, { ...back, outcome: "retry", payload: { again: now } })
    else yield* finish(claimed)
    if (!isOneIn(3)) return
    const again = changeSet({ finishes: [{ id: claimed.id, attempt: claimed.attempt }] })
    equal(
      "a fence is of no use after its job was finished or returned",
      (yield* commit(again, callerOf(claimed)))._tag,
      "Conflict",
    )
  })

  return { all, add, take, finish, decide, end }
}

/** More rounds than the longest lane has jobs. */
const roundsMax = 60

export const workersUnderLoad = Effect.fnUntraced(function* (seed: number) {
  const generator = Generator.make(seed)
  const { below, isOneIn, pick } = generator
  const world = makeWorld(generator)
  let now = 1000
  for (let step = 0; step < steps; step++) {
    now += below(120)
    if (step < 3 || isOneIn(4)) yield* world.add(now)
    const claimed = yield* world.take(pick(queues), now, 1 + below(5))
    yield* Effect.forEach(claimed, (each) => world.end(each, now))
    if (isOneIn(6)) yield* world.decide(pick(["resumed", "dropped"]))
  }
  const open = () => [...world.all.values()].filter(({ state }) => state !== "done")
  for (let round = 0; round < roundsMax && open().length > 0; round++) {
    now += 1000
    yield* world.decide("resumed")
    for (const queue of ["work", "webhook"] as const) {
      const claimed = yield* world.take(queue, now, 100)
      yield* Effect.forEach(claimed, world.finish, { concurrency: "unbounded" })
    }
  }
  never(
    "each job is claimed until it is finished",
    open().map(({ job }) => job.id),
  )
})
