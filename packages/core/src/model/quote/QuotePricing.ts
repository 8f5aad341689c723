/**
 * The amounts of a quote: from the locked side to the other side, with every fee. All amounts are integers. Charges are rounded up
 * and payouts are rounded down, so that rounding never creates money.
 * Source: wire contract 5.3 and 11 (39); D-123.
 */
import { amountMax } from "../../foundation/money/Amount.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import type { RateDetails } from "../transaction/Exchange.ts"

export type LockedSide = "SENDING" | "RECEIVING"

/** The fees of an exchange: fixed fees in the sending currency's smallest unit, variable fees in basis points. */
export interface FeeTerms {
  readonly serviceFixed: number
  readonly serviceBps: number
  readonly platformFixed: number
  readonly platformBps: number
}

export const noFees: FeeTerms = { serviceFixed: 0, serviceBps: 0, platformFixed: 0, platformBps: 0 }

export interface Fees {
  readonly serviceFixed: number
  readonly serviceVariable: number
  readonly platformFixed: number
  readonly platformVariable: number
}

/** A price. The sending amount includes all fees. */
export interface Price {
  readonly sending: number
  readonly receiving: number
  readonly fees: Fees
}

/** Why an amount has no price. */
export type PriceProblem = "FEES_EXCEED_AMOUNT" | "AMOUNT_TOO_SMALL" | "AMOUNT_TOO_LARGE"

export const serviceFee = ({ serviceFixed, serviceVariable }: Fees): number => serviceFixed + serviceVariable
export const platformFee = ({ platformFixed, platformVariable }: Fees): number => platformFixed + platformVariable
export const totalFee = (fees: Fees): number => serviceFee(fees) + platformFee(fees)

const bpsMax = 10_000n

const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** Smallest units received for one smallest unit sent, as a fraction. */
const smallestUnitRate = (rate: Rate): { readonly numerator: bigint; readonly denominator: bigint } => ({
  numerator: rate.denominator * 10n ** BigInt(Currencies.get(rate.to).decimals),
  denominator: rate.numerator * 10n ** BigInt(Currencies.get(rate.from).decimals),
})

const isTooLarge = (...amounts: ReadonlyArray<bigint>): boolean => amounts.some((amount) => amount > BigInt(amountMax))

const sendingLocked = (sending: bigint, rate: Rate, terms: FeeTerms) => {
  const basis = sending - BigInt(terms.serviceFixed) - BigInt(terms.platformFixed)
  if (basis <= 0n) return "FEES_EXCEED_AMOUNT"
  const service = divideUp(basis * BigInt(terms.serviceBps), bpsMax)
  const platform = divideUp(basis * BigInt(terms.platformBps), bpsMax)
  const exchanged = basis - service - platform
  if (exchanged <= 0n) return "FEES_EXCEED_AMOUNT"
  const { denominator, numerator } = smallestUnitRate(rate)
  return { sending, receiving: (exchanged * numerator) / denominator, service, platform }
}

const receivingLocked = (receiving: bigint, rate: Rate, terms: FeeTerms) => {
  const exchangedBps = bpsMax - BigInt(terms.serviceBps) - BigInt(terms.platformBps)
  if (exchangedBps <= 0n) return "FEES_EXCEED_AMOUNT"
  const { denominator, numerator } = smallestUnitRate(rate)
  const basis = divideUp(receiving * denominator * bpsMax, numerator * exchangedBps)
  // Fees are what the exchange does not need, so that rounding is part of the charged amount.
  const variable = basis - divideUp(receiving * denominator, numerator)
  const platformShare = divideUp(basis * BigInt(terms.platformBps), bpsMax)
  const platform = terms.serviceBps === 0 || platformShare > variable ? variable : platformShare
  const sending = basis + BigInt(terms.serviceFixed) + BigInt(terms.platformFixed)
  return { sending, receiving, service: variable - platform, platform }
}

/** Returns the price of an amount that is fixed on one side, at this rate. */
export const price = (side: LockedSide, amount: number, rate: Rate, terms: FeeTerms): Price | PriceProblem => {
  const priceLocked = side === "SENDING" ? sendingLocked : receivingLocked
  const priced = priceLocked(BigInt(amount), rate, terms)
  if (typeof priced === "string") return priced
  const { platform, receiving, sending, service } = priced
  if (receiving < 1n) return "AMOUNT_TOO_SMALL"
  if (isTooLarge(sending, receiving)) return "AMOUNT_TOO_LARGE"
  return {
    sending: Number(sending),
    receiving: Number(receiving),
    fees: {
      serviceFixed: terms.serviceFixed,
      serviceVariable: Number(service),
      platformFixed: terms.platformFixed,
      platformVariable: Number(platform),
    },
  }
}

/** Millisatoshis in one bitcoin. */
const millisatoshisPerBitcoin = 1e11

/** Returns rate and fees as if exchanged through bitcoin, for display only. `toBitcoin`: the rate from the sending currency. */
export const rateDetailsOf = (
  rate: Rate,
  toBitcoin: Rate,
  terms: FeeTerms,
  { platformVariable, serviceVariable, ...fixed }: Fees,
): RateDetails => {
  const { denominator, numerator } = smallestUnitRate(rate)
  const variable = (terms.serviceBps + terms.platformBps) / Number(bpsMax)
  const perUnit =
    ((Number(toBitcoin.denominator) / Number(toBitcoin.numerator)) * millisatoshisPerBitcoin) /
    10 ** Currencies.get(rate.from).decimals
  return {
    counterpartyMultiplier: Number(numerator) / Number(denominator) / perUnit,
    counterpartyFixedFee: 0,
    serviceApiMultiplier: perUnit * (1 - variable),
    serviceApiFixedFee: fixed.serviceFixed + fixed.platformFixed,
    serviceApiVariableFeeRate: variable,
    serviceApiVariableFeeAmount: serviceVariable + platformVariable,
  }
}
