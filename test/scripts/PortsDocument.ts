/** The OpenAPI document of the ports over HTTP: operations that a bank answers, and reports that it may send. */
import { operationsOfPorts, reportOperations } from "@countersign/ports-http"
import { Schema } from "effect"

/** An operation without the types of its request and answer. */
export interface PortRow {
  readonly port: string
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly request: Schema.Codec<unknown, unknown>
  readonly answer: Schema.Codec<unknown, unknown>
  readonly repetition: "none" | "reference" | "key" | "again"
  readonly deadline: "ask" | "instruct"
  readonly lost: "Unknown" | "Unavailable"
}

/** Every operation of the contract, in the order of the table. */
export const portRows: ReadonlyArray<PortRow> = Object.entries(operationsOfPorts).flatMap(([port, rows]) =>
  Object.entries<Omit<PortRow, "port" | "name">>(rows).map(([name, row]) => ({ port, name, ...row })),
)

interface JsonObject {
  readonly [name: string]: unknown
}

const components: { [name: string]: unknown } = {}

/** Replaces a union of one by its member, and references by those of a document. */
const inComponents = (json: unknown) =>
  JSON.parse(JSON.stringify(json).replaceAll("#/$defs/", "#/components/schemas/"), (_, value) => {
    const { anyOf, ...rest } = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}
    return Array.isArray(anyOf) && anyOf.length === 1 ? { ...anyOf[0], ...rest } : value
  })

/** Returns the JSON schema of a schema, and notes the definitions that it refers to. */
const schemaOf = (schema: Schema.Top): JsonObject => {
  const document = Schema.toJsonSchemaDocument(schema)
  Object.assign(components, inComponents(document.definitions))
  return inComponents(document.schema)
}

const object = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
})

const json = (schema: JsonObject) => ({ "application/json": { schema } })

const parameters = ["Id", "Timestamp", "Signature"].map((name) => ({ $ref: `#/components/parameters/${name}` }))

const signature = {
  "Port-Signature": {
    description: "Of the answer, with the time and the id of the request.",
    schema: { type: "string" },
  },
}

/** Whether a request has a reference, which its answer repeats. */
const hasReference = (request: Schema.Top): boolean => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(request)
  const reference = schema["$ref"]
  const named = typeof reference === "string" ? definitions[reference.replace("#/$defs/", "")] : schema
  const [variant = named] = Array.isArray(named?.["anyOf"]) ? named["anyOf"] : []
  return variant?.properties?.reference !== undefined
}

const operationOf = ({ answer, name, path, port, repetition, request, summary }: PortRow) => ({
  post: {
    operationId: `${port}.${name}`,
    tags: [port],
    summary,
    "x-repetition": repetition,
    parameters,
    requestBody: {
      required: true,
      content: json(
        object({
          platformId: { type: ["string", "null"], description: "The platform for which it is; a report names it." },
          businessTime: { type: "integer", description: "Now, Unix milliseconds: `Later` counts from it." },
          request: schemaOf(request),
        }),
      ),
    },
    responses: {
      "200": {
        description: "The answer. Any other status, and any answer that is not signed, is lost.",
        headers: signature,
        content: json(
          hasReference(request)
            ? { allOf: [object({ reference: { type: "string" } }), schemaOf(answer)] }
            : schemaOf(answer),
        ),
      },
    },
  },
  path,
})

const reportOf = ({ answer, parts, path, summary }: (typeof reportOperations)[keyof typeof reportOperations]) => ({
  post: {
    operationId: path,
    tags: ["Reports"],
    summary,
    parameters,
    requestBody: {
      required: true,
      content: json(object({ platformId: { type: "string" }, report: { allOf: parts.map(schemaOf) } })),
    },
    responses: {
      "200": {
        description: "The report is stored.",
        headers: signature,
        content: json(answer === undefined ? { type: "object" } : schemaOf(answer)),
      },
      default: {
        description: "The report is not stored: send it again under a new id, unless the status is 400 or 404.",
      },
    },
  },
})

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
})

/** Returns the document as the text of its file. */
export const portsDocument = (): string => {
  const paths = Object.fromEntries(portRows.map((row) => [row.path, { post: operationOf(row).post }]))
  const webhooks = Object.fromEntries(Object.values(reportOperations).map((row) => [row.path, reportOf(row)]))
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Ports over HTTP",
      version: "1",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "The service calls a bank: `paths`. The bank may send reports to the service: `webhooks`. Generated from the table of operations by `npm run docs`. Do not edit: change the table.",
    },
    servers: [{ url: "https://bank.example.com/ports" }],
    security: [],
    paths,
    webhooks,
    components: {
      parameters: {
        Id: header("Port-Request-Id", "Another one for each request."),
        Timestamp: header("Port-Timestamp", "Unix seconds."),
        Signature: header(
          "Port-Signature",
          "`v1,` and HMAC-SHA-256 in base64; a space separates those of two secrets.",
        ),
      },
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
