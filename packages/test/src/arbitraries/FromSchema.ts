/**
 * Derives fast-check arbitraries from schemas, within their bounds, lengths and patterns. A table of overrides replaces
 * derived arbitraries that are too general.
 * Source: architecture, "One table per concept; everything else is derived" (the arbitraries are made from the table).
 */
import { Schema, SchemaAST } from "effect"
import fc from "fast-check"
import { matching, texts } from "../harness/AccountArbitraries.ts"

type Ast = SchemaAST.AST

/** Returns the arbitrary that replaces the derived one of a node, if any; `name` is the member that has the node as type. */
export type Overrides = (ast: Ast, name?: string) => fc.Arbitrary<unknown> | undefined

/** A schema that decodes without services. */
export type PlainSchema<A = unknown> = Schema.Codec<A, unknown>

interface Bounds {
  readonly patterns: ReadonlyArray<RegExp>
  readonly minLength: number
  readonly maxLength: number
  readonly minimum: number
  readonly maximum: number
  readonly isInteger: boolean
}

const missesMax = 20_000
const itemsMax = 3

const filtersOf = (checks: ReadonlyArray<SchemaAST.Check<never>> = []): ReadonlyArray<SchemaAST.Filter<never>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : filtersOf(check.checks)))

const numberOf = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise)

/** Returns the bounds, lengths and patterns that the checks of a node require. */
const boundsOf = (ast: Ast): Bounds => {
  const constraints = filtersOf(ast.checks).flatMap(({ annotations }) => annotations?.arbitraryConstraint ?? [])
  const all = (of: (one: (typeof constraints)[number]) => unknown, otherwise: number) =>
    constraints.map((one) => numberOf(of(one), otherwise))
  return {
    patterns: constraints.flatMap(({ patterns = [] }) =>
      patterns.map(({ flags, source }) => new RegExp(source, flags)),
    ),
    minLength: Math.max(0, ...all((one) => one.minLength, 0)),
    maxLength: Math.min(...all((one) => one.maxLength, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY),
    minimum: Math.max(...all((one) => one.minimum, Number.MIN_SAFE_INTEGER), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(...all((one) => one.maximum, Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER),
    isInteger: constraints.some((one) => one.number === "integer"),
  }
}

/** Filters values by all checks of a node. It throws if almost no value passes, because the search would not end. */
const checked = (ast: Ast, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const filters = filtersOf(ast.checks)
  if (filters.length === 0) return values
  let misses = 0
  return values.filter((value) => {
    const passes = filters.every((filter) => filter.run(value as never, ast, {}) === undefined)
    misses = passes ? 0 : misses + 1
    if (misses > missesMax)
      throw new Error(`almost no generated value passes the checks of ${JSON.stringify(SchemaAST.resolve(ast))}`)
    return passes
  })
}

/** Whether every store can keep a text: it has no U+0000 and no lone surrogate. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes("\u0000")

const strings = ({ maxLength, minLength, patterns: [pattern] }: Bounds) =>
  (pattern === undefined ? texts(Math.max(maxLength, minLength), minLength) : matching(pattern)).filter(isStorable)

/** Adds the examples of a node: a pattern alone may match mostly invalid values, such as points that are not on a curve. */
const withExamples = (ast: Ast, values: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const examples: unknown = SchemaAST.resolve(ast)?.["examples"]
  const texts = Array.isArray(examples) ? examples.filter((one) => typeof one === "string") : []
  return texts.length === 0 ? values : fc.oneof(fc.constantFrom(...texts), values)
}

const numbers = ({ isInteger, maximum, minimum }: Bounds) => {
  if (!isInteger) return fc.double({ min: minimum, max: maximum, noNaN: true }).map((number) => number + 0)
  const usual = { min: Math.max(minimum, Math.min(0, maximum)), max: Math.min(maximum, Math.max(minimum, 0) + 10_000) }
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer(usual) },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
  )
}

const names = matching(/^[a-zA-Z][a-zA-Z0-9_]{0,9}$/u)
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), texts(24, 0).filter(isStorable)),
    fc.array(tie("value"), { maxLength: itemsMax }),
    fc.dictionary(names, tie("value"), { maxKeys: itemsMax, noNullPrototype: true }),
  ),
})).value

const isJson = (ast: Ast) => Object(ast.annotations?.["representation"])["id"] === "effect/schema/Json"

const arrays = ({ elements, rest }: SchemaAST.Arrays, { maxLength, minLength }: Bounds, derive: Derive) => {
  const [item] = rest
  const fixed = fc.tuple(...elements.map((each) => derive(each)))
  if (item === undefined) return fixed
  const least = Math.max(0, minLength - elements.length)
  const length = { minLength: least, maxLength: Math.max(least, Math.min(maxLength, least + itemsMax)) }
  return fc.tuple(fixed, fc.array(derive(item), length)).map(([first, more]) => [...first, ...more])
}

/** One object in three has required members only, because each further member is a further reason for rejection. */
const objects = ({ indexSignatures, propertySignatures }: SchemaAST.Objects, derive: Derive) => {
  const known = propertySignatures.map(({ name, type }) => [String(name), derive(type, String(name)), type] as const)
  const required = known.filter(([, , type]) => !SchemaAST.isOptional(type))
  const recordOf = (of: typeof known) =>
    fc.record(Object.fromEntries(of.map(([name, values]) => [name, values])), {
      requiredKeys: required.map(([name]) => name),
      noNullPrototype: true,
    })
  const members =
    required.length === known.length
      ? recordOf(known)
      : fc.oneof({ weight: 1, arbitrary: recordOf(required) }, { weight: 2, arbitrary: recordOf(known) })
  const [index] = indexSignatures
  if (index === undefined) return members
  const more = fc.dictionary(names, derive(index.type), { maxKeys: itemsMax, noNullPrototype: true })
  return fc.tuple(more, members).map(([others, own]) => {
    const additional = Object.entries(others).filter(([name]) => known.every(([taken]) => taken !== name))
    return { ...Object.fromEntries(additional), ...own }
  })
}

type Derive = (ast: Ast, name?: string) => fc.Arbitrary<unknown>

const derived = (ast: Ast, derive: Derive): fc.Arbitrary<unknown> => {
  switch (ast._tag) {
    case "Null":
      return fc.constant(null)
    case "Literal":
      return fc.constant(ast.literal)
    case "Boolean":
      return fc.boolean()
    case "String":
      return withExamples(ast, strings(boundsOf(ast)))
    case "Number":
      return numbers(boundsOf(ast))
    case "Union":
      return fc.oneof(...ast.types.map((each) => derive(each)))
    case "Arrays":
      return arrays(ast, boundsOf(ast), derive)
    case "Objects":
      return objects(ast, derive)
    default:
      if (isJson(ast)) return json
      throw new Error(`cannot derive an arbitrary from a ${ast._tag} node: add a row to the overrides`)
  }
}

/** Generates decoded values of a schema. */
export const fromSchema = <A>(schema: Schema.Codec<A, unknown>, instead: Overrides): fc.Arbitrary<A> => {
  const derive: Derive = (ast, name) => checked(ast, instead(ast, name) ?? derived(ast, derive))
  return derive(schema.ast) as fc.Arbitrary<A>
}

/** Generates encoded values of a schema; each can be decoded. */
export const encodedOf = <A>(schema: Schema.Codec<A, unknown>, instead: Overrides): fc.Arbitrary<unknown> => {
  const encode = Schema.encodeUnknownSync(schema)
  return fromSchema(schema, instead).map((value) => encode(value))
}
