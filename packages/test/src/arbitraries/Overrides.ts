/**
 * Overrides of derived arbitraries: one row for each kind of value that its pattern or type describes too generally.
 * Source: wire contract 0.2 (identifiers, times), 2.3 (account details).
 */
import { AccountTypes, type IdType, IdTypes, iso, sandboxCurrencies } from "@countersign/core/models"
import { Schema, SchemaAST } from "effect"
import fc from "fast-check"
import { matching, validBodies } from "../harness/AccountArbitraries.ts"
import { exampleBody } from "../harness/AccountExample.ts"
import { forge } from "../harness/IdentifierForge.ts"
import { fromSchema, type Overrides } from "./FromSchema.ts"

/**
 * Values of a world that requests may use: identifiers by their type, currencies by `CurrencyCode`, and other texts by the
 * name of their parameter or member.
 */
export type KnownValues = { readonly [name: string]: ReadonlyArray<string> }

/** Collects the identifiers in a text, a body or a whole tape, by their type. */
export const knownIdsIn = (value: unknown): KnownValues => {
  const found = JSON.stringify(value)?.match(/\b[A-Z][A-Za-z]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gu) ?? []
  const byType = Map.groupBy(new Set(found), (id) => id.slice(0, id.indexOf(":")))
  return Object.fromEntries(byType)
}

const uuids = fc.uuid({ version: 7 })

/** Generates well-formed identifiers of a type that identify no record. */
const unknownIds = (type: IdType) => uuids.map((uuid) => `${type}:${uuid}`)

/** Generates identifiers of the types, mostly those of known records. */
export const idsOf = (types: ReadonlyArray<IdType>, known: KnownValues): fc.Arbitrary<string> => {
  const existing = types.flatMap((type) => known[type] ?? [])
  const unknown = fc.oneof(...types.map(unknownIds))
  return existing.length === 0
    ? unknown
    : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: unknown })
}

/** Whether a name is that of an identifier type. */
export const isIdType = (name: string): name is IdType => IdTypes.keys.some((type) => type === name)

/** Returns the types whose identifiers a pattern accepts. */
const typesOf = (source: string): ReadonlyArray<IdType> => {
  const [, types = ""] = /^\^(?:\(\?:)?([A-Za-z|]+)\)?:\[0-9a-f\]/u.exec(source) ?? []
  return types.split("|").filter(isIdType)
}

const millis = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2034, 11, 31) })
/** Generates timestamps with the UTC offsets that callers use. */
const instants = fc
  .tuple(millis, fc.constantFrom("Z", "+00:00", "+02:00", "-05:30"))
  .map(([at, zone]) => iso(at).replace("Z", zone))
const days = fc.integer({ min: Date.UTC(1930, 0), max: Date.UTC(2034, 11, 31) }).map((at) => iso(at).slice(0, 10))

