/**
 * What rates are made of a table, and which tables are believed.
 * Source: D-529.
 */
import { Currencies, type CurrencyCode } from "@countersign/core/models"
import type { ServiceFee } from "@countersign/core/ports"
import { dayOf } from "./RateTable.ts"
import type { Calendar } from "./WorkingDays.ts"

export interface RateOptions {
  /**
   * What the rate is worse for the customer than the table, in basis points (hundredths of a percent). Unlike a fee it is part of the rate.
   * Default: 0.
   */
  readonly spreadBps?: number
  /** The spread of a pair instead of `spreadBps`. */
  readonly spreadOf?: (from: CurrencyCode, to: CurrencyCode) => number
  /** The fee of the service, which quotes show. Default: none. */
  readonly fee?: ServiceFee
  /** Currencies of the same value as another one, such as a stablecoin: `{ USDC: "USD" }`. No table decides that they are. */
  readonly pegs?: { readonly [Code in CurrencyCode]?: CurrencyCode }
  /** How many working days after its own day a table is used. Default: 3, which is over Easter and Christmas. */
  readonly workingDaysMax?: number
  /** Days of the week without tables, 0 is Sunday. Default: Saturday and Sunday. */
  readonly weekend?: ReadonlyArray<number>
  /** Further days without tables, such as `2026-12-25`. */
  readonly holidays?: ReadonlyArray<string>
  /** A table in which a price differs by more percent than this from the table before is refused. Default: 10. */
  readonly jumpPercentMax?: number
}

export const jumpPercentDefault = 10
export const workingDaysDefault = 3

export const calendarOf = ({ holidays = [], weekend = [0, 6] }: RateOptions): Calendar => ({
  weekend: new Set(weekend),
  holidays: new Set(holidays.flatMap((holiday) => dayOf(holiday) ?? [])),
})

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max

const isCurrency = (code: string): boolean => Currencies.keys.some((key) => key === code)

/** Returns what is wrong with options. */
export const problemOfRates = (options: RateOptions): string | undefined => {
  const {
    fee,
    holidays = [],
    jumpPercentMax = jumpPercentDefault,
    pegs = {},
    spreadBps = 0,
    weekend = [],
    workingDaysMax = 1,
  } = options
  if (!isWhole(spreadBps, 0, 9999)) return "`spreadBps` must be a whole number from 0 to 9999."
  if (fee !== undefined && !(isWhole(fee.fixed, 0, Number.MAX_SAFE_INTEGER) && isWhole(fee.variableBps, 0, 9999))) {
    return "`fee` must have a whole number for `fixed`, and one from 0 to 9999 for `variableBps`."
  }
  if (!isWhole(workingDaysMax, 0, 30)) return "`workingDaysMax` must be a whole number from 0 to 30."
  if (!(weekend.length < 7 && weekend.every((day) => isWhole(day, 0, 6))))
    return "`weekend` must be at most six days of the week, 0 is Sunday."
  if (!holidays.every((holiday) => dayOf(holiday) !== undefined)) return "`holidays` must be dates such as 2026-12-25."
  if (!(jumpPercentMax > 0 && jumpPercentMax <= 10_000)) return "`jumpPercentMax` must be above 0 and at most 10000."
  const pairs = Object.entries(pegs)
  if (!pairs.every(([code, to]) => isCurrency(code) && isCurrency(to) && !(to in pegs))) {
    return "`pegs` must name currencies, each for one that is not pegged itself."
  }
  return undefined
}
