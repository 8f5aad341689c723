/** Change sets that change a counter only, and so succeed in any state. */
import type { ChangeSet } from "@countersign/core/store"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"

export const counted = (key: string, max = 100): ChangeSet => changeSet({ counters: [{ key, delta: 1, max }] })

/** This number of sets, each with its own counter: `counter 0` and so on. */
export const good = (count: number): ReadonlyArray<ChangeSet> =>
  Array.from({ length: count }, (_, index) => counted(`counter ${index}`))
