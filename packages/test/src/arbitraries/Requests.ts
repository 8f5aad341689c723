/**
 * Arbitrary requests of an operation, derived from its own schemas: valid ones, and valid ones with one thing wrong.
 * Source: wire contract 8.1 (problems), 0.3 (lists), 0.4 (idempotency).
 */
import { Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import fc from "fast-check"
import { matching } from "../harness/AccountArbitraries.ts"
import { replaced, wrongTypes } from "../harness/AccountBreakages.ts"
import { encodedOf, type Overrides, type PlainSchema } from "./FromSchema.ts"
import { type Operation, operationOf } from "./Operations.ts"
import { idsOf, isIdType, type KnownValues, overridesFor } from "./Overrides.ts"

/** A request as a harness's `send` takes it: `pay.send(request.method, request.path, request)`; `headers` without credentials. */
export interface GeneratedRequest {
  readonly operation: string
  readonly method: string
  /** Relative to the base address, with its query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: unknown
}

/** A request that the operation cannot take, and what is wrong with it. */
export interface MalformedRequest extends GeneratedRequest {
  readonly wrong: {
    readonly part: Part
    /** The dot path of what was changed. */
    readonly field: string
    readonly change: string
    /** The dot paths at which it cannot be read; empty for the whole. */
    readonly fields: ReadonlyArray<string>
  }
}

export interface RequestOptions {
  /** Identifiers of records that there are, by type (`Card`), or what stands in a path, by the parameter's name (`code`). */
  readonly known?: KnownValues
}

const malleable = ["body", "query", "headers"] as const
type Part = (typeof malleable)[number]
type Members = Readonly<Record<string, unknown>>

/** The parts of a request, each as it is sent but the path's, which are put together last. */
interface Parts {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly body: unknown
}

/** The path parameters that are not named for the type that they identify. */
const parameterTypes: { readonly [name: string]: string } = {
  accountId: "InternalAccount",
  actionId: "AgentAction",
  credentialId: "AuthMethod",
  resetId: "ScaReset",
}

const segment = matching(/^[A-Za-z0-9$@.:_-]{1,30}$/u).filter((text) => !/^\.+$/u.test(text))

const parameterOf = (name: string, known: KnownValues): fc.Arbitrary<string> => {
  const given = known[name] ?? []
  const type = parameterTypes[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1, -2)}`
  const usual = isIdType(type) ? idsOf([type], known) : segment
  const there = given.length === 0 ? usual : fc.constantFrom(...given)
  return fc.oneof({ weight: 12, arbitrary: there }, { weight: 1, arbitrary: segment })
}

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name)

const paramsOf = ({ path }: Operation, known: KnownValues): fc.Arbitrary<Members> =>
  fc.record(Object.fromEntries(namesIn(path).map((name) => [name, parameterOf(name, known)])))

/** What a header can carry: printable, and no space around it. */
const printable = matching(/^[!-~]([ -~]{0,40}[!-~])?$/u)
const inHeader: (known: KnownValues) => Overrides = (known) => (ast: SchemaAST.AST, name) =>
  ast._tag === "String" ? printable : overridesFor(known)(ast, name)

const membersOf = (schema: PlainSchema<object> | undefined, using: Overrides): fc.Arbitrary<Members> =>
  schema === undefined ? fc.constant({}) : encodedOf(schema, using).map((value) => value as Members)

/** A cursor that nobody gave out is refused before anything else is looked at: few requests have one. */
const queriesOf = (schema: PlainSchema<object> | undefined, known: KnownValues): fc.Arbitrary<Members> =>
  fc
    .tuple(
      membersOf(schema, overridesFor(known)),
      fc.nat({ max: 9 }),
      fc.constantFrom(undefined, ...(known["cursor"] ?? [])),
    )
    .map(([{ cursor, ...query }, chance, there]) => {
      const given = chance === 0 ? cursor : there
      return cursor === undefined || given === undefined ? query : { ...query, cursor: given }
    })

const partsOf = (operation: Operation, known: KnownValues): fc.Arbitrary<Parts> => {
  const { body, headers, query } = operation.takes
  return fc.record({
    params: paramsOf(operation, known),
    query: queriesOf(query, known),
    headers: membersOf(headers, inHeader(known)),
    body: body === undefined ? fc.constant(undefined) : encodedOf(body, overridesFor(known)),
  })
}

const searchOf = (query: Members): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`,
    ),
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

const put = ({ method, name, path }: Operation, { body, headers, params, query }: Parts): GeneratedRequest => ({
  operation: name,
  method,
  path: `${path.replaceAll(/:(\w+)/gu, (_, parameter: string) => encodeURIComponent(String(params[parameter])))}${searchOf(query)}`,
  headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)])),
  ...(body === undefined ? {} : { body }),
})

const named = (operation: Operation | string) => (typeof operation === "string" ? operationOf(operation) : operation)

