/**
 * Lists in a query: one value is a list of one, and only what is wrong is reported.
 * Source: wire contract 5.4 (repeated `destinationCurrency`) and 8.1 (every problem, and nothing else).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"

let pay: Harness
beforeAll(async () => {
  pay = await harness()
})
afterAll(() => pay[Symbol.asyncDispose]())

const fieldsOf = async (path: string) => {
  const reply = await pay.send("GET", path)
  const errors = at(reply, "details", "errors") as ReadonlyArray<{ readonly field: string }> | undefined
  return [reply.status, errors?.map(({ field }) => field)]
}

describe("a list in a query", () => {
  it.each([
    ["one value", "/agents/approvals?status=FAILED"],
    ["several values", "/agents/approvals?status=FAILED&status=REJECTED"],
    ["one currency", "/exchange-rates?sourceCurrency=USD&destinationCurrency=EUR"],
    ["several currencies", "/exchange-rates?destinationCurrency=EUR&destinationCurrency=MXN"],
  ])("may have %s", async (_what, path) => {
    expect(await fieldsOf(path)).toEqual([200, undefined])
  })

  it.each([
    ["beside one value", "/agents/approvals?status=FAILED&limit=0", ["limit"]],
    ["beside several values", "/agents/approvals?status=FAILED&status=REJECTED&limit=0", ["limit"]],
    ["beside one currency", "/exchange-rates?destinationCurrency=EUR&sendingAmount=-1", ["sendingAmount"]],
    ["of its only value", "/agents/approvals?status=BAD", ["status.0"]],
    ["of one of its values", "/agents/approvals?status=FAILED&status=BAD", ["status.1"]],
    ["of its only value and another field", "/agents/approvals?status=BAD&limit=0", ["status.0", "limit"]],
  ])("reports exactly the problem %s", async (_what, path, fields) => {
    const [status, found] = await fieldsOf(path)
    expect([status, Array.isArray(found) ? found.toSorted() : found]).toEqual([400, fields.toSorted()])
  })
})
