/**
 * Funding instructions of the sandbox: the examples of the table of account types, with the payment's own reference.
 * `POST /sandbox/send` acts as the payer.
 * Spec: 4.6; wire contract 2.5; D-127.
 */
import { Effect, Layer } from "effect"
import { paymentRailsOfAccount } from "../model/account/AccountRoute.ts"
import type { AccountTypeRow } from "../model/account/AccountTypeRow.ts"
import { AccountTypes } from "../model/account/AccountTypes.ts"
import type { PaymentInstructions } from "../model/account/PaymentInstruction.ts"
import {
  type InstructionField,
  type InstructionRow,
  instructionTypesFor,
} from "../model/account/PaymentInstructionTypes.ts"
import { FundingInstructions, type FundingRequest } from "../ports/FundingInstructions.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"

const exampleOf = (row: AccountTypeRow | undefined, field: string): string | undefined =>
  row?.fields[field]?.format.example

/** The fields of an account of the type, for its first route. */
const accountOf = (accountType: string) => {
  const row = AccountTypes.find(accountType)
  if (row === undefined) return {}
  const names = Object.keys(row.fields).filter((name) => row.fields[name]?.isRequired === true)
  const fields = Object.fromEntries(
    [...names, ...row.routes[0].requiredFields, "bankName"].flatMap((name) => {
      const example = row.routes[0].allowedValues?.[name]?.[0] ?? exampleOf(row, name)
      return example === undefined ? [] : [[name, example]]
    }),
  )
  return { ...fields, paymentRails: [...paymentRailsOfAccount({ accountType, ...fields })] }
}

const holder = "Countersign Sandbox"
const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const argentineAccount = "2850590940090418135201"

const fieldValue: { readonly [Field in InstructionField]: (accountType: string, request: FundingRequest) => string } = {
  reference: (_type, { reference }) => reference,
  qrCode: (_type, { reference }) => `00020126580014br.gov.bcb.pix0136${reference}6304ABCD`,
  paymentUrl: (_type, { reference }) => `https://pay.sandbox.example/${reference}`,
  accountHolderName: () => holder,
  bankAddress: () => "1 Sandbox Street, Springfield, US",
  assetType: (_type, { currency }) => currency,
  network: (_type, { cryptoNetwork }) => cryptoNetwork ?? "BITCOIN",
  payloadToSign: () => "",
  accountNumber: () => argentineAccount,
  invoice: (type) => exampleOf(AccountTypes.find(type), "invoice") ?? "",
  address: (type) => exampleOf(AccountTypes.find(type), "address") ?? bitcoinAddress,
}

const instructionOf = (accountType: string, row: InstructionRow, request: FundingRequest): PaymentInstructions => ({
  instructionsNotes: `Nobody needs to pay here: POST /sandbox/send does. Reference ${request.reference}.`,
  isPlatformAccount: true,
  accountOrWalletInfo: {
    accountType,
    ...(row.hasAccountFields ? accountOf(accountType) : {}),
    ...Object.fromEntries(row.fields.map((field) => [field, fieldValue[field](accountType, request)])),
  },
})

export const layer = Layer.succeed(FundingInstructions, {
  forPayment: (request) =>
    Effect.succeed(
      instructionTypesFor(request.currency, request.cryptoNetwork, request.region).map(([accountType, row]) =>
        instructionOf(accountType, row, request),
      ),
    ),
}).pipe(sandboxOnly("SandboxFunding"))
