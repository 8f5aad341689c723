/** E-mail addresses, beside a validator of JSON Schema. Source: D-430. */
import { Email } from "@countersign/core/models"
import Ajv2020 from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const accepts = Schema.is(Email)
const validate = addFormats.default(new Ajv2020.default()).compile({ type: "string", format: "email" })

const valid = [
  "a@b.c",
  "ada.lovelace+codes@mail.example.com",
  "o'brien_1@xn--bcher-kva.example",
  "{a|b}~^`?=/*&%$#!-@1.2",
  `${"a".repeat(64)}@example.com`,
]
const invalid = [
  "",
  "ada",
  "ada@example",
  "@example.com",
  "ada@",
  ".ada@example.com",
  "ada.@example.com",
  "a..b@example.com",
  "ada@-example.com",
  "ada@example-.com",
  "ada@example..com",
  "ada@example.com.",
  "ada lovelace@example.com",
  '"ada"@example.com',
  "ada@example.com\n",
  "ada\r\nBcc: eve@example.com@example.com",
  "ada\u0000@example.com",
  "jos\u00e9@example.com",
  "\u017fada@example.com",
  "ada@b\u00fccher.example",
  `${"a".repeat(65)}@example.com`,
  `ada@${"a.".repeat(126)}com`,
]

describe("an e-mail address", () => {
  it.each(valid)("is %j", (text) => {
    expect([accepts(text), validate(text)]).toEqual([true, true])
  })

  it.each(invalid)("is not %j", (text) => {
    expect(accepts(text)).toBe(false)
  })

  it("is one to a validator of JSON Schema, too", () => {
    const part = fc.string({ unit: fc.constantFrom(..."aZ09.-_+@' \u017f\u212a\u00e9\n"), maxLength: 12 })
    fc.assert(
      fc.property(part, part, (name, host) => {
        const text = `${name}@${host}`
        return !accepts(text) || validate(text)
      }),
      { numRuns: 20_000 },
    )
  })
})
