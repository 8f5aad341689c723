/**
 * The table of fail points: the steps at which a process may die, an effect fail or time pass. Outside of tests nothing
 * happens at them.
 * Source: architecture, "Load, ask, decide, commit" (a crash can only fall between commits); D-031.
 */
import { Context, Effect } from "effect"
import * as Table from "../foundation/kit/Table.ts"

export const FailPoints = Table.make("FailPoints", {
  "operation.loaded": "What the decision needs was read.",
  "operation.decided": "The change set is made and not yet sent.",
  "operation.committed": "The commit was applied and its answer not yet given.",
  "jobs.claimed": "A job is leased and its handler not yet started.",
  "jobs.handled": "A job's handler ended, well or not, and nothing was given back yet.",
  "jobs.given-back": "A failed job was given back.",
  "transfer.submitted": "A transaction is marked as submitted and the rail not yet asked.",
  "transfer.asked": "The rail answered and its outcome is not yet stored.",
  "transfer.confirmed": "The rail answered whether a delivery has come back and its answer is not yet stored.",
  "quote.submitted": "A quote's pull is marked as submitted and the rail not yet asked.",
  "quote.asked": "The rail answered a quote's pull and its outcome is not yet stored.",
  "refund.asked": "The rail answered whether money is back and its answer is not yet stored.",
  "cancellation.asked": "The rail answered whether it called a payment back and its answer is not yet stored.",
  "payment.asked": "The platform answered whether it takes a payment and its answer is not yet stored.",
  "issuer.asked": "The card issuer answered and its answer is not yet stored.",
  "webhook.signed": "A delivery is signed and not yet sent.",
  "webhook.sent": "The endpoint answered and the delivery is not yet finished.",
})

export type FailPoint = (typeof FailPoints.keys)[number]

/** What happens at a fail point: nothing, unless a test says otherwise. */
export const AtFailPoint = Context.Reference<(point: FailPoint) => Effect.Effect<void>>(
  "@countersign/core/AtFailPoint",
  {
    defaultValue: () => () => Effect.void,
  },
)

/** Passes a fail point. */
export const reachFailPoint = (point: FailPoint): Effect.Effect<void> =>
  Effect.withFiber((fiber) => fiber.getRef(AtFailPoint)(point))
