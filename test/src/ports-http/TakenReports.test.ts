/** Which reports are taken, at each bound of their time, and what the receipt of every failure says. Source: D-527. */
import {
  AccountVerifications,
  CardProvisionings,
  CardTransactions,
  CollectionAccounts,
  CurrentCaller,
  Deposits,
  Outcomes,
  SeenReports,
  ServiceError,
  Verifications,
} from "@countersign/core"
import { StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Logger, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import {
  makeTakeReport,
  type ReceivedReport,
  reportBytesMax,
} from "../../../packages/ports-http/src/report/TakeReport.ts"
import { headerNames } from "../../../packages/ports-http/src/signing/Signatures.ts"
import { serverSecret, signatureOf } from "./PortServer.ts"

const second = 1_790_000_000
const booked = { platformId: "Platform:1", report: { reference: "Transaction:1", outcome: "Done" } }

interface World {
  readonly isNew?: boolean
  readonly failure?: ServiceError | StoreUnavailable
  readonly defect?: Error
  /** Milliseconds after the second of the report. */
  readonly nowAfter?: number
  readonly secrets?: readonly [string, ...ReadonlyArray<string>]
}

const world = ({ defect, failure, isNew = true, nowAfter = 0, secrets = [serverSecret] }: World = {}) => {
  const seen: Array<ReadonlyArray<unknown>> = []
  const note = (name: string, value: unknown) =>
    Effect.flatMap(CurrentCaller, (caller) => Effect.sync(() => void seen.push([name, caller.platformId, value])))
  const services = Layer.mergeAll(
    Layer.mock(SeenReports, { note: (id) => Effect.as(note("seen", id), isNew) }),
    Layer.mock(Outcomes, {
      report: (reference, outcome) =>
        Effect.andThen(
          note(reference, outcome),
          defect === undefined ? (failure === undefined ? Effect.void : Effect.fail(failure)) : Effect.die(defect),
        ),
    }),
    Layer.mock(AccountVerifications, {}),
    Layer.mock(CardProvisionings, {}),
    Layer.mock(CardTransactions, {}),
    Layer.mock(CollectionAccounts, {}),
    Layer.mock(Deposits, {}),
    Layer.mock(Verifications, {}),
    Logger.layer([]),
  )
  const [first, ...others] = secrets
  const take = makeTakeReport({
    secrets: [Redacted.make(first), ...others.map((secret) => Redacted.make(secret))],
    now: () => second * 1000 + nowAfter,
  })
  return { seen, take: (received: ReceivedReport) => Effect.runPromise(Effect.provide(take(received), services)) }
}

interface Sent {
  readonly body?: unknown
  readonly path?: string
  readonly timestamp?: string
  readonly without?: string
}
const reportOf = ({ body = booked, path = "/in/rails/outcome", timestamp = String(second), without = "" }: Sent) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const headers: Readonly<Record<string, string>> = {
    [headerNames.id]: "R1",
    [headerNames.timestamp]: timestamp,
    [headerNames.signature]: signatureOf(serverSecret, ["report", "POST", path, timestamp, "R1"], text),
  }
  const header = (name: string) => (name === without ? null : headers[name])
  return { path, header, body: new TextEncoder().encode(text) }
}
const answered = async (given: World, sent: Sent = {}) => {
  const { seen, take } = world(given)
  const { body, headers, status } = await take(reportOf(sent))
  return { seen, status, headers, answer: JSON.parse(body) as unknown }
}

it("is stored for the platform that it names, after its id is remembered", async () => {
  const { answer, headers, seen, status } = await answered({})
  expect([status, answer]).toEqual([200, {}])
  expect(seen).toEqual([
    ["seen", "Platform:1", "R1"],
    ["Transaction:1", "Platform:1", { _tag: "Done" }],
  ])
  expect(headers).toEqual({
    "Content-Type": "application/json",
    [headerNames.signature]: signatureOf(
      serverSecret,
      ["receipt", "200", "/in/rails/outcome", `${second}`, "R1"],
      "{}",
    ),
  })
})

it("takes at most 256 KiB", () => {
  expect(reportBytesMax).toBe(262_144)
})

