/**
 * The holder of an account, a person or a business: request and resource schemas.
 * Spec: Beneficiary; wire contract 2.4.
 */
import { Schema } from "effect"
import { CalendarDate } from "../../foundation/kit/Instant.ts"
import { CountryCode, Email, Text } from "../../foundation/kit/Text.ts"
import { requestSchema, resourceSchema } from "./AccountField.ts"
import type { AccountTypeRow } from "./AccountTypeRow.ts"

type Extras = NonNullable<AccountTypeRow["beneficiaryFields"]>
/**
 * A request is validated. A resource accepts any text, because later versions may accept more values.
 * Source: wire contract 0.5.
 */
export type Direction = "request" | "resource"

/** The fields of a company, in `businessInfo` or beside it. */
export const companyFields = ["legalName", "taxId", "registrationNumber"] as const

const checkedText = (direction: Direction, schema: Schema.Codec<string>): Schema.Codec<string> =>
  direction === "request" ? schema : Schema.String

const optionalText = (direction: Direction, schema: Schema.Codec<string>) =>
  Schema.optionalKey(checkedText(direction, schema))

const addressOf = (direction: Direction) =>
  Schema.Struct({
    line1: checkedText(direction, Text(255)),
    line2: optionalText(direction, Text(255)),
    city: optionalText(direction, Text(255)),
    state: optionalText(direction, Text(255)),
    postalCode: checkedText(direction, Text(32)),
    country: checkedText(direction, CountryCode),
  })

const addresses = {
  request: addressOf("request").annotate({
    identifier: "BeneficiaryAddress",
    description: "`city` is required in the United States, the United Kingdom and the euro's area.",
  }),
  resource: addressOf("resource").annotate({ identifier: "BeneficiaryAddressInfo" }),
}

const company = (direction: Direction) => ({
  legalName: optionalText(direction, Text(255)),
  taxId: optionalText(direction, Text(255)),
  registrationNumber: optionalText(direction, Text(255)),
})

const businessInfos = {
  request: Schema.Struct(company("request")).annotate({
    identifier: "BeneficiaryBusinessInfo",
    description: "`legalName` is required here or beside it; what stands here wins.",
  }),
  resource: Schema.Struct(company("resource")).annotate({ identifier: "BeneficiaryBusinessInfoShown" }),
}

const common = (direction: Direction) => ({
  address: Schema.optionalKey(addresses[direction]),
  email: optionalText(direction, Email),
  phoneNumber: optionalText(direction, Text(32)),
  countryOfResidence: optionalText(direction, CountryCode),
})

const individual = (direction: Direction) => ({
  beneficiaryType: Schema.Literal("INDIVIDUAL"),
  fullName: checkedText(direction, Text(255, "The name of the account's holder, as the bank knows it.")),
  birthDate: optionalText(direction, CalendarDate),
  nationality: optionalText(direction, CountryCode),
  ...common(direction),
})

const business = (direction: Direction) => ({
  beneficiaryType: Schema.Literal("BUSINESS"),
  businessInfo: Schema.optionalKey(businessInfos[direction]),
  ...company(direction),
  ...common(direction),
})

const extraSchemas = (direction: Direction, extraFields: Extras) =>
  Object.fromEntries(
    Object.entries(extraFields).map(([name, field]) => [
      name,
      Schema.optionalKey(direction === "request" ? requestSchema(field) : resourceSchema(field)),
    ]),
  )

const address = { line1: "1 Main Street", city: "Springfield", postalCode: "12345", country: "US" }
const businessInfo = { legalName: "Engines Ltd", registrationNumber: "REG-77", taxId: "TAX-77" }

/** Examples with the minimum fields of every country and currency. */
const examples = {
  individual: [{ beneficiaryType: "INDIVIDUAL" as const, fullName: "Ada Lovelace", address }],
  business: [{ beneficiaryType: "BUSINESS" as const, businessInfo, address }],
}

const build = (direction: Direction, prefix: string, extraFields: Extras) => {
  const suffix = direction === "request" ? "Beneficiary" : "BeneficiaryInfo"
  const extra = extraSchemas(direction, extraFields)
  return Schema.Union([
    Schema.Struct({ ...individual(direction), ...extra }).annotate({
      identifier: `${prefix}Individual${suffix}`,
      examples: examples.individual,
    }),
    Schema.Struct({ ...business(direction), ...extra }).annotate({
      identifier: `${prefix}Business${suffix}`,
      examples: examples.business,
    }),
  ]).annotate({ identifier: `${prefix}${suffix}` })
}

const plain = { request: build("request", "", {}), resource: build("resource", "", {}) }

/** Returns the schema of a type's beneficiary. Extra fields make it a separate OpenAPI component, named by `prefix`. */
export const beneficiarySchema = (direction: Direction, prefix: string, extraFields: Extras | undefined) =>
  extraFields === undefined ? plain[direction] : build(direction, prefix, extraFields)

type Decoded<Fields extends Schema.Struct.Fields> = Schema.Struct<Fields>["Type"]
export type Beneficiary = Decoded<ReturnType<typeof individual>> | Decoded<ReturnType<typeof business>>
