/**
 * The minimum fields of a beneficiary: of a person by the account's country, of a business by the currency of its payments.
 * Spec: Beneficiary (both tables of minimum fields); wire contract 2.4; D-041.
 */
import { type CrossFieldProblem, isObject } from "../../foundation/kit/CrossField.ts"
import * as Table from "../../foundation/kit/Table.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { AccountTypeRow, Members } from "./AccountTypeRow.ts"
import { companyFields } from "./Beneficiary.ts"

interface IndividualRow {
  readonly countries: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  readonly address: ReadonlyArray<string>
}

interface BusinessRow {
  readonly currencies: ReadonlyArray<CurrencyCode>
  readonly needs: ReadonlyArray<string>
}

const wholeAddress = ["line1", "city", "postalCode", "country"]

/** The countries of the euro area, and the code `EU`, which every EUR account has. */
const euroArea = "EU AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" ")

/** In every other country `fullName` is enough. The schema requires the first line, postal code and country of an address. */
export const IndividualMinimums = Table.make("IndividualMinimums", {
  // The address is optional, and whole when given (wire contract areas 6, 2).
  "the United States": { countries: ["US"], needs: [], address: wholeAddress },
  "Mexico, Brazil, Philippines": { countries: ["MX", "BR", "PH"], needs: [], address: [] },
  "the United Kingdom": { countries: ["GB"], needs: ["address"], address: wholeAddress },
  "the euro area": { countries: euroArea, needs: ["address"], address: wholeAddress },
} satisfies { readonly [name: string]: IndividualRow })

/** For every other currency `legalName` is enough. */
export const BusinessMinimums = Table.make("BusinessMinimums", {
  address: {
    currencies: ["USD", "MXN", "GBP", "INR", "BRL", "DKK", "PHP", "HKD", "IDR", "MYR", "SGD", "THB", "VND", "AED"],
    needs: ["legalName", "address"],
  },
  "address and registration": { currencies: ["EUR"], needs: ["legalName", "address", "registrationNumber"] },
  "address, registration and tax": {
    currencies: ["NGN", "ZAR", "KES", "TZS", "RWF", "ZMW", "UGX", "BWP", "MWK", "XOF", "XAF"],
    needs: ["legalName", "address", "registrationNumber", "taxId"],
  },
} satisfies { readonly [name: string]: BusinessRow })

/** Returns the country of an account. */
const countryOf = ({ country }: AccountTypeRow, account: Members): unknown =>
  typeof country === "object" ? account[country.field] : country

const individualRow = (country: unknown) =>
  IndividualMinimums.entries.find(([, { countries }]) => countries.some((code) => code === country))

/** Returns the fields that an individual holder requires, and the required fields of the address. */
export const individualMinimum = (row: AccountTypeRow, account: Members) => {
  const [area, minimum] = individualRow(countryOf(row, account)) ?? []
  const { address = [], needs = [] }: Partial<IndividualRow> = minimum ?? {}
  return { area, needs: [...new Set(["fullName", ...needs, ...(row.individualFields ?? [])])], address }
}

/** Returns the fields that a business requires for payments in the currency. */
export const businessMinimum = (currency: unknown): ReadonlyArray<string> =>
  BusinessMinimums.entries.find(([, { currencies }]) => currencies.some((code) => code === currency))?.[1].needs ?? [
    "legalName",
  ]

const missing = (path: ReadonlyArray<string>, context: string): CrossFieldProblem => ({
  path,
  message: `is required ${context}`,
  constraint: { required: true },
})

const problemsOfIndividual = (row: AccountTypeRow, accountType: string, account: Members, beneficiary: Members) => {
  const { address, area, needs } = individualMinimum(row, account)
  const scope = area === undefined ? `of a ${accountType}` : `in ${area}`
  const sentAddress = beneficiary["address"]
  return [
    ...needs
      .filter((name) => beneficiary[name] === undefined)
      .map((name) => missing([name], `of an individual ${scope}`)),
    ...(isObject(sentAddress) ? address.filter((name) => sentAddress[name] === undefined) : []).map((name) =>
      missing(["address", name], `of an individual ${scope}`),
    ),
  ]
}

const isCompanyField = (name: string) => companyFields.some((field) => field === name)

const problemsOfBusiness = (currency: string | undefined, beneficiary: Members) => {
  const { businessInfo } = beneficiary
  const nested = isObject(businessInfo) ? businessInfo : {}
  const isFlat = businessInfo === undefined && companyFields.some((name) => beneficiary[name] !== undefined)
  const pathOf = (name: string) => (isCompanyField(name) && !isFlat ? ["businessInfo", name] : [name])
  const scope = currency === undefined ? "of a business" : `of a business paid in ${currency}`
  return businessMinimum(currency)
    .filter(
      (name) => (isCompanyField(name) ? nested[name] : undefined) === undefined && beneficiary[name] === undefined,
    )
    .map((name) => missing(pathOf(name), scope))
}

/** Returns the currency of payments: the type's only currency, or the requested one if the type has it. */
const paymentCurrency = ({ currencies }: AccountTypeRow, currency: unknown) =>
  currencies.length === 1 ? currencies[0] : currencies.find((code) => code === currency)

/** Returns the missing fields of an account's beneficiary. Paths start at the account. */
export const beneficiaryProblems = (
  row: AccountTypeRow,
  accountType: string,
  currency: unknown,
  account: Members,
): ReadonlyArray<CrossFieldProblem> => {
  const { beneficiary } = account
  if (row.beneficiary === "none" || !isObject(beneficiary)) return []
  const problems =
    beneficiary["beneficiaryType"] === "INDIVIDUAL"
      ? problemsOfIndividual(row, accountType, account, beneficiary)
      : beneficiary["beneficiaryType"] === "BUSINESS"
        ? problemsOfBusiness(paymentCurrency(row, currency), beneficiary)
        : []
  return problems.map((problem) => ({ ...problem, path: ["beneficiary", ...problem.path] }))
}