const durations = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }).map((seconds) => `PT${seconds}S`),
  fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 23 }), fc.nat({ max: 59 }))
    .map(([day, hour, minute]) => `P${day}DT${hour}H${minute}M`),
)
const umaAddresses = matching(/^\$[a-z0-9._+-]{1,20}@[a-z0-9]{1,10}(\.[a-z0-9]{1,10}){1,2}$/u)
const nicknames = matching(/^[A-Za-z0-9._'()-]([A-Za-z0-9 ._'()-]{0,30}[A-Za-z0-9._'()-])?$/u)

const suffixes = ["000", "001", "002", "003", "004", "005", "100", "104"]
const forgedBody = (accountType: string, suffix: string) => {
  const forged = forge(accountType, suffix, { strict: true })
  if ("impossible" in forged) return exampleBody(accountType)
  return { ...exampleBody(accountType), accountInfo: forged.accountInfo }
}

/** Generates valid bodies that create an account of any type; some have valid check digits and a magic suffix. */
export const accounts = fc.oneof(
  ...AccountTypes.keys.flatMap((type) => [
    { weight: 3, arbitrary: validBodies(type) },
    { weight: 1, arbitrary: fc.constantFrom(...suffixes).map((suffix) => forgedBody(type, suffix)) },
  ]),
)

const label = matching(/^[A-Za-z0-9 -]{1,20}$/u)
const ofPlatform = fc.tuple(accounts, fc.record({ platformAccountId: label }, { requiredKeys: [] }))
const ofCustomer = (known: KnownValues) =>
  fc.tuple(
    ofPlatform,
    fc.record({ customerId: idsOf(["Customer"], known), defaultUmaDepositAccount: fc.boolean() }, { requiredKeys: [] }),
  )

/** Returns an annotation of a node or of its checks. */
const annotated = (ast: SchemaAST.AST, name: string): unknown =>
  SchemaAST.resolve(ast)?.[name] ?? ast.annotations?.[name]

const sourcesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  (ast.checks ?? [])
    .flatMap((check) => check.annotations?.arbitraryConstraint?.patterns ?? [])
    .map(({ source }) => source)

interface Row {
  readonly matches: (ast: SchemaAST.AST) => boolean
  readonly arbitrary: (ast: SchemaAST.AST, known: KnownValues) => fc.Arbitrary<unknown>
}

const isNamed = (name: string) => (ast: SchemaAST.AST) => annotated(ast, "identifier") === name
const isFormat = (tag: SchemaAST.AST["_tag"], format: string) => (ast: SchemaAST.AST) =>
  ast._tag === tag && annotated(ast, "format") === format

const rows: ReadonlyArray<Row> = [
  {
    matches: (ast) => sourcesOf(ast).some((source) => typesOf(source).length > 0),
    arbitrary: (ast, known) => idsOf(sourcesOf(ast).flatMap(typesOf), known),
  },
  // A time in milliseconds that is encoded as text in a query.
  {
    matches: (ast) =>
      ast._tag === "Number" && ast.encoding?.some(({ to }) => isFormat("String", "date-time")(to)) === true,
    arbitrary: () => millis,
  },
  // A timestamp in a request has a pattern and may have any offset; in a record it has one form.
  {
    matches: isFormat("String", "date-time"),
    arbitrary: (ast) => (sourcesOf(ast).length > 0 ? instants : millis.map(iso)),
  },
  { matches: isFormat("String", "date"), arbitrary: () => days },
  { matches: isFormat("String", "duration"), arbitrary: () => durations },
  {
    matches: (ast) => sourcesOf(ast).some((source) => source.startsWith("^\\$[a-zA-Z0-9")),
    arbitrary: (_, { receiverUmaAddress: existing = ["$ada@receiver.example"] }) =>
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: umaAddresses }),
  },
  // fast-check cannot generate texts for Unicode classes.
  { matches: (ast) => sourcesOf(ast).some((source) => source.includes("\\p{")), arbitrary: () => nicknames },
  {
    matches: isNamed("CurrencyCode"),
    arbitrary: (ast, { CurrencyCode: used = sandboxCurrencies }) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...used) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            ...(ast._tag === "Union" ? ast.types : []).map((type) => (type._tag === "Literal" ? type.literal : "USD")),
          ),
        },
      ),
  },
  { matches: isNamed("ExternalAccountCreateInfo"), arbitrary: () => accounts.map(({ accountInfo }) => accountInfo) },
  {
    matches: isNamed("PlatformExternalAccountCreateRequest"),
    arbitrary: () => ofPlatform.map(([body, more]) => ({ ...body, ...more })),
  },
  {
    matches: isNamed("ExternalAccountCreateRequest"),
    arbitrary: (_, known) => ofCustomer(known).map(([[body, more], owner]) => ({ ...body, ...more, ...owner })),
  },
]

/** Returns the overrides for a world that contains the known values. */
export const overridesFor =
  (known: KnownValues = {}): Overrides =>
  (ast, name) => {
    const existing = ast._tag === "String" && name !== undefined ? (known[name] ?? []) : []
    if (existing.length === 0) return rows.find(({ matches }) => matches(ast))?.arbitrary(ast, known)
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...existing) },
      { weight: 1, arbitrary: fromSchema(Schema.make(ast), overridesFor()) },
    )
  }
