/** Generated requests of every operation: its schemas decode the valid ones and reject the malformed ones. */

import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { PlainSchema } from "../../../packages/test/src/arbitraries/FromSchema.ts"
import { type Operation, operationOf, operations } from "../../../packages/test/src/arbitraries/Operations.ts"
import { type GeneratedRequest, malformed, requestOf } from "../../../packages/test/src/arbitraries/Requests.ts"

const numRuns = 15

const textsOf = ({ form = {} }: GeneratedRequest) =>
  Object.fromEntries(Object.entries(form).filter(([, part]) => typeof part === "string"))

/** Whether each part of a request can be decoded as a server decodes it. */
const isDecodable = ({ path, takes }: Operation, request: GeneratedRequest): boolean => {
  const url = new URL(request.path, "http://countersign.test")
  const query: Record<string, string | ReadonlyArray<string>> = {}
  for (const name of new Set(url.searchParams.keys())) {
    const all = url.searchParams.getAll(name)
    query[name] = all.length === 1 ? (all[0] ?? "") : all
  }
  const reads = (schema: PlainSchema | undefined, value: unknown) =>
    schema === undefined || Result.isSuccess(Schema.decodeUnknownResult(schema)(value))
  expect(url.pathname.split("/").length).toBe(path.split("/").length)
  return (
    reads(takes.query && (Schema.toCodecArrayFromSingle(takes.query) as PlainSchema), query) &&
    reads(takes.headers, request.headers) &&
    reads(takes.form, textsOf(request)) &&
    reads(takes.body, request.body === undefined ? undefined : JSON.parse(JSON.stringify(request.body)))
  )
}

describe("every operation", () => {
  it("is listed once", () => {
    expect(operations.length).toBeGreaterThan(130)
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
    expect(operations.filter(({ scheme }) => scheme === "open").map(({ name }) => name)).toEqual([
      "agents.redeemAgentDeviceCode",
    ])
    expect(() => operationOf("cards.swallow")).toThrow("unknown operation cards.swallow")
  })

  it.each(operations.map(({ name }) => name))("decodes valid requests and rejects malformed ones: %s", (name) => {
    const operation = operationOf(name)
    fc.assert(
      fc.property(requestOf(name), (request) => {
        expect([request.operation, request.method]).toEqual([name, operation.method])
        return isDecodable(operation, request)
      }),
      { numRuns },
    )
    const wrong = malformed(name)
    if (wrong === undefined) return
    fc.assert(
      fc.property(wrong, (request) => {
        expect(request.wrong.fields.length).toBeGreaterThan(0)
        return !isDecodable(operation, request)
      }),
      { numRuns },
    )
  })
})

describe("malformed requests", () => {
  const ofKind = (name: string) => fc.sample(malformed(name) ?? fc.constant(undefined), { numRuns: 600, seed: 1 })

  it("exist for every operation with a query, a body or a form", () => {
    const none = operations.filter((operation) => malformed(operation) === undefined)
    const taking = none.filter(({ takes: { body, form, query } }) => [body, form, query].some((part) => part))
    expect(taking.map(({ name }) => name)).toEqual([])
  })

  it("have an invalid text of an upload, whose file is kept", () => {
    const wrong = ofKind("documents.uploadDocument")
    expect(new Set(wrong.map((request) => request?.wrong.part))).toEqual(new Set(["form", "headers"]))
    expect(new Set(wrong.map((request) => request?.wrong.field))).toContain("documentType")
    expect(wrong.every((request) => request?.form?.["file"] instanceof File)).toBe(true)
  })

  it("have an invalid field of the body, the query or the headers", () => {
    const wrong = ofKind("transfers.createTransferOut").map((request) => request?.wrong)
    const fields = new Set(wrong.map((one) => one?.field))
    for (const field of ["", "amount", "source", "source.accountId", "destination.accountId", "idempotency-key"]) {
      expect(fields).toContain(field)
    }
    expect(wrong.some((one) => one?.field === "source.accountId" && one.change === "missing")).toBe(true)
    expect(new Set(ofKind("agentsMe.agentListActions").map((request) => request?.wrong.field))).toContain("limit")
  })
})
