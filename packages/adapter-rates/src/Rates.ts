/**
 * The port `ExchangeRates` on a source of tables.
 * Source: D-529; wire contract 1.4 and 5.4.
 */
import type { ExchangeRates } from "@countersign/core/ports"
import { Clock, Data, Effect, type Scope } from "effect"
import { currentTable, type TableSource } from "./CurrentTable.ts"
import { offeredRate } from "./Pricing.ts"
import type { RateOptions } from "./RateOptions.ts"

/** The options are not usable. The message contains no secret. */
export class RatesUnusable extends Data.TaggedError("RatesUnusable")<{ readonly message: string }> {}

/** Reads the table once, so that a start shows in the log whether there is one. */
export const makeRates = (
  source: TableSource,
  options: RateOptions,
): Effect.Effect<ExchangeRates["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const current = yield* currentTable(source, options)
    yield* current
    return {
      rate: (from, to) =>
        Effect.gen(function* () {
          const table = yield* current
          return table && offeredRate(table, from, to, options, yield* Clock.currentTimeMillis)
        }),
    }
  })
