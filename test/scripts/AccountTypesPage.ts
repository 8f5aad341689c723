/** The page of the account types: of each its fields, its ways, its beneficiary, and the magic suffixes that it cannot have. */
import {
  type AccountTypeRow,
  type AccountTypeRows,
  AccountTypes,
  BusinessMinimums,
  IndividualMinimums,
} from "@countersign/core/models"
import { BeneficiarySuffixes, TransferSuffixes, TrustSuffixes } from "@countersign/core/sandbox"
import { accountTypeDescription } from "../../packages/core/src/model/account/AccountTypeDescription.ts"
import { identifierFieldsOf } from "../../packages/core/src/model/account/MainIdentifier.ts"
import { exampleBody } from "../../packages/test/src/harness/AccountExample.ts"
import { forge } from "../../packages/test/src/harness/IdentifierForge.ts"
import { code, codes, fenced, page, table } from "./Markdown.ts"

const suffixes = [...new Set([...TransferSuffixes.keys, ...BeneficiarySuffixes.keys, ...TrustSuffixes.keys])].toSorted()

/** Which magic suffixes no valid account of the type can have, and why. */
const missingSuffixes = (accountType: string, rows: AccountTypeRows): string => {
  const missing = suffixes.flatMap((suffix) => {
    const forged = forge(accountType, suffix, { rows })
    return "impossible" in forged ? [{ suffix, why: forged.impossible }] : []
  })
  const reasons = [...new Set(missing.map(({ why }) => why))]
  if (reasons.length === 0) return ""
  return `Without magic: ${reasons
    .map((why) => `${codes(missing.filter((one) => one.why === why).map(({ suffix }) => suffix))} (${why})`)
    .join(", ")}.`
}

const fieldsOf = ({ beneficiaryFields = {}, fields }: AccountTypeRow) =>
  table(
    ["Field", "Required", "Must be", "Example", "Note"],
    [
      ...Object.entries(fields),
      ...Object.entries(beneficiaryFields).map(([name, field]) => [`beneficiary.${name}`, field] as const),
    ].map(([name, { format, isRequired, note = "" }]) => [
      code(name),
      isRequired ? "yes" : "",
      format.expected,
      code(format.example.length > 70 ? `${format.example.slice(0, 67)}...` : format.example),
      note,
    ]),
  )

const section = (accountType: string, row: AccountTypeRow, rows: AccountTypeRows): ReadonlyArray<string> => {
  const isFiat = row.currencies.length > 4
  const aliases = row.aliases === undefined ? "" : ` Also taken as ${codes(row.aliases)}.`
  const identifiers = identifierFieldsOf(row)
  const known = `Known by ${codes(identifiers)}${identifiers.length > 1 ? ", the first that it has" : ""}.`
  return [
    `## ${accountType}`,
    `Holds ${isFiat ? "any fiat currency" : codes(row.currencies)}. ${accountTypeDescription(row)}${aliases} ${known}`.replace(
      "  ",
      " ",
    ),
    fieldsOf(row),
    ...[missingSuffixes(accountType, rows)].filter((text) => text !== ""),
  ]
}

const individuals = table(
  ["Individuals in", "Need beside `fullName`", "Fields of the address"],
  IndividualMinimums.entries.map(([name, { address, needs }]) => [name, codes(needs), codes(address)]),
)

const businesses = table(
  ["Businesses paid in", "Need"],
  BusinessMinimums.entries.map(([, { currencies, needs }]) => [codes(currencies), codes(needs)]),
)

export const accountTypesPage = (rows: AccountTypeRows = AccountTypes.rows): string =>
  page(
    "Account types",
    "`AccountTypes`",
    "The `accountInfo` of an external account, by its `accountType`. A body that breaks several rules is answered with all of them at once.",
    "A person or business is the `beneficiary`. What it needs beyond the lists below is optional: an address that is given has `line1`, `postalCode` and `country`; a business says `legalName`, `registrationNumber` and `taxId` in `businessInfo` or beside it, and is shown both ways. Check digits and checksums are not checked unless the deployment says so (`--strict-checks`).",
    individuals,
    businesses,
    "In the sandbox the last three characters of the main identifier select a scenario; of `name@domain` those of the name. Of a type with several ways one that can have the suffix is enough. Where the form of an identifier has no place for a suffix, the type's section says so.",
    "For example:",
    fenced("json", JSON.stringify(exampleBody("USD_ACCOUNT"), null, 2)),
    ...Object.entries(rows).flatMap(([accountType, row]) => section(accountType, row, rows)),
  )
