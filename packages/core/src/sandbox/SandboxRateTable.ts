/**
 * The sandbox's prices: major units of each currency per US dollar, as exact fractions.
 * Source: wire contract 11 (41): fixed, changed only by configuration. Plausible, not current.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

/** Numerator and denominator, both positive. */
export type Fraction = readonly [numerator: bigint, denominator: bigint]

export const SandboxRateTable = Table.make("SandboxRateTable", {
  USD: [1n, 1n],
  EUR: [23n, 25n], // 0.92
  GBP: [79n, 100n],
  MXN: [35n, 2n], // 17.5
  BRL: [11n, 2n], // 5.5
  INR: [84n, 1n],
  DKK: [343n, 50n], // 6.86
  NGN: [1_550n, 1n],
  CAD: [69n, 50n], // 1.38
  HKD: [39n, 5n], // 7.8
  IDR: [16_200n, 1n],
  MYR: [22n, 5n], // 4.4
  PHP: [57n, 1n],
  SGD: [67n, 50n], // 1.34
  THB: [34n, 1n],
  VND: [25_400n, 1n],
  AED: [1_469n, 400n], // 3.6725
  KES: [129n, 1n],
  MWK: [1_735n, 1n],
  RWF: [1_400n, 1n],
  TZS: [2_600n, 1n],
  UGX: [3_670n, 1n],
  XOF: [603n, 1n],
  ZAR: [18n, 1n],
  ZMW: [27n, 1n],
  BWP: [68n, 5n], // 13.6
  XAF: [603n, 1n],
  BDT: [120n, 1n],
  ARS: [1_050n, 1n],
  COP: [4_150n, 1n],
  EGP: [101n, 2n], // 50.5
  GHS: [15n, 1n],
  GTQ: [77n, 10n], // 7.7
  HTG: [131n, 1n],
  JMD: [158n, 1n],
  JPY: [150n, 1n],
  PKR: [279n, 1n],
  CNY: [181n, 25n], // 7.24
  USDC: [1n, 1n],
  USDT: [1n, 1n],
  USDB: [1n, 1n],
  BTC: [1n, 64_000n],
} satisfies { readonly [Code in CurrencyCode]: Fraction })
