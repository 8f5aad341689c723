/** Which secrets are too weak: known ones, short ones and those of few characters, each with its reason. */
import { describe, expect, it } from "vitest"
import {
  clientSecretMin,
  knownSecrets,
  weaknessOf,
} from "../../../packages/core/src/foundation/crypto/SecretStrength.ts"

/** A text of this length, of this many different characters. */
const secretOf = (length: number, distinct: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % distinct))).join("")

describe("a secret", () => {
  it("is strong enough from its least length and from eight different characters on", () => {
    expect(weaknessOf(secretOf(20, 8), clientSecretMin)).toBeUndefined()
    expect(weaknessOf(secretOf(32, 9), 32)).toBeUndefined()
  })

  it.each([
    ["19 characters", secretOf(19, 10), 20, "has fewer than 20 characters"],
    ["31 characters", secretOf(31, 10), 32, "has fewer than 32 characters"],
    ["nothing", "", 1, "has fewer than 1 characters"],
    ["seven different characters", secretOf(40, 7), 20, "has fewer than 8 different characters"],
    ["one character", "a".repeat(40), 20, "has fewer than 8 different characters"],
  ])("of %s is weak for that reason", (_, secret, lengthMin, weakness) => {
    expect(weaknessOf(secret, lengthMin)).toBe(weakness)
  })

  it.each([...knownSecrets])("that everybody knows is weak, whatever its length: %s", (secret) => {
    expect(weaknessOf(secret, 1)).toBe("is a secret that documentation or tests show, so everybody knows it")
  })

  it("may be as long as one that everybody knows", () => {
    expect(weaknessOf("a secret of thirty-two character?", 20)).toBeUndefined()
  })
})
