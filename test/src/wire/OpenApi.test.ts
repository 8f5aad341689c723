/** The OpenAPI document is complete, consistent and equal to the interface. */

import { OpenApiDocument } from "@countersign/adapter-http"
import { makeClient } from "@countersign/client"
import { Access, Api } from "@countersign/client/api"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { send } from "./FakeService.ts"

const { at, isObject, list, text } = OpenApiDocument
type Json = OpenApiDocument.Json
const document = OpenApiDocument.make(Api, "/2025-10-13")
const schemas = at(document, "components", "schemas")

/** Every object of the document, with its path. */
const objects = (json: Json, path = ""): ReadonlyArray<readonly [string, OpenApiDocument.JsonObject]> => {
  if (Array.isArray(json)) return json.flatMap((item, index) => objects(item, `${path}/${index}`))
  if (!isObject(json)) return []
  const below = Object.entries(json).flatMap(([key, member]) => objects(member, `${path}/${key}`))
  return [[path, json], ...below]
}
const all = objects(document)

const operations: Array<readonly [string, OpenApiDocument.JsonObject, Access]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const path = endpoint.path.replace(/:(\w+)/gu, "{$1}")
    const operation = at(document, "paths", path, endpoint.method.toLowerCase())
    const access = Context.get(endpoint.annotations, Access)
    operations.push([`${endpoint.method} ${path}`, isObject(operation) ? operation : {}, access])
  },
})

const responses = (operation: OpenApiDocument.JsonObject) => {
  const found = operation["responses"]
  return isObject(found) ? found : {}
}

