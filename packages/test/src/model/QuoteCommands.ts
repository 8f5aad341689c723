/** Generates the commands of a history of quotes, and runs them over HTTP. */
import fc from "fast-check"
import { expect } from "../harness/Expect.ts"
import type { Reply } from "../harness/Harness.ts"
import { at, type QuoteHarness } from "../harness/QuoteHarness.ts"
import type { Answered, QuoteAuditor } from "./QuoteAuditor.ts"
import type { Answer, Call } from "./QuoteModel.ts"

const suffix = fc.constantFrom("000", "000", "002", "003", "004", "005", "006", "007")
const index = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 30 }) })

const part = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Quote" as const),
      /** The source: the prefunded account, a pull, or a payer in one of two currencies. */
      source: fc.constantFrom("ACCOUNT", "ACCOUNT", "PULL", "USD", "BTC"),
      /** The currency of the destination: EUR is the customer's own account, the others are external. */
      to: fc.constantFrom("EUR", "MXN", "MXN", "USD"),
      suffix,
      pulled: fc.constantFrom("000", "000", "002", "005"),
      side: fc.constantFrom("SENDING", "RECEIVING"),
      amount: fc.integer({ min: 0, max: 20_000 }),
      immediatelyExecute: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Execute" as const), index }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Send" as const), index, isRight: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), index }) },
)
type Part = typeof part extends fc.Arbitrary<infer A> ? A : never

/** A step of a history of quotes: concurrent calls, a deposit, an advance of time, or due jobs. */
export type Command =
  | { readonly _tag: "All"; readonly parts: ReadonlyArray<Part> }
  | { readonly _tag: "Fund"; readonly amount: number }
  | { readonly _tag: "Advance"; readonly seconds: number }
  | { readonly _tag: "Settle" }

/** Generates a command: concurrent calls, a deposit, an advance of time, or due jobs. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("All" as const),
      parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ _tag: fc.constant("Fund" as const), amount: fc.integer({ min: 1, max: 40_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      seconds: fc.constantFrom(0.4, 1, 31, 119, 299, 301, 3600),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
)

type QuotePart = Extract<Part, { readonly _tag: "Quote" }>

const codeOf = (reply: Reply): Answer => ({ code: String(at(reply, "code")) })
const answerOf = (reply: Reply): Answer =>
  reply.status === 200 ? { status: String(at(reply, "status")) } : codeOf(reply)

const quoted = async (pay: QuoteHarness, auditor: QuoteAuditor, requested: QuotePart): Promise<Answered> => {
  const { amount, immediatelyExecute, pulled, side, source, suffix: last, to } = requested
  const accountId =
    source === "ACCOUNT" ? await pay.accountId("USD") : source === "PULL" ? await pay.external("USD", pulled) : ""
  const isExecuted = immediatelyExecute && accountId !== ""
  const reply = await pay.quote({
    source:
      accountId === ""
        ? { sourceType: "REALTIME_FUNDING", currency: source, customerId: pay.customerId }
        : { sourceType: "ACCOUNT", accountId },
    destination: {
      destinationType: "ACCOUNT",
      accountId: to === "EUR" ? await pay.accountId("EUR") : await pay.external(to, last),
    },
    lockedCurrencySide: side,
    lockedCurrencyAmount: amount,
    immediatelyExecute: isExecuted,
  })
  const call: Call = { _tag: "Quote", source, pulled, to, suffix: last, side, amount, isExecuted }
  if (reply.status !== 201) return { call, answer: codeOf(reply) }
  auditor.quoteCreated(reply.body)
  const number = (name: string) => Number(at(reply, name))
  return {
    call,
    answer: {
      id: String(at(reply, "id")),
      status: String(at(reply, "status")),
      sending: number("totalSendingAmount"),
      receiving: number("totalReceivingAmount"),
      fees: number("feesIncluded"),
    },
  }
}

/** Runs a part; returns the call with its response, or `undefined` if there is no quote yet. */
const ran = async (pay: QuoteHarness, auditor: QuoteAuditor, step: Part): Promise<Answered | undefined> => {
  if (step._tag === "Quote") return quoted(pay, auditor, step)
  const quote = auditor.at(step.index)
  if (quote === undefined) return undefined
  const { currency, id, sending, transactionId } = quote
  switch (step._tag) {
    case "Execute":
      return { call: { _tag: "Execute", id }, answer: answerOf(await pay.execute(id)) }
    case "Send": {
      const amount = step.isRight ? sending : sending + 1
      const body = { quoteId: id, currencyCode: currency, currencyAmount: amount }
      const reply = await pay.send("POST", "/sandbox/send", { body })
      if (reply.status === 200) auditor.sent(id, amount)
      return { call: { _tag: "Send", id, amount }, answer: answerOf(reply) }
    }
    case "Cancel": {
      const reply = await pay.send("POST", `/transactions/${transactionId}/cancel`)
      return { call: { _tag: "Cancel", id }, answer: answerOf(reply) }
    }
  }
}

/** Runs one command; its parts run concurrently. */
export const run = async (step: Command, pay: QuoteHarness, auditor: QuoteAuditor): Promise<void> => {
  switch (step._tag) {
    case "All":
      auditor.answered(
        (await Promise.all(step.parts.map((each) => ran(pay, auditor, each)))).filter((one) => one !== undefined),
      )
      return
    case "Fund": {
      const account = await pay.accountId("USD")
      const reply = await pay.send("POST", `/sandbox/internal-accounts/${account}/fund`, {
        body: { amount: step.amount },
      })
      expect(at(reply, "id")).toBe(account)
      auditor.funded(step.amount)
      return
    }
    case "Advance":
      await pay.clock.advance(`${step.seconds} seconds`)
      auditor.advanced(step.seconds * 1000)
      return
    case "Settle":
      await pay.settle()
      auditor.settled()
  }
}