describe("a report that is not signed in time", () => {
  it.each([
    [300_000, 200],
    [300_001, 401],
    [-300_000, 200],
    [-300_001, 401],
    [0, 200],
  ])("is taken %i ms after its time with the status %i", async (nowAfter, expected) => {
    const { headers, seen, status } = await answered({ nowAfter })
    expect([status, seen.length > 0, headers[headerNames.signature] !== undefined]).toEqual([
      expected,
      expected === 200,
      expected === 200,
    ])
  })

  const late = { code: "UNAUTHORIZED", message: "The time of the report is not within five minutes of now." }
  const forged = { code: "UNAUTHORIZED", message: "The signature is not valid." }
  it.each<readonly [string, World, Sent, object]>([
    ["whose time is no number", {}, { timestamp: "soon" }, late],
    ["whose time is empty", {}, { timestamp: "" }, late],
    ["without a signature", {}, { without: headerNames.signature }, forged],
    ["without an id", {}, { without: headerNames.id }, forged],
    ["without a time", {}, { without: headerNames.timestamp }, forged],
    ["with the signature of another secret", { secrets: ["another port secret of the tests 42"] }, {}, forged],
  ])("%s has a receipt without a signature", async (_, given, sent, expected) => {
    const { answer, headers, seen, status } = await answered(given, sent)
    expect([status, answer, headers, seen]).toEqual([401, expected, { "Content-Type": "application/json" }, []])
  })
})

describe("a report that cannot be stored", () => {
  const malformed = { code: "INVALID_INPUT", message: "The body is not a report of this path." }
  it.each<readonly [string, unknown]>([
    ["no JSON", "<html>"],
    ["no platform", { report: booked.report }],
    ["a platform that is no text", { ...booked, platformId: 1 }],
    ["no report", { platformId: "Platform:1" }],
    ["a report that is a list", { platformId: "Platform:1", report: [] }],
    ["a report without its reference", { platformId: "Platform:1", report: { outcome: "Done" } }],
    ["an unknown outcome", { platformId: "Platform:1", report: { reference: "Transaction:1", outcome: "None" } }],
    ["a text that no store can keep", { ...booked, report: { reference: "\u0000", outcome: "Done" } }],
  ])("with %s is malformed, and its id is not remembered", async (_, body) => {
    const { answer, seen, status } = await answered({}, { body })
    expect([status, answer, seen]).toEqual([400, malformed, []])
  })

  it.each(["/in/rails/none", "/rails/outcome/", "/outcome"])("at %s is unknown", async (path) => {
    const { answer, seen, status } = await answered({}, { path })
    expect([status, answer, seen]).toEqual([
      404,
      { code: "REFERENCE_NOT_FOUND", message: "There is no such report." },
      [],
    ])
  })

  it("whose id was seen before is a conflict, and changes nothing", async () => {
    const { answer, seen, status } = await answered({ isNew: false })
    expect([status, answer]).toEqual([
      409,
      {
        code: "CONFLICT",
        message: "A report with this id was received before. Send it again under a new id.",
      },
    ])
    expect(seen).toEqual([["seen", "Platform:1", "R1"]])
  })

  it.each<readonly [string, World, number, string, string]>([
    [
      "that the service refuses",
      { failure: new ServiceError({ code: "TRANSACTION_NOT_FOUND", message: "No such transaction." }) },
      404,
      "TRANSACTION_NOT_FOUND",
      "No such transaction.",
    ],
    [
      "while the store is away",
      { failure: new StoreUnavailable({ unknown: true, cause: new Error("secret host") }) },
      503,
      "SERVICE_UNAVAILABLE",
      "The service cannot answer now. Send the report again.",
    ],
    [
      "that meets a defect",
      { defect: new Error("secret host") },
      500,
      "INTERNAL_ERROR",
      "An internal error occurred. Send the report again.",
    ],
  ])("%s has a signed receipt that says so", async (_, given, expected, code, message) => {
    const { answer, headers, status } = await answered(given)
    expect([status, answer]).toEqual([expected, { code, message }])
    const lines = ["receipt", String(expected), "/in/rails/outcome", `${second}`, "R1"]
    expect(headers[headerNames.signature]).toBe(signatureOf(serverSecret, lines, JSON.stringify({ code, message })))
  })
})

it("signs the receipt with each of two secrets", async () => {
  const another = "another port secret of the tests 42"
  const { headers, status } = await answered({ secrets: [another, serverSecret] })
  const lines = ["receipt", "200", "/in/rails/outcome", `${second}`, "R1"]
  expect([status, headers[headerNames.signature]]).toEqual([
    200,
    `${signatureOf(another, lines, "{}")} ${signatureOf(serverSecret, lines, "{}")}`,
  ])
})
