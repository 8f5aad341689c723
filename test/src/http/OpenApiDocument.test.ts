/** What the OpenAPI document says of an endpoint and its schemas, for a small interface. Source: wire contract 0.2, 0.3, 0.4. */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Access } from "@countersign/client/api"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, expect, it } from "vitest"

const named = <S extends Schema.Top>(identifier: string, schema: S) => schema.annotate({ identifier })
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Cat = named("Cat", Schema.Struct({ home: Schema.Literal("X"), kind: Schema.Literal("CAT"), lives: Schema.Int }))
const Dog = named("Dog", Schema.Struct({ kind: Schema.Literal("DOG"), age: between(0, 30) }))
const Fish = named("Fish", Schema.Struct({ kind: Schema.Literals(["EEL", "COD"]), depth: between(-9, 0) }))
const Pet = named("Pet", Schema.Union([Cat, Dog]))
const Animal = named("Animal", Schema.Union([Dog, Fish]))
const Note = named("Note", Schema.Struct({ note: Schema.optionalKey(Schema.NullOr(Schema.String)) }))

const Written = named("Written", Schema.Struct({ note: Schema.String, by: Schema.optionalKey(Schema.String) }))

const Group = HttpApiGroup.make("pets").add(
  HttpApiEndpoint.get("listPets", "/pets/:petId/toys/:toyId", {
    params: { petId: Schema.String, toyId: Schema.String },
    query: {
      limit: Schema.optionalKey(between(1, 9)),
      isOld: Schema.optionalKey(Schema.Boolean.annotate({ description: "Whether it is old." })),
      name: Schema.optionalKey(Schema.String),
    },
    headers: { "x-trace-id": Schema.optionalKey(Schema.String) },
    success: Animal,
  }).annotate(Access, { tokenPermission: "VIEW", agentPermission: "VIEW_TRANSACTIONS", isRefusedWhilePaused: true }),
  HttpApiEndpoint.post("createPet", "/pets", { payload: Pet, success: Pet }).annotate(Access, { isIdempotent: true }),
  HttpApiEndpoint.put("replacePet", "/pets", { payload: Written, success: Note }),
  HttpApiEndpoint.patch("changePet", "/pets", { payload: Note, success: Note }).annotate(Access, {
    tokenPermission: "MANAGE",
    isRefusedWhilePaused: false,
  }),
)
const documentAt = (basePath: string) => OpenApiDocument.make(HttpApi.make("small").add(Group), basePath)
const document = documentAt("/v1")
const { at } = OpenApiDocument
const schema = (name: string) => at(document, "components", "schemas", name)
const operation = (method: string, path: string) => at(document, "paths", path, method)
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe("the document", () => {
  it.each([
    ["/v1", "/v1"],
    ["", "/"],
  ])("at the base path %j is of the server %s", (basePath, url) => {
    expect(at(documentAt(basePath), "servers")).toEqual([{ url }])
  })

  it("has the paths, methods and groups of the interface, and none of webhooks among them", () => {
    const paths = Object(at(document, "paths"))
    expect(Object.keys(paths)).toEqual(["/pets/{petId}/toys/{toyId}", "/pets"])
    expect(Object.keys(paths["/pets"])).toEqual(["post", "put", "patch"])
    expect(at(document, "tags")).toEqual([{ name: "pets" }])
    expect(at(document, "info", "license")).toEqual({ name: "Apache-2.0", identifier: "Apache-2.0" })
  })

  it("has signed webhooks whose bodies are required", () => {
    const webhooks = Object.values(Object(at(document, "webhooks"))).map((each) => Object(each).post)
    expect(webhooks.length).toBeGreaterThan(5)
    for (const { parameters, requestBody, security, tags } of webhooks) {
      expect([parameters, tags, security]).toEqual([undefined, ["Webhooks"], [{ WebhookSignature: [] }]])
      expect(requestBody.required).toBe(true)
    }
    expect(Object.keys(Object(at(document, "components", "securitySchemes")))).toEqual([
      "BasicAuth",
      "AgentAuth",
      "WebhookSignature",
    ])
  })
})

