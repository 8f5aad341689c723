/**
 * The `Rails` port by bank files. An order is kept under its reference before it is answered; the files and the outcomes follow later.
 * Source: D-530; ports/Rails.ts.
 */
import { CurrentCaller } from "@countersign/core"
import {
  type InquiryOutcome,
  type PushRequest,
  type RailAccount,
  type RailOutcome,
  Rails,
  withPortChecks,
} from "@countersign/core/ports"
import { Clock, Effect, Layer, Option } from "effect"
import type { Bank } from "./Bank.ts"
import { bankFileChecks } from "./BankFileChecks.ts"
import { outcomeOf } from "./OrderOutcome.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"
import type { BankOrder } from "./orders/BankOrder.ts"
import { endToEndIdOf, individualIdOf } from "./text/Identifiers.ts"

interface Given {
  readonly reference: string
  readonly direction: "push" | "pull"
  readonly account: RailAccount
  readonly amount: number
  readonly rail?: PushRequest["rail"]
  readonly text?: string | undefined
}

const unknown = Effect.succeed<RailOutcome>({ _tag: "Unknown", cause: "the store of bank files does not answer" })
const orUnknown = <A, R>(effect: Effect.Effect<A, { readonly _tag: "BankFilesUnavailable" }, R>) =>
  Effect.catchTag(effect, "BankFilesUnavailable", () => unknown)

const tooLate: RailOutcome = { _tag: "Refused", reason: "BANK_REJECTED" }
const done: RailOutcome = { _tag: "Done" }

export const bankFileRails = (banks: ReadonlyArray<Bank>, store: BankFileStore["Service"]): Layer.Layer<Rails> => {
  const bankFor = ({ account, direction, rail }: Omit<Given, "reference" | "amount">) =>
    banks.find(({ format }) => format.carries(account, direction, rail))
  const bankOf = ({ bank }: BankOrder) => banks.find(({ name }) => name === bank)

  const orderOf = (given: Given, platformId: string, now: number): BankOrder => {
    const { account, amount, direction, reference, text } = given
    const bank = bankFor(given)
    const base = {
      reference,
      platformId,
      bank: bank?.name ?? "",
      direction,
      currency: account.currency,
      amount,
      endToEndId: endToEndIdOf(reference),
      individualId: individualIdOf(reference),
      acceptedAt: now,
      changedAt: now,
      // The service has the answer itself.
      isReported: true,
    }
    const refused = (refusal: NonNullable<BankOrder["refusal"]>, code: string): BankOrder => {
      return { ...base, state: "REJECTED", refusal, code }
    }
    if (bank === undefined) return refused("BANK_REJECTED", "NO_BANK")
    const answer = bank.format.partyOf({ account, direction, amount })
    if (answer._tag === "Refused") return refused(answer.refusal, answer.code)
    const { mandate, party } = answer
    const remittance = text === undefined ? undefined : bank.format.remittanceOf(text)
    if (text !== undefined && remittance === undefined) return refused("EXECUTION_FAILED", "TEXT")
    return {
      ...base,
      party,
      state: "ACCEPTED",
      ...(mandate === undefined ? {} : { mandate }),
      ...(remittance === undefined ? {} : { remittance }),
    }
  }

  const accept = Effect.fnUntraced(function* (given: Given) {
    const now = yield* Clock.currentTimeMillis
    const caller = yield* Effect.serviceOption(CurrentCaller)
    const platformId = Option.match(caller, { onNone: () => "", onSome: (known) => known.platformId })
    const order = yield* store.transact((rows) => rows.addOrder(orderOf(given, platformId, now)))
    return outcomeOf(order, bankOf(order), now)
  }, orUnknown)

  const find = (reference: string) =>
    Effect.map(
      store.transact((rows) => rows.orders([reference])),
      ([order]) => order,
    )

  const inquire = Effect.fnUntraced(function* (reference: string) {
    const order = yield* find(reference)
    if (order === undefined) return { _tag: "NotReceived" } satisfies InquiryOutcome
    return outcomeOf(order, bankOf(order), yield* Clock.currentTimeMillis)
  }, orUnknown)

  const cancel = Effect.fnUntraced(function* (reference: string) {
    const now = yield* Clock.currentTimeMillis
    return yield* store.transact((rows) =>
      Effect.gen(function* () {
        const [order] = yield* rows.orders([reference])
        if (order?.state === "CANCELLED") return done
        if (order?.state !== "ACCEPTED") return tooLate
        yield* rows.putOrders([{ ...order, state: "CANCELLED", changedAt: now }])
        return done
      }),
    )
  }, orUnknown)

  /** What was never executed, or came back, is with us. */
  const refund = Effect.fnUntraced(function* (reference: string) {
    const now = yield* Clock.currentTimeMillis
    const order = yield* find(reference)
    if (order === undefined) return done
    const outcome = outcomeOf(order, bankOf(order), now)
    if (outcome._tag === "Later") return outcome
    return outcome._tag === "Done" ? tooLate : done
  }, orUnknown)

  const rails: Rails["Service"] = {
    inspectPull: (source, amount) =>
      Effect.sync(() => {
        const bank = bankFor({ account: source, direction: "pull" })
        const answer = bank?.format.partyOf({ account: source, direction: "pull", amount: amount ?? 1 })
        return { pullable: answer?._tag === "Party", funds: "unknown" }
      }),
    pull: ({ amount, reference, source }) => accept({ reference, direction: "pull", account: source, amount }),
    push: ({ amount, destination, rail, reference, remittance }) =>
      accept({
        reference,
        direction: "push",
        account: destination,
        amount,
        text: remittance?.text,
        ...(rail === undefined ? {} : { rail }),
      }),
    inquire: ({ request: { reference } }) => inquire(reference),
    refund: ({ reference }) => refund(reference),
    cancel: ({ reference }) => cancel(reference),
  }
  return Layer.succeed(Rails, withPortChecks(rails, bankFileChecks(banks, store)))
}
