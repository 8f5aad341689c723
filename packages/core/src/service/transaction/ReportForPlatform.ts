/**
 * Stores the outcome of an order for the platform that gave it, for banks that answer later.
 * Source: D-530, D-535.
 */
import { Effect } from "effect"
import type { ReportOutcome } from "../../ports/BankExchange.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import type { StoreUnavailable } from "../../store/Store.ts"
import type { Outcomes } from "./Outcomes.ts"

/** Returns the function that reports to these outcomes. One that is refused is logged, and not reported again. */
export const reportForPlatform =
  (outcomes: Outcomes["Service"]): ReportOutcome<StoreUnavailable> =>
  ({ platformId, reference }, outcome) =>
    outcomes.report(reference, outcome).pipe(
      Effect.provideService(CurrentCaller, tenant(platformId)),
      // A transaction that does not exist will not exist later: reconciliation shows the order.
      Effect.catchTag("ServiceError", ({ code }) =>
        Effect.logWarning(`the outcome of ${reference} is refused: ${code}`),
      ),
    )
