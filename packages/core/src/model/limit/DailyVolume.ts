/**
 * The daily volume of outgoing payments: an amount per UTC day and currency, per customer and per platform. The deployment sets it.
 * Source: wire contract 8.2 (`DAILY_VOLUME_LIMIT_EXCEEDED`); D-339.
 */
import { Schema } from "effect"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Owner } from "../record/Record.ts"
import { limitCounterKey } from "./LimitCounter.ts"

/** Amounts in the smallest unit, by currency. A currency that is absent has no limit. */
export type DailyAmounts = { readonly [Currency in CurrencyCode]?: number }

/** The largest volumes of a UTC day. What is absent has no limit. Source: D-339. */
export interface DailyVolumeLimits {
  /** The largest volume of each customer. */
  readonly perCustomer?: DailyAmounts
  /** The largest volume of the platform with all its customers. */
  readonly perPlatform?: DailyAmounts
}

/** What a payment has been counted with. It is given back once, if the payment fails on the same day. */
export const CountedVolume = Schema.Struct({
  keys: Schema.Array(Schema.String),
  amount: Schema.Int,
  currency: CurrencyCode,
  /** Business time (ms) at which the day ends. */
  endsAt: Schema.Int,
})
export type CountedVolume = typeof CountedVolume.Type

const dayMillis = 24 * 60 * 60 * 1000
const name = "DAILY_VOLUME"

/** A counter of a day's volume, and its largest value. */
export interface VolumeCounter {
  readonly key: string
  readonly max: number
}

/** Returns the end of the UTC day of `now`, and the counters of a payment in it. */
export const volumeCounters = (
  { customerId }: Pick<Owner, "customerId">,
  currency: CurrencyCode,
  { perCustomer = {}, perPlatform = {} }: DailyVolumeLimits,
  now: number,
): { readonly endsAt: number; readonly counters: ReadonlyArray<VolumeCounter> } => {
  const endsAt = now - (now % dayMillis) + dayMillis
  const counter = (max: number | undefined, owner: string): ReadonlyArray<VolumeCounter> =>
    max === undefined ? [] : [{ key: limitCounterKey(endsAt, name, `${currency}:${owner}`), max }]
  return {
    endsAt,
    counters: [
      ...(customerId === null ? [] : counter(perCustomer[currency], customerId)),
      ...counter(perPlatform[currency], ""),
    ],
  }
}

/** Returns the refusal of a payment that would exceed this counter; `undefined` for a counter of another kind. */
export const volumeRefusal = (key: string, now: number): Refusal | undefined => {
  const [, end, kind, currency = "", ...owner] = key.split(":")
  if (kind !== name) return undefined
  const isPlatform = owner.join(":") === ""
  return {
    code: "DAILY_VOLUME_LIMIT_EXCEEDED",
    message: `The ${isPlatform ? "platform" : "customer"} has reached the volume of a day in ${currency}.`,
    details: {
      reason: isPlatform ? "PLATFORM_VOLUME" : "CUSTOMER_VOLUME",
      currency,
      retryAfterSeconds: Math.max(1, Math.ceil((Number(end) - now) / 1000)),
    },
  }
}
