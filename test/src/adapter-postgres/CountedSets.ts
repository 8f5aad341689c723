/** Change sets that need nothing but a counter, and so hold whatever else is there. */
import type { ChangeSet } from "@countersign/core/store"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"

export const counted = (key: string, max = 100): ChangeSet => changeSet({ counters: [{ key, delta: 1, max }] })

/** So many, each with a counter of its own: `counter 0` and so on. */
export const good = (count: number): ReadonlyArray<ChangeSet> =>
  Array.from({ length: count }, (_, index) => counted(`counter ${index}`))
