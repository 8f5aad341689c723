/**
 * The table of the accounts and addresses that payment instructions name: currencies, networks and extra fields of each type.
 * Spec: PaymentInstructions; wire contract 2.5.
 */
import * as Table from "../../foundation/kit/Table.ts"
import type { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { isWalletRow } from "./AccountRoute.ts"
import type { AccountTypeRow } from "./AccountTypeRow.ts"
import { AccountTypes } from "./AccountTypes.ts"

/** The fields that an instruction may have in addition to those of an account. */
export type InstructionField =
  | "reference"
  | "qrCode"
  | "paymentUrl"
  | "accountHolderName"
  | "bankAddress"
  | "assetType"
  | "network"
  | "payloadToSign"
  | "accountNumber"
  | "invoice"
  | "address"

export interface InstructionRow {
  readonly currencies: ReadonlyArray<CurrencyCode>
  /** The networks that reach the address. Empty for a bank account. */
  readonly networks: ReadonlyArray<CryptoNetwork>
  /** Restricts the type to customers of this region. */
  readonly region?: string
  readonly fields: ReadonlyArray<InstructionField>
  /** Whether the instruction has the fields and rails of an account of its type. */
  readonly hasAccountFields: boolean
}

/** The fiat account types whose extra fields differ from the reference alone. */
const fiatOverrides: { readonly [accountType: string]: Partial<InstructionRow> } = {
  USD_ACCOUNT: { fields: ["reference", "accountHolderName", "bankAddress"] },
  // Also in US dollars: payers in El Salvador use it.
  SLV_ACCOUNT: { region: "SV" },
  BRL_ACCOUNT: { fields: ["qrCode"] },
  COP_ACCOUNT: { fields: ["paymentUrl"] },
  INR_ACCOUNT: { fields: [] },
  SWIFT_ACCOUNT: { fields: ["accountHolderName", "bankAddress", "reference"] },
}

const fiat = AccountTypes.entries.flatMap(([accountType, row]): ReadonlyArray<readonly [string, InstructionRow]> => {
  const { currencies }: AccountTypeRow = row
  return isWalletRow(row)
    ? []
    : [
        [
          accountType,
          { currencies, networks: [], fields: ["reference"], hasAccountFields: true, ...fiatOverrides[accountType] },
        ],
      ]
})

const wallet = (
  network: CryptoNetwork,
  currencies: ReadonlyArray<CurrencyCode>,
  fields: ReadonlyArray<InstructionField> = ["address", "assetType"],
): InstructionRow => ({ currencies, networks: [network], fields, hasAccountFields: false })

const table = Table.make<Record<string, InstructionRow>>("PaymentInstructionTypes", {
  ...Object.fromEntries(fiat),
  ARS_ACCOUNT: { currencies: ["ARS"], networks: [], fields: ["accountNumber"], hasAccountFields: false },
  SPARK_WALLET: wallet("SPARK", ["BTC", "USDB"]),
  LIGHTNING: wallet("LIGHTNING", ["BTC"], ["invoice"]),
  BITCOIN_L1: wallet("BITCOIN", ["BTC"], ["address", "network"]),
  SOLANA_WALLET: wallet("SOLANA", ["USDC", "USDT"]),
  TRON_WALLET: wallet("TRON", ["USDT"]),
  PLASMA_WALLET: wallet("PLASMA", ["USDT"]),
  POLYGON_WALLET: wallet("POLYGON", ["USDC"]),
  BASE_WALLET: wallet("BASE", ["USDC"]),
  ETHEREUM_WALLET: wallet("ETHEREUM", ["USDC", "USDT"]),
  // Receives no payments: the instruction carries the payload that its owner signs to pay out.
  EMBEDDED_WALLET: { currencies: [], networks: [], fields: ["payloadToSign"], hasAccountFields: false },
})
export const PaymentInstructionTypes = table

/** Returns the networks over which a currency can be sent. */
export const networksOf = (currency: CurrencyCode): ReadonlyArray<CryptoNetwork> =>
  table.entries.flatMap(([, row]) => (row.currencies.includes(currency) ? row.networks : []))

/** Returns the instruction types for a currency. `SWIFT_ACCOUNT` is returned only if no other type exists. */
export const instructionTypesFor = (
  currency: CurrencyCode,
  network: CryptoNetwork | undefined,
  region: string | undefined,
): ReadonlyArray<readonly [accountType: string, row: InstructionRow]> => {
  const found = table.entries.filter(
    ([, row]) =>
      row.currencies.includes(currency) &&
      (network === undefined || row.networks.includes(network)) &&
      (row.region === undefined || row.region === region),
  )
  const local = found.filter(([accountType]) => accountType !== "SWIFT_ACCOUNT")
  return local.length === 0 ? found : local
}
