/**
 * The account details on the wire, discriminated by `accountType`: one schema for each row of the table, as callers send it and
 * as records show it.
 * Spec: ExternalAccount (accountInfo by accountType); wire contract 2.3.
 */
import { Schema } from "effect"
import { type AccountField, sentSchema, shownSchema } from "./AccountField.ts"
import { isWalletRow } from "./AccountReach.ts"
import { type AccountTypeRow, PaymentRail } from "./AccountTypeRow.ts"
import { type AccountType, type AccountTypeRows, AccountTypes } from "./AccountTypes.ts"
import { type Beneficiary, beneficiarySchema, type Direction } from "./Beneficiary.ts"
import { businessMinimum, individualMinimum } from "./BeneficiaryRules.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** `USD_ACCOUNT` is `UsdAccount` in the names of schemas. */
const camel = (accountType: string): string =>
  accountType
    .toLowerCase()
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

/** What a type holds, how it is reached and what its beneficiary needs, in sentences. */
export const describe = (row: AccountTypeRow): string => {
  const several = row.ways.length > 1
  const ways = row.ways.flatMap(({ needs, rails }) => {
    const by = rails.length === 0 ? "" : ` by ${rails.join(", ")}`
    return several ? [`${needs.join(", ")}${by}`] : rails.length === 0 ? [] : [rails.join(", ")]
  })
  const { address, needs } = individualMinimum(row, {})
  const persons = needs.map((name) =>
    name === "address" && address.length > 0 ? `address (${address.join(", ")})` : name,
  )
  const isOfCountry = typeof row.country === "object" || row.beneficiary === "none"
  const [currency] = row.currencies
  return [
    row.note,
    several
      ? `${row.isExclusive === true ? "Exactly one" : "One"} of: ${ways.join("; or ")}.`
      : ways.length > 0
        ? `Reached by ${ways.join("")}.`
        : undefined,
    isOfCountry ? undefined : `An individual needs ${persons.join(", ")}.`,
    row.beneficiary === "none" || row.currencies.length > 2
      ? undefined
      : `A business needs ${businessMinimum(currency).join(", ")}.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(" ")
}

type Fields = { readonly [name: string]: Schema.Codec<unknown> }

const keyed = (direction: Direction, field: AccountField): Schema.Codec<string> => {
  const schema = direction === "sent" ? sentSchema(field) : shownSchema(field)
  return field.isRequired ? schema : Schema.optionalKey(schema)
}

const beneficiaryKey = (direction: Direction, prefix: string, row: AccountTypeRow): Fields => {
  if (row.beneficiary === "none") return {}
  const schema = beneficiarySchema(direction, prefix, row.beneficiaryFields)
  return { beneficiary: row.beneficiary === "required" ? schema : Schema.optionalKey(schema) }
}

/** The schema of one type under one of its names. */
const member = (direction: Direction, name: string, row: AccountTypeRow) => {
  const prefix = camel(name)
  const fields: Fields = Object.fromEntries(
    Object.entries(row.fields).map(([field, rule]) => [field, keyed(direction, rule)]),
  )
  const all: Fields = {
    accountType: Schema.Literal(name),
    ...fields,
    ...(direction === "shown" && !isWalletRow(row) ? { paymentRails: Schema.Array(PaymentRail) } : {}),
    ...beneficiaryKey(direction, prefix, row),
  }
  const identifier = `${prefix}${direction === "sent" ? "CreateInfo" : "Info"}`
  return Schema.Struct(all).annotate({ identifier, description: describe(row) })
}

const union = (direction: Direction, rows: AccountTypeRows, identifier: string): Schema.Codec<unknown> =>
  Schema.Union(
    Object.entries(rows).flatMap(([name, row]) =>
      [name, ...(direction === "sent" ? (row.aliases ?? []) : [])].map((one) => member(direction, one, row)),
    ),
  ).annotate({ identifier })

type Value<Field> = Field extends AccountField<infer V> ? V : never
type Given<F> = {
  readonly [K in keyof F as F[K] extends { readonly isRequired: true } ? K : never]: Value<F[K]>
} & { readonly [K in keyof F as F[K] extends { readonly isRequired: true } ? never : K]?: Value<F[K]> }
type Owned<Row> = Row extends { readonly beneficiary: "required" }
  ? { readonly beneficiary: Beneficiary }
  : Row extends { readonly beneficiary: "optional" }
    ? { readonly beneficiary?: Beneficiary }
    : unknown
type Rows = typeof AccountTypes.rows

/** What a caller sends for an account of one type. */
export type CreateAccountInfoOf<T extends AccountType> = { readonly accountType: T } & Given<Rows[T]["fields"]> &
  Owned<Rows[T]>
export type CreateAccountInfo =
  | { readonly [T in AccountType]: CreateAccountInfoOf<T> }[AccountType]
  | (Omit<CreateAccountInfoOf<"LIGHTNING">, "accountType"> & { readonly accountType: "LIGHTNING_ACCOUNT" })

/** What a caller sends, of any table. */
export const createInfo = (rows: AccountTypeRows) => union("sent", rows, "ExternalAccountCreateInfo")

/** What a record shows, of any table. */
export const shownInfo = (rows: AccountTypeRows) =>
  union("shown", rows, "ExternalAccountInfo") as Schema.Codec<AccountInfo>

export const CreateAccountInfo = createInfo(AccountTypes.rows) as Schema.Codec<CreateAccountInfo>
export const ShownAccountInfo = shownInfo(AccountTypes.rows)
