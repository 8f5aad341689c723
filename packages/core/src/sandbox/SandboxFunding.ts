/**
 * Funding instructions of the sandbox: accounts and addresses that are derived from the payment or the internal account.
 * `POST /sandbox/send` and `POST /sandbox/internal-accounts/{id}/fund` act as the payer.
 * Spec: 4.6; wire contract 2.5; wire contract areas 2.11 and 2.12; D-127, D-396, D-397.
 */
import { Clock, Effect, Layer, Schema } from "effect"
import * as Suffix from "../foundation/kit/Suffix.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import { referenceOf } from "../model/account/FundingReference.ts"
import { PaymentInstructions } from "../model/account/PaymentInstruction.ts"
import {
  type InstructionRow,
  type InstructionType,
  instructionTypesFor,
  PaymentInstructionTypes,
} from "../model/account/PaymentInstructionTypes.ts"
import {
  type AccountFundingRequest,
  type CollectionAnswer,
  type CollectionRequest,
  FundingInstructions,
} from "../ports/FundingInstructions.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { CollectionSuffixes } from "./CollectionSuffixes.ts"
import * as Addresses from "./FundingAddresses.ts"

/** What the money of an instruction is for. */
interface Purpose {
  /** What the account numbers and addresses are derived from. */
  readonly seed: string
  readonly reference: string
  readonly currency: string
  /** The customer for whom the account is held. */
  readonly holder?: string | undefined
}

/** The optional fields that an instruction of the sandbox has, by type. */
const shownFields: { readonly [Type in InstructionType]?: ReadonlyArray<string> } = {
  USD_ACCOUNT: ["accountHolderName", "bankName", "bankAddress"],
  EUR_ACCOUNT: ["accountHolderName", "bankName"],
  INR_ACCOUNT: ["vpa", "accountNumber", "ifsc", "bankName"],
  SGD_ACCOUNT: ["bankName"],
  BDT_ACCOUNT: ["accountNumber", "branchCode", "swiftCode"],
  PKR_ACCOUNT: ["accountNumber", "iban"],
  EGP_ACCOUNT: ["iban"],
  GHS_ACCOUNT: ["accountNumber"],
  CNY_ACCOUNT: ["accountNumber"],
  SLV_ACCOUNT: ["bankName", "accountNumber", "bankAccountType"],
  SWIFT_ACCOUNT: ["accountNumber", "bankAddress", "reference"],
  SOLANA_WALLET: ["assetType"],
  ETHEREUM_WALLET: ["assetType"],
  TRON_WALLET: ["assetType"],
  PLASMA_WALLET: ["assetType"],
  POLYGON_WALLET: ["assetType"],
  BASE_WALLET: ["assetType"],
  BITCOIN_L1: ["network"],
}

type Derive = (seed: string, example: string) => string

const accountNumbers: { readonly [Type in InstructionType]?: number } = {
  GBP_ACCOUNT: 8,
  NGN_ACCOUNT: 10,
  ARS_ACCOUNT: 22,
}
const ibans: { readonly [Type in InstructionType]?: Derive } = {
  EUR_ACCOUNT: (seed) => Addresses.ibanOf("DE", "37040044", seed, 10),
  DKK_ACCOUNT: (seed) => Addresses.ibanOf("DK", "0040", seed, 10),
  AED_ACCOUNT: (seed) => Addresses.ibanOf("AE", "033", seed, 16),
  PKR_ACCOUNT: (seed) => Addresses.ibanOf("PK", "SCBL", seed, 16),
  EGP_ACCOUNT: (seed) => Addresses.ibanOf("EG", "00190005", seed, 17),
}
const addresses: { readonly [Type in InstructionType]?: Derive } = {
  SPARK_WALLET: Addresses.sparkAddressOf,
  SOLANA_WALLET: Addresses.solanaAddressOf,
  TRON_WALLET: Addresses.tronAddressOf,
  BITCOIN_L1: Addresses.bitcoinAddressOf,
}

