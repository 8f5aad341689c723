/** What a program does with each type of event, once for each event. */
import type { WebhookEvent, WebhookEventOf } from "@countersign/client/webhook"

export interface Program {
  /** Stores the id; whether it was new. In a database: an insert into a table with a unique column. */
  readonly isFirst: (eventId: string) => Promise<boolean>
  readonly shipOrder: (transactionId: string) => Promise<void>
  readonly notifyPayer: (payment: WebhookEventOf<"OUTGOING_PAYMENT.FAILED">["data"]) => Promise<void>
}

export const processing = (program: Program) => async (event: WebhookEvent) => {
  if (!(await program.isFirst(event.id))) return // deliveries repeat
  switch (event.type) {
    case "OUTGOING_PAYMENT.COMPLETED":
      return program.shipOrder(event.data.id)
    case "OUTGOING_PAYMENT.FAILED":
      return program.notifyPayer(event.data)
    default:
      return // events of no interest, and types that a later version adds
  }
}
