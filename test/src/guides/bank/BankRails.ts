/** The port of an asynchronous bank: an order that it has accepted is not known yet, and is asked about later. */
import { CurrentCaller } from "@countersign/core"
import { type InquiryOutcome, type RailAccount, type RailOutcome, Rails } from "@countersign/core/ports"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import type { BankApi, Order, OrderState } from "./BankApi.ts"

/** When the service asks, in case that no notification arrives. */
const askAfter = Duration.hours(6)

const outcomeOf = Effect.fnUntraced(function* (state: OrderState) {
  // Business time: a sandbox moves it.
  const now = yield* Clock.currentTimeMillis
  const outcomes: { readonly [state in OrderState]: RailOutcome } = {
    ACCEPTED: { _tag: "Later", at: now + Duration.toMillis(askAfter) },
    BOOKED: { _tag: "Done" },
    REJECTED: { _tag: "Refused", reason: "BANK_REJECTED" },
    CANCELLED: { _tag: "Cancelled" },
    RETURNED: { _tag: "Returned" },
  }
  return outcomes[state]
})

const tooLate: RailOutcome = { _tag: "Refused", reason: "BANK_REJECTED" }
const unknown: RailOutcome = { _tag: "Unknown", cause: "the bank does not answer" }

/** A call without an answer may have been carried out. This is never a failure: the service asks about the reference. */
const called = <A, O>(call: () => Promise<A>, answer: (result: A) => Effect.Effect<O>) =>
  Effect.tryPromise(call).pipe(
    Effect.flatMap(answer),
    Effect.catch(() => Effect.succeed(unknown)),
  )

const numberOf = ({ accountInfo }: RailAccount) => String(accountInfo["accountNumber"])

export const bankRails = (bank: BankApi): Layer.Layer<Rails> => {
  const inquire = (reference: string) =>
    called(
      () => bank.stateOf(reference),
      (state): Effect.Effect<InquiryOutcome> =>
        state === undefined ? Effect.succeed({ _tag: "NotReceived" }) : outcomeOf(state),
    )
  const order = Effect.fnUntraced(function* (given: Omit<Order, "note">) {
    // The job works for a platform: its notification has to be reported for the same one.
    const caller = yield* Effect.serviceOption(CurrentCaller)
    const note = Option.match(caller, { onNone: () => "", onSome: ({ platformId }) => platformId })
    return yield* called(() => bank.order({ ...given, note }), outcomeOf)
  })
  return Layer.succeed(Rails, {
    inspectPull: () => Effect.succeed({ pullable: true, funds: "unknown" }),
    pull: ({ amount, reference, source }) =>
      order({ reference, direction: "DEBIT", accountNumber: numberOf(source), amount }),
    push: ({ amount, destination, reference }) =>
      order({ reference, direction: "CREDIT", accountNumber: numberOf(destination), amount }),
    inquire: ({ request: { reference } }) => inquire(reference),
    // The bank gives back what it rejects or returns with the notification about it.
    refund: () => Effect.succeed({ _tag: "Done" }),
    cancel: ({ reference }) =>
      called(
        () => bank.cancel(reference),
        (state) => Effect.succeed<RailOutcome>(state === "CANCELLED" ? { _tag: "Done" } : tooLate),
      ),
  })
}
