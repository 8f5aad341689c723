/**
 * TO WRITE: your bank. It takes each reference once: a second instruction with the same reference has the answer of the first, also after a
 * restart. docs/guides/adapters.md of the packages has an example, and `railsConformance` of @countersign/test tests yours.
 */
import { type RailOutcome, Rails, withPortChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { notWritten, notWrittenCheck } from "./NotWritten.ts"

/** The service asks again, and instructs only after `NotReceived`: a payment waits until this file is written. */
const unknown = Effect.succeed<RailOutcome>({ _tag: "Unknown", cause: "the bank is not written yet" })

export const bank = Layer.sync(Rails, () =>
  withPortChecks<Rails["Service"]>(
    {
      inspectPull: notWritten("Rails.inspectPull"),
      pull: () => unknown,
      push: () => unknown,
      inquire: () => unknown,
      refund: () => unknown,
      cancel: () => unknown,
    },
    [notWrittenCheck("the bank", "ports/Bank.ts")],
  ),
)
