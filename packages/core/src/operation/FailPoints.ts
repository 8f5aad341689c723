/**
 * The table of fail points: the steps at which a test can end the process, fail an effect or advance time. In production they do
 * nothing.
 * Source: architecture, "Load, ask, decide, commit" (a crash can only fall between commits); D-031.
 */
import { Context, Effect } from "effect"
import * as Table from "../foundation/kit/Table.ts"

export const FailPoints = Table.make("FailPoints", {
  "operation.loaded": "The records and facts of the decision are loaded.",
  "operation.decided": "The change set is built and not yet sent.",
  "operation.committed": "The commit is applied and the answer not yet returned.",
  "jobs.claimed": "A job is leased and its handler not yet started.",
  "jobs.handled": "A job's handler has ended, with or without failure, and the job is not yet returned.",
  "jobs.given-back": "A failed job is returned.",
  "transfer.submitted": "A transaction is marked as submitted and the rail not yet asked.",
  "transfer.asked": "The rail answered and its outcome is not yet stored.",
  "transfer.confirmed": "The rail answered whether a delivery has come back and its answer is not yet stored.",
  "quote.submitted": "A quote's pull is marked as submitted and the rail not yet asked.",
  "quote.asked": "The rail answered a quote's pull and its outcome is not yet stored.",
  "refund.asked": "The rail answered whether money is back and its answer is not yet stored.",
  "cancellation.asked": "The rail answered whether it called a payment back and its answer is not yet stored.",
  "payment.asked": "The platform answered whether it takes a payment and its answer is not yet stored.",
  "issuer.asked": "The card issuer answered and its answer is not yet stored.",
  "stablecoin.submitted": "A mint or burn is stored and its provider not yet asked.",
  "stablecoin.asked": "The provider answered about a mint or burn and its answer is not yet stored.",
  "file.begun": "The record of an uploaded file is committed and its bytes not yet stored.",
  "file.stored": "The bytes of an uploaded file are stored and no record keeps them yet.",
  "file.erased": "The bytes of files are erased and their records not yet updated.",
  "webhook.signed": "A delivery is signed and not yet sent.",
  "webhook.sent": "The endpoint answered and the delivery is not yet finished.",
  "webhook.next": "The endpoint acknowledged an event of a run, and the next one is not yet signed.",
})

/** A key of the table: one step of the service. */
export type FailPoint = (typeof FailPoints.keys)[number]

/** The effect of a fail point: none by default; tests replace it. */
export const AtFailPoint = Context.Reference<(point: FailPoint) => Effect.Effect<void>>(
  "@countersign/core/AtFailPoint",
  {
    defaultValue: () => () => Effect.void,
  },
)

/** Runs the effect of a fail point. */
export const reachFailPoint = (point: FailPoint): Effect.Effect<void> =>
  Effect.withFiber((fiber) => fiber.getRef(AtFailPoint)(point))
