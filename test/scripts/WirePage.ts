/**
 * The page of the wire format: every operation with what it takes and answers, every event, and every schema, as types. A change of what
 * clients see is a difference of this page.
 * Source: the OpenAPI document of the service; D-524.
 */
import { fenced, page } from "./Markdown.ts"

type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const objectAt = (from: unknown, ...names: ReadonlyArray<string>): Json =>
  names.reduce<Json>((at, name) => (isObject(at[name]) ? at[name] : {}), isObject(from) ? from : {})
const listAt = (from: Json, name: string): ReadonlyArray<unknown> => {
  const { [name]: found } = from
  return Array.isArray(found) ? found : []
}

/** What a value must fulfil beside its type. */
const bounds = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "default",
  "not",
] as const

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

const withBounds = (type: string, schema: Json): string => {
  const own = bounds.flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${JSON.stringify(schema[name])}`]))
  return own.length === 0 ? type : `${type} (${own.join(", ")})`
}

const memberLines = (schema: Json): ReadonlyArray<string> => {
  const required = listAt(schema, "required")
  return [
    ...Object.entries(objectAt(schema, "properties")).map(
      ([name, each]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(each)}`,
    ),
    ...required
      .filter((name) => objectAt(schema, "properties")[String(name)] === undefined)
      .map((name) => `${String(name)}: required`),
    ...("additionalProperties" in schema ? [`[any]: ${typeOf(schema["additionalProperties"])}`] : []),
  ]
}

/** The type of a schema in one line. */
const typeOf = (schema: unknown): string => {
  if (!isObject(schema)) return schema === false ? "nothing" : "any"
  const { $ref: reference, const: constant, type } = schema
  const alternatives = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")].map(typeOf)
  const by = objectAt(schema, "discriminator")["propertyName"]
  const whole = listAt(schema, "allOf").map(typeOf)
  const texts = listAt(schema, "enum").map((each) => JSON.stringify(each))
  const members = type === "object" || "properties" in schema ? [`{ ${memberLines(schema).join("; ")} }`] : []
  const all = [
    ...(typeof reference === "string" ? [nameIn(reference)] : []),
    ...(constant === undefined ? [] : [JSON.stringify(constant)]),
    ...(texts.length === 0 ? [] : [texts.join(" | ")]),
    ...(alternatives.length === 0 ? [] : [`(${alternatives.join(" | ")})${typeof by === "string" ? ` by ${by}` : ""}`]),
    ...whole,
    ...members,
    ...(type === "array" ? [`list of ${typeOf(schema["items"])}`] : []),
  ]
  const plain = Array.isArray(type) ? type.join(" | ") : String(type ?? "any")
  return withBounds(all.length === 0 ? plain : all.join(" & "), schema)
}

const contentOf = (holder: unknown): string =>
  Object.entries(objectAt(holder, "content"))
    .map(([kind, content]) => {
      const type = typeOf(objectAt({ content }, "content")["schema"])
      return kind === "application/json" ? type : `${kind} ${type}`
    })
    .join(" or ")

/** A line for the statuses whose answers have the same content. */
const answerLines = (responses: Json): ReadonlyArray<string> => {
  const statuses = new Map<string, Array<string>>()
  for (const [status, answer] of Object.entries(responses)) {
    const headers = Object.keys(objectAt(answer, "headers")).filter((name) => name !== "X-Request-Id")
    const text = `${contentOf(answer)}${headers.length === 0 ? "" : ` with ${headers.join(", ")}`}`
    statuses.set(text, [...(statuses.get(text) ?? []), status])
  }
  return [...statuses].map(([text, all]) => `  ${all.join(", ")}: ${text}`)
}

const operationLines = (title: string, operation: Json): ReadonlyArray<string> => [
  `${title}  ${String(operation["operationId"])}`,
  ...listAt(operation, "parameters").map((each) => {
    const { in: place, name, required, schema } = objectAt({ each }, "each")
    return `  ${String(place)} ${String(name)}${required === true ? "" : "?"}: ${typeOf(schema)}`
  }),
  ...("requestBody" in operation
    ? [
        `  body${objectAt(operation, "requestBody")["required"] === true ? "" : "?"}: ${contentOf(operation["requestBody"])}`,
      ]
    : []),
  ...answerLines(objectAt(operation, "responses")),
  "",
]

const methods = ["get", "post", "put", "patch", "delete"]

const operationsIn = (paths: Json, title: (method: string, path: string) => string) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = objectAt(item, method)
      return "responses" in operation ? operationLines(title(method, path), operation) : []
    }),
  )

const schemaLines = ([name, schema]: [string, unknown]): ReadonlyArray<string> => {
  const own = objectAt({ schema }, "schema")
  const isPlain = own["type"] === "object" && !["anyOf", "oneOf", "allOf"].some((each) => each in own)
  return isPlain
    ? [`${name} {`, ...memberLines(own).map((line) => `  ${line}`), "}", ""]
    : [`${name} = ${typeOf(schema)}`, ""]
}

/** The page of a document. */
export const wirePage = (document: unknown): string =>
  page(
    "Wire format",
    "the OpenAPI document",
    "Each operation with what it takes and answers, each event, and each schema by its name. A member with `?` may be absent. Every answer has `X-Request-Id`.",
    "## Operations",
    fenced(
      "text",
      operationsIn(objectAt(document, "paths"), (method, path) => `${method.toUpperCase()} ${path}`)
        .join("\n")
        .trim(),
    ),
    "## Events",
    fenced(
      "text",
      operationsIn(objectAt(document, "webhooks"), (_, name) => name)
        .join("\n")
        .trim(),
    ),
    "## Schemas",
    fenced(
      "text",
      Object.entries(objectAt(document, "components", "schemas"))
        .flatMap(schemaLines)
        .join("\n")
        .trim(),
    ),
  )
