/** The magic suffix of an identifier: its last three characters before a domain part. */
import { Suffix } from "@countersign/core/verify"
import fc from "fast-check"
import { expect, it } from "vitest"

it.each([
  ["12345678002", "002"],
  ["DE89370400440532013105", "105"],
  ["spark1qqqq003", "003"],
  // In an identifier with a domain part, the suffix ends the user part.
  ["ana004@example.com", "004"],
  ["$bob.005@uma.example.com", "005"],
  ["ana@example002.com", "ana"],
  // A leading at sign starts no domain part.
  ["@shop107", "107"],
  ["02", "02"],
  ["", ""],
])("the suffix of %j is %j", (identifier, suffix) => {
  expect(Suffix.of(identifier)).toBe(suffix)
})

const withoutAt = fc.string({ minLength: 1 }).map((text) => text.replaceAll("@", "-"))

it("reads the same digits with and without a domain part", () => {
  fc.assert(
    fc.property(withoutAt, fc.string(), fc.stringMatching(/^\d{3}$/u), (user, domain, digits) => {
      expect(Suffix.of(user + digits)).toBe(digits)
      expect(Suffix.of(`${user}${digits}@${domain}`)).toBe(digits)
    }),
  )
})
