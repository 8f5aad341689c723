/**
 * The examples of request bodies say what they do: no body leaves out the amount that it may state, and none is empty.
 * Source: D-438.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { describe, expect, it } from "vitest"
import { requestExamples } from "../../../packages/adapter-http/src/server/RequestExamples.ts"

const { at, isObject, text } = OpenApiDocument
type Json = OpenApiDocument.Json
const document = OpenApiDocument.make(Api, "/2025-10-13")
const schemas = Object(at(document, "components", "schemas"))

const bodies = Object.entries(Object(document["paths"])).flatMap(([path, item]) =>
  Object.entries(Object(item)).flatMap(([method, operation]) => {
    const content: Json | undefined = at(Object(operation), "requestBody", "content", "application/json")
    return content === undefined ? [] : [[`${method.toUpperCase()} ${path}`, content] as const]
  }),
)

/** The named schema of a body, or the member of its union that the example is of. */
const schemaOf = (content: Json): Json => {
  const find = (schema: Json | undefined): Json => {
    const named = schemas[text(at(schema, "$ref")).split("/").at(-1) ?? ""] ?? schema ?? {}
    const mapping = at(named, "discriminator", "mapping")
    const kind = text(at(at(content, "example"), text(at(named, "discriminator", "propertyName"))))
    return isObject(mapping) ? find({ $ref: text(mapping[kind]) }) : named
  }
  return find(at(content, "schema"))
}

const optionalAmounts = /amount$/iu

describe("the example of a request body", () => {
  it.each(bodies)("%s states its amount, and is not empty", (_name, content) => {
    const example = at(content, "example")
    const properties = Object.keys(Object(at(schemaOf(content), "properties")))
    const stated = Object.keys(Object(example))
    expect(stated.length).toBeGreaterThan(0)
    expect(properties.filter((name) => optionalAmounts.test(name) && !stated.includes(name))).toEqual([])
    expect(stated.filter((name) => !properties.includes(name))).toEqual([])
    expect(JSON.stringify(example)).not.toContain('"text"')
  })

  it("of a transfer does not move the whole balance", () => {
    const transfers = bodies.filter(([name]) => name.includes("/transfer-"))
    expect(transfers).toHaveLength(4)
    for (const [, content] of transfers) expect(at(content, "example", "amount")).toBeGreaterThan(0)
  })

  it("belongs to a schema of the document", () => {
    expect(Object.keys(requestExamples).filter((name) => schemas[name] === undefined)).toEqual([])
  })
})