describe("the document", () => {
  it("says of each operation that takes an idempotency key that its answer may be a replay", () => {
    const parameters = (operation: OpenApiDocument.JsonObject) =>
      list(operation["parameters"]).map((parameter) => text(at(parameter, "name")))
    const keyed = operations.filter(([, operation]) => parameters(operation).includes("Idempotency-Key"))
    const replayed = operations.filter(([, operation]) =>
      Object.values(responses(operation)).some((answer) => at(answer, "headers", "Idempotency-Replayed") !== undefined),
    )
    const names = (found: typeof operations) => found.map(([name]) => name).toSorted()
    expect(names(replayed)).toEqual(names(keyed))
    expect(names(operations.filter(([, , access]) => access.isIdempotent === true))).toEqual(names(keyed))
    expect(keyed.length).toBeGreaterThan(20)
  })

  // Proves: VER-01, VER-02
  it("is OpenAPI 3.1 and is served for this base path", async () => {
    const response = await send("/openapi.json", { authorization: null })
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toEqual(document)
    expect(document).toMatchObject({
      openapi: "3.1.0",
      info: { version: "2025-10-13" },
      servers: [{ url: "/2025-10-13" }],
    })
  })

  it("resolves each reference, and uses each schema", () => {
    const refs = all.flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : []))
    expect(refs.length).toBeGreaterThan(100)
    for (const ref of refs) expect(at(document, ...ref.replace("#/", "").split("/")), ref).toBeDefined()
    const names = isObject(schemas) ? Object.keys(schemas) : []
    expect(names.filter((name) => !refs.includes(`#/components/schemas/${name}`))).toEqual([])
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/u.test(name))).toEqual([])
  })

  it("has exactly the endpoints of the interface", () => {
    const paths = document["paths"]
    const shown = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
      Object.keys(isObject(item) ? item : {}).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(shown.toSorted()).toEqual(operations.map(([name]) => name).toSorted())
  })

  // Proves: GEN-09
  it.each([
    ["platform configuration", "GET /config"],
    ["customers", "POST /customers"],
    ["contact verification", "POST /customers/{customerId}/verify-email"],
    ["strong customer authentication", "POST /sca/login/start"],
    ["checks of persons and businesses", "POST /verifications"],
    ["internal accounts", "GET /customers/internal-accounts"],
    ["transfers of one currency", "POST /transfer-out"],
    ["transfers of two currencies", "POST /quotes"],
    ["transactions", "GET /transactions"],
    ["webhooks", "POST /sandbox/webhooks/test"],
    ["API tokens", "POST /tokens"],
    ["exchange rates", "GET /exchange-rates"],
  ])("covers %s", (_area, operation) => {
    expect(operations.map(([name]) => name)).toContain(operation)
  })

  it("allows additional fields in every object", () => {
    expect(all.filter(([, object]) => object["additionalProperties"] === false)).toEqual([])
  })

  it("names the members of every object", () => {
    const isOfMembers = (path: string) =>
      /\/(?:properties|example|examples|default)(?:\/|$)/u.test(path.replace(/\/properties\/[^/]+/gu, ""))
    // A map, such as that of headers, has a type for its values.
    const isNamed = (properties: unknown, values: unknown) =>
      isObject(properties ?? null) || (isObject(values ?? null) && "type" in Object(values))
    const free = all.filter(
      ([path, { additionalProperties, properties, type }]) =>
        type === "object" && !isNamed(properties, additionalProperties) && !isOfMembers(path),
    )
    expect(free.map(([path]) => path)).toEqual([])
    const decided = ["ErrorDetails", "CounterpartyInformation", "PasskeyAssertion", "StablecoinFundingInstructions"]
    for (const name of decided) expect(Object.keys(Object(at(schemas, name, "properties"))).length).toBeGreaterThan(2)
    expect(at(schemas, "CounterpartyInformation", "properties", "FULL_NAME")).toEqual({ type: "string" })
  })

  it("has the type of a rail wherever a payment has one", () => {
    const rails = all.flatMap(([path, { properties }]) => {
      const rail = at(Object(properties ?? null), "paymentRail")
      return rail === undefined || path.includes("example") ? [] : [[path, at(rail, "$ref")]]
    })
    expect(rails.length).toBeGreaterThan(4)
    expect(rails.filter(([, reference]) => reference !== "#/components/schemas/PaymentRail")).toEqual([])
  })

  it("names no decision of this project", () => {
    expect(all.filter(([, { description, summary }]) => /\bD-\d/u.test(`${description} ${summary}`))).toEqual([])
  })

  // Proves: SIGN-03
  it("requests no private key anywhere", () => {
    const names = all.flatMap(([, { properties }]) =>
      Object.keys(isObject(properties ?? null) ? Object(properties) : {}),
    )
    expect(names).toContain("clientPublicKey")
    expect(names.filter((name) => /private_?(?:key|scalar)|secret_?scalar/iu.test(name))).toEqual([])
  })

  it("has a discriminator for each union of objects", () => {
    const unions = all.filter(([, object]) => object["anyOf"] !== undefined || object["oneOf"] !== undefined)
    const bare = unions.filter(([, { anyOf, discriminator, oneOf }]) => {
      const members = [...list(anyOf), ...list(oneOf)]
      return members.filter((member) => at(member, "$ref") !== undefined).length > 1 && discriminator === undefined
    })
    expect(bare.map(([path]) => path)).toEqual([])
    expect(at(schemas, "ExternalAccountCreateInfo", "discriminator", "propertyName")).toBe("accountType")
    expect(at(schemas, "CustomerCreateRequest", "discriminator", "mapping", "BUSINESS")).toBe(
      "#/components/schemas/BusinessCustomerCreateRequest",
    )
  })

  it("describes amounts, headers and query values by their real types", () => {
    expect(at(schemas, "AgentTransferDetails", "properties", "amount")).toMatchObject({
      type: "integer",
      format: "int64",
      minimum: 1,
    })
    const named = (operation: string, name: string) => {
      const [, found] = operations.find(([key]) => key === operation) ?? []
      return list(found?.["parameters"]).find((parameter) => at(parameter, "name") === name)
    }
    expect(named("POST /agents/me/transfer-in", "Idempotency-Key")).toMatchObject({ in: "header", required: false })
    expect(named("GET /agents", "limit")).toMatchObject({ schema: { type: "integer", minimum: 1, maximum: 100 } })
    expect(named("GET /agents", "isPaused")).toMatchObject({ schema: { type: "boolean" } })
    expect(named("GET /agents", "createdAfter")).toMatchObject({ schema: { type: "string", format: "date-time" } })
  })
})

it("marks the number of an authority as write-only", () => {
  const request = at(schemas, "IndividualCustomerCreateRequest", "properties", "identifier")
  expect(request).toMatchObject({ writeOnly: true })
  expect(at(schemas, "Customer", "properties", "identifier")).toBeUndefined()
})

describe("statuses that the public interface describes", () => {
  // Source: wire contract areas 2.10.
  it.each([
    ["get", "/receiver/external-account/{accountId}", [412, 424]],
    ["post", "/agents/me/quotes", [412, 424]],
    ["post", "/transfer-out", [429]],
    ["post", "/quotes", [429]],
    ["post", "/quotes/{quoteId}/execute", [429]],
    ["post", "/quotes/{quoteId}/authorize", [423, 429]],
    ["patch", "/customers/{customerId}", [424]],
    ["delete", "/auth/sessions/{id}", [400]],
    ["post", "/agents/{agentId}/device-codes", [400]],
    ["post", "/agents/{agentId}/actions/{actionId}/approve", [400]],
    ["post", "/customers", [405, 501]],
    ["get", "/customers", [405]],
    ["delete", "/customers/external-accounts/{externalAccountId}", [409]],
    ["delete", "/agents/me/external-accounts/{externalAccountId}", [409]],
  ] as const)("are declared for %s %s: %o", (method, path, statuses) => {
    const declared = Object.keys(at(document, "paths", path, method, "responses") ?? {})
    expect(declared).toEqual(expect.arrayContaining(statuses.map(String)))
  })
})

