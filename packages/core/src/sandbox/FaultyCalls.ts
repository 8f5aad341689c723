/**
 * Calls of ports that fail as calls to other systems do: sandboxes inject the faults that are switched on, simulated runs random ones.
 * Source: architecture, "Jobs, external calls and time"; D-480.
 */
import { Effect } from "effect"
import type { ChangeSet } from "../store/ChangeSet.ts"
import { Store, StoreUnavailable } from "../store/Store.ts"

type Unknown = { readonly _tag: "Unknown"; readonly cause: string }
type Later = { readonly _tag: "Later"; readonly at: number }
/** What a faulty call answers instead of its outcome. */
export type Lost = Unknown | Later

/**
 * What happens to one call. `LOST_REQUEST`: it does not arrive. `LOST_ANSWER`: it is executed, and its answer does not arrive. A number: the
 * outcome is known at this business time (ms).
 */
export type CallFault = "LOST_REQUEST" | "LOST_ANSWER" | "ERROR" | number

/** Makes calls for which `faultOf` decides at each call what happens to it; `undefined`: nothing. */
export const faultyCalls =
  (cause: string, faultOf: Effect.Effect<CallFault | undefined>) =>
  <A>(call: Effect.Effect<A>): Effect.Effect<A | Lost> =>
    Effect.flatMap(faultOf, (fault): Effect.Effect<A | Lost> => {
      if (fault === undefined) return call
      if (fault === "ERROR") return Effect.die(new Error(cause))
      if (fault === "LOST_ANSWER") return Effect.as(call, { _tag: "Unknown", cause })
      return Effect.succeed(fault === "LOST_REQUEST" ? { _tag: "Unknown", cause } : { _tag: "Later", at: fault })
    })

export type CommitFault = "CONFLICT" | "FAIL_BEFORE" | "FAIL_AFTER"

/** Decides what happens to each commit and read of a store. */
export interface StoreFaults {
  readonly cause: string
  readonly ofCommit: (set: ChangeSet) => Effect.Effect<CommitFault | undefined>
  /** Whether a read fails. Absent: none does. */
  readonly ofRead?: () => boolean
}

/** Returns a store whose reads and commits fail as the faults say. It forwards a set again that was applied before its answer was lost. */
export const faultyStore = (
  inner: Store["Service"],
  { cause, ofCommit, ofRead = () => false }: StoreFaults,
): Store["Service"] => {
  const applied = new Set<string>()
  const lost = (unknown: boolean) => Effect.fail(new StoreUnavailable({ cause: new Error(cause), unknown }))
  return Store.of({
    ...inner,
    read: (query) => Effect.suspend(() => (ofRead() ? lost(false) : inner.read(query))),
    commit: (set) =>
      Effect.suspend(() => {
        // A store recognizes an applied set that is sent again: it is never a conflict.
        if (applied.has(set.operationId)) return inner.commit(set)
        return Effect.flatMap(ofCommit(set), (fault) => {
          if (fault === undefined) return inner.commit(set)
          if (fault === "CONFLICT") return Effect.succeed({ _tag: "Conflict" as const, on: cause })
          if (fault === "FAIL_BEFORE") return lost(true)
          const noted = Effect.tap(inner.commit(set), () => Effect.sync(() => applied.add(set.operationId)))
          return Effect.andThen(noted, lost(true))
        })
      }),
  })
}
