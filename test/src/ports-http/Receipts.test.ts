/** What a bank is answered to a report that the service takes, refuses, cannot store now, or fails at. */
import {
  AccountVerifications,
  CardProvisionings,
  CardTransactions,
  CollectionAccounts,
  Deposits,
  Outcomes,
  SeenReports,
  Verifications,
} from "@countersign/core"
import { StoreUnavailable } from "@countersign/core/store"
import { portReports } from "@countersign/ports-http"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { headerNames } from "../../../packages/ports-http/src/signing/Signatures.ts"
import { serverSecret, signatureOf } from "./PortServer.ts"
import { reportOf, reportTime, type Sent } from "./ReportRequest.ts"

const body = { platformId: "Platform:1", report: { reference: "Transaction:1", outcome: "Done" } }

/** A service that does this with an outcome. */
const answered = async (report: Outcomes["Service"]["report"], sent: Sent = {}) => {
  const services = Layer.mergeAll(
    Layer.mock(AccountVerifications, {}),
    Layer.mock(CardProvisionings, {}),
    Layer.mock(CardTransactions, {}),
    Layer.mock(CollectionAccounts, {}),
    Layer.mock(Deposits, {}),
    Layer.mock(Outcomes, { report }),
    Layer.mock(SeenReports, { note: () => Effect.succeed(true) }),
    Layer.mock(Verifications, {}),
  )
  const handler = portReports({
    secrets: [Redacted.make(serverSecret)],
    run: (effect) => Effect.runPromise(Effect.provide(effect, services)),
    now: () => reportTime,
  })
  const { request, ...more } = reportOf({ body, ...sent })
  const response = await handler(request)
  const text = await response.text()
  const lines = ["receipt", String(response.status), more.path, more.timestamp, more.id]
  return {
    status: response.status,
    answer: JSON.parse(text),
    type: response.headers.get("Content-Type"),
    isSigned: response.headers.get(headerNames.signature) === signatureOf(serverSecret, lines, text),
  }
}
const taken = () => Effect.void
const signed = { type: "application/json", isSigned: true }

describe("a report", () => {
  it("that is stored has an empty receipt", async () => {
    const given: Array<unknown> = []
    const store: Outcomes["Service"]["report"] = (...all) => Effect.sync(() => void given.push(all))
    expect(await answered(store)).toEqual({ status: 200, answer: {}, ...signed })
    expect(given).toEqual([["Transaction:1", { _tag: "Done" }]])
  })

  it("that the store cannot take now is to be sent again", async () => {
    const cause = new Error("connection refused")
    expect(await answered(() => Effect.fail(new StoreUnavailable({ cause, unknown: false })))).toEqual({
      status: 503,
      answer: { code: "SERVICE_UNAVAILABLE", message: "The service cannot answer now. Send the report again." },
      ...signed,
    })
  })

  it("at which the service fails is to be sent again, and the receipt says nothing else", async () => {
    expect(await answered(() => Effect.die(new Error("a bug")))).toEqual({
      status: 500,
      answer: { code: "INTERNAL_ERROR", message: "An internal error occurred. Send the report again." },
      ...signed,
    })
  })

  it("that is malformed, or of a kind that does not exist, is refused with a signed receipt", async () => {
    expect(await answered(taken, { body: {} })).toEqual({
      status: 400,
      answer: { code: "INVALID_INPUT", message: "The body is not a report of this path." },
      ...signed,
    })
    expect(await answered(taken, { path: "/port-reports/rails/none" })).toEqual({
      status: 404,
      answer: { code: "REFERENCE_NOT_FOUND", message: "There is no such report." },
      ...signed,
    })
  })

  it("is within five minutes of now, before and after", async () => {
    const fiveMinutes = 300_000
    for (const at of [reportTime - fiveMinutes, reportTime + fiveMinutes]) {
      expect((await answered(taken, { at })).status).toBe(200)
    }
    for (const at of [reportTime - fiveMinutes - 1000, reportTime + fiveMinutes + 1000, Number.NaN]) {
      expect(await answered(taken, { at })).toEqual({
        status: 401,
        answer: { code: "UNAUTHORIZED", message: "The time of the report is not within five minutes of now." },
        type: "application/json",
        isSigned: false,
      })
    }
  })

  it("without a valid signature is refused without one", async () => {
    expect(await answered(taken, { signedPath: "/port-reports/rails/hold" })).toEqual({
      status: 401,
      answer: { code: "UNAUTHORIZED", message: "The signature is not valid." },
      type: "application/json",
      isSigned: false,
    })
  })
})

it("reports are posted", async () => {
  const handler = portReports({
    secrets: [Redacted.make(serverSecret)],
    run: () => Promise.reject(new Error("no run")),
  })
  const response = await handler(new Request("http://pay.example.com/port-reports/rails/outcome"))
  expect([response.status, response.headers.get("Allow"), await response.text()]).toEqual([405, "POST", ""])
})

it("a report of more than 256 KiB is refused before it is verified", async () => {
  const handler = portReports({
    secrets: [Redacted.make(serverSecret)],
    run: () => Promise.reject(new Error("no run")),
  })
  const { request } = reportOf({ body: "x".repeat(256 * 1024 + 1) })
  const response = await handler(request)
  expect([response.status, await response.json()]).toEqual([
    413,
    { code: "INVALID_REQUEST_FORMAT", message: "The body is too large." },
  ])
})