describe("an operation", () => {
  it("says what its caller needs", () => {
    const descriptions = [
      operation("get", "/pets/{petId}/toys/{toyId}"),
      operation("post", "/pets"),
      operation("patch", "/pets"),
    ].map((each) => at(each, "description"))
    expect(descriptions).toEqual([
      "\n\nToken permission: `VIEW`.\n\nAgent permission: `VIEW_TRANSACTIONS`.\n\nRefused while the agent is paused.",
      "",
      "\n\nToken permission: `MANAGE`.",
    ])
  })

  it("has parameters of the types of their values, and headers in their usual case", () => {
    const parameters = OpenApiDocument.list(at(operation("get", "/pets/{petId}/toys/{toyId}"), "parameters"))
    expect(
      parameters.map((each) => [at(each, "in"), at(each, "name"), at(each, "required"), at(each, "schema")]),
    ).toEqual([
      ["path", "petId", true, { type: "string" }],
      ["path", "toyId", true, { type: "string" }],
      ["header", "X-Trace-Id", false, { type: "string" }],
      ["query", "limit", false, { type: "integer", minimum: 1, maximum: 9 }],
      ["query", "isOld", false, { type: "boolean" }],
      ["query", "name", false, { type: "string" }],
    ])
    expect(parameters.map((each) => at(each, "description")).filter((each) => each !== undefined)).toEqual([
      "Whether it is old.",
    ])
  })

  it.each<readonly [method: string, path: string, headers: ReadonlyArray<string>]>([
    ["get", "/pets/{petId}/toys/{toyId}", ["X-Request-Id"]],
    ["post", "/pets", ["X-Request-Id", "Idempotency-Replayed"]],
    ["patch", "/pets", ["X-Request-Id"]],
  ])("%s %s answers with the headers %j", (method, path, headers) => {
    const answer = at(operation(method, path), "responses", "200", "headers")
    expect(Object.keys(Object(answer))).toEqual(headers)
  })

  it("needs a body if the body has a required field, or is a union", () => {
    expect(at(operation("post", "/pets"), "requestBody", "required")).toBe(true)
    expect(at(operation("put", "/pets"), "requestBody", "required")).toBe(true)
    expect(at(operation("patch", "/pets"), "requestBody", "required")).toBe(false)
    expect(at(operation("get", "/pets/{petId}/toys/{toyId}"), "requestBody")).toBeUndefined()
  })
})

describe("a schema", () => {
  it("of a number has its bounds, unless they are those of exact integers", () => {
    expect(at(schema("Cat"), "properties", "lives")).toEqual({ type: "integer", format: "int64" })
    expect(at(schema("Dog"), "properties", "age")).toEqual({
      type: "integer",
      format: "int64",
      minimum: 0,
      maximum: 30,
    })
    expect(at(schema("Fish"), "properties", "depth")).toEqual({
      type: "integer",
      format: "int64",
      minimum: -9,
      maximum: 0,
    })
  })

  it("of an object allows other fields", () => {
    expect(schema("Dog")).toEqual({
      type: "object",
      properties: { kind: { type: "string", enum: ["DOG"] }, age: expect.anything() },
      required: ["kind", "age"],
    })
  })

  it("of a union is distinguished by the first field that is one text in each member", () => {
    expect(schema("Pet")).toEqual({
      oneOf: [ref("Cat"), ref("Dog")],
      discriminator: {
        propertyName: "kind",
        mapping: { CAT: "#/components/schemas/Cat", DOG: "#/components/schemas/Dog" },
      },
    })
  })

  it("of a union without such a field has its members alone", () => {
    expect(schema("Animal")).toEqual({ anyOf: [ref("Dog"), ref("Fish")] })
    expect(at(schema("Note"), "properties", "note")).toEqual({ anyOf: [{ type: "string" }, { type: "null" }] })
  })
})
