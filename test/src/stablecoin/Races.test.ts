/** Races of the stablecoin operations in memory. */
import { describe } from "vitest"
import { proveStablecoinRaces } from "./Races.ts"
import { stablecoinWorld } from "./StablecoinWorld.ts"

describe("stablecoins in memory", () => proveStablecoinRaces(() => stablecoinWorld({ interleave: 5 })))
