/**
 * Payment instructions: the account details to which a payer sends money, one schema for each row of the table of their types.
 * Spec: PaymentInstructions; wire contract 2.5; wire contract areas 2.11; D-396.
 */
import { Schema } from "effect"
import { type AccountField, type FieldValues, requestSchema } from "./AccountField.ts"
import { pascalCase } from "./AccountInfo.ts"
import type { PaymentRail } from "./AccountTypeRow.ts"
import { AccountInfo } from "./ExternalAccount.ts"
import { type InstructionRow, type InstructionType, PaymentInstructionTypes } from "./PaymentInstructionTypes.ts"

type Rows = typeof PaymentInstructionTypes.rows
type Rails<Row extends InstructionRow> =
  Row["rails"] extends ReadonlyArray<never> ? unknown : { readonly paymentRails: ReadonlyArray<PaymentRail> }

/** The account or address of one type. */
export type InstructionInfoOf<T extends InstructionType> = { readonly accountType: T } & FieldValues<
  Rows[T]["fields"]
> &
  Rails<Rows[T]>
export type InstructionInfo = { readonly [T in InstructionType]: InstructionInfoOf<T> }[InstructionType]

// A type alias, unlike an interface, is JSON for the compiler.
/** One way to pay: the account or address to which a payer sends money. */
export type PaymentInstructions = {
  readonly accountOrWalletInfo: InstructionInfo
  readonly instructionsNotes?: string
  readonly isPlatformAccount?: boolean
}

const fieldSchema = (field: AccountField): Schema.Codec<string> =>
  field.isRequired ? requestSchema(field) : Schema.optionalKey(requestSchema(field))

const infoSchema = ([accountType, { fields, rails, schemaName }]: readonly [InstructionType, InstructionRow]) => {
  const members: { readonly [name: string]: Schema.Codec<unknown> } = {
    accountType: Schema.Literal(accountType),
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
    ...(rails.length === 0 ? {} : { paymentRails: Schema.Array(Schema.Literals(rails)) }),
  }
  return Schema.Struct(members).annotate({ identifier: schemaName ?? `Payment${pascalCase(accountType)}Info` })
}

/** The account or address of an instruction, discriminated by `accountType`. */
export const InstructionInfo = Schema.Union(PaymentInstructionTypes.entries.map(infoSchema)).annotate({
  identifier: "PaymentAccountOrWalletInfo",
}) as Schema.Codec<unknown> as Schema.Codec<InstructionInfo>

const common = {
  instructionsNotes: Schema.optionalKey(Schema.String),
  isPlatformAccount: Schema.optionalKey(Schema.Boolean),
}

export const PaymentInstructions: Schema.Codec<PaymentInstructions> = Schema.Struct({
  ...common,
  accountOrWalletInfo: InstructionInfo,
}).annotate({ identifier: "PaymentInstructions" })

/** Instructions as a record stores them: they were checked when they came in. */
export const StoredInstructions = Schema.Struct({
  ...common,
  accountOrWalletInfo: AccountInfo,
}) as Schema.Codec<unknown> as Schema.Codec<PaymentInstructions>

/** Whether a value has the form of one payment instruction. */
export const isPaymentInstructions = Schema.is(PaymentInstructions)
