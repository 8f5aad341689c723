/** The search for an order, on histories whose answer is known, and beside a search that tries every order. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Call, linearizable, type Model } from "./Linearizability.ts"

type Input = { readonly write: number } | "read"

const register: Model<number, Input, number> = {
  initial: 0,
  step: (state, input, output) => {
    if (input !== "read") return [input.write]
    return output === undefined || output === state ? [state] : []
  },
}

const never = Number.POSITIVE_INFINITY
const call = (input: Input, begun: number, ended: number, output?: number): Call<Input, number> => ({
  input,
  begun,
  ended,
  output: output ?? (ended === never ? undefined : 0),
})
const write = (value: number, begun: number, ended: number) => call({ write: value }, begun, ended)
const read = (value: number, begun: number, ended: number) => call("read", begun, ended, value)

const verdict = (...calls: ReadonlyArray<Call<Input, number>>) => linearizable(register, calls)._tag

describe("an order of calls", () => {
  it("exists if each read returns what was written last", () => {
    expect(verdict(write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7))).toBe("Linearizable")
    expect(verdict()).toBe("Linearizable")
  })

  it("exists for either value while a write runs", () => {
    expect(verdict(write(1, 0, 9), read(0, 1, 2), read(1, 3, 4))).toBe("Linearizable")
    expect(verdict(write(1, 0, 9), read(1, 1, 2), read(0, 3, 4))).toBe("Contradiction")
  })

  it("does not exist if a read returns what was replaced before it began", () => {
    expect(verdict(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))).toBe("Contradiction")
  })

  it("may have a call that was never answered anywhere after its beginning, or nowhere", () => {
    expect(verdict(write(1, 0, never), read(0, 1, 2), read(1, 3, 4))).toBe("Linearizable")
    expect(verdict(write(1, 0, never), read(0, 1, 2), read(0, 3, 4))).toBe("Linearizable")
    expect(verdict(read(1, 0, 1), write(1, 2, never))).toBe("Contradiction")
  })

  it("that does not exist is reported by the longest beginning, and the calls that do not fit", () => {
    expect(linearizable(register, [write(1, 0, 1), read(1, 2, 3), read(7, 4, 5)])).toEqual({
      _tag: "Contradiction",
      state: 1,
      ordered: 2,
      stuck: [read(7, 4, 5)],
    })
  })

  it("is given up after its number of steps", () => {
    const calls = Array.from({ length: 12 }, (_, n) => write(n, n, 100 + n))
    expect(linearizable(register, [...calls, read(77, 50, 200)], 100)).toEqual({ _tag: "Undecided" })
  })

  it("is found exactly if one of all orders has these answers", () => {
    /** Tries every order of the calls that were answered, with or without the others. */
    const exists = (left: ReadonlyArray<Call<Input, number>>, state: number): boolean =>
      left.every(({ ended }) => ended === never) ||
      left.some((one) => {
        const rest = left.filter((other) => other !== one)
        if (rest.some(({ ended }) => ended < one.begun)) return false
        return register.step(state, one.input, one.output).some((next) => exists(rest, next))
      })
    const value = fc.integer({ min: 0, max: 2 })
    const input = fc.oneof(fc.record({ write: value }), fc.constant("read" as const))
    const history = fc
      .array(fc.record({ input, output: value, lasts: fc.integer({ min: 1, max: 9 }), isLost: fc.boolean() }), {
        maxLength: 6,
      })
      .map((all) =>
        all.map(({ input: what, isLost, lasts, output }, n): Call<Input, number> => {
          const begun = 3 * n
          const isOpen = isLost && n % 2 === 0
          return {
            input: what,
            begun,
            ended: isOpen ? never : begun + 3 * lasts + 1,
            output: isOpen ? undefined : output,
          }
        }),
      )
    const seen = { yes: 0, no: 0 }
    fc.assert(
      fc.property(history, (calls) => {
        const expected = exists(calls, 0)
        seen[expected ? "yes" : "no"] += 1
        expect(linearizable(register, calls)._tag).toBe(expected ? "Linearizable" : "Contradiction")
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(100)
  })

  it("may have several next states of one call", () => {
    const coin: Model<string, "toss" | "look", string> = {
      initial: "none",
      step: (state, input, output) => (input === "toss" ? ["heads", "tails"] : output === state ? [state] : []),
    }
    const toss = { input: "toss" as const, begun: 0, ended: 1, output: "" }
    const look = (output: string, begun: number) => ({ input: "look" as const, begun, ended: begun + 1, output })
    expect(linearizable(coin, [toss, look("tails", 2), look("tails", 4)])._tag).toBe("Linearizable")
    expect(linearizable(coin, [toss, look("tails", 2), look("heads", 4)])._tag).toBe("Contradiction")
  })
})
