/** The harness rejects an error response without a text, at any depth. */
import { expect, it } from "vitest"
import { requireErrorTexts } from "../../../packages/test/src/harness/ErrorTexts.ts"

it("accepts errors whose messages say something", () => {
  expect(() =>
    requireErrorTexts({ code: "A", message: "is wrong", details: { errors: [{ message: "b" }] } }),
  ).not.toThrow()
  expect(() => requireErrorTexts("no object")).not.toThrow()
})

it("rejects an empty message, and names where it is", () => {
  expect(() => requireErrorTexts({ code: "A", message: "" })).toThrow("no text in message")
  const nested = { code: "A", message: "b", details: { errors: [{ message: "c" }, { message: " " }] } }
  expect(() => requireErrorTexts(nested)).toThrow("no text in details.errors.1.message")
})
