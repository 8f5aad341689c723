/**
 * Random histories of one queue, for the comparison of two stores: several platforms add, finish, return, park and resume jobs in lanes, and
 * claims of every size share what is due.
 * Source: store/Store.ts (ClaimRequest); D-325, D-327.
 */
import { tenant } from "@countersign/core"
import { type ChangeSet, type ClaimedJob, Store, type StoreUnavailable } from "@countersign/core/store"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { asCaller, randomInts } from "./Histories.ts"

const platforms = Array.from({ length: 6 }, (_, n) => tenant(id("PlatformConfig", n + 1)))

/** Times are multiples of this, so that jobs are due together and waits end together. */
const stepMillis = 10

/** Runs the history of a seed on a store. Returns each answer, and the jobs that are left. */
export const runClaimHistory = Effect.fnUntraced(function* (
  seed: number,
): Effect.fn.Return<ReadonlyArray<unknown>, StoreUnavailable, Store> {
  const store = yield* Store
  const randomInt = randomInts(seed)
  const oneIn = (times: number) => randomInt(times) === 0
  const steps = (max: number) => stepMillis * randomInt(max)
  const answers: Array<unknown> = []
  const claimed: Array<ClaimedJob> = []
  const parked: Array<ClaimedJob> = []
  let added = 0
  let wallNow = 0
  let businessNow = 0

  const commit = Effect.fnUntraced(function* (platformId: string, set: Partial<ChangeSet>) {
    const caller = platforms.find((each) => each.platformId === platformId) ?? tenant(platformId)
    answers.push(
      yield* asCaller(store.commit(changeSet({ at: wallNow, ...set, operationId: `${answers.length}` })), caller),
    )
  })
  /** One platform has most of the jobs. */
  const somePlatform = () => platforms[oneIn(2) ? 0 : randomInt(platforms.length)]?.platformId ?? ""
  const add = Effect.suspend(() => {
    const jobs = Array.from({ length: 1 + randomInt(6) }, () => {
      const lane = randomInt(4)
      const hold = randomInt(3)
      return job(++added, {
        customerId: null,
        kind: oneIn(5) ? "other" : "test",
        queue: oneIn(12) ? "webhook" : "work",
        dueAt: businessNow + steps(4),
        ...(lane === 0 ? {} : { lane: `lane ${lane}` }),
        ...(hold === 0 ? {} : { laneHoldMillis: hold * 4 * stepMillis }),
      })
    })
    return commit(somePlatform(), { jobs })
  })
  const claim = Effect.gen(function* () {
    wallNow += steps(4)
    businessNow = Math.max(businessNow, wallNow) + steps(2)
    yield* TestClock.setTime(wallNow)
    const found = yield* store.claim({
      queue: oneIn(8) ? "webhook" : "work",
      worker: "w",
      businessNow,
      wallNow,
      limit: 1 + randomInt(oneIn(3) ? 24 : 6),
      leavesReserve: oneIn(2),
      leaseMillis: (1 + randomInt(9)) * stepMillis,
      ...(oneIn(2) ? { runs: { kinds: oneIn(4) ? ["other"] : ["test", "other"], jobsMax: 1 + randomInt(4) } } : {}),
    })
    claimed.push(...found)
    answers.push(found)
  })
  /** Takes one of a list; another platform than its own may ask. */
  const take = (from: Array<ClaimedJob>) => {
    const [one] = from.splice(oneIn(6) ? 0 : randomInt(Math.max(1, from.length)), 1)
    return one
  }
  const askerOf = ({ platformId }: ClaimedJob) => (oneIn(12) ? somePlatform() : platformId)
  const finish = Effect.suspend(() => {
    const one = take(claimed)
    return one === undefined ? Effect.void : commit(askerOf(one), { finishes: [{ id: one.id, attempt: one.attempt }] })
  })
  const giveBack = Effect.suspend(() => {
    const one = take(claimed)
    if (one === undefined) return Effect.void
    const { attempt } = one
    const outcome = oneIn(3) ? "parked" : "retry"
    if (outcome === "parked") parked.push(one)
    return commit(askerOf(one), {
      returns: [{ id: one.id, attempt, outcome, notBefore: wallNow + steps(6), error: "no answer" }],
    })
  })
  const decide = Effect.suspend(() => {
    const one = take(parked)
    if (one === undefined) return Effect.void
    const { attempt } = one
    return commit(askerOf(one), { returns: [{ id: one.id, attempt, outcome: oneIn(3) ? "dropped" : "resumed" }] })
  })

  yield* TestClock.setTime(wallNow)
  for (let left = 30 + randomInt(40); left > 0; left--) {
    const kind = randomInt(12)
    if (kind < 4) yield* add
    else if (kind < 8) yield* claim
    else if (kind < 10) yield* finish
    else if (kind < 11) yield* giveBack
    else yield* decide
  }
  for (const caller of platforms) answers.push(yield* asCaller(store.jobs, caller))
  return answers
})
