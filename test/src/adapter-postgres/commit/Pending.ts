/** Change sets on their way to the database, for tests without one. */
import type { Caller } from "@countersign/core"
import type { ChangeSet } from "@countersign/core/store"
import * as EncodedChangeSet from "../../../../packages/adapter-postgres/src/commit/EncodedChangeSet.ts"
import type { PendingCommit, Result } from "../../../../packages/adapter-postgres/src/commit/PendingCommit.ts"
import { changeSet } from "../../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha } from "../../../../packages/test/src/conformance/Examples.ts"

export const encoded = (parts: Partial<ChangeSet> = {}, caller: Caller = alpha) =>
  EncodedChangeSet.make(changeSet(parts), caller, 1000)

export interface Pending extends PendingCommit {
  /** Its results so far. */
  readonly results: ReadonlyArray<Result>
}

export const pending = (parts: Partial<ChangeSet> = {}, caller: Caller = alpha): Pending => {
  const results: Array<Result> = []
  return { ...encoded(parts, caller), isLate: () => false, settle: (result) => void results.push(result), results }
}

/** A set that adds to a counter. */
export const adding = (key: string, caller: Caller = alpha): Pending =>
  pending({ counters: [{ key, delta: 1 }] }, caller)

/** Why the store was unavailable for a set. */
export const refusalsOf = ({ results }: Pending): ReadonlyArray<string> =>
  results.map((result) =>
    result._tag === "Unavailable" && !result.error.unknown ? String(result.error.cause) : result._tag,
  )
