/** The search finds what mutation alone does not, says it briefly, and finds nothing wrong with the decoders. */
import { afterAll, describe, expect, it } from "vitest"
import { drawOf } from "../crypto/Mutants.ts"
import { stopCounting } from "./BlockCoverage.ts"
import { plantedFaults } from "./PlantedFaults.ts"
import { search } from "./Search.ts"
import type { Target } from "./Target.ts"
import { targets } from "./Targets.ts"

afterAll(stopCounting)

const inputs = Number(process.env["COUNTERSIGN_FUZZ"] ?? 4000)

/** How many inputs search for a planted fault. */
const plantedInputs = 6000

describe("the search", () => {
  /** Breaks at one of about a hundred million beginnings, four steps away from the valid one. */
  const deep = (input: string): string | undefined => {
    if (!input.startsWith("c")) return undefined
    if (input.charAt(1) !== "Q") return undefined
    if (input.charAt(2) !== "{") return undefined
    return input.charAt(3) === "7" ? "the bottom is reached" : undefined
  }
  const target: Target = { name: "deep", sources: /fuzz\/Search\.test/u, valid: ["aaaaaaaa"], check: deep }

  it("is led to what it would not meet at random", async () => {
    const led = await search(target, { inputs: 60_000, draw: drawOf(1) })
    expect(led.findings).toEqual([{ input: "cQ{7", problem: "the bottom is reached" }])
    const blind = await search(target, { inputs: 60_000, draw: drawOf(1), isLed: false })
    expect(blind.findings).toEqual([])
  })

  it.each(plantedFaults.map((planted) => [planted.name, planted] as const))(
    "is led to the fault that is planted in a decoder of %s, and does not meet it at random",
    async (_, planted) => {
      const led = await search(planted, { inputs: plantedInputs, draw: drawOf(2) })
      expect(led.findings).toMatchObject([{ problem: "the planted fault" }])
      const blind = await search(planted, { inputs: plantedInputs, draw: drawOf(2), isLed: false })
      expect(blind.findings).toEqual([])
    },
  )

  it("continues from the inputs of an earlier one", async () => {
    const first = await search(target, { inputs: 60_000, draw: drawOf(2) })
    const second = await search(target, { inputs: 0, draw: drawOf(3), corpus: first.corpus })
    expect(second.covered).toBe(first.covered)
  })

  it("reports what throws", async () => {
    const check = (input: string) => {
      if (input.includes("!")) throw new TypeError("no")
      return undefined
    }
    const { findings } = await search({ ...target, check }, { inputs: 5000, draw: drawOf(4) })
    expect(findings).toEqual([{ input: "!", problem: "throws TypeError: no" }])
  })

  it("reports what takes too long, and nothing that a busy machine delays for a while", async () => {
    let delays = 0
    const check = (input: string) => {
      const isDelayed = input.includes("?") && delays++ < 10
      const { system, user } = process.cpuUsage()
      const spent = () => process.cpuUsage().system + process.cpuUsage().user - system - user
      while ((input.includes("!") || isDelayed) && spent() < 60_000);
      return undefined
    }
    const slow: Target = { ...target, valid: ["aa?aa", "aa!aa"], check }
    const { findings } = await search(slow, { inputs: 0, draw: drawOf(4) })
    expect(delays).toBeGreaterThan(10)
    expect(findings).toEqual([{ input: "!", problem: "takes more than 50 ms" }])
  })
})

describe("the decoder of", () => {
  it.each(targets.map((target) => [target.name, target] as const))(
    "%s accepts nothing wrong",
    { timeout: 600_000 },
    async (_, { cost, make }) => {
      const target = await make()
      // A sample of the coverage costs as much as a hundred inputs of a text: the expensive ones are led in `npm run fuzz`.
      const options = { inputs: Math.ceil(inputs / cost), draw: drawOf(20_261_127), isLed: cost === 1 }
      const { corpus, covered, findings } = await search(target, options).finally(target.close)
      expect(findings).toEqual([])
      expect(covered).toBeGreaterThan(0)
      expect(corpus.length).toBeGreaterThanOrEqual(new Set(target.valid).size)
    },
  )
})
