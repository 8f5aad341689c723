/** The options of limits on use and on the volume of a day, and the settings that they make. Source: D-335, D-338, D-339. */
import { amountMax, CurrencyCode } from "@countersign/core/models"
import { codePricesDefault, type DailyAmounts, DailyVolume, UseLimitSettings } from "@countersign/core/ports"
import { Config, Layer, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { describe, integer, repeatable } from "./FlagKinds.ts"

export interface LimitOptions {
  readonly readsPerMinute: Option.Option<number>
  readonly writesPerMinute: Option.Option<number>
  readonly platformReadsPerMinute: Option.Option<number>
  readonly platformWritesPerMinute: Option.Option<number>
  readonly limitProcesses: number
  readonly dailyVolume: DailyAmounts
  readonly platformDailyVolume: DailyAmounts
}

const perMinuteMax = 1_000_000_000

const perMinute = (name: string, variable: string, description: string) =>
  Flag.Int(name).pipe(
    Flag.withFallbackConfig(Config.Int(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (count) => count >= 1 && count <= perMinuteMax,
      () => `a number from 1 to ${perMinuteMax}`,
    ),
    Flag.withDescription(describe(`${description}; when absent, no limit`, variable)),
    Flag.optional,
  )

const isCurrency = Schema.is(CurrencyCode)

/** Parses `CURRENCY:AMOUNT`; `undefined` if it is not an amount in the smallest unit of a known currency. */
const parseVolume = (text: string): readonly [CurrencyCode, number] | undefined => {
  const [, currency = "", digits = ""] = /^([A-Z]+):(\d{1,16})$/u.exec(text) ?? []
  const amount = Number(digits)
  return isCurrency(currency) && digits !== "" && amount <= amountMax ? [currency, amount] : undefined
}

/** Of a repeated currency, the last amount counts. */
const volume = (name: string, variable: string, description: string): Flag.Flag<DailyAmounts> =>
  repeatable(name, variable, description).pipe(
    Flag.filter(
      (values) => values.every((value) => parseVolume(value) !== undefined),
      () => "CURRENCY:AMOUNT with the amount in the smallest unit, such as USD:1000000",
    ),
    Flag.map((values) => Object.fromEntries(values.map(parseVolume).filter((parsed) => parsed !== undefined))),
  )

export const limitFlags = {
  readsPerMinute: perMinute("reads-per-minute", "READS_PER_MINUTE", "GET requests of an API token or agent per minute"),
  writesPerMinute: perMinute(
    "writes-per-minute",
    "WRITES_PER_MINUTE",
    "Other requests of an API token or agent per minute",
  ),
  platformReadsPerMinute: perMinute(
    "platform-reads-per-minute",
    "PLATFORM_READS_PER_MINUTE",
    "GET requests of a platform with its agents per minute",
  ),
  platformWritesPerMinute: perMinute(
    "platform-writes-per-minute",
    "PLATFORM_WRITES_PER_MINUTE",
    "Other requests of a platform with its agents per minute",
  ),
  limitProcesses: integer(
    "limit-processes",
    "LIMIT_PROCESSES",
    "How many processes answer requests: each allows its part of the reads and writes per minute",
    { defaultValue: 1, min: 1, max: 1000, what: "processes" },
  ),
  dailyVolume: volume(
    "daily-volume",
    "DAILY_VOLUME",
    "Largest sum of a customer's outgoing payments per UTC day, as CURRENCY:AMOUNT in the smallest unit",
  ),
  platformDailyVolume: volume(
    "platform-daily-volume",
    "PLATFORM_DAILY_VOLUME",
    "Largest sum of a platform's outgoing payments per UTC day, as CURRENCY:AMOUNT in the smallest unit",
  ),
}

const given = <Name extends string>(name: Name, count: Option.Option<number>) =>
  Option.isSome(count) ? { [name]: count.value } : {}

/** The settings of these options. */
export const limitSettings = (options: LimitOptions): Layer.Layer<never> =>
  Layer.merge(
    Layer.succeed(UseLimitSettings, {
      counts: {
        ...given("READS", options.readsPerMinute),
        ...given("WRITES", options.writesPerMinute),
        ...given("READS_OF_PLATFORM", options.platformReadsPerMinute),
        ...given("WRITES_OF_PLATFORM", options.platformWritesPerMinute),
      },
      prices: codePricesDefault,
      processes: options.limitProcesses,
    }),
    Layer.succeed(DailyVolume, { perCustomer: options.dailyVolume, perPlatform: options.platformDailyVolume }),
  )
