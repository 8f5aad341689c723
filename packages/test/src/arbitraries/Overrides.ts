/**
 * What stands in for a derived arbitrary: one row for each kind of value of which a pattern or a type says too little.
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
 * What there is in a world, to be named by requests: identifiers by their type, currencies by `CurrencyCode`, and other texts by the name
 * of the parameter or the member that has them.
 */
export type KnownValues = { readonly [name: string]: ReadonlyArray<string> }

/** The identifiers in a text, a body or a whole tape, by their type. */
export const knownIdsIn = (told: unknown): KnownValues => {
  const found = JSON.stringify(told)?.match(/\b[A-Z][A-Za-z]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gu) ?? []
  const byType = Map.groupBy(new Set(found), (id) => id.slice(0, id.indexOf(":")))
  return Object.fromEntries(byType)
}

const uuids = fc.uuid({ version: 7 })

/** Well-formed identifiers of a type that name nothing. */
const strangers = (type: IdType) => uuids.map((uuid) => `${type}:${uuid}`)

/** Identifiers of the types: mostly of what there is, where there is something. */
export const idsOf = (types: ReadonlyArray<IdType>, known: KnownValues): fc.Arbitrary<string> => {
  const there = types.flatMap((type) => known[type] ?? [])
  const nowhere = fc.oneof(...types.map(strangers))
  return there.length === 0
    ? nowhere
    : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...there) }, { weight: 1, arbitrary: nowhere })
}

/** Whether there are identifiers of this type. */
export const isIdType = (name: string): name is IdType => IdTypes.keys.some((type) => type === name)

/** The types of which a pattern takes the identifiers. */
const typesOf = (source: string): ReadonlyArray<IdType> => {
  const [, types = ""] = /^\^(?:\(\?:)?([A-Za-z|]+)\)?:\[0-9a-f\]/u.exec(source) ?? []
  return types.split("|").filter(isIdType)
}

const millis = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2034, 11, 31) })
/** A point in time in the spellings that callers use. */
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
const forged = (accountType: string, suffix: string) => {
  const made = forge(accountType, suffix, { strict: true })
  if ("impossible" in made) return exampleBody(accountType)
  return { ...exampleBody(accountType), accountInfo: made.accountInfo }
}

/** Valid bodies that create an account: of any type, some with a right check digit and a magic suffix. */
export const accounts = fc.oneof(
  ...AccountTypes.keys.flatMap((type) => [
    { weight: 3, arbitrary: validBodies(type) },
    { weight: 1, arbitrary: fc.constantFrom(...suffixes).map((suffix) => forged(type, suffix)) },
  ]),
)

const label = matching(/^[A-Za-z0-9 -]{1,20}$/u)
const ofPlatform = fc.tuple(accounts, fc.record({ platformAccountId: label }, { requiredKeys: [] }))
const ofCustomer = (known: KnownValues) =>
  fc.tuple(
    ofPlatform,
    fc.record({ customerId: idsOf(["Customer"], known), defaultUmaDepositAccount: fc.boolean() }, { requiredKeys: [] }),
  )

/** The member of a node's annotations, its checks' among them. */
const annotated = (ast: SchemaAST.AST, name: string): unknown =>
  SchemaAST.resolve(ast)?.[name] ?? ast.annotations?.[name]

const sourcesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  (ast.checks ?? [])
    .flatMap((check) => check.annotations?.arbitraryConstraint?.patterns ?? [])
    .map(({ source }) => source)

interface Row {
  readonly fits: (ast: SchemaAST.AST) => boolean
  readonly drawn: (ast: SchemaAST.AST, known: KnownValues) => fc.Arbitrary<unknown>
}

const isNamed = (name: string) => (ast: SchemaAST.AST) => annotated(ast, "identifier") === name
const isFormat = (tag: SchemaAST.AST["_tag"], format: string) => (ast: SchemaAST.AST) =>
  ast._tag === tag && annotated(ast, "format") === format

const rows: ReadonlyArray<Row> = [
  {
    fits: (ast) => sourcesOf(ast).some((source) => typesOf(source).length > 0),
    drawn: (ast, known) => idsOf(sourcesOf(ast).flatMap(typesOf), known),
  },
  // A time in milliseconds, of which a query has the text.
  {
    fits: (ast) =>
      ast._tag === "Number" && ast.encoding?.some(({ to }) => isFormat("String", "date-time")(to)) === true,
    drawn: () => millis,
  },
  // What a caller sends has a pattern; what a record shows has one spelling.
  { fits: isFormat("String", "date-time"), drawn: (ast) => (sourcesOf(ast).length > 0 ? instants : millis.map(iso)) },
  { fits: isFormat("String", "date"), drawn: () => days },
  { fits: isFormat("String", "duration"), drawn: () => durations },
  {
    fits: (ast) => sourcesOf(ast).some((source) => source.startsWith("^\\$[a-zA-Z0-9")),
    drawn: (_, { receiverUmaAddress: there = ["$ada@receiver.example"] }) =>
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...there) }, { weight: 1, arbitrary: umaAddresses }),
  },
  // Classes of letters cannot be drawn from.
  { fits: (ast) => sourcesOf(ast).some((source) => source.includes("\\p{")), drawn: () => nicknames },
  {
    fits: isNamed("CurrencyCode"),
    drawn: (ast, { CurrencyCode: used = sandboxCurrencies }) =>
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
  { fits: isNamed("ExternalAccountCreateInfo"), drawn: () => accounts.map(({ accountInfo }) => accountInfo) },
  {
    fits: isNamed("PlatformExternalAccountCreateRequest"),
    drawn: () => ofPlatform.map(([body, more]) => ({ ...body, ...more })),
  },
  {
    fits: isNamed("ExternalAccountCreateRequest"),
    drawn: (_, known) => ofCustomer(known).map(([[body, more], owner]) => ({ ...body, ...more, ...owner })),
  },
]

/** The table, read for a world in which the known records are. */
export const overridesFor =
  (known: KnownValues = {}): Overrides =>
  (ast, name) => {
    const there = ast._tag === "String" && name !== undefined ? (known[name] ?? []) : []
    if (there.length === 0) return rows.find(({ fits }) => fits(ast))?.drawn(ast, known)
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...there) },
      { weight: 1, arbitrary: fromSchema(Schema.make(ast), overridesFor()) },
    )
  }
