/** The search finds what mutation alone does not, says it briefly, and finds nothing wrong with the decoders. */
import { describe, expect, it } from "vitest"
import { drawOf } from "../crypto/Mutants.ts"
import { search, type Target } from "./Search.ts"
import { targets } from "./Targets.ts"

const inputs = Number(process.env["COUNTERSIGN_FUZZ"] ?? 4000)

describe("the search", () => {
  /** Breaks at one of about a hundred million beginnings, four steps away from the valid one. */
  const deep = (input: string): string | undefined => {
    if (!input.startsWith("c")) return undefined
    if (input.charAt(1) !== "Q") return undefined
    if (input.charAt(2) !== "{") return undefined
    return input.charAt(3) === "7" ? "the bottom is reached" : undefined
  }
  const target: Target = { name: "deep", sources: /fuzz\/Search\.test/u, valid: ["aaaaaaaa"], check: deep }

  it("is led to what it would not meet at random", () => {
    const led = search(target, { inputs: 60_000, draw: drawOf(1) })
    expect(led.findings).toEqual([{ input: "cQ{7", problem: "the bottom is reached" }])
    expect(search(target, { inputs: 60_000, draw: drawOf(1), isLed: false }).findings).toEqual([])
  })

  it("continues from the inputs of an earlier one", () => {
    const first = search(target, { inputs: 60_000, draw: drawOf(2) })
    expect(search(target, { inputs: 0, draw: drawOf(3), corpus: first.corpus }).covered).toBe(first.covered)
  })

  it("reports what throws", () => {
    const check = (input: string) => {
      if (input.includes("!")) throw new TypeError("no")
      return undefined
    }
    const { findings } = search({ ...target, check }, { inputs: 5000, draw: drawOf(4) })
    expect(findings).toEqual([{ input: "!", problem: "throws TypeError: no" }])
  })
})

describe("the decoder of", () => {
  it.each(targets.map((target) => [target.name, target] as const))(
    "%s accepts nothing wrong",
    { timeout: 600_000 },
    (_, target) => {
      const { corpus, covered, findings } = search(target, { inputs, draw: drawOf(20_261_127) })
      expect(findings).toEqual([])
      expect(covered).toBeGreaterThan(0)
      expect(corpus.length).toBeGreaterThanOrEqual(target.valid.length)
    },
  )
})
