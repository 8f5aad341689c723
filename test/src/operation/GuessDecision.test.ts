/** The decision of an answer that can be guessed. D-334. */
import { describe, expect, it } from "vitest"
import { answer, refuse } from "../../../packages/core/src/decision/Decision.ts"
import { decideGuess, type Guess } from "../../../packages/core/src/decision/GuessDecision.ts"
import { invalidInput } from "../../../packages/core/src/foundation/errors/ServiceError.ts"

const count = (key: string) => ({ counters: [{ key, delta: 1 }] })
const refusal = invalidInput([{ field: "code", message: "must be right" }])
const guess = (more: Partial<Guess<string>>): Guess<string> => ({
  refused: undefined,
  isRight: true,
  wrong: { refusal, counted: count("wrong") },
  right: () => ({ decision: answer(200, "done"), counted: count("right") }),
  ...more,
})

describe("an answer that can be guessed", () => {
  it("is refused without a trace of its check while the secret is closed", () => {
    const refused = { code: "RATE_LIMITED", message: "Too many." } as const
    for (const isRight of [true, false]) {
      expect(decideGuess(guess({ refused, isRight }))).toEqual({ _tag: "Refuse", refusal: refused, changes: {} })
    }
  })

  it("commits the count of a wrong answer, of a right one, and of a right one that is refused", () => {
    expect(decideGuess(guess({ isRight: false }))).toMatchObject({ _tag: "Refuse", refusal, changes: count("wrong") })
    expect(decideGuess(guess({}))).toMatchObject({ _tag: "Answer", body: "done", changes: count("right") })
    const decision = refuse(refusal, { counters: [{ key: "more", delta: 1 }] })
    expect(decideGuess(guess({ right: () => ({ decision, counted: count("right") }) }))).toMatchObject({
      _tag: "Refuse",
      changes: { counters: [{ key: "right" }, { key: "more" }] },
    })
  })

  it.each([{}, { guards: [{ kind: "Customer" as const, id: "x", version: 1 }] }])(
    "must write its count, because nothing else is committed: %j",
    (counted) => {
      expect(() => decideGuess(guess({ right: () => ({ decision: answer(200, ""), counted }) }))).toThrow(
        /write the count/u,
      )
      expect(() => decideGuess(guess({ isRight: false, wrong: { refusal, counted } }))).toThrow(/write the count/u)
    },
  )
})
