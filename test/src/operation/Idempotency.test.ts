/** Which responses an idempotency key stores. Source: wire contract 11 (1); D-004. */
import { expect, it } from "vitest"
import { isStored } from "../../../packages/core/src/operation/Idempotency.ts"

it.each([200, 201, 202, 204, 400, 403, 404, 409, 499])("stores a response with status %i", (status) => {
  expect(isStored(status)).toBe(true)
})

it.each([401, 429, 500, 501, 503])("does not store a response with status %i", (status) => {
  expect(isStored(status)).toBe(false)
})
