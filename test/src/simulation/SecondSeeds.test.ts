/** The second batch of simulated runs. */
import { describe } from "vitest"
import { seeds } from "./Seeds.ts"

describe("a simulated run", () => seeds(1))
