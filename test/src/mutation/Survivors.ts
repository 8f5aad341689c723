/** The mutants that survive, and why: each changes nothing that a caller, a store or a reader could tell. */
import type { Explanation } from "./Report.ts"

export const explained: ReadonlyArray<Explanation> = []
