/** Tests the check of the traffic itself: what it accepts, what it reports, and what a complete run lacks. */
import { OpenApiDocument, type PublishedAnswer } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { expect, it } from "vitest"
import { coverageOf, failuresOf } from "./Coverage.ts"
import { namedSuccesses } from "./NamedSuccesses.ts"
import type { Noted } from "./Recorder.ts"
import { trafficCheck } from "./TrafficCheck.ts"

const document = OpenApiDocument.make(Api, "")
const { answer: check, webhook } = trafficCheck(document)

const answer = (changes: Partial<PublishedAnswer> & { readonly json?: unknown }): PublishedAnswer => {
  const { json, ...rest } = changes
  const body = json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json))
  return {
    method: "GET",
    url: "/v/customers/x",
    route: "/v/customers/:customerId",
    requestId: "r",
    serviceName: "Service",
    status: 404,
    headers: {},
    contentType: "application/json",
    body,
    ...rest,
  }
}
const error = { status: 404, code: "USER_NOT_FOUND", message: "No such customer.", details: {} }
const problems = (changes: Parameters<typeof answer>[0]) => check(answer(changes)).problems

it("accepts an answer of the document, under any base path", () => {
  expect(check(answer({ json: error }))).toEqual({ operation: "GET /customers/{customerId}", problems: [] })
  expect(problems({ route: "/customers/:customerId", json: error })).toEqual([])
})

it("reports a body, a status and a content type that the document does not have", () => {
  expect(problems({ json: { ...error, code: 5 } })[0]).toContain("GET /customers/{customerId} 404: /code must be")
  expect(problems({ json: error, status: 418 })[0]).toContain("has the status 418")
  expect(problems({ json: error, contentType: "text/html; charset=utf-8" })[0]).toContain('"text/html"')
  expect(problems({})[0]).toContain("has no body")
  const deleted = { method: "DELETE", route: "/tokens/:tokenId", status: 204 }
  expect(problems({ ...deleted, contentType: undefined })).toEqual([])
  expect(problems({ ...deleted, json: {} })[0]).toContain("has a body where none is documented")
})

it("holds an answer against the document of its service's name", () => {
  const value = (code: string) => ({ ...error, status: 500, code })
  expect(problems({ status: 500, serviceName: "Acme", json: value("ACME_SWITCH_ERROR") })).toEqual([])
  expect(problems({ status: 500, serviceName: "Acme", json: value("SERVICE_SWITCH_ERROR") })).not.toEqual([])
})

it("holds a webhook against its entry", () => {
  const event = { id: "Webhook:1", type: "TEST", timestamp: "2026-01-01T00:00:00.000Z", data: {} }
  expect(webhook(event)).toEqual([])
  expect(webhook({ ...event, type: "OUTGOING_PAYMENT.FAILED" })[0]).toContain("webhook OUTGOING_PAYMENT.FAILED: /data")
  expect(webhook({ ...event, type: "OTHER" })).toEqual(["webhook OTHER: is not documented"])
})

it("ignores requests that are not operations of the interface", () => {
  expect(check(answer({ route: "none" })).operation).toBeUndefined()
  expect(check(answer({ method: "HEAD" })).operation).toBeUndefined()
  expect(check(answer({ route: "/healthz" })).operation).toBeUndefined()
})

const noted = (status: number, more: Partial<Noted> = {}): Noted => ({
  operation: "DELETE /tokens/{tokenId}",
  status,
  code: undefined,
  serviceName: "Service",
  problems: [],
  ...more,
})

it("lists the documented statuses that were not reached, and excuses that are not needed", () => {
  const of = (excused: ReadonlyArray<string>) => coverageOf(document, [noted(204), noted(401)], excused)
  const missing = of([]).missing.filter((pair) => pair.startsWith("DELETE /tokens/{tokenId} "))
  expect(missing).toEqual(["400", "403", "404"].map((status) => `DELETE /tokens/{tokenId} ${status}`))
  expect(of(["DELETE /tokens/{tokenId} 404"]).missing).not.toContain("DELETE /tokens/{tokenId} 404")
  expect(of(["DELETE /tokens/{tokenId} 204", "GET /nothing 200"]).excusedInVain).toHaveLength(2)
  expect(of([]).operations).toBeGreaterThan(150)
})

