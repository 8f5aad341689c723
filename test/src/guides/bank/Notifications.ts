/** What a program does with a notification of its bank, after it has authenticated it. */
import type { Embedded } from "@countersign/adapter-http"
import { CurrentCaller, type DefiniteOutcome, Outcomes, tenant } from "@countersign/core"
import { Effect } from "effect"
import type { OrderState } from "./BankApi.ts"

export interface Notification {
  /** That of the order: the id of the transaction. */
  readonly reference: string
  /** That of the order: the id of the platform. */
  readonly note: string
  readonly state: OrderState
}

const outcomes: { readonly [state in OrderState]: DefiniteOutcome | undefined } = {
  ACCEPTED: undefined,
  BOOKED: { _tag: "Done" },
  REJECTED: { _tag: "Refused", reason: "BANK_REJECTED" },
  CANCELLED: { _tag: "Cancelled" },
  RETURNED: { _tag: "Returned" },
}

/** Answer the bank 2xx when the promise has resolved. Repeated and late notifications change nothing. */
export const notified = async (payments: Pick<Embedded, "run">, { note, reference, state }: Notification) => {
  const outcome = outcomes[state]
  if (outcome === undefined) return
  const report = Outcomes.use((service) => service.report(reference, outcome))
  await payments.run(Effect.provideService(report, CurrentCaller, tenant(note)))
}
