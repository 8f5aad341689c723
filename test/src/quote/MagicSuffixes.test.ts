/**
 * Each magic suffix of quotes to an external account: the quote, its transaction, the intermediate balances, and the webhooks in
 * order.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.7, 7.4 and 11 (49, 50).
 */
import { QuoteSuffixes } from "@countersign/core/sandbox"
import { expect, it } from "vitest"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const suffixes = ["002", "003", "004", "005", "006", "007"]

it("has a case for every suffix of the table", () => {
  expect([...QuoteSuffixes.keys].toSorted()).toEqual(suffixes)
})

/** Executes a quote of 100.00 dollars to an account with this suffix; 900.00 dollars remain. */
const begin = async (pay: QuoteHarness, suffix: string) => {
  await pay.fund("USD", 100_000)
  const account = await pay.accountId("USD")
  const created = await pay.quote(between(account, await pay.external("MXN", suffix), 10_000))
  expect(created).toMatchObject({ status: 201, body: { status: "PENDING", totalSendingAmount: 10_000 } })
  expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  const executed = await pay.execute(String(at(created, "id")))
  expect(executed).toMatchObject({ status: 200, body: { id: at(created, "id"), status: "PROCESSING" } })
  expect(await pay.balances("USD")).toEqual([90_000, 90_000])
  return created
}

interface Row {
  readonly suffix: string
  /** The state after the immediate work, and the final state. */
  readonly first: { readonly quote: string; readonly transaction: object; readonly balance: number }
  readonly last: { readonly quote: string; readonly transaction: object; readonly balance: number }
  readonly events: string
  readonly takes: string
}

const fails = (failureReason: string, refund: object) => ({ status: "FAILED", failureReason, refund })
const pending = { status: "PENDING", reason: "TRANSACTION_FAILED" }
const completed = { status: "COMPLETED", reason: "TRANSACTION_FAILED" }
const failing = "PENDING PROCESSING FAILED REFUND_PENDING REFUND_COMPLETED"

const rows: ReadonlyArray<Row> = [
  {
    suffix: "002",
    first: { quote: "FAILED", transaction: fails("QUOTE_EXECUTION_FAILED", pending), balance: 90_000 },
    last: { quote: "FAILED", transaction: fails("QUOTE_EXECUTION_FAILED", completed), balance: 100_000 },
    events: failing,
    takes: "1 second",
  },
  {
    suffix: "003",
    first: { quote: "PROCESSING", transaction: { status: "PROCESSING" }, balance: 90_000 },
    last: { quote: "COMPLETED", transaction: { status: "COMPLETED" }, balance: 90_000 },
    events: "PENDING PROCESSING COMPLETED",
    takes: "6 minutes",
  },
  {
    suffix: "004",
    first: { quote: "FAILED", transaction: fails("COUNTERPARTY_POST_TX_FAILED", pending), balance: 90_000 },
    last: { quote: "FAILED", transaction: fails("COUNTERPARTY_POST_TX_FAILED", completed), balance: 100_000 },
    events: failing,
    takes: "1 second",
  },
  {
    suffix: "005",
    first: { quote: "COMPLETED", transaction: { status: "COMPLETED" }, balance: 90_000 },
    last: { quote: "FAILED", transaction: fails("PAYOUT_RETURNED", completed), balance: 100_000 },
    events: "PENDING PROCESSING COMPLETED FAILED REFUND_PENDING REFUND_COMPLETED",
    takes: "2 seconds",
  },
  {
    suffix: "006",
    first: {
      quote: "PROCESSING",
      transaction: { status: "PROCESSING", refund: { status: "PENDING", reason: "USER_CANCELLATION" } },
      balance: 90_000,
    },
    last: {
      quote: "COMPLETED",
      transaction: { status: "COMPLETED", refund: { status: "COMPLETED", reason: "USER_CANCELLATION" } },
      balance: 100_000,
    },
    events: "PENDING PROCESSING REFUND_PENDING REFUND_COMPLETED COMPLETED",
    takes: "1 second",
  },
  {
    suffix: "007",
    first: { quote: "FAILED", transaction: fails("QUOTE_EXECUTION_FAILED", pending), balance: 90_000 },
    last: {
      quote: "FAILED",
      transaction: fails("QUOTE_EXECUTION_FAILED", { status: "FAILED", reason: "TRANSACTION_FAILED" }),
      balance: 90_000,
    },
    events: "PENDING PROCESSING FAILED REFUND_PENDING REFUND_FAILED",
    takes: "1 second",
  },
  {
    suffix: "000",
    first: { quote: "COMPLETED", transaction: { status: "COMPLETED" }, balance: 90_000 },
    last: { quote: "COMPLETED", transaction: { status: "COMPLETED" }, balance: 90_000 },
    events: "PENDING PROCESSING COMPLETED",
    takes: "10 minutes",
  },
]

// Proves: SBX-QUOTE-002, SBX-QUOTE-003, SBX-QUOTE-004, SBX-QUOTE-005, SBX-QUOTE-006, SBX-QUOTE-007, SBX-QUOTE-OTHER, SBX-RUN-01
// Proves: EP-WALLET-42
it.each(rows)("the suffix $suffix emits $events", async ({ events, first, last, suffix, takes }) => {
  await using pay = await quoteHarness()
  const quote = await begin(pay, suffix)
  await pay.settle()
  const expectState = async (expected: Row["first"]) => {
    expect(await pay.getQuote(String(at(quote, "id")))).toMatchObject({ body: { status: expected.quote } })
    expect(await pay.transaction(quote)).toMatchObject({ body: { quoteId: at(quote, "id"), ...expected.transaction } })
    expect(await pay.balances("USD")).toEqual([expected.balance, expected.balance])
    await pay.checkBooks()
  }
  await expectState(first)
  await pay.clock.advance(takes as "1 second")
  await expectState(last)
  expect(pay.eventNames(at(quote, "transactionId")).join(" ")).toBe(events)
  const lastEvent = pay.inbox.received.findLast(({ data }) => data["id"] === at(quote, "transactionId"))
  expect(lastEvent?.data).toEqual((await pay.transaction(quote)).body)
  await pay.clock.advance("1 hour")
  await expectState(last)
})

// Proves: LIM-08
// Proves: SBX-QUOTE-003
it("keeps a payment with suffix 003 pending for about six minutes", async () => {
  await using pay = await quoteHarness()
  const quote = await begin(pay, "003")
  await pay.clock.advance("359 seconds")
  expect(await pay.getQuote(String(at(quote, "id")))).toMatchObject({ body: { status: "PROCESSING" } })
  await pay.clock.advance("1 second")
  expect(await pay.getQuote(String(at(quote, "id")))).toMatchObject({ body: { status: "COMPLETED" } })
})

it("leaves the money of suffix 007 unapplied on the books", async () => {
  await using pay = await quoteHarness()
  const quote = await begin(pay, "007")
  await pay.clock.advance("1 minute")
  const unapplied = (await pay.books()).find(({ id }) => id === `unapplied:${at(quote, "transactionId")}`)
  expect(unapplied).toMatchObject({ balance: 10_000, currency: "USD" })
})
