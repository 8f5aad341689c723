/**
 * The operations of `Rails`.
 * Source: ports/Rails.ts; D-321, D-527.
 */
import { Schema } from "effect"
import { Amount, optional, result } from "./Parts.ts"
import { withoutUnknown, withUnknown } from "./PortOperation.ts"
import { Account, Cancel, Inquiry, InquiryAnswer, Outcome, Pull, Push, Refund } from "./RailsSchemas.ts"

const Purpose = Schema.Union([
  Schema.Struct({ for: Schema.Literal("transfer") }),
  Schema.Struct({
    for: Schema.Literal("quote"),
    ownershipType: optional(Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"])),
    isPayersAccount: Schema.Boolean,
  }),
])

const Inspection = Schema.Struct({
  pullable: Schema.Boolean,
  reported: optional(Amount),
  funds: Schema.Literals(["sufficient", "insufficient", "unknown"]),
}).annotate({ identifier: "PullInspection" })

export const railsOperations = {
  inspectPull: withoutUnknown({
    path: "/rails/inspect-pull",
    summary: "Says whether an account can be pulled, and how much it can pay now.",
    request: Schema.Struct({ source: Account, amount: optional(Amount), purpose: Purpose }),
    answer: result(Inspection),
    repetition: "none",
    deadline: "ask",
  }),
  pull: withUnknown({
    path: "/rails/pull",
    summary: "Pulls money from an external account.",
    request: Pull,
    answer: Outcome,
    repetition: "reference",
    deadline: "instruct",
  }),
  push: withUnknown({
    path: "/rails/push",
    summary: "Pushes money to an external account.",
    request: Push,
    answer: Outcome,
    repetition: "reference",
    deadline: "instruct",
  }),
  inquire: withUnknown({
    path: "/rails/inquire",
    summary: "Returns the outcome of a pull or push that may have been given. It moves no money.",
    request: Inquiry,
    answer: InquiryAnswer,
    repetition: "none",
    deadline: "instruct",
  }),
  refund: withUnknown({
    path: "/rails/refund",
    summary:
      "Says whether the money of a failed push is back: `Done`, or `Refused` if it will not come back by itself.",
    request: Refund,
    answer: Outcome,
    repetition: "reference",
    deadline: "instruct",
  }),
  cancel: withUnknown({
    path: "/rails/cancel",
    summary: "Cancels a pull or push: `Done` in time, `Refused` too late.",
    request: Cancel,
    answer: Outcome,
    repetition: "reference",
    deadline: "instruct",
  }),
}
