/** Races about an agent's quotes in memory, in several orders. */
import { describe } from "vitest"
import { proveQuoteRaces } from "./QuoteRaces.ts"

describe.each([1, 2, 3])("in the order of %i", (interleave) => {
  proveQuoteRaces(async () => ({ interleave }))
})
