/**
 * Runs the exchange with banks that answer later, in the workers of every process, and stores the outcomes that it reports.
 * Source: D-535.
 */
import { Cause, Effect } from "effect"
import { BankExchange, type ReportOutcome } from "../../ports/BankExchange.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import type { StoreUnavailable } from "../../store/Store.ts"
import { Outcomes } from "./Outcomes.ts"

/** Never ends. It is nothing if no bank is exchanged here. */
export const exchangeWithBanks = Effect.gen(function* () {
  const exchange = yield* BankExchange
  if (exchange === undefined) return
  const outcomes = yield* Outcomes
  const wall = yield* WallTime
  const report: ReportOutcome<StoreUnavailable> = ({ platformId, reference }, outcome) =>
    outcomes.report(reference, outcome).pipe(
      Effect.provideService(CurrentCaller, tenant(platformId)),
      // A transaction that does not exist will not exist later: reconciliation shows the order.
      Effect.catchTag("ServiceError", ({ code }) =>
        Effect.logWarning(`the outcome of ${reference} is refused: ${code}`),
      ),
    )
  const cycle = Effect.catchCause(exchange.cycle(report), (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logWarning("a cycle with the banks failed", cause),
  )
  for (;;) {
    yield* cycle
    yield* wall.sleep(exchange.everyMillis)
  }
})