describe("each operation", () => {
  // Proves: EP-AGENT-02
  it("has a unique id, and transfer-in the specified one", () => {
    const ids = operations.map(([, operation]) => text(operation["operationId"]))
    expect(new Set(ids).size).toBe(operations.length)
    expect(ids).toContain("agentCreateTransferIn")
  })

  it("has the id that its method of the typed client has as name", () => {
    const client = makeClient({ baseUrl: "http://service.test", credentials: "none" })
    const methods = Object.values(client).flatMap((group) => Object.keys(group))
    const ids = operations.map(([, operation]) => text(operation["operationId"]))
    expect(methods.toSorted()).toEqual(ids.toSorted())
  })

  it.each(operations)("%s has texts, a security scheme and its specified responses", (name, operation, access) => {
    expect(text(operation["summary"])).not.toBe("")
    expect(text(operation["description"])).not.toBe("")
    const isOpen = access.tokenPermission === undefined && list(operation["security"]).length === 0
    expect(isOpen).toBe(name === "POST /agents/device-codes/{code}/redeem")
    expect(list(operation["security"])).toHaveLength(isOpen ? 0 : 1)

    const statuses = Object.keys(responses(operation))
    const successes = statuses.filter((status) => status.startsWith("2"))
    // Signed operations respond with 202 first.
    const isSigned = list(operation["parameters"]).some((p) => at(p, "name") === "Request-Id")
    const later = isSigned || name === "POST /quotes" || name === "POST /agents/me/quotes"
    expect(successes.filter((status) => !(later && status === "202"))).toHaveLength(1)
    if (later) expect(successes).toContain("202")
    for (const [status, response] of Object.entries(responses(operation))) {
      const schema = at(response, "content", "application/json", "schema", "$ref")
      if (Number(status) >= 400) expect(schema).toBe("#/components/schemas/Error")
      else if (name === "GET /operator/changes") expect(at(response, "content", "text/event-stream")).toBeDefined()
      else expect(schema === undefined).toBe(status === "204")
    }
    expect(statuses).toContain("500")
    expect(statuses.includes("401")).toBe(!isOpen)
    const takesInput =
      operation["requestBody"] !== undefined || list(operation["parameters"]).some((p) => at(p, "in") === "query")
    if (takesInput) expect(statuses).toContain("400")
    if (name.includes("{")) expect(statuses).toContain("404")
    const inPath = list(operation["parameters"]).filter((parameter) => at(parameter, "in") === "path")
    expect(inPath.map((parameter) => `{${text(at(parameter, "name"))}}`)).toEqual(name.match(/\{\w+\}/gu) ?? [])
  })

  it("requires a body if the body has required fields", () => {
    const bodies = operations.flatMap(([name, operation]) => {
      const required = at(operation["requestBody"], "required")
      return required === undefined ? [] : [[name, required] as const]
    })
    expect(
      bodies
        .filter(([, isRequired]) => isRequired === false)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual([
      "PATCH /agents/{agentId}",
      "PATCH /agents/{agentId}/policy",
      "PATCH /beneficial-owners/{beneficialOwnerId}",
      "PATCH /cards/{id}",
      "PATCH /config",
      "POST /agents/{agentId}/actions/{actionId}/reject",
      "POST /agents/{agentId}/token",
      "POST /auth/credentials/{id}/challenge",
      "POST /customers/external-accounts/{externalAccountId}/trust/confirm",
      "POST /customers/external-accounts/{externalAccountId}/untrust/confirm",
      "POST /customers/{customerId}/kyc-link",
      "POST /operator/agents/{agentId}/policy-evaluations",
      "POST /quotes/{quoteId}/authorize",
      "POST /quotes/{quoteId}/execute",
      "POST /sandbox/clock/advance",
      "POST /sandbox/inbox",
      "POST /sandbox/requests/{requestId}/send",
      "POST /sca/factors/reset/{resetId}/complete",
      "POST /tokens/{tokenId}/secrets",
      "POST /transactions/{transactionId}/approve",
      "POST /transactions/{transactionId}/cancel",
      "POST /transactions/{transactionId}/confirm",
      "POST /transactions/{transactionId}/reject",
      "POST /unapplied-money/{transactionId}/apply",
      "POST /webhooks/keys/rotate",
      "PUT /sandbox/faults",
    ])
  })
})
