/**
 * The account details on the wire, discriminated by `accountType`: a request schema and a resource schema for each row of the
 * table of account types.
 * Spec: ExternalAccount (accountInfo by accountType); wire contract 2.3.
 */
import { Schema } from "effect"
import { type AccountField, type FieldValues, requestSchema, resourceSchema } from "./AccountField.ts"
import { isWalletRow } from "./AccountRoute.ts"
import { accountTypeDescription } from "./AccountTypeDescription.ts"
import { type AccountTypeRow, PaymentRail } from "./AccountTypeRow.ts"
import { type AccountType, type AccountTypeRows, AccountTypes } from "./AccountTypes.ts"
import { type Beneficiary, beneficiarySchema, type Direction } from "./Beneficiary.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** Converts `USD_ACCOUNT` to `UsdAccount`, for the names of schemas. */
export const pascalCase = (accountType: string): string =>
  accountType
    .toLowerCase()
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

type Fields = { readonly [name: string]: Schema.Codec<unknown> }

const fieldSchema = (direction: Direction, field: AccountField): Schema.Codec<string> => {
  const schema = direction === "request" ? requestSchema(field) : resourceSchema(field)
  const isPresent = field.isRequired || (direction === "resource" && field.isAlwaysShown === true)
  return isPresent ? schema : Schema.optionalKey(schema)
}

const beneficiaryField = (direction: Direction, prefix: string, row: AccountTypeRow): Fields => {
  if (row.beneficiary === "none") return {}
  const schema = beneficiarySchema(direction, prefix, row.beneficiaryFields)
  return { beneficiary: row.beneficiary === "required" ? schema : Schema.optionalKey(schema) }
}

/** Returns the schema of one type under one of its names. */
const schemaOfType = (direction: Direction, name: string, row: AccountTypeRow) => {
  const prefix = pascalCase(name)
  const fields: Fields = Object.fromEntries(
    Object.entries(row.fields).map(([field, rule]) => [field, fieldSchema(direction, rule)]),
  )
  const all: Fields = {
    accountType: Schema.Literal(name),
    ...fields,
    ...(direction === "resource" && !isWalletRow(row) ? { paymentRails: Schema.Array(PaymentRail) } : {}),
    ...beneficiaryField(direction, prefix, row),
  }
  const identifier = `${prefix}${direction === "request" ? "CreateInfo" : "Info"}`
  return Schema.Struct(all).annotate({ identifier, description: accountTypeDescription(row) })
}

const union = (direction: Direction, rows: AccountTypeRows, identifier: string): Schema.Codec<unknown> =>
  Schema.Union(
    Object.entries(rows).flatMap(([name, row]) =>
      [name, ...(direction === "request" ? (row.aliases ?? []) : [])].map((alias) =>
        schemaOfType(direction, alias, row),
      ),
    ),
  ).annotate({ identifier })

type BeneficiaryField<Row> = Row extends { readonly beneficiary: "required" }
  ? { readonly beneficiary: Beneficiary }
  : Row extends { readonly beneficiary: "optional" }
    ? { readonly beneficiary?: Beneficiary }
    : unknown
type Rows = typeof AccountTypes.rows

/** The request schema's type for one account type. */
export type CreateAccountInfoOf<T extends AccountType> = { readonly accountType: T } & FieldValues<Rows[T]["fields"]> &
  BeneficiaryField<Rows[T]>
/** `accountInfo` of a request that adds an external account: one variant for each account type, and one for the alias of `LIGHTNING`. */
export type CreateAccountInfo =
  | { readonly [T in AccountType]: CreateAccountInfoOf<T> }[AccountType]
  | (Omit<CreateAccountInfoOf<"LIGHTNING">, "accountType"> & { readonly accountType: "LIGHTNING_ACCOUNT" })

/** Returns the request schema of a table of account types. */
export const createAccountInfoSchema = (rows: AccountTypeRows) => union("request", rows, "ExternalAccountCreateInfo")

/** Returns the resource schema of a table of account types. */
export const accountInfoResourceSchema = (rows: AccountTypeRows) =>
  union("resource", rows, "ExternalAccountInfo") as Schema.Codec<AccountInfo>

export const CreateAccountInfo = createAccountInfoSchema(AccountTypes.rows) as Schema.Codec<CreateAccountInfo>
/** `accountInfo` of an external account in an answer: one variant for each account type. */
export const AccountInfoResource = accountInfoResourceSchema(AccountTypes.rows)
