/**
 * The request that the samples of an operation send: its address with the example's parameters, its credentials and its body.
 * Source: D-440, D-484.
 */
import { at, isObject, type Json, type JsonObject, list, text } from "./Json.ts"

type Credentials = "platform" | "agent" | "none"

export interface SampleFile {
  readonly name: string
  readonly type: string
  readonly content: string
}

/** A request as every language writes it. */
export interface SampleRequest {
  readonly id: string
  /** The group of the typed client. */
  readonly group: string
  readonly method: string
  /** With the base path, the example's parameters and the required query. */
  readonly path: string
  readonly base: string
  readonly params: JsonObject
  readonly query: JsonObject
  readonly credentials: Credentials
  readonly isKeyed: boolean
  /** Whether the answer is a stream without an end. */
  readonly isStream: boolean
  readonly body: Json | undefined
  /** The parts of a form. */
  readonly form: ReadonlyArray<readonly [string, string | SampleFile]>
}

const scan: SampleFile = { name: "scan.pdf", type: "application/pdf", content: "%PDF-1.4" }

const customers: SampleFile = {
  name: "customers.csv",
  type: "text/csv",
  content: [
    "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country",
    "$grace@platform.example,customer-43,INDIVIDUAL,Grace Hopper,1990-01-31,1 Main Street,Springfield,IL,62701,US",
  ].join("\n"),
}

/** The files of operations that take another one than a scan. */
const files: Readonly<Record<string, SampleFile>> = { uploadCustomersCsv: customers }

/** The form's required parts; `partOf` is the example of a text. */
const formOf = (
  operation: JsonObject,
  schemas: JsonObject,
  partOf: (schema: Json | undefined, name: string) => Json,
): SampleRequest["form"] => {
  const schema = at(operation["requestBody"], "content", "multipart/form-data", "schema")
  const form = schemas[text(at(schema, "$ref")).split("/").at(-1) ?? ""] ?? schema
  return list(at(form, "required")).map((required) => {
    const name = text(required)
    const part = at(form, "properties", name)
    const file = files[text(operation["operationId"])] ?? scan
    return [name, at(part, "format") === "binary" ? file : String(partOf(part, name))]
  })
}

const credentialsOf = (operation: JsonObject): Credentials => {
  const [security] = list(operation["security"])
  if (at(security, "BasicAuth") !== undefined) return "platform"
  return at(security, "AgentAuth") === undefined ? "none" : "agent"
}

const examplesOf = (parameters: ReadonlyArray<Json>, place: string): JsonObject =>
  Object.fromEntries(
    parameters
      .filter((parameter) => at(parameter, "in") === place && at(parameter, "example") !== undefined)
      .map((parameter) => [text(at(parameter, "name")), at(parameter, "example") ?? ""]),
  )

/** Encodes a value of a path or query; identifiers keep their colon. */
const encoded = (value: Json | undefined): string => encodeURIComponent(String(value)).replaceAll("%3A", ":")

/** Where the operation is, and what its texts are made from. */
export interface Place {
  readonly base: string
  readonly path: string
  readonly method: string
  readonly group: string
  readonly schemas: JsonObject
  readonly partOf: (schema: Json | undefined, name: string) => Json
}

export const requestOf = (
  operation: JsonObject,
  { base, group, method, partOf, path, schemas }: Place,
): SampleRequest => {
  const parameters = list(operation["parameters"]).filter(isObject)
  const params = examplesOf(parameters, "path")
  const query = examplesOf(parameters, "query")
  const search = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`)
  const filled = path.replace(/\{(\w+)\}/gu, (_, name: string) => encoded(params[name]))
  return {
    id: text(operation["operationId"]),
    group,
    method: method.toUpperCase(),
    path: `${base}${filled}${search.length === 0 ? "" : `?${search.join("&")}`}`,
    base,
    params,
    query,
    credentials: credentialsOf(operation),
    isKeyed: parameters.some((parameter) => at(parameter, "name") === "Idempotency-Key"),
    isStream: at(operation["responses"], "200", "content", "text/event-stream") !== undefined,
    body: at(operation["requestBody"], "content", "application/json", "example"),
    form: formOf(operation, schemas, partOf),
  }
}
