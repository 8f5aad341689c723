/**
 * To whom an account belongs: a person or a business, as callers send it and as records show it.
 * Spec: Beneficiary; wire contract 2.4.
 */
import { Schema } from "effect"
import { CalendarDate } from "../../foundation/kit/Instant.ts"
import { CountryCode, Email, Text } from "../../foundation/kit/Text.ts"
import { sentSchema, shownSchema } from "./AccountField.ts"
import type { AccountTypeRow } from "./AccountTypeRow.ts"

type Extras = NonNullable<AccountTypeRow["beneficiaryFields"]>
/** `sent` is checked; `shown` is a text, since later versions may take more. Source: wire contract 0.5. */
export type Direction = "sent" | "shown"

/** The fields of a company, which stand in `businessInfo` or beside it. */
export const companyFields = ["legalName", "taxId", "registrationNumber"] as const

const as = (direction: Direction, schema: Schema.Codec<string>): Schema.Codec<string> =>
  direction === "sent" ? schema : Schema.String

const key = (direction: Direction, schema: Schema.Codec<string>) => Schema.optionalKey(as(direction, schema))

const addressOf = (direction: Direction) =>
  Schema.Struct({
    line1: as(direction, Text(255)),
    line2: key(direction, Text(255)),
    city: key(direction, Text(255)),
    state: key(direction, Text(255)),
    postalCode: as(direction, Text(32)),
    country: as(direction, CountryCode),
  })

const addresses = {
  sent: addressOf("sent").annotate({
    identifier: "BeneficiaryAddress",
    description: "`city` is required in the United States, the United Kingdom and the euro's area.",
  }),
  shown: addressOf("shown").annotate({ identifier: "BeneficiaryAddressInfo" }),
}

const company = (direction: Direction) => ({
  legalName: key(direction, Text(255)),
  taxId: key(direction, Text(255)),
  registrationNumber: key(direction, Text(255)),
})

const businessInfos = {
  sent: Schema.Struct(company("sent")).annotate({
    identifier: "BeneficiaryBusinessInfo",
    description: "`legalName` is required here or beside it; what stands here wins.",
  }),
  shown: Schema.Struct(company("shown")).annotate({ identifier: "BeneficiaryBusinessInfoShown" }),
}

const common = (direction: Direction) => ({
  address: Schema.optionalKey(addresses[direction]),
  email: key(direction, Email),
  phoneNumber: key(direction, Text(32)),
  countryOfResidence: key(direction, CountryCode),
})

const individual = (direction: Direction) => ({
  beneficiaryType: Schema.Literal("INDIVIDUAL"),
  fullName: as(direction, Text(255, "The name of the account's holder, as the bank knows it.")),
  birthDate: key(direction, CalendarDate),
  nationality: key(direction, CountryCode),
  ...common(direction),
})

const business = (direction: Direction) => ({
  beneficiaryType: Schema.Literal("BUSINESS"),
  businessInfo: Schema.optionalKey(businessInfos[direction]),
  ...company(direction),
  ...common(direction),
})

const extended = (direction: Direction, extras: Extras) =>
  Object.fromEntries(
    Object.entries(extras).map(([name, field]) => [
      name,
      Schema.optionalKey(direction === "sent" ? sentSchema(field) : shownSchema(field)),
    ]),
  )

const address = { line1: "1 Main Street", city: "Springfield", postalCode: "12345", country: "US" }
const businessInfo = { legalName: "Engines Ltd", registrationNumber: "REG-77", taxId: "TAX-77" }

/** Examples that are enough in every country that the tables of minimum fields name. */
const examples = {
  individual: [{ beneficiaryType: "INDIVIDUAL" as const, fullName: "Ada Lovelace", address }],
  business: [{ beneficiaryType: "BUSINESS" as const, businessInfo, address }],
}

const build = (direction: Direction, prefix: string, extras: Extras) => {
  const end = direction === "sent" ? "Beneficiary" : "BeneficiaryInfo"
  const more = extended(direction, extras)
  return Schema.Union([
    Schema.Struct({ ...individual(direction), ...more }).annotate({
      identifier: `${prefix}Individual${end}`,
      examples: examples.individual,
    }),
    Schema.Struct({ ...business(direction), ...more }).annotate({
      identifier: `${prefix}Business${end}`,
      examples: examples.business,
    }),
  ]).annotate({ identifier: `${prefix}${end}` })
}

const plain = { sent: build("sent", "", {}), shown: build("shown", "", {}) }

/** The beneficiary of a type; one with fields of its own is a component of its own, named by `prefix`. */
export const beneficiarySchema = (direction: Direction, prefix: string, extras: Extras | undefined) =>
  extras === undefined ? plain[direction] : build(direction, prefix, extras)

type Sent<Fields extends Schema.Struct.Fields> = Schema.Struct<Fields>["Type"]
export type Beneficiary = Sent<ReturnType<typeof individual>> | Sent<ReturnType<typeof business>>
