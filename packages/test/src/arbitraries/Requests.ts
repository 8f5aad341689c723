/**
 * Generates requests of an operation from its schemas: valid ones, and valid ones with one invalid member.
 * Source: wire contract 8.1 (problems), 0.3 (lists), 0.4 (idempotency).
 */
import { Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import fc from "fast-check"
import { matching } from "../harness/AccountArbitraries.ts"
import { replaced, wrongTypes } from "../harness/AccountBreakages.ts"
import { files } from "./Files.ts"
import { encodedOf, type Overrides, type PlainSchema } from "./FromSchema.ts"
import { type Operation, operationOf } from "./Operations.ts"
import { idsOf, isIdType, type KnownValues, overridesFor } from "./Overrides.ts"
import { idTypeOf } from "./PathIds.ts"

/** A request as a harness's `send` takes it: `pay.send(request.method, request.path, request)`; `headers` without credentials. */
export interface GeneratedRequest {
  readonly operation: string
  readonly method: string
  /** Relative to the base address, with its query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: unknown
  /** The parts of a body in `multipart/form-data`. */
  readonly form?: Form
}

/** A request that cannot be decoded, with a description of the change that made it invalid. */
export interface MalformedRequest extends GeneratedRequest {
  readonly wrong: {
    readonly part: Part
    /** The dot path of the changed member. */
    readonly field: string
    readonly change: string
    /** The dot paths at which decoding fails; an empty path is the whole part. */
    readonly fields: ReadonlyArray<string>
  }
}

/** Values with which a generated request can succeed. */
export interface RequestOptions {
  /** Identifiers of existing records by type (`Card`), and values of path parameters by name (`code`). */
  readonly known?: KnownValues
}

const malleable = ["body", "form", "query", "headers"] as const
type Part = (typeof malleable)[number]
type Members = Readonly<Record<string, unknown>>
type Form = Readonly<Record<string, string | Blob>>

/** The parts of a request as they are sent; the path is built from `params` at the end. */
interface Parts {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly body: unknown
  readonly form: Members
  /** The file of an upload. */
  readonly file: File | undefined
}

/** The path parameters whose name does not give the type of their identifier. */
const parameterTypes: { readonly [name: string]: string } = {
  accountId: "InternalAccount",
  actionId: "AgentAction",
  credentialId: "AuthMethod",
  resetId: "ScaReset",
}

const segment = matching(/^[A-Za-z0-9$@.:_-]{1,30}$/u).filter((text) => !/^\.+$/u.test(text))

const parameterOf = (path: string, name: string, known: KnownValues): fc.Arbitrary<string> => {
  const given = known[name] ?? []
  const named = parameterTypes[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1, -2)}`
  const type = name === "id" ? idTypeOf(path) : named
  const usual = isIdType(type) ? idsOf([type], known) : segment
  const likely = given.length === 0 ? usual : fc.constantFrom(...given)
  return fc.oneof({ weight: 12, arbitrary: likely }, { weight: 1, arbitrary: segment })
}

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name)

const paramsOf = ({ path }: Operation, known: KnownValues): fc.Arbitrary<Members> =>
  fc.record(Object.fromEntries(namesIn(path).map((name) => [name, parameterOf(path, name, known)])))

/** Texts that a header can carry: printable ASCII without surrounding spaces. */
const printable = matching(/^[!-~]([ -~]{0,40}[!-~])?$/u)
const inHeader: (known: KnownValues) => Overrides = (known) => (ast: SchemaAST.AST, name) =>
  ast._tag === "String" ? printable : overridesFor(known)(ast, name)

const membersOf = (schema: PlainSchema<object> | undefined, using: Overrides): fc.Arbitrary<Members> =>
  schema === undefined ? fc.constant({}) : encodedOf(schema, using).map((value) => value as Members)

/** Few requests have a random cursor, because an unknown cursor is rejected before all other checks. */
const queriesOf = (schema: PlainSchema<object> | undefined, known: KnownValues): fc.Arbitrary<Members> =>
  fc
    .tuple(
      membersOf(schema, overridesFor(known)),
      fc.nat({ max: 9 }),
      fc.constantFrom(undefined, ...(known["cursor"] ?? [])),
    )
    .map(([{ cursor, ...query }, choice, existing]) => {
      const chosen = choice === 0 ? cursor : existing
      return cursor === undefined || chosen === undefined ? query : { ...query, cursor: chosen }
    })

const partsOf = (operation: Operation, known: KnownValues): fc.Arbitrary<Parts> => {
  const { body, form, headers, query } = operation.takes
  return fc.record({
    params: paramsOf(operation, known),
    query: queriesOf(query, known),
    headers: membersOf(headers, inHeader(known)),
    body: body === undefined ? fc.constant(undefined) : encodedOf(body, overridesFor(known)),
    form: membersOf(form, overridesFor(known)),
    file: form === undefined ? fc.constant(undefined) : files,
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

const formFrom = ({ file, form }: Parts): Form => ({
  ...Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)])),
  ...(file === undefined ? {} : { file }),
})

const requestFrom = ({ method, name, path, takes }: Operation, parts: Parts): GeneratedRequest => {
  const { body, headers, params, query } = parts
  return {
    operation: name,
    method,
    path: `${path.replaceAll(/:(\w+)/gu, (_, parameter: string) => encodeURIComponent(String(params[parameter])))}${searchOf(query)}`,
    headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)])),
    ...(body === undefined ? {} : { body }),
    ...(takes.form === undefined ? {} : { form: formFrom(parts) }),
  }
}

const operationFrom = (operation: Operation | string) =>
  typeof operation === "string" ? operationOf(operation) : operation

/** Generates requests that can be decoded; the rules of the operation may still reject them. */
export const requestOf = (
  operation: Operation | string,
  { known = {} }: RequestOptions = {},
): fc.Arbitrary<GeneratedRequest> => {
  const of = operationFrom(operation)
  return partsOf(of, known).map((parts) => requestFrom(of, parts))
}

type InvalidPaths = (value: unknown) => ReadonlyArray<string>

const decoders = new WeakMap<PlainSchema, InvalidPaths>()
const standard = SchemaIssue.makeFormatterStandardSchemaV1()

const dotted = (path: StandardPath): string =>
  (path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".")
type StandardPath = ReturnType<typeof standard>["issues"][number]["path"]

/** Returns a function that lists the paths at which decoding a part of a request fails. */
const decoderOf = (of: Operation, part: Part): InvalidPaths | undefined => {
  const schema = of.takes[part]
  if (schema === undefined) return undefined
  const made = decoders.get(schema)
  if (made !== undefined) return made
  // A query parameter that occurs once is also a list of one value.
  const read = part === "query" ? (Schema.toCodecArrayFromSingle(schema) as PlainSchema) : schema
  const decode = Schema.decodeUnknownResult(read, { errors: "all" })
  const invalidPaths: InvalidPaths = (value) => {
    const result = decode(value)
    return Result.isSuccess(result) ? [] : standard(result.failure.issue).issues.map(({ path }) => dotted(path))
  }
  decoders.set(schema, invalidPaths)
  return invalidPaths
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

type Path = ReadonlyArray<string>

/** Returns the paths of all members of an object, at any depth. */
const pathsOf = (value: unknown): ReadonlyArray<Path> =>
  isMembers(value)
    ? Object.entries(value).flatMap(([name, member]) => [[name], ...pathsOf(member).map((path) => [name, ...path])])
    : []

/** Returns the paths of the members that the schema allows at the top level; an absent member can be made invalid, too. */
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
  form: [removed, ...wrongTexts],
  query: [removed, ...wrongTexts, ["a", "b"]],
  headers: wrongInHeader,
}

const wrongBodies = [7, null, true, []]

const shown = (value: unknown) => (value === removed ? "missing" : `is ${JSON.stringify(value).slice(0, 60)}`)

interface Site {
  readonly part: Part
  readonly path: Path
}

/** Returns all locations that can be made invalid: the whole body, and each member of each part. */
const sitesOf = (of: Operation, parts: Parts): ReadonlyArray<Site> =>
  malleable.flatMap((part) => {
    if (of.takes[part] === undefined) return []
    const whole = part === "body" ? [[]] : []
    return [...whole, ...fieldsOf(of.takes[part]), ...pathsOf(parts[part])].map((path) => ({ part, path }))
  })

const pick = <A>(all: ReadonlyArray<A>, index: number): A | undefined => all[index % Math.max(1, all.length)]

/** Changes one member of a request; `undefined` if the result can still be decoded. */
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
    ...requestFrom(of, { ...parts, [part]: changed }),
    wrong: { part, field: path.join("."), change: shown(value), fields },
  }
}

const triesMax = 400

/**
 * Generates requests with one invalid member: missing, of a wrong type, or out of range. `undefined` if no request of the
 * operation can be malformed.
 */
export const malformed = (
  operation: Operation | string,
  { known = {} }: RequestOptions = {},
): fc.Arbitrary<MalformedRequest> | undefined => {
  const of = operationFrom(operation)
  if (malleable.every((part) => of.takes[part] === undefined)) return undefined
  const tried = fc.tuple(partsOf(of, known), fc.nat(), fc.nat()).map((choices) => broken(of, ...choices))
  const isBreakable = fc.check(
    fc.property(tried, (one) => one === undefined),
    { numRuns: triesMax, seed: 1, endOnFailure: true },
  ).failed
  return isBreakable ? tried.filter((one) => one !== undefined) : undefined
}
