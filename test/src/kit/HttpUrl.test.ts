/** Addresses, beside a validator of JSON Schema. Source: D-430. */
import Ajv2020 from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { HttpUrl } from "../../../packages/core/src/foundation/kit/HttpUrl.ts"

const accepts = Schema.is(HttpUrl(100))
const validate = addFormats.default(new Ajv2020.default()).compile({ type: "string", format: "uri" })

const valid = [
  "http://a",
  "https://example.com",
  "https://example.com:8443/hooks/in?a=b&c=%20#top",
  "http://user:secret@localhost:3000/",
  "http://[::1]:8080/x",
  "http://[2001:db8:0:0:0:0:0:1]/",
  "https://example.com?q=/?",
]
const invalid = [
  "",
  "example.com",
  "ftp://example.com",
  "javascript:alert(1)",
  "https://",
  "https:///path",
  "https://exa mple.com",
  "https://example.com/a b",
  "https://example.com/\n",
  "https://example.com/é",
  "https://example.com/%2",
  'https://example.com/"',
  "https://example.com/#a#b",
  "http://[::1",
  "http://[1:2]/",
  "http://[1::2::3]/",
  "http://[12345::]/",
  `https://example.com/${"a".repeat(100)}`,
]

describe("an http or https address", () => {
  it.each(valid)("is %j", (url) => {
    expect([accepts(url), validate(url)]).toEqual([true, true])
  })

  it.each(invalid)("is not %j", (url) => {
    expect(accepts(url)).toBe(false)
  })

  it("is https where only https will do", () => {
    const secure = Schema.is(HttpUrl(100, "https"))
    expect(["https://example.com", "http://example.com"].map((url) => secure(url))).toEqual([true, false])
  })

  it("is one to a validator of JSON Schema, too", () => {
    const part = fc.string({ unit: fc.constantFrom(..."a1:/?#[]@%2F.-é \\"), maxLength: 16 })
    fc.assert(
      fc.property(fc.constantFrom("http", "https"), part, (scheme, rest) => {
        const url = `${scheme}://${rest}`
        return !accepts(url) || validate(url)
      }),
      { numRuns: 20_000 },
    )
  })
})
