/** Races of wallet requests in memory, in several orders. D-141. */
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { proveRacesInMemory } from "./Races.ts"

proveRacesInMemory([1, 2, 3], (interleave) => harness({ interleave }))
