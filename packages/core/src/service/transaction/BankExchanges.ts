/**
 * Runs the exchange with banks that answer later, in the workers of every process, and stores the outcomes that it reports.
 * Source: D-535.
 */
import { Cause, Effect } from "effect"
import { BankExchange } from "../../ports/BankExchange.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { Outcomes } from "./Outcomes.ts"
import { reportForPlatform } from "./ReportForPlatform.ts"

/** Never ends. It is nothing if no bank is exchanged here. */
export const exchangeWithBanks = Effect.gen(function* () {
  const exchange = yield* BankExchange
  if (exchange === undefined) return
  const outcomes = yield* Outcomes
  const wall = yield* WallTime
  const cycle = Effect.catchCause(exchange.cycle(reportForPlatform(outcomes)), (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logWarning("a cycle with the banks failed", cause),
  )
  for (;;) {
    yield* cycle
    yield* wall.sleep(exchange.everyMillis)
  }
})
