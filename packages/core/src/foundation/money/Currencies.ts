/**
 * The table of currencies: code, name, symbol and decimals of the smallest unit.
 * Spec: Currency; wire contract 11 (40). Which of them a platform uses is its configuration.
 */
import { Schema } from "effect"
import * as Table from "../kit/Table.ts"

interface CurrencyRow {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly crypto: boolean
}

const fiat = (name: string, symbol: string, decimals = 2): CurrencyRow => ({ name, symbol, decimals, crypto: false })
const crypto = (name: string, symbol: string, decimals: number): CurrencyRow => ({
  name,
  symbol,
  decimals,
  crypto: true,
})

export const Currencies = Table.make("Currencies", {
  USD: fiat("United States Dollar", "$"),
  EUR: fiat("Euro", "€"),
  GBP: fiat("Pound Sterling", "£"),
  MXN: fiat("Mexican Peso", "$"),
  BRL: fiat("Brazilian Real", "R$"),
  INR: fiat("Indian Rupee", "₹"),
  DKK: fiat("Danish Krone", "kr"),
  NGN: fiat("Nigerian Naira", "₦"),
  CAD: fiat("Canadian Dollar", "$"),
  HKD: fiat("Hong Kong Dollar", "HK$"),
  IDR: fiat("Indonesian Rupiah", "Rp"),
  MYR: fiat("Malaysian Ringgit", "RM"),
  PHP: fiat("Philippine Peso", "₱"),
  SGD: fiat("Singapore Dollar", "S$"),
  THB: fiat("Thai Baht", "฿"),
  VND: fiat("Vietnamese Dong", "₫", 0),
  AED: fiat("UAE Dirham", "د.إ"),
  KES: fiat("Kenyan Shilling", "KSh"),
  MWK: fiat("Malawian Kwacha", "MK"),
  RWF: fiat("Rwandan Franc", "FRw", 0),
  TZS: fiat("Tanzanian Shilling", "TSh"),
  UGX: fiat("Ugandan Shilling", "USh", 0),
  XOF: fiat("West African CFA Franc", "CFA", 0),
  ZAR: fiat("South African Rand", "R"),
  ZMW: fiat("Zambian Kwacha", "ZK"),
  BWP: fiat("Botswana Pula", "P"),
  XAF: fiat("Central African CFA Franc", "FCFA", 0),
  BDT: fiat("Bangladeshi Taka", "৳"),
  ARS: fiat("Argentine Peso", "$"),
  COP: fiat("Colombian Peso", "$"),
  EGP: fiat("Egyptian Pound", "E£"),
  GHS: fiat("Ghanaian Cedi", "GH₵"),
  GTQ: fiat("Guatemalan Quetzal", "Q"),
  HTG: fiat("Haitian Gourde", "G"),
  JMD: fiat("Jamaican Dollar", "J$"),
  JPY: fiat("Japanese Yen", "¥", 0),
  PKR: fiat("Pakistani Rupee", "₨"),
  CNY: fiat("Chinese Yuan", "¥"),
  USDC: crypto("USD Coin", "USDC", 6),
  USDT: crypto("Tether USD", "USDT", 6),
  USDB: crypto("USD Base", "USDB", 6),
  BTC: crypto("Bitcoin", "₿", 8),
})

/** An upper-case currency code, such as `USD`, or the code of a crypto asset, such as `USDC`. */
export type CurrencyCode = (typeof Currencies.keys)[number]

/** The currencies of a new sandbox platform. Each customer gets an internal account in each of them. */
export const sandboxCurrencies: ReadonlyArray<CurrencyCode> = [
  "USD",
  "EUR",
  "GBP",
  "MXN",
  "BRL",
  "INR",
  "USDC",
  "BTC",
  "USDB",
]

export const CurrencyCode = Schema.Literals(Currencies.keys).annotate({
  identifier: "CurrencyCode",
  description: "ISO 4217 code, or a ticker for crypto assets; uppercase.",
})

/** The Currency record of the wire. Spec: Currency. */
export const Currency = Schema.Struct({
  code: CurrencyCode,
  name: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
}).annotate({ identifier: "Currency" })

export const currencyOf = (code: CurrencyCode): typeof Currency.Type => {
  const { name, symbol, decimals } = Currencies.get(code)
  return { code, name, symbol, decimals }
}
