/** Races on an agent's quotes in memory, with several interleavings. */
import { describe } from "vitest"
import { proveQuoteRaces } from "./QuoteRaces.ts"

describe.each([1, 2, 3])("with interleaving %i", (interleave) => {
  proveQuoteRaces(async () => ({ interleave }))
})
