/**
 * The amounts of a quote: from the locked side to the other, with every fee. All in integers; what is charged is rounded up, what
 * is paid out is rounded down, so that no rounding creates money.
 * Source: wire contract 5.3 and 11 (39); D-123.
 */
import { amountMax } from "../../foundation/money/Amount.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import type { RateDetails } from "../transaction/Exchange.ts"

export type LockedSide = "SENDING" | "RECEIVING"

/** What an exchange costs: fixed fees in the sending currency's smallest unit, variable ones in hundredths of a percent. */
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

/** A price. The sending amount is what is exchanged and all fees. */
export interface Price {
  readonly sending: number
  readonly receiving: number
  readonly fees: Fees
}

/** Why there is no price. */
export type PriceProblem = "FEES_EXCEED_AMOUNT" | "AMOUNT_TOO_SMALL" | "AMOUNT_TOO_LARGE"

export const serviceFee = ({ serviceFixed, serviceVariable }: Fees): number => serviceFixed + serviceVariable
export const platformFee = ({ platformFixed, platformVariable }: Fees): number => platformFixed + platformVariable
export const totalFee = (fees: Fees): number => serviceFee(fees) + platformFee(fees)

const bpsMax = 10_000n

const up = (top: bigint, bottom: bigint): bigint => (top + bottom - 1n) / bottom

/** Smallest receiving units for one smallest sending unit, as a fraction. */
const unitsOf = (rate: Rate): { readonly top: bigint; readonly bottom: bigint } => ({
  top: rate.denominator * 10n ** BigInt(Currencies.get(rate.to).decimals),
  bottom: rate.numerator * 10n ** BigInt(Currencies.get(rate.from).decimals),
})

const isTooLarge = (...amounts: ReadonlyArray<bigint>): boolean => amounts.some((amount) => amount > BigInt(amountMax))

const sendingLocked = (sending: bigint, rate: Rate, terms: FeeTerms) => {
  const basis = sending - BigInt(terms.serviceFixed) - BigInt(terms.platformFixed)
  if (basis <= 0n) return "FEES_EXCEED_AMOUNT"
  const service = up(basis * BigInt(terms.serviceBps), bpsMax)
  const platform = up(basis * BigInt(terms.platformBps), bpsMax)
  const exchanged = basis - service - platform
  if (exchanged <= 0n) return "FEES_EXCEED_AMOUNT"
  const { bottom, top } = unitsOf(rate)
  return { sending, receiving: (exchanged * top) / bottom, service, platform }
}

const receivingLocked = (receiving: bigint, rate: Rate, terms: FeeTerms) => {
  const left = bpsMax - BigInt(terms.serviceBps) - BigInt(terms.platformBps)
  if (left <= 0n) return "FEES_EXCEED_AMOUNT"
  const { bottom, top } = unitsOf(rate)
  const basis = up(receiving * bottom * bpsMax, top * left)
  // What the exchange does not need are fees: their rounding is in the amount that is charged.
  const variable = basis - up(receiving * bottom, top)
  const wanted = up(basis * BigInt(terms.platformBps), bpsMax)
  const platform = terms.serviceBps === 0 || wanted > variable ? variable : wanted
  const sending = basis + BigInt(terms.serviceFixed) + BigInt(terms.platformFixed)
  return { sending, receiving, service: variable - platform, platform }
}

/** The price of an amount that is fixed on one side, at this rate. */
export const price = (side: LockedSide, amount: number, rate: Rate, terms: FeeTerms): Price | PriceProblem => {
  const locked = side === "SENDING" ? sendingLocked : receivingLocked
  const priced = locked(BigInt(amount), rate, terms)
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

/** Thousandths of a satoshi in one bitcoin. */
const perBitcoin = 1e11

/** Rate and fees by the way over bitcoin; `toBitcoin`: from the sending currency. To look at, not to reckon with. */
export const rateDetailsOf = (
  rate: Rate,
  toBitcoin: Rate,
  terms: FeeTerms,
  { platformVariable, serviceVariable, ...fixed }: Fees,
): RateDetails => {
  const { bottom, top } = unitsOf(rate)
  const variable = (terms.serviceBps + terms.platformBps) / Number(bpsMax)
  const perUnit =
    ((Number(toBitcoin.denominator) / Number(toBitcoin.numerator)) * perBitcoin) /
    10 ** Currencies.get(rate.from).decimals
  return {
    counterpartyMultiplier: Number(top) / Number(bottom) / perUnit,
    counterpartyFixedFee: 0,
    serviceApiMultiplier: perUnit * (1 - variable),
    serviceApiFixedFee: fixed.serviceFixed + fixed.platformFixed,
    serviceApiVariableFeeRate: variable,
    serviceApiVariableFeeAmount: serviceVariable + platformVariable,
  }
}