it("knows the successes whose operation has a service-named parameter, member or value", () => {
  const named = namedSuccesses(document)
  expect(named).toEqual(
    expect.arrayContaining([
      "GET /stablecoins 200",
      "DELETE /auth/sessions/{id} 204",
      "POST /quotes 202",
      "GET /cards/{id} 200",
      "POST /stablecoins/{stablecoinId}/burns 201",
    ]),
  )
  const neutral = ["POST /customers 201", "GET /sandbox/clock 200", "DELETE /tokens/{tokenId} 204", "POST /quotes 400"]
  expect(named.filter((pair) => neutral.includes(pair))).toEqual([])
})

const schemaOf = (schema: object) => ({ content: { "application/json": { schema } } })
const own = { properties: { serviceApiFixedFee: { type: "integer" } } }
it.each<readonly [where: string, operation: object, answer: object, isNamed: boolean]>([
  ["a parameter", { parameters: [{ in: "query", name: "serviceOperationsStatus" }] }, {}, true],
  ["a member of the request's body", { requestBody: schemaOf(own) }, {}, true],
  ["a value of the request's body", { requestBody: schemaOf({ enum: ["SERVICE_INTERNAL_ACCOUNT"] }) }, {}, true],
  ["a member of the answer", {}, schemaOf({ items: own }), true],
  ["a schema that refers to itself", {}, schemaOf({ $ref: "#/components/schemas/Tree" }), true],
  ["prose", {}, { description: "Has `serviceApiFixedFee`.", ...schemaOf({ example: own }) }, false],
  ["an error", { responses: { 400: schemaOf(own) } }, {}, false],
  ["a part of a longer word", { parameters: [{ name: "serviceApiFixedFees" }] }, {}, false],
])("looks for service-named elements of an operation in %s", (_where, operation, answered, isNamed) => {
  const responses = { 201: answered, ...("responses" in operation ? Object(operation.responses) : {}) }
  const Tree = { properties: { children: { $ref: "#/components/schemas/Tree" }, ...own.properties } }
  const paths = { "/trees": { post: { ...operation, responses } } }
  const text = JSON.stringify({ paths, components: { schemas: { Tree } } })
  expect(namedSuccesses(JSON.parse(text))).toEqual(isNamed ? ["POST /trees 201"] : [])
})

it("lists the successes with service-named elements that were seen under the default name only", () => {
  const operation = "POST /quotes"
  const of = (...seen: ReadonlyArray<Noted>) => coverageOf(document, seen, [])
  const under = (serviceName: string, status: number) => noted(status, { operation, serviceName })
  const coverage = of(under("Service", 201), under("Service", 202), under("Acme", 202), under("Acme", 400))
  const unnamed = coverage.unnamed.filter((pair) => pair.startsWith(`${operation} `))
  expect(unnamed).toEqual(["POST /quotes 201"])
  expect(coverage.serviceNames).toEqual([
    ["Acme", 2],
    ["Service", 2],
  ])
})

it("fails a complete run for what it lacks, and every run for an answer that does not match", () => {
  const coverage = coverageOf(document, [noted(204, { problems: ["odd"] })], ["GET /nothing 200"])
  expect(failuresOf(coverage, false)).toEqual(["odd"])
  expect(failuresOf(coverage, true)).toEqual(
    expect.arrayContaining([
      "odd",
      "no test reaches DELETE /tokens/{tokenId} 404",
      "excused, and reached or unknown: GET /nothing 200",
      "all traffic has the same service name",
      "no test reaches POST /quotes 201 under another service name",
    ]),
  )
  const named = coverageOf(document, [noted(204), noted(204, { serviceName: "Acme" })], [])
  expect(failuresOf(named, true)).not.toContain("all traffic has the same service name")
})
