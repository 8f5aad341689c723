/** The maximum length of every text, list and object in the requests of all operations, read from their schemas. */
import { Api, endpointsOf, Upload } from "@countersign/client/api"
import { JsonLimits } from "@countersign/core"
import { jsonMaxOf, Lengths } from "@countersign/core/models"
import { Context, SchemaAST } from "effect"
import { operations } from "../../../packages/test/src/arbitraries/Operations.ts"

type Unit = "characters" | "items" | "characters of JSON" | "bytes"

/** A text, list or object with members of any name in a request. */
export interface RequestLimit {
  readonly operation: string
  /** The dot path below `body`, `query`, `params` or `headers`; `[]` is an item of a list. */
  readonly path: string
  readonly unit: Unit
  /** `undefined` if there is none, which is a defect. */
  readonly max: number | undefined
}

type Found = Omit<RequestLimit, "operation">
type Checks = ReadonlyArray<SchemaAST.Check<never>>

const allChecks = (checks: Checks): Checks =>
  checks.flatMap((check) => (check._tag === "FilterGroup" ? allChecks(check.checks) : [check]))

/** Returns the smallest value of a member of the checks' JSON Schema. */
const boundOf = (ast: SchemaAST.AST, type: "string" | "array", keyword: string): number | undefined => {
  const bounds = allChecks(ast.checks ?? []).flatMap((check) => {
    const made: unknown = check.annotations?.toJsonSchema?.({ type, schemas: [] })
    const schema: unknown = Array.isArray(made) ? made[0] : made
    const value = new Map(Object.entries(Object(schema))).get(keyword)
    return typeof value === "number" ? [value] : []
  })
  return bounds.length === 0 ? undefined : Math.min(...bounds)
}

const jsonMaxIn = (ast: SchemaAST.AST) =>
  allChecks(ast.checks ?? [])
    .map(({ annotations }) => jsonMaxOf(annotations))
    .find((max) => max !== undefined)

/** A number in a query, which the address bounds. */
const isNumberText = (ast: SchemaAST.AST, path: string) =>
  path.startsWith("query.") &&
  allChecks(ast.checks ?? []).some(({ annotations }) =>
    /^(?:isStringFinite|effect\/schema\/isStringFinite)/u.test(String(Object(annotations?.["representation"])["id"])),
  )

const walk = (ast: SchemaAST.AST, path: string): ReadonlyArray<Found> => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral": {
      const max = boundOf(ast, "string", "maxLength")
      return [{ path, unit: "characters", max: isNumberText(ast, path) ? Lengths.rows.address : max }]
    }
    case "Arrays":
      return [
        ...(ast.rest.length === 0 ? [] : [{ path, unit: "items" as const, max: boundOf(ast, "array", "maxItems") }]),
        ...[...ast.elements, ...ast.rest].flatMap((item) => walk(item, `${path}[]`)),
      ]
    case "Objects":
      return ast.indexSignatures.length > 0
        ? [{ path, unit: "characters of JSON", max: jsonMaxIn(ast) }]
        : ast.propertySignatures.flatMap(({ name, type }) => walk(type, `${path}.${String(name)}`))
    case "Union":
      return ast.types.flatMap((type) => walk(type, path))
    case "Literal":
    case "Number":
    case "Boolean":
    case "Null":
    case "Undefined":
      return []
    default:
      return [{ path: `${path} (${ast._tag})`, unit: "characters", max: undefined }]
  }
}

const uploads = new Map(
  endpointsOf(Api).map(({ endpoint, group }) => [
    `${group}.${endpoint.identifier}`,
    Context.get(endpoint.annotations, Upload),
  ]),
)

/** The limit of the file of an upload, which its route states. */
const ofFile = (operation: string): Found => ({
  path: "body.file",
  unit: "bytes",
  max: uploads.get(operation)?.fileBytesMax,
})

/** The limits of all requests, in the order of the operations. */
export const requestLimits = (): ReadonlyArray<RequestLimit> =>
  operations.flatMap(({ name, takes }) =>
    Object.entries(takes).flatMap(([part, schema]) =>
      schema === undefined
        ? []
        : walk(SchemaAST.toEncoded(schema.ast), part).map((found) => ({
            operation: name,
            ...(found.path === "body.file (Declaration)" ? ofFile(name) : found),
          })),
    ),
  )

/** Returns the number of values in the largest valid value of a schema; a free object counts as one. */
const valuesIn = (ast: SchemaAST.AST): number => {
  switch (ast._tag) {
    case "Arrays":
      return 1 + (boundOf(ast, "array", "maxItems") ?? 0) * Math.max(...ast.rest.map(valuesIn))
    case "Objects":
      return ast.propertySignatures.reduce((sum, { type }) => sum + valuesIn(type), 1)
    case "Union":
      return Math.max(...ast.types.map(valuesIn))
    default:
      return 1
  }
}

/** The largest number of values in a valid body of any operation, and the limit. */
export const largestBody = (): { readonly values: number; readonly limit: number } => ({
  values: Math.max(
    ...operations.map(({ takes: { body } }) => (body === undefined ? 0 : valuesIn(SchemaAST.toEncoded(body.ast)))),
  ),
  limit: JsonLimits.valuesMax,
})
