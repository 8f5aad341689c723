/**
 * The requests and answers of `Rails` as JSON.
 * Source: ports/Rails.ts; D-527.
 */
import { AccountInfo, CurrencyCode, PaymentRail } from "@countersign/core/models"
import {
  type CancelRequest,
  type InquiryOutcome,
  type PullRequest,
  type PushRequest,
  type RailAccount,
  type RailOutcome,
  RailRefusals,
  type RefundRequest,
} from "@countersign/core/ports"
import { Schema } from "effect"
import { Amount, exactly, Millis, optional, outcome, Reference, Text, Unknown } from "./Parts.ts"

export const Account = exactly<RailAccount>()(
  Schema.Struct({ accountId: Text, currency: CurrencyCode, accountInfo: AccountInfo }).annotate({
    identifier: "RailAccount",
  }),
)

const pullFields = { reference: Reference, source: Account, amount: Amount, submittedAt: Millis }

const remittanceFields = [
  "addenda",
  "remittanceInformation",
  "originatorToBeneficiaryInformation",
  "reference",
  "description",
  "narration",
  "message",
] as const

const pushFields = {
  reference: Reference,
  destination: Account,
  rail: optional(PaymentRail),
  amount: Amount,
  remittance: optional(Schema.Struct({ field: Schema.Literals(remittanceFields), text: Text })),
  purposeOfPayment: optional(Text),
  payerInformation: optional(Schema.Record(Text, Schema.Json)),
  deliveredAt: optional(Millis),
  submittedAt: Millis,
  quoteId: optional(Text),
}

export const Pull = exactly<PullRequest>()(Schema.Struct(pullFields).annotate({ identifier: "Pull" }))

export const Push = exactly<PushRequest>()(Schema.Struct(pushFields).annotate({ identifier: "Push" }))

/** What is asked about: the instruction as it was given, and its direction. */
export const Inquiry = Schema.Union([
  Schema.Struct({ direction: Schema.Literal("push"), ...pushFields }),
  Schema.Struct({ direction: Schema.Literal("pull"), ...pullFields }),
]).annotate({ identifier: "Inquiry" })

export const Refund = exactly<RefundRequest>()(
  Schema.Struct({
    reference: Reference,
    destination: Account,
    amount: Amount,
    initiatedAt: Millis,
    quoteId: optional(Text),
  }).annotate({ identifier: "Refund" }),
)

export const Cancel = exactly<CancelRequest>()(
  Schema.Struct({
    reference: Reference,
    direction: Schema.Literals(["pull", "push"]),
    account: Account,
    submittedAt: Millis,
    quoteId: optional(Text),
  }).annotate({ identifier: "Cancel" }),
)

const message = `Expected one of ${RailRefusals.keys.join(", ")}`

const definite = [
  outcome("Done", { askAgainAt: optional(Millis), transactionHash: optional(Text) }),
  outcome("Refused", { reason: Schema.Literals(RailRefusals.keys).annotate({ identifier: "RailRefusal", message }) }),
  outcome("Later", { at: Millis, isQueued: optional(Schema.Boolean) }),
  outcome("Returned", {}),
  outcome("Cancelled", {}),
] as const

/** What a bank may report: everything but `Unknown`. */
export const ReportedOutcome = exactly<Exclude<RailOutcome, { readonly _tag: "Unknown" }>>()(
  Schema.Union(definite).annotate({ identifier: "ReportedOutcome" }),
)

export const Outcome = exactly<RailOutcome>()(
  Schema.Union([...definite, Unknown]).annotate({ identifier: "RailOutcome" }),
)

export const InquiryAnswer = exactly<InquiryOutcome>()(
  Schema.Union([...definite, Unknown, outcome("NotReceived", {})]).annotate({ identifier: "InquiryOutcome" }),
)
