/** What a code counts towards before it is sent, and which numbers get none. D-335, D-336. */
import { describe, expect, it } from "vitest"
import { codePricesDefault, countedPrefix, priceOf } from "../../../packages/core/src/model/limit/CodePrices.ts"
import { type CodeSend, chargesOfSend } from "../../../packages/core/src/model/limit/CodeSend.ts"
import {
  limitKey,
  limitOfKey,
  limitRefusal,
  liveLimitsFrom,
} from "../../../packages/core/src/model/limit/LimitCounter.ts"
import { type UseLimitCounts, UseLimits } from "../../../packages/core/src/model/limit/UseLimits.ts"

const now = Date.parse("2026-03-02T08:00:00.500Z")
const minute = 60_000
const day = 1440 * minute
const text: CodeSend = { channel: "SMS", recipient: "+14155550123", customerId: "Customer:1" }
const mail: CodeSend = { channel: "EMAIL", recipient: "ada@example.com", customerId: "Customer:1" }

const chargesOf = (send: CodeSend, counts: UseLimitCounts = {}, prices = codePricesDefault) => {
  const found = chargesOfSend(send, { counts, prices }, now)
  return "code" in found ? found : found.map(({ delta, key, max }) => [limitOfKey(key)?.name, delta, max])
}
const keysOf = (send: CodeSend) => {
  const found = chargesOfSend(send, { counts: {}, prices: codePricesDefault }, now)
  return "code" in found ? [] : found.map(({ key }) => key)
}

describe("a code", () => {
  const common = [
    ["CODE_SENDS_TO_RECIPIENT", 1, 50],
    ["CODE_SENDS_FOR_CUSTOMER", 1, 100],
    ["CODE_SENDS_OF_PLATFORM", 1, 50_000],
  ]
  const ofText = [
    ["CODE_SENDS_TO_PREFIX", 1, 5000],
    ["CODE_PRICE_OF_PLATFORM", 2, 200_000],
  ]

  it("by e-mail counts for its recipient, its customer and its platform", () => {
    expect(chargesOf(mail)).toEqual(common)
  })

  it("by text message counts for the prefix too, and its price", () => {
    expect(chargesOf(text)).toEqual([...common, ...ofText])
  })

  it("for no customer counts for none", () => {
    expect(chargesOf({ ...mail, customerId: null })).toEqual([common[0], common[2]])
  })

  it("has the limits of its deployment", () => {
    const counts = { CODE_SENDS_TO_RECIPIENT: 3, CODE_SENDS_FOR_CUSTOMER: 4, CODE_SENDS_OF_PLATFORM: 5 }
    const own = { ...counts, CODE_SENDS_TO_PREFIX: 6, CODE_PRICE_OF_PLATFORM: 7 }
    expect(chargesOf(text, own)).toEqual([...common, ...ofText].map(([name, delta], at) => [name, delta, 3 + at]))
  })

  it("that costs nothing counts for no price", () => {
    expect(chargesOf(text, {}, { "+": 0 })).toEqual([...common, ofText[0]])
  })

  it("is not sent to a number without a price", () => {
    const refusal = {
      code: "INVALID_INPUT",
      message: "No code is sent to numbers of this prefix.",
      details: { reason: "RECIPIENT_NOT_SUPPORTED" },
    }
    for (const prices of [{}, { "+": 1, "+1": null }, { "+44": 1 }])
      expect(chargesOf(text, {}, prices)).toEqual(refusal)
    // An address is no number.
    expect(chargesOf(mail, {}, {})).toEqual(common)
  })

  it("counts for the same recipient in another spelling, and names none", () => {
    const [own] = keysOf(mail)
    expect(keysOf({ ...mail, recipient: " Ada@Example.com" })[0]).toBe(own)
    expect(keysOf({ ...mail, recipient: "eda@example.com" })[0]).not.toBe(own)
    expect(keysOf({ ...mail, channel: "SMS" })[0]).not.toBe(own)
    expect(own).toMatch(/:CODE_SENDS_TO_RECIPIENT:[0-9a-f]{32}$/u)
    for (const key of keysOf(text)) expect(key).not.toContain("4155550123")
  })
})

describe("the price of a number", () => {
  const prices = { "+": 15, "+1": 2, "+1900": null, "+44": 5 }

  it.each([
    ["+14155550123", "+1", 2, "+1"],
    ["+19005550123", "+1900", null, "+1900"],
    ["+447700900123", "+44", 5, "+44"],
    ["+33612345678", "+", 15, "+336"],
    ["+1", "+1", 2, "+1"],
    ["0044", "", null, "0044"],
  ])("%s has the one of %j", (number, prefix, cents, counted) => {
    expect(priceOf(number, prices)).toEqual({ prefix, cents })
    expect(countedPrefix(number, prefix)).toBe(counted)
  })

  it("is not one of a name that every object has", () => {
    expect(priceOf("constructor", prices)).toEqual({ prefix: "", cents: null })
  })
})

describe("the counter of a limit", () => {
  it("has one key until the end of its window, and another from then on", () => {
    const end = now - (now % minute) + minute
    const keyAt = (time: number) => limitKey("WRONG_CREDENTIALS", "source", time)
    expect(keyAt(end - 1)).toBe(keyAt(now))
    expect(keyAt(end)).not.toBe(keyAt(now))
    expect(limitOfKey(keyAt(now))).toEqual({ name: "WRONG_CREDENTIALS", availableAt: end })
  })

  it("is live until the end of its window", () => {
    const key = limitKey("CONTACT_CODE_CHECKS", "Customer:1:email", now)
    const end = now - (now % day) + day
    expect(liveLimitsFrom(end - 1) <= key).toBe(true)
    expect(liveLimitsFrom(end) <= key).toBe(false)
  })

  it.each(["other:1:READS:a", "ending in limit:", "limit:0000000000001:UNKNOWN:a", "limit:", ""])(
    "is not the one of the key %j",
    (key) => {
      expect(limitOfKey(key)).toBeUndefined()
    },
  )

  it.each([
    [now + 1, 1],
    [now + 999, 1],
    [now + 1001, 2],
    [now, 1],
    [now - 5000, 1],
    [now + day, 86_400],
  ])("until %i refuses with a Retry-After of %i seconds", (availableAt, retryAfterSeconds) => {
    expect(limitRefusal("READS", { availableAt, count: 7, now })).toEqual({
      code: "RATE_LIMITED",
      message: "Too many reads.",
      details: { reason: "READS", limit: 7, windowSeconds: 60, retryAfterSeconds },
    })
  })

  it("has a sentence of its own for each limit", () => {
    const messages = UseLimits.keys.map((name) => UseLimits.get(name).message)
    expect(
      messages.filter(
        (message) =>
          !/^(?:Too many [a-z -]+|The .* have reached their price limit|The platform has sent too many codes today)\.$/u.test(
            message,
          ),
      ),
    ).toEqual([])
    expect(new Set(messages).size).toBe(messages.length)
  })
})