/** Requests that the operation can read: what comes of them is for its rules to say. */
export const requestOf = (
  operation: Operation | string,
  { known = {} }: RequestOptions = {},
): fc.Arbitrary<GeneratedRequest> => {
  const of = named(operation)
  return partsOf(of, known).map((parts) => put(of, parts))
}

type Misread = (value: unknown) => ReadonlyArray<string>

const decoders = new WeakMap<PlainSchema, Misread>()
const standard = SchemaIssue.makeFormatterStandardSchemaV1()

const dotted = (path: StandardPath): string =>
  (path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".")
type StandardPath = ReturnType<typeof standard>["issues"][number]["path"]

/** Where a part of a request cannot be read; nowhere: it can. */
const decoderOf = (of: Operation, part: Part): Misread | undefined => {
  const schema = of.takes[part]
  if (schema === undefined) return undefined
  const made = decoders.get(schema)
  if (made !== undefined) return made
  // A value of a query that stands there once is a list of one, too.
  const read = part === "query" ? (Schema.toCodecArrayFromSingle(schema) as PlainSchema) : schema
  const decode = Schema.decodeUnknownResult(read, { errors: "all" })
  const misread: Misread = (value) => {
    const result = decode(value)
    return Result.isSuccess(result) ? [] : standard(result.failure.issue).issues.map(({ path }) => dotted(path))
  }
  decoders.set(schema, misread)
  return misread
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

type Path = ReadonlyArray<string>

/** Every member of an object, and theirs. */
const pathsOf = (value: unknown): ReadonlyArray<Path> =>
  isMembers(value)
    ? Object.entries(value).flatMap(([name, member]) => [[name], ...pathsOf(member).map((path) => [name, ...path])])
    : []

/** The members that an object of the schema may have at its top: what is absent can be wrong as well. */
const fieldsOf = (schema: PlainSchema | undefined): ReadonlyArray<Path> => {
  const ast = schema?.ast
  return ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => [String(name)]) : []
}

const removed = Symbol("removed")
const wrongTexts = ["", "x".repeat(5000), "nonsense", "-1", "1e400", "0x10", " ", "2025-02-30T00:00:00Z", "💸"]
const wrongInBody = [
  ...wrongTypes,
  ...wrongTexts,
  -1,
  0,
  1.5,
  1e300,
  -9007199254740992,
  [null],
  [{}],
  [[]],
  { "": null },
]
const wrongInHeader = ["x".repeat(300), "caf\u00e9"]

const wrongs: { readonly [part in Part]: ReadonlyArray<unknown> } = {
  body: [removed, ...wrongInBody],
  query: [removed, ...wrongTexts, ["a", "b"]],
  headers: wrongInHeader,
}

const wrongBodies = [7, null, true, []]

const shown = (value: unknown) => (value === removed ? "missing" : `is ${JSON.stringify(value).slice(0, 60)}`)

interface Site {
  readonly part: Part
  readonly path: Path
}

/** Where something can be wrong: in a body as a whole, and in each member of each part. */
const sitesOf = (of: Operation, parts: Parts): ReadonlyArray<Site> =>
  malleable.flatMap((part) => {
    if (of.takes[part] === undefined) return []
    const whole = part === "body" ? [[]] : []
    return [...whole, ...fieldsOf(of.takes[part]), ...pathsOf(parts[part])].map((path) => ({ part, path }))
  })

const pick = <A>(all: ReadonlyArray<A>, index: number): A | undefined => all[index % Math.max(1, all.length)]

/** A request with one thing changed, where it cannot be read then. */
const broken = (of: Operation, parts: Parts, at: number, change: number): MalformedRequest | undefined => {
  const site = pick(sitesOf(of, parts), at)
  if (site === undefined) return undefined
  const { part, path } = site
  const value = pick(path.length === 0 ? wrongBodies : wrongs[part], change)
  const given = value === removed ? undefined : value
  const changed = path.length === 0 ? given : replaced(isMembers(parts[part]) ? parts[part] : {}, path, given)
  const fields = decoderOf(of, part)?.(changed) ?? []
  if (fields.length === 0) return undefined
  return {
    ...put(of, { ...parts, [part]: changed }),
    wrong: { part, field: path.join("."), change: shown(value), fields },
  }
}

const triesMax = 400

/**
 * Requests that are valid but for one thing: a field is missing, of a wrong type, out of its range. `undefined` where an operation takes
 * nothing that can be wrong.
 */
export const malformed = (
  operation: Operation | string,
  { known = {} }: RequestOptions = {},
): fc.Arbitrary<MalformedRequest> | undefined => {
  const of = named(operation)
  if (malleable.every((part) => of.takes[part] === undefined)) return undefined
  const tried = fc.tuple(partsOf(of, known), fc.nat(), fc.nat()).map((drawn) => broken(of, ...drawn))
  const isBreakable = fc.check(
    fc.property(tried, (one) => one === undefined),
    { numRuns: triesMax, seed: 1, endOnFailure: true },
  ).failed
  return isBreakable ? tried.filter((one) => one !== undefined) : undefined
}
