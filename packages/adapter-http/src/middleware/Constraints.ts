/**
 * The constraints that a schema puts on a value, as data and as a sentence. This file never reads the value, which may be a secret.
 * Source: wire contract 8.1 (`constraint`).
 */
import type { Json } from "@countersign/core/models"
import { SchemaAST } from "effect"

export type Constraint = { readonly [key: string]: Json }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const keywords = [
  "type",
  "format",
  "pattern",
  "enum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
]

type Checks = ReadonlyArray<SchemaAST.Check<never>>

/** Returns the JSON Schema keywords of checks on a value of `type`. */
export const constraintOfChecks = (checks: Checks, type: "string" | "array" | undefined): Constraint =>
  Object.assign(
    {},
    ...checks.map((check) => {
      if (check._tag === "FilterGroup") return constraintOfChecks(check.checks, type)
      const jsonSchema = check.annotations?.toJsonSchema?.({ type, schemas: [] })
      const members: unknown = Array.isArray(jsonSchema) ? jsonSchema[0] : jsonSchema
      if (!isRecord(members)) return {}
      return Object.fromEntries(
        Object.entries(members).filter(
          (entry): entry is [string, string | number] =>
            keywords.includes(entry[0]) && ["string", "number"].includes(typeof entry[1]),
        ),
      )
    }),
  )

/** Returns the values of a union of literals; `undefined` for any other schema. */
export const valuesOf = (ast: SchemaAST.AST): ReadonlyArray<string | number | boolean> | undefined => {
  if (ast._tag === "Literal") return typeof ast.literal === "bigint" ? undefined : [ast.literal]
  if (ast._tag !== "Union") return undefined
  const values = ast.types.map(valuesOf)
  return values.every((value) => value !== undefined) ? values.flat() : undefined
}

const typeOf = (ast: SchemaAST.AST): string | undefined => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Objects":
      return "object"
    case "Arrays":
      return "array"
    default:
      return undefined
  }
}

/** Returns the type, of the two that have a length, under which a schema's checks are read. */
export const checkedType = (ast: SchemaAST.AST | undefined): "string" | "array" | undefined =>
  ast?._tag === "String" ? "string" : ast?._tag === "Arrays" ? "array" : undefined

/** Returns all constraints of a schema. */
export const constraintOf = (ast: SchemaAST.AST): Constraint => {
  const values = valuesOf(ast)
  if (values !== undefined) return { enum: [...values] }
  if (ast._tag === "Union") {
    const members = ast.types.filter((type) => type._tag !== "Null").map(constraintOf)
    const isNullable = ast.types.some((type) => type._tag === "Null")
    const [only] = members
    return members.length === 1 && only !== undefined ? { ...only, ...(isNullable ? { nullable: true } : {}) } : {}
  }
  const type = typeOf(ast)
  const format = SchemaAST.resolve(ast)?.["format"] ?? ast.annotations?.["format"]
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof format === "string" ? { format } : {}),
    ...constraintOfChecks(ast.checks ?? [], checkedType(ast)),
  }
}

const exactBound = Number.MAX_SAFE_INTEGER
const isBound = (value: unknown): value is number => typeof value === "number" && Math.abs(value) < exactBound
const nouns: { readonly [type: string]: string } = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
}
const listedMax = 12

const sentenceOfEnum = (values: ReadonlyArray<unknown>): string =>
  values.length === 1
    ? `must be ${String(values[0])}`
    : `must be one of ${values.slice(0, listedMax).join(", ")}${values.length > listedMax ? ` and ${values.length - listedMax} more` : ""}`

const range = (low: unknown, high: unknown, unit: string): string | undefined => {
  const [hasLow, hasHigh] = [isBound(low), isBound(high)]
  if (hasLow && hasHigh) return low === high ? `exactly ${low}${unit}` : `between ${low} and ${high}${unit}`
  if (hasLow) return `at least ${low}${unit}`
  return hasHigh ? `at most ${high}${unit}` : undefined
}

/** Writes a constraint as a sentence; `expected` is the schema's own wording of a pattern. */
export const sentenceOf = (constraint: Constraint, expected?: string): string => {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = constraint
  const values = constraint["enum"]
  if (Array.isArray(values)) return sentenceOfEnum(values)
  if (constraint["pattern"] !== undefined && expected !== undefined) return `must be ${expected}`
  if (minLength === 1 && maxLength === undefined && type === undefined) return "must not be empty"
  const noun = typeof type === "string" ? nouns[type] : undefined
  const bounds =
    range(minimum, maximum, "") ??
    range(minLength, maxLength, " characters long") ??
    range(minItems, maxItems, " items long")
  const orNull = constraint["nullable"] === true ? " or null" : ""
  if (noun === undefined) return `must be ${bounds ?? expected ?? "a valid value"}${orNull}`
  const isExact = type === "integer" && bounds === undefined
  return `must be ${noun}${bounds === undefined ? "" : `, ${bounds}`}${isExact ? ` within ±${exactBound}` : ""}${orNull}`
}
