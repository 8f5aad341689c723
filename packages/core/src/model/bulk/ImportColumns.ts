/**
 * The table of an import's columns: who needs each, where it goes, and what its cells may contain. The checks are those of
 * `POST /customers`.
 * Source: wire contract areas 1.5.2.
 */
import type { Schema } from "effect"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { CalendarDate } from "../../foundation/kit/Instant.ts"
import * as Table from "../../foundation/kit/Table.ts"
import { CountryCode, Email, Text } from "../../foundation/kit/Text.ts"
import { Address, CustomerType } from "../customer/Customer.ts"
import { UmaAddress } from "../customer/UmaAddress.ts"

type CellSchema = Schema.Codec<string>

export interface ImportColumn {
  /** The customers that need it. Their own columns of the other type are dropped. */
  readonly neededBy?: "ALL" | CustomerType
  /** The type that has it; absent: both. */
  readonly onlyFor?: CustomerType
  readonly schema: CellSchema
  /** Completes "must be". */
  readonly expected: string
  readonly constraint: { readonly [key: string]: Json }
}

const text = (max: number, schema: CellSchema = Text(max)) => ({
  schema,
  expected: `a text of at most ${max} characters without U+0000`,
  constraint: { maxLength: max },
})
const line = (schema: CellSchema) => text(255, schema)
const ofPersons = { onlyFor: "INDIVIDUAL" } as const
const ofBusinesses = { onlyFor: "BUSINESS" } as const

export const ImportColumns = Table.make("ImportColumns", {
  umaAddress: {
    neededBy: "ALL",
    schema: UmaAddress,
    expected: "a UMA address such as $name@example.com",
    constraint: { format: "uma-address" },
  },
  platformCustomerId: { neededBy: "ALL", ...text(255) },
  customerType: {
    neededBy: "ALL",
    schema: CustomerType,
    expected: CustomerType.literals.join(" or "),
    constraint: { enum: [...CustomerType.literals] },
  },
  fullName: { ...ofPersons, neededBy: "INDIVIDUAL", ...text(255) },
  birthDate: {
    ...ofPersons,
    neededBy: "INDIVIDUAL",
    schema: CalendarDate,
    expected: "a date of the form YYYY-MM-DD",
    constraint: { format: "date" },
  },
  businessLegalName: { ...ofBusinesses, neededBy: "BUSINESS", ...text(255) },
  addressLine1: { neededBy: "ALL", ...line(Address.fields.line1) },
  addressLine2: line(Address.fields.line2.schema),
  city: { neededBy: "ALL", ...line(Address.fields.city.schema) },
  state: { neededBy: "ALL", ...line(Address.fields.state.schema) },
  postalCode: { neededBy: "ALL", ...line(Address.fields.postalCode) },
  country: {
    neededBy: "ALL",
    schema: CountryCode,
    expected: "an ISO 3166-1 alpha-2 country code, such as US",
    constraint: { format: "iso-3166-1-alpha-2" },
  },
  email: { ...ofPersons, schema: Email, expected: "an e-mail address", constraint: { format: "email" } },
  businessRegistrationNumber: { ...ofBusinesses, ...text(255) },
  businessTaxId: { ...ofBusinesses, ...text(255) },
} satisfies { readonly [column: string]: ImportColumn })

export type ImportColumnName = (typeof ImportColumns.keys)[number]

/** The row of a column, as the checks read it. */
export const columnOf = (name: ImportColumnName): ImportColumn => ImportColumns.get(name)
