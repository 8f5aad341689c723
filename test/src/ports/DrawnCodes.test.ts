/** One-time codes from random bytes: their length, their characters, and the bytes that are discarded. */
import { drawCode } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { describe, expect, it } from "vitest"

/** Draws a code from these bytes, again from the first after the last. */
const drawn = async (bytes: ReadonlyArray<number>, length: number, alphanumeric = false) => {
  const asked: Array<number> = []
  let at = 0
  const random = SecureRandom.make((size) => {
    asked.push(size)
    return Uint8Array.from({ length: size }, () => bytes[at++ % bytes.length] ?? 0)
  })
  const code = await Effect.runPromise(
    drawCode({ length, alphanumeric }).pipe(Effect.provideService(SecureRandom.SecureRandom, random)),
  )
  return { text: Redacted.value(code), shown: String(code), asked }
}

describe("a one-time code", () => {
  it("has its length, one digit for each byte", async () => {
    const { asked, shown, text } = await drawn([0, 1, 2, 9, 10, 19, 249], 6)
    expect([text, asked]).toEqual(["012909", [12]])
    expect(shown).not.toContain(text)
    expect(shown).toContain("OTP code")
    expect((await drawn([249], 7)).text).toBe("9999999")
  })

  it("discards bytes beyond the last multiple of the alphabet, so that no character is more frequent", async () => {
    const { asked, text } = await drawn([250, 251, 252, 253, 254, 255, 7], 4)
    expect(text).toBe("7777")
    expect(asked.every((size) => size === 8)).toBe(true)
    expect((await drawn([238, 255, 237], 3, true)).text).toBe("ZZZ")
  })

  it("has upper-case letters without I and O on request", async () => {
    const all = Array.from({ length: 34 }, (_, index) => index)
    expect((await drawn(all, 34, true)).text).toBe("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    expect((await drawn([34, 35], 2, true)).text).toBe("01")
  })
})
