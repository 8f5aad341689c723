/**
 * What a check sent to the store and what the store answered, in the order of the calls: a layer around the store writes it down.
 * Source: D-518.
 */
import { type Caller, CurrentCaller } from "@countersign/core"
import { type ChangeSet, type ClaimedJob, type ClaimRequest, type CommitOutcome, Store } from "@countersign/core/store"
import { Context, Effect, Exit, Layer } from "effect"

/** A commit. The numbers of its begin and its end order it among the others; one without an end was interrupted. */
export interface SentSet {
  readonly set: ChangeSet
  readonly caller: Caller
  readonly begin: number
  /** Business time (ms) when it was sent. */
  readonly businessNow: number
  end?: number
  /** Absent: the set was a defect, and no part of it was applied. */
  outcome?: CommitOutcome
}

export interface SentClaim {
  readonly request: ClaimRequest
  readonly begin: number
  readonly end: number
  readonly claimed: ReadonlyArray<ClaimedJob>
}

/** A copy of plain data. `structuredClone` returns objects of another realm where a runner has one of its own, which equal none of this one. */
const copyOf = <A>(value: A): A => {
  if (Array.isArray(value)) return value.map(copyOf) as A
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)])) as A
}

export class History {
  readonly sets: Array<SentSet> = []
  readonly claims: Array<SentClaim> = []
  /** Business time and wall time (ms), as the check has set them. */
  now = 0
  #ticks = 0

  tick(): number {
    this.#ticks += 1
    return this.#ticks
  }

  send(set: ChangeSet, caller: Caller): SentSet {
    // A check may change the set afterwards, to show that the store has its own.
    const sent = { set: copyOf(set), caller, begin: this.tick(), businessNow: this.now }
    this.sets.push(sent)
    return sent
  }
}

/** The history of the current check. */
export const CurrentHistory = Context.Reference<History>("@countersign/test/conformance/History", {
  defaultValue: () => new History(),
})

/** The store of the context, with what passes through it in a history. */
export const layer = (history: History): Layer.Layer<Store, never, Store> =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        commit: (set) =>
          Effect.gen(function* () {
            const sent = history.send(set, yield* CurrentCaller)
            const exit = yield* Effect.exit(store.commit(set))
            sent.end = history.tick()
            if (Exit.isSuccess(exit)) sent.outcome = copyOf(exit.value)
            return yield* exit
          }),
        claim: (request) =>
          Effect.gen(function* () {
            const begin = history.tick()
            const claimed = yield* store.claim(request)
            history.claims.push({ request, begin, end: history.tick(), claimed: copyOf(claimed) })
            return claimed
          }),
      }),
    ),
  )
