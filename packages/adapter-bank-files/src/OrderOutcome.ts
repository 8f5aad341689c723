/** What the service is answered about an order. Source: D-530. */
import type { RailOutcome } from "@countersign/core/ports"
import { Duration } from "effect"
import type { Bank } from "./Bank.ts"
import { nextCutOff } from "./calendar/BankCalendar.ts"
import type { BankOrder } from "./orders/BankOrder.ts"

/** When the service asks, in case that no report arrives. */
const askAfterMillis = Duration.toMillis(Duration.hours(6))

/** `bank`: of the order; `undefined`: the configuration has it no more. */
export const outcomeOf = (order: BankOrder, bank: Bank | undefined, now: number) => {
  switch (order.state) {
    case "ACCEPTED": {
      const at = bank === undefined ? now : nextCutOff(bank.calendar, now).at
      return { _tag: "Later", at: at + askAfterMillis, isQueued: true } satisfies RailOutcome
    }
    case "BATCHED":
      return { _tag: "Later", at: now + askAfterMillis } satisfies RailOutcome
    case "BOOKED":
      return { _tag: "Done" } satisfies RailOutcome
    case "REJECTED":
      return { _tag: "Refused", reason: order.refusal ?? "BANK_REJECTED" } satisfies RailOutcome
    case "RETURNED":
      return { _tag: "Returned" } satisfies RailOutcome
    case "CANCELLED":
      return { _tag: "Cancelled" } satisfies RailOutcome
  }
}
