/**
 * The audit after a commit storm whose process was killed, through the port: each acknowledged set is stored, no set is stored in part, the
 * books balance, and a set that is sent again is applied once.
 * Source: D-539.
 */
import { CurrentCaller } from "@countersign/core"
import { Operator, Store, type StoreUnavailable, TrialBalance } from "@countersign/core/store"
import { Clock, Effect } from "effect"
import { alpha } from "../Examples.ts"
import { stormCallers } from "./commitStorm.ts"
import { amount, counterKey, customerOf, eventOf, jobOf, keyOf, referenceOf, stormSet, target } from "./StormSets.ts"

/** One process that committed the storm. */
export interface StormRun {
  readonly from: number
  /** The numbers that it acknowledged. */
  readonly acknowledged: ReadonlyArray<number>
}

/** Which parts of a set are stored, by name. */
const partsOf = Effect.fnUntraced(function* (n: number, jobs: ReadonlySet<string>) {
  const store = yield* Store
  const id = customerOf(n)
  const found = yield* store.read({ records: [{ kind: "Customer", id }] })
  const postings = yield* store.ownPostings(referenceOf(n))
  return {
    record: found.record("Customer", id) !== undefined,
    "unique key": (yield* store.resolve(keyOf(n)))?.id === id,
    posting: postings.length === 1,
    event: (yield* store.event(eventOf(n))) !== undefined,
    job: jobs.has(jobOf(n)),
  }
})

/** Compares the sums of all sets with their number. */
const problemsOfSums = Effect.fnUntraced(function* (stored: number, when: string) {
  const store = yield* Store
  const read = yield* store.read({ balances: [target], counters: [counterKey] })
  const lines = yield* store.trialBalance.pipe(Effect.provideService(Operator, { _tag: "Operator" }))
  const expected = { balance: stored * amount, sequence: stored, counter: stored }
  const found = { ...read.balance(target), counter: read.counter(counterKey) }
  return [
    ...TrialBalance.problems(lines),
    ...(Object.entries(expected) as ReadonlyArray<[keyof typeof found, number]>).flatMap(([name, value]) =>
      found[name] === value ? [] : [`${when} the ${name} is ${found[name]}, and ${stored} sets make it ${value}`],
    ),
  ]
})

/** Returns a sentence for each problem of a store that was opened after the last process of the storm had ended. */
export const stormProblems = (
  runs: ReadonlyArray<StormRun>,
): Effect.Effect<ReadonlyArray<string>, StoreUnavailable, Store> =>
  Effect.gen(function* () {
    const store = yield* Store
    const problems: Array<string> = []
    const jobs = new Set((yield* store.jobs).map(({ id }) => id))
    const sent = runs.flatMap(({ acknowledged, from }) =>
      Array.from({ length: acknowledged.length + stormCallers }, (_, index) => from + index),
    )
    const acknowledged = new Set(runs.flatMap((run) => run.acknowledged))
    let stored = 0
    for (const n of sent) {
      const parts = Object.entries(yield* partsOf(n, jobs))
      const missing = parts.filter(([, isStored]) => !isStored).map(([name]) => name)
      if (missing.length === 0) stored += 1
      else if (acknowledged.has(n))
        problems.push(`the acknowledged set ${n} is stored without its ${missing.join(", ")}`)
      else if (missing.length < parts.length)
        problems.push(`set ${n} is stored in part, without its ${missing.join(", ")}`)
    }
    problems.push(...(yield* problemsOfSums(stored, "after the kills")))
    const at = yield* Clock.currentTimeMillis
    for (const n of sent) {
      const outcome = yield* store.commit(stormSet(n, at))
      if (outcome._tag !== "Committed") problems.push(`set ${n}, sent again, is ${outcome._tag}`)
    }
    return [...problems, ...(yield* problemsOfSums(sent.length, "after all sets were sent again"))]
  }).pipe(Effect.provideService(CurrentCaller, alpha))
