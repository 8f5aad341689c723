/** The first batch of simulated runs. */
import { describe } from "vitest"
import { seeds } from "./Seeds.ts"

describe("a simulated run", () => seeds(0))