const fieldValue = (accountType: InstructionType, row: InstructionRow, field: string, purpose: Purpose): string => {
  const { currency, holder, reference } = purpose
  const seed = `${accountType}:${purpose.seed}`
  const example = row.fields[field]?.format.example ?? ""
  switch (field) {
    case "reference":
      return reference
    case "qrCode":
      return `00020126580014br.gov.bcb.pix0136${Addresses.digitsOf(seed, 36)}62${reference}6304ABCD`
    case "paymentUrl":
      return `https://pay.sandbox.example/${reference}`
    case "accountHolderName":
      return holder === undefined ? "Countersign Sandbox" : `Countersign Sandbox FBO ${holder}`.slice(0, 255)
    case "bankAddress":
      return "1 Sandbox Street, Springfield, US"
    case "assetType":
      return currency
    case "accountNumber":
      return Addresses.digitsOf(seed, accountNumbers[accountType] ?? 12)
    case "clabeNumber":
      return Addresses.clabeOf(seed)
    case "vpa":
      return `fund-${referenceOf(seed).toLowerCase()}@sandbox`
    case "iban":
      return ibans[accountType]?.(seed, example) ?? example
    case "phoneNumber":
      return Addresses.phoneOf(example, seed)
    case "address":
      return addresses[accountType]?.(seed, example) ?? Addresses.hexAddressOf(seed)
    case "invoice":
      return Addresses.invoiceOf(seed)
    default:
      return example
  }
}

/** The rails of an account at a bank: the instruction names no phone number. */
const railsOf = ({ fields, rails }: InstructionRow) =>
  fields["phoneNumber"]?.isRequired === false ? rails.filter((rail) => rail !== "MOBILE_MONEY") : rails

const infoOf = (accountType: InstructionType, purpose: Purpose): unknown => {
  const row: InstructionRow = PaymentInstructionTypes.get(accountType)
  const shown = shownFields[accountType] ?? []
  const names = Object.keys(row.fields).filter((name) => row.fields[name]?.isRequired === true || shown.includes(name))
  const rails = railsOf(row)
  return {
    accountType,
    ...Object.fromEntries(names.map((name) => [name, fieldValue(accountType, row, name, purpose)])),
    ...(rails.length === 0 ? {} : { paymentRails: rails }),
  }
}

const decode = Schema.decodeUnknownSync(PaymentInstructions)

const hasReference = (accountType: InstructionType): boolean =>
  Object.hasOwn(PaymentInstructionTypes.get(accountType).fields, "reference")

/** The order in which an account's instructions are listed, where it differs from the table's. */
const accountOrder: { readonly [Code in CurrencyCode]?: ReadonlyArray<InstructionType> } = {
  BTC: ["SPARK_WALLET", "LIGHTNING", "BITCOIN_L1"],
  USDC: ["SOLANA_WALLET", "ETHEREUM_WALLET", "BASE_WALLET", "POLYGON_WALLET"],
  USDT: ["TRON_WALLET", "ETHEREUM_WALLET", "SOLANA_WALLET", "PLASMA_WALLET"],
}

const typesOfAccount = ({ currency, hasCollectionAccount }: AccountFundingRequest): ReadonlyArray<InstructionType> => [
  ...(accountOrder[currency] ?? instructionTypesFor(currency, undefined, undefined)),
  ...(currency === "USD" && hasCollectionAccount ? ["SWIFT_ACCOUNT" as const] : []),
]

const forAccount = (request: AccountFundingRequest): ReadonlyArray<PaymentInstructions> => {
  const { accountId, currency, holderName, isPlatformAccount, reference } = request
  return typesOfAccount(request).map((accountType) =>
    decode({
      instructionsNotes: hasReference(accountType)
        ? `Send ${currency} to this account and quote the reference ${reference}.`
        : `Send ${currency} here; the money reaches this account alone.`,
      isPlatformAccount,
      accountOrWalletInfo: infoOf(accountType, { seed: accountId, reference, currency, holder: holderName }),
    }),
  )
}

const collectionAccount = Effect.fnUntraced(function* ({ openedAt, platformCustomerId }: CollectionRequest) {
  const none: CollectionAnswer = { _tag: "None" }
  const found = CollectionSuffixes.find(Suffix.of(platformCustomerId))
  if (found === undefined) return none
  const at = openedAt + found.delayMillis
  const answer: CollectionAnswer = (yield* Clock.currentTimeMillis) < at ? { _tag: "Later", at } : { _tag: "Available" }
  return answer
})

/** Provides `FundingInstructions` that are the same each time for the same payment or account. */
export const layer = Layer.succeed(FundingInstructions, {
  forPayment: ({ cryptoNetwork, currency, reference, region }) =>
    Effect.succeed(
      instructionTypesFor(currency, cryptoNetwork, region).map((accountType) =>
        decode({
          instructionsNotes: `Nobody needs to pay here: POST /sandbox/send does. Reference ${reference}.`,
          isPlatformAccount: true,
          accountOrWalletInfo: infoOf(accountType, { seed: reference, reference, currency }),
        }),
      ),
    ),
  forAccount: (request) => Effect.succeed(forAccount(request)),
  collectionAccount,
}).pipe(sandboxOnly("SandboxFunding"))
