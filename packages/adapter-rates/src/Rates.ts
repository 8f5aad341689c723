/**
 * The port `ExchangeRates` on a source of tables.
 * Source: D-529; wire contract 1.4 and 5.4.
 */
import { type ExchangeRates, type PortCheck, withPortChecks } from "@countersign/core/ports"
import { Clock, Data, Effect, type Scope } from "effect"
import { type CurrentTable, currentTable, type TableSource } from "./CurrentTable.ts"
import { offeredRate } from "./Pricing.ts"
import { calendarOf, type RateOptions, workingDaysDefault } from "./RateOptions.ts"
import { staleAt } from "./WorkingDays.ts"

/** The options are not usable. The message contains no secret. */
export class RatesUnusable extends Data.TaggedError("RatesUnusable")<{ readonly message: string }> {}

const dateOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** Whether there is a table, until when it is used, and why it is not updated. */
const checkOf = ({ current, problem }: CurrentTable, options: RateOptions): PortCheck => ({
  name: "exchange rates",
  run: Effect.gen(function* () {
    const table = yield* current
    const reason = yield* problem
    const fix = "correct the table or its address: without rates, quotes between currencies are refused"
    if (table === undefined) {
      return { status: "problem", text: `no table can be used: ${reason ?? "the last one is too old"}`, fix }
    }
    const until = dateOf(staleAt(table.day, options.workingDaysMax ?? workingDaysDefault, calendarOf(options)) - 1)
    const used = `the table of ${dateOf(table.day)} with ${table.prices.size} currencies is used until ${until}`
    return reason === undefined
      ? { status: "ok", text: used }
      : { status: "warning", text: `${used}, and is not updated: ${reason}`, fix }
  }),
})

/** Reads the table once, so that a start shows in the log whether there is one. */
export const makeRates = (
  source: TableSource,
  options: RateOptions,
): Effect.Effect<ExchangeRates["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const table = yield* currentTable(source, options)
    const { current } = table
    yield* current
    const rates: ExchangeRates["Service"] = {
      rate: (from, to) =>
        Effect.gen(function* () {
          const found = yield* current
          return found && offeredRate(found, from, to, options, yield* Clock.currentTimeMillis)
        }),
    }
    return withPortChecks(rates, [checkOf(table, options)])
  })
