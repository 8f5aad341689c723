/** The shapes that the document has for members that the decoders leave open. Source: D-439. */
import { describe, expect, it } from "vitest"
import { typedSchemas } from "../../../packages/adapter-http/src/server/DocumentTypes.ts"
import type { Json, JsonObject } from "../../../packages/adapter-http/src/server/Json.ts"

const openObject = { type: "object" }
const typed = (name: string, member: string, value: Json) => {
  const schemas: JsonObject = { [name]: { type: "object", properties: { [member]: value, other: openObject } } }
  const found = typedSchemas(schemas)[name]
  expect(found).toMatchObject({ type: "object", properties: { other: openObject } })
  return (found as { readonly properties: JsonObject }).properties[member]
}
const shape = { $ref: "#/components/schemas/DecisionDetails" }

describe("an open member", () => {
  it("has its shape", () => {
    expect(typed("AgentAction", "details", openObject)).toEqual(shape)
    expect(typed("QuoteRequest", "senderCustomerInfo", openObject)).toEqual({
      $ref: "#/components/schemas/CounterpartyInformation",
    })
  })

  it("keeps its description", () => {
    const description = "Why it waits."
    expect(typed("AgentAction", "details", { ...openObject, description })).toEqual({ ...shape, description })
  })

  it("may be null where the decoder admits that", () => {
    const nullable = { anyOf: [openObject, { type: "null" }], description: "Why it waits." }
    expect(typed("AgentAction", "details", nullable)).toEqual({
      anyOf: [{ ...shape, description: "Why it waits." }, { type: "null" }],
    })
    expect(typed("AgentAction", "details", { anyOf: [openObject, { type: "string" }] })).toEqual(shape)
  })
})

it("other members, and schemas without members, stay as they are", () => {
  const schemas = { Agent: { type: "object", properties: { details: openObject } }, Code: { enum: ["A"] } }
  expect(typedSchemas(schemas)).toMatchObject(schemas)
})
