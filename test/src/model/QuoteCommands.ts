/** The commands of a history of quotes, and how each is run over HTTP. */
import fc from "fast-check"
import { expect } from "vitest"
import { at, type QuoteHarness } from "../harness/QuoteHarness.ts"
import type { QuoteAuditor } from "./QuoteAuditor.ts"

const suffix = fc.constantFrom("000", "000", "002", "003", "004", "005", "006", "007")
const index = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 30 }) })

const part = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Quote" as const),
      /** Prefunded, pulled, or sent by a payer in one of two currencies. */
      source: fc.constantFrom("ACCOUNT", "ACCOUNT", "PULL", "USD", "BTC"),
      /** An account of the customer's own, or one outside. */
      destination: fc.oneof(fc.constant("EUR" as const), suffix),
      pulled: fc.constantFrom("000", "000", "002", "005"),
      side: fc.constantFrom("SENDING", "RECEIVING"),
      amount: fc.integer({ min: 0, max: 20_000 }),
      immediatelyExecute: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Execute" as const), index }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Send" as const), index, isRight: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), index }) },
)
type Part = typeof part extends fc.Arbitrary<infer A> ? A : never

export type Command =
  | { readonly _tag: "All"; readonly parts: ReadonlyArray<Part> }
  | { readonly _tag: "Fund"; readonly amount: number }
  | { readonly _tag: "Advance"; readonly seconds: number }
  | { readonly _tag: "Settle" }

/** Several at once, a fund, time, or work. */
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
      seconds: fc.constantFrom(0.4, 1, 119, 299, 301, 3600),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
)

const refusals = [400, 404, 409]

type Wanted = Extract<Part, { readonly _tag: "Quote" }>

const quoted = async (pay: QuoteHarness, auditor: QuoteAuditor, wanted: Wanted): Promise<void> => {
  const { amount, destination, immediatelyExecute, pulled, side, source } = wanted
  const accountId =
    source === "ACCOUNT" ? await pay.accountId("USD") : source === "PULL" ? await pay.external("USD", pulled) : ""
  const reply = await pay.quote({
    source:
      accountId === ""
        ? { sourceType: "REALTIME_FUNDING", currency: source, customerId: pay.customerId }
        : { sourceType: "ACCOUNT", accountId },
    destination: {
      destinationType: "ACCOUNT",
      accountId: destination === "EUR" ? await pay.accountId("EUR") : await pay.external("MXN", destination),
    },
    lockedCurrencySide: side,
    lockedCurrencyAmount: amount,
    immediatelyExecute: immediatelyExecute && accountId !== "",
  })
  if (reply.status === 201) auditor.began(reply.body)
  else expect(reply.status).toBe(400)
}

const ran = async (pay: QuoteHarness, auditor: QuoteAuditor, step: Part): Promise<void> => {
  if (step._tag === "Quote") return quoted(pay, auditor, step)
  const quote = auditor.at(step.index)
  if (quote === undefined) return
  const { currency, id, sending, transactionId } = quote
  switch (step._tag) {
    case "Execute":
      expect([200, ...refusals]).toContain((await pay.execute(id)).status)
      return
    case "Send": {
      const currencyAmount = step.isRight ? sending : sending + 1
      const body = { quoteId: id, currencyCode: currency, currencyAmount }
      const reply = await pay.send("POST", "/sandbox/send", { body })
      expect([200, 400]).toContain(reply.status)
      if (reply.status === 200) auditor.sent(id, currencyAmount)
      return
    }
    case "Cancel":
      expect([200, 409]).toContain((await pay.send("POST", `/transactions/${transactionId}/cancel`)).status)
  }
}

/** Runs one command; the parts of one run all at once. */
export const run = async (step: Command, pay: QuoteHarness, auditor: QuoteAuditor): Promise<void> => {
  switch (step._tag) {
    case "All":
      await Promise.all(step.parts.map((each) => ran(pay, auditor, each)))
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
      return
    case "Settle":
      await pay.settle()
  }
}
