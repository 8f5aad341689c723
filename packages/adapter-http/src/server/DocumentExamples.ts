/**
 * Derives examples of bodies from their schemas, for the OpenAPI document and for its page.
 * Source: wire contract 8.1 for the form of errors; D-196.
 */
import { at, entries, isObject, type Json, type JsonObject, list, text } from "./Json.ts"
import { withParameterExamples } from "./ParameterExamples.ts"
import { requestExamples } from "./RequestExamples.ts"

const schemaName = (schema: Json | undefined): string | undefined =>
  /^#\/components\/schemas\/(.+)$/u.exec(text(at(schema, "$ref")))?.[1]

export const membersOf = (schema: Json | undefined): ReadonlyArray<Json> => [
  ...list(at(schema, "oneOf")),
  ...list(at(schema, "anyOf")),
]

const nestedMax = 8

/** Returns an example value of a schema. `depth` counts the named schemas on the path, which may refer to each other. */
export const example = (schema: Json | undefined, schemas: JsonObject, depth = 0, field = ""): Json => {
  const name = schemaName(schema)
  const complete = name === undefined ? undefined : requestExamples[name]
  if (complete !== undefined) return complete
  if (name !== undefined) return depth > nestedMax ? {} : example(schemas[name], schemas, depth + 1, field)
  const declared = at(schema, "example") ?? list(at(schema, "examples"))[0]
  if (declared !== undefined) return declared
  const [value] = list(at(schema, "enum"))
  if (value !== undefined) return value
  const [member] = membersOf(schema)
  if (member !== undefined) return example(member, schemas, depth, field)
  switch (text(at(schema, "type"))) {
    case "object": {
      const required = list(at(schema, "required"))
      const fields = entries(at(schema, "properties")).filter(([name]) => required.includes(name))
      return Object.fromEntries(fields.map(([name, type]) => [name, example(type, schemas, depth, name)]))
    }
    case "array":
      return [example(at(schema, "items"), schemas, depth, field)]
    case "integer":
    case "number":
      return at(schema, "minimum") ?? 1
    case "boolean":
      return true
    default:
      return sampleText(schema, field)
  }
}

/** Texts of fields that have neither a format nor a pattern. */
const fieldTexts: Readonly<Record<string, string>> = {
  fullName: "Ada Lovelace",
  firstName: "Ada",
  lastName: "Lovelace",
  legalName: "Analytical Engines Ltd",
  name: "Example",
  symbol: "$",
  accountId: "InternalAccount:00000000-0000-4000-8000-000000000001",
  receiverUmaAddress: "$success.usd@uma.sandbox.example",
  nickname: "Card spending",
  line1: "1 Main Street",
  city: "Springfield",
  postalCode: "62701",
  identifier: "123456789",
  signature: "MEUCIQDx",
  message: "What happened, for a person.",
  platformCustomerId: "customer-42",
  bankName: "First Bank",
  clientId: "demo",
  apiClientId: "demo",
  apiClientSecret: "a-secret-of-the-provider",
  providerTokenIdentifier: "token-1",
  networkTokenIdentifier: "btkn1network",
  encryptedOtpBundle: "{}",
  reference: "REF-42",
}

/** Returns a text that matches the formats and patterns of the interface. */
const sampleText = (schema: Json | undefined, field: string): string => {
  const pattern = text(at(schema, "pattern"))
  // An identifier: of the only type, or of the first of several.
  const type = /^\^(?:\(\?:)?([A-Z][A-Za-z]+)(?:\|[A-Za-z|]+)?\)?:\[0-9a-f\]/u.exec(pattern)?.[1]
  if (type !== undefined) return `${type}:00000000-0000-4000-8000-000000000001`
  const format = text(at(schema, "format"))
  if (format === "date-time") return "2025-10-03T15:00:00Z"
  if (format === "date") return "1990-01-31"
  if (format === "uri") return "https://platform.example/page"
  if (format === "email") return "ada@platform.example"
  const digits = /^\^(?:\\d|\[0-9\])\{(\d+)/u.exec(pattern)?.[1]
  if (digits !== undefined) return "1234567890".repeat(10).slice(0, Number(digits))
  if (pattern === "^[A-Z]{2}$") return "US"
  return fieldTexts[field] ?? "text"
}

const mediaType = "application/json"

/** Adds an example of the content to a request body or a response. */
const withExample = (holder: Json, of: (schema: Json) => Json): Json => {
  const schema = at(holder, "content", mediaType, "schema")
  return isObject(holder) && schema !== undefined
    ? { ...holder, content: { [mediaType]: { schema, example: of(schema) } } }
    : holder
}

/** Returns an example error of a status. */
const errorExample = (status: number, codes: ReadonlyMap<number, string>): JsonObject => ({
  status,
  code: codes.get(status) ?? "INTERNAL_ERROR",
  message: "What went wrong, for a person.",
})

const mapped = (object: Json | undefined, f: (member: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(entries(object).map(([key, member]) => [key, f(member, key)]))

/** Adds an example of each request body and response body to the document. */
export const withExamples = (document: JsonObject, codes: ReadonlyMap<number, string>): JsonObject => {
  const schemas = mapped(at(document, "components", "schemas"), (schema) => schema)
  const ofSchema = (schema: Json) => example(schema, schemas)
  const paths = mapped(document["paths"], (item) =>
    mapped(item, (operation) => {
      if (!isObject(operation)) return operation
      const { requestBody } = operation
      const responses = mapped(operation["responses"], (response, status) =>
        withExample(response, Number(status) < 400 ? ofSchema : () => errorExample(Number(status), codes)),
      )
      const body = requestBody === undefined ? {} : { requestBody: withExample(requestBody, ofSchema) }
      return withParameterExamples({ ...operation, ...body, responses }, (schema, name) =>
        example(schema, schemas, 0, name),
      )
    }),
  )
  return { ...document, paths }
}
