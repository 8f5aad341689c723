/**
 * How money of a currency usually arrives, as lists of exchange rates show it: by the fastest rail of the currency's account type, or by
 * the network of a crypto asset.
 * Source: wire contract areas 2.4; D-403.
 */
import type { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { AccountTypeRow, PaymentRail } from "../account/AccountTypeRow.ts"
import { AccountTypes } from "../account/AccountTypes.ts"
import { networksOf } from "../account/PaymentInstructionTypes.ts"

/** The rails from the fastest to the slowest. An account type without one of them is reached by its first rail. */
const fastest: ReadonlyArray<PaymentRail> = [
  "RTP",
  "SEPA_INSTANT",
  "FASTER_PAYMENTS",
  "UPI",
  "SPEI",
  "PIX",
  "FAST",
  "BANK_TRANSFER",
]

/** The usual networks where the first one of the currency is not. */
const usualNetworks: { readonly [Code in CurrencyCode]?: CryptoNetwork } = { USDT: "TRON" }

const railsTo = (code: CurrencyCode): ReadonlyArray<PaymentRail> => {
  const rows: ReadonlyArray<readonly [string, AccountTypeRow]> = AccountTypes.entries
  const [, row] = rows.find(([type, { currencies }]) => currencies.includes(code) && type !== "SWIFT_ACCOUNT") ?? []
  return row?.routes.flatMap(({ rails }) => rails) ?? []
}

/** Returns the rail or the network by which money of the currency usually arrives. */
export const usualWay = (code: CurrencyCode): PaymentRail | CryptoNetwork => {
  if (Currencies.get(code).crypto) return usualNetworks[code] ?? networksOf(code)[0] ?? "BITCOIN"
  const rails = railsTo(code)
  return fastest.find((rail) => rails.includes(rail)) ?? rails[0] ?? "SWIFT"
}
