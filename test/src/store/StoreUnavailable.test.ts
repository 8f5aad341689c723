/** What a store that cannot be reached says in logs. */
import { StoreUnavailable } from "@countersign/core/store"
import { Cause } from "effect"
import { expect, it } from "vitest"

it.each([
  [false, "the store is unavailable"],
  [true, "the store may or may not have applied the changes"],
])("an outcome that is unknown (%j) differs from a failed call, and the cause follows", (unknown, message) => {
  const error = new StoreUnavailable({ unknown, cause: new Error("ECONNREFUSED") })
  expect(error.message).toBe(message)
  expect(Cause.pretty(Cause.fail(error))).toMatch(new RegExp(`^StoreUnavailable: ${message}[\\s\\S]*ECONNREFUSED`, "u"))
})
