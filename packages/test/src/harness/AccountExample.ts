/** Valid request bodies that create an account, made from the examples of the account type's row. */
import {
  type AccountTypeRow,
  type AccountTypeRows,
  AccountTypes,
  businessMinimum,
  individualMinimum,
  type Members,
  type PaymentRoute,
} from "@countersign/core/models"

/** The body of a request that creates an account, as JSON. */
export interface AccountBody {
  readonly currency: string
  readonly accountInfo: Members
}

export type BeneficiaryType = "INDIVIDUAL" | "BUSINESS"

export const rowOf = (rows: AccountTypeRows, accountType: string): AccountTypeRow => {
  const row = rows[accountType]
  if (row === undefined) throw new Error(`unknown account type ${accountType}`)
  return row
}

const samples: Members = {
  legalName: "Engines Ltd",
  registrationNumber: "REG-2025-001",
  taxId: "TAX-77",
  fullName: "Ada Lovelace",
  phoneNumber: "+14155550123",
  countryOfResidence: "US",
}

const address = { line1: "1 Main Street", city: "Springfield", postalCode: "12345", country: "US" }

const sample = (name: string): unknown => (name === "address" ? address : samples[name])

/** Returns a beneficiary with the required members only. */
const minimalBeneficiary = (
  row: AccountTypeRow,
  type: BeneficiaryType,
  currency: string,
  account: Members,
): Members => {
  const needs = type === "INDIVIDUAL" ? individualMinimum(row, account).needs : businessMinimum(currency)
  return { beneficiaryType: type, ...Object.fromEntries(needs.map((name) => [name, sample(name)])) }
}

/** Returns the fields that an account requires for one payment route of its type. */
export const requiredFields = (row: AccountTypeRow, route: PaymentRoute): ReadonlyArray<string> => [
  ...Object.keys(row.fields).filter((name) => row.fields[name]?.isRequired === true),
  ...route.requiredFields,
]

export interface ExampleOptions {
  /** One of the type's payment routes; the default is the first. */
  readonly route?: PaymentRoute
  readonly beneficiaryType?: BeneficiaryType
  readonly rows?: AccountTypeRows
}

/** Returns a valid body of a type with the required members only. */
export const exampleBody = (accountType: string, options: ExampleOptions = {}): AccountBody => {
  const row = rowOf(options.rows ?? AccountTypes.rows, accountType)
  const route = options.route ?? row.routes[0]
  const [currency = ""] = row.currencies
  const account = {
    accountType,
    ...Object.fromEntries(
      requiredFields(row, route).map((name) => [
        name,
        route.allowedValues?.[name]?.[0] ?? row.fields[name]?.format.example,
      ]),
    ),
  }
  if (row.beneficiary === "none") return { currency, accountInfo: account }
  const type = route.beneficiaryType ?? options.beneficiaryType ?? "INDIVIDUAL"
  return { currency, accountInfo: { ...account, beneficiary: minimalBeneficiary(row, type, currency, account) } }
}
