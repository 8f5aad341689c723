/**
 * Checks the OpenAPI document: a linter accepts it, its examples match its schemas, and each operation called with the document's example
 * returns a body that matches the document.
 * Source: D-196.
 */

import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { IdTypes } from "@countersign/core/models"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import Ajv2020 from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { idTypeOf } from "../../../packages/test/src/arbitraries/PathIds.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { AgentParts } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"

const { at, isObject, list, text } = OpenApiDocument
type Json = OpenApiDocument.Json
type JsonObject = OpenApiDocument.JsonObject
const document = OpenApiDocument.make(Api, "/2025-10-13")

const entries = (json: Json | undefined): ReadonlyArray<readonly [string, Json]> =>
  isObject(json) ? Object.entries(json) : []

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly json: JsonObject
}
const operations: ReadonlyArray<Operation> = entries(document["paths"]).flatMap(([path, item]) =>
  entries(item).map(([method, json]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    json: isObject(json) ? json : {},
  })),
)

const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }))
ajv.addFormat("int64", true)
ajv.addSchema({ $id: "document", ...document })

/** Returns the problems of a value under the schema at this path of the document. */
const problemsAt = (place: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")
  const validate = ajv.getSchema(`document#/${pointer}`)
  if (validate === undefined) throw new Error(`no schema at ${pointer}`)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const content = (operation: Operation, ...holder: ReadonlyArray<string>) => {
  const place = [...holder, "content", "application/json"]
  const found = at(operation.json, ...place)
  const schema = ["paths", operation.path, operation.method.toLowerCase(), ...place, "schema"]
  return found === undefined ? undefined : { example: at(found, "example"), schema }
}

const contentsOf = (operation: Operation) =>
  [["requestBody"], ...entries(operation.json["responses"]).map(([status]) => ["responses", status])].flatMap(
    (holder) => {
      const found = content(operation, ...holder)
      return found === undefined ? [] : [[holder.join(" "), found] as const]
    },
  )

describe("the document", () => {
  it("passes the linter", async () => {
    const config = await createConfig({
      extends: ["recommended-strict"],
      // The specification has both /customers/{customerId}/kyc-link and /customers/external-accounts/{externalAccountId}.
      rules: { "no-ambiguous-paths": "off" },
    })
    const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config })
    expect(found.map(({ location, message, ruleId }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it("has a discriminator for each union of objects, named or inline", () => {
    const resolved = (json: Json): Json => {
      const name = /^#\/components\/schemas\/(.+)$/u.exec(text(at(json, "$ref")))?.[1]
      return name === undefined ? json : resolved(at(document, "components", "schemas", name) ?? null)
    }
    const unions: Array<readonly [string, JsonObject]> = []
    const walk = (json: Json, path: string): void => {
      if (Array.isArray(json)) json.forEach((item, index) => void walk(item, `${path}/${index}`))
      if (!isObject(json)) return
      if (json["anyOf"] !== undefined || json["oneOf"] !== undefined) unions.push([path, json])
      for (const [key, member] of Object.entries(json)) walk(member, `${path}/${key}`)
    }
    walk(document, "")
    expect(unions.length).toBeGreaterThan(5)
    const bare = unions.filter(([, { anyOf, discriminator, oneOf }]) => {
      const objects = [...list(anyOf), ...list(oneOf)].filter((member) => at(resolved(member), "type") === "object")
      return objects.length > 1 && discriminator === undefined
    })
    expect(bare.map(([path]) => path)).toEqual([])
  })
})

describe("the examples", () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))("of %s are valid", (_, operation) => {
    for (const [holder, { example, schema }] of contentsOf(operation)) {
      expect([holder, example]).not.toEqual([holder, undefined])
      expect([holder, problemsAt(schema, example)]).toEqual([holder, []])
    }
  })

  it("are reported if they are not valid", () => {
    const schema = ["components", "schemas", "Error"]
    expect(problemsAt(schema, { status: "400", code: "INVALID_INPUT" })).toEqual([
      " must have required property 'message'",
      "/status must be integer",
    ])
  })
})

describe("each operation, called with its example", () => {
  let pay: Harness & AgentParts
  /** Existing records by the type of their identifiers. */
  let ids: Readonly<Record<string, string>> = {}
  const answered: Array<readonly [string, number]> = []

  beforeAll(async () => {
    pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 1000 } })
    const body = { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 500 }
    const done = await pay.send("POST", "/agents/me/transfer-in", { as: { token: pay.accessToken }, body })
    const held = await pay.send("POST", "/agents/me/transfer-in", {
      as: { token: pay.accessToken },
      body: { ...body, amount: 5000 },
    })
    await pay.settle()
    const idOf = (value: unknown, ...path: ReadonlyArray<string>) => text(at(value as Json, ...path))
    ids = {
      Customer: pay.customerId,
      InternalAccount: pay.accountId,
      ExternalAccount: pay.sources["000"] ?? "",
      Agent: pay.agentId,
      AgentAction: idOf(held.body, "id"),
      Transaction: idOf(done.body, "transaction", "id"),
    }
  })
  afterAll(() => pay[Symbol.asyncDispose]())

  /** Replaces placeholders of examples by identifiers of existing records. */
  const real = (json: string) =>
    json.replace(/\b([A-Z][A-Za-z]+):00000000-0000-4000-8000-000000000001\b/gu, (id, type: string) => ids[type] ?? id)
  const typeOf = (path: string, parameter: string) =>
    parameter === "id"
      ? idTypeOf(path)
      : parameter === "accountId"
        ? "InternalAccount"
        : parameter === "actionId"
          ? "AgentAction"
          : IdTypes.keys.find((type) => `${type[0]?.toLowerCase()}${type.slice(1)}Id` === parameter)

  // Deletions run last, so that the other operations find the records.
  const ordered = operations.toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))

  // Proves: CONV-01
  it.each(ordered.map((operation) => [operation.name, operation] as const))(
    "%s responds as its description says",
    async (name, operation) => {
      const path = operation.path.replace(/\{(\w+)\}/gu, (_, parameter: string) => {
        const type = typeOf(operation.path, parameter)
        return (type && ids[type]) ?? "unknown"
      })
      const query = list(operation.json["parameters"])
        .filter((parameter) => at(parameter, "in") === "query" && at(parameter, "required") === true)
        .map((parameter) => `${text(at(parameter, "name"))}=US`)
      const body = content(operation, "requestBody")?.example
      const [security] = list(operation.json["security"])
      const isOfAgent = at(security, "AgentAuth") !== undefined
      const reply = await pay.send(operation.method, query.length === 0 ? path : `${path}?${query.join("&")}`, {
        as: isOfAgent ? { token: pay.accessToken } : security === undefined ? "nobody" : "platform",
        ...(body === undefined ? {} : { body: real(JSON.stringify(body)) }),
      })
      answered.push([name, reply.status])
      const status = String(reply.status)
      expect([status, reply.status < 500 || reply.status === 501]).toEqual([status, true])
      expect(Object.keys(at(operation.json, "responses") ?? {})).toContain(status)
      const expected = content(operation, "responses", status)
      const isStream = at(operation.json, "responses", status, "content", "text/event-stream") !== undefined
      expect(reply.headers.get("content-type")).toBe(
        isStream ? "text/event-stream" : expected === undefined ? null : "application/json",
      )
      if (isStream) expect(reply.body).toBe("")
      else if (expected === undefined) expect(reply.body).toBeUndefined()
      else expect([reply.body, problemsAt(expected.schema, reply.body)]).toEqual([reply.body, []])
    },
  )

  it("succeeds if the records that it needs exist", () => {
    const succeeded = answered.filter(([, status]) => status < 300)
    expect(answered).toHaveLength(operations.length)
    expect(succeeded.length).toBeGreaterThan(operations.length / 3)
  })
})
