/**
 * The table of the accounts and addresses that payment instructions name: for which money, and what each tells beside the fields
 * of an account of its type.
 * Spec: PaymentInstructions; wire contract 2.5.
 */
import * as Table from "../../foundation/kit/Table.ts"
import type { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { isWalletRow } from "./AccountReach.ts"
import type { AccountTypeRow } from "./AccountTypeRow.ts"
import { AccountTypes } from "./AccountTypes.ts"

/** What an instruction may tell that an account does not. */
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
  /** The networks over which it is paid; none: it is a bank's account. */
  readonly networks: ReadonlyArray<CryptoNetwork>
  /** Only for customers of this region; absent: for all. */
  readonly region?: string
  readonly tells: ReadonlyArray<InstructionField>
  /** Whether it has the fields and rails of an account of its type. */
  readonly isAccount: boolean
}

/** Of fiat accounts those that tell something else than a reference. */
const others: { readonly [accountType: string]: Partial<InstructionRow> } = {
  USD_ACCOUNT: { tells: ["reference", "accountHolderName", "bankAddress"] },
  // In dollars too: what payers in El Salvador use.
  SLV_ACCOUNT: { region: "SV" },
  BRL_ACCOUNT: { tells: ["qrCode"] },
  COP_ACCOUNT: { tells: ["paymentUrl"] },
  INR_ACCOUNT: { tells: [] },
  SWIFT_ACCOUNT: { tells: ["accountHolderName", "bankAddress", "reference"] },
}

const fiat = AccountTypes.entries.flatMap(([accountType, row]): ReadonlyArray<readonly [string, InstructionRow]> => {
  const { currencies }: AccountTypeRow = row
  return isWalletRow(row)
    ? []
    : [[accountType, { currencies, networks: [], tells: ["reference"], isAccount: true, ...others[accountType] }]]
})

const wallet = (
  network: CryptoNetwork,
  currencies: ReadonlyArray<CurrencyCode>,
  tells: ReadonlyArray<InstructionField> = ["address", "assetType"],
): InstructionRow => ({ currencies, networks: [network], tells, isAccount: false })

const table = Table.make<Record<string, InstructionRow>>("PaymentInstructionTypes", {
  ...Object.fromEntries(fiat),
  ARS_ACCOUNT: { currencies: ["ARS"], networks: [], tells: ["accountNumber"], isAccount: false },
  SPARK_WALLET: wallet("SPARK", ["BTC", "USDB"]),
  LIGHTNING: wallet("LIGHTNING", ["BTC"], ["invoice"]),
  BITCOIN_L1: wallet("BITCOIN", ["BTC"], ["address", "network"]),
  SOLANA_WALLET: wallet("SOLANA", ["USDC", "USDT"]),
  TRON_WALLET: wallet("TRON", ["USDT"]),
  PLASMA_WALLET: wallet("PLASMA", ["USDT"]),
  POLYGON_WALLET: wallet("POLYGON", ["USDC"]),
  BASE_WALLET: wallet("BASE", ["USDC"]),
  ETHEREUM_WALLET: wallet("ETHEREUM", ["USDC", "USDT"]),
  // Nobody sends to it: its owner signs what is paid out of it.
  EMBEDDED_WALLET: { currencies: [], networks: [], tells: ["payloadToSign"], isAccount: false },
})
export const PaymentInstructionTypes = table

/** The networks over which a currency can be sent. */
export const networksOf = (currency: CurrencyCode): ReadonlyArray<CryptoNetwork> =>
  table.entries.flatMap(([, row]) => (row.currencies.includes(currency) ? row.networks : []))

/** The ways to send a currency: a bank account of its own first; `SWIFT_ACCOUNT` where there is no other. */
export const waysToSend = (
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
  const own = found.filter(([accountType]) => accountType !== "SWIFT_ACCOUNT")
  return own.length === 0 ? found : own
}
