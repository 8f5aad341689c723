/**
 * A short history of the platform's own money with every step of transfers: a pull, a delivered payout, a refused and refunded payout, a
 * payout that is cancelled at the rail, a payment that needs a decision, and a quote that is pulled, paid out and returned.
 */
import { IncomingPayments, InternalAccounts, Quotes, Transactions, Transfers } from "@countersign/core"
import { expect } from "vitest"
import type * as Operation from "../../../packages/core/src/operation/Operation.ts"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, eventNames, read } from "../../../packages/test/src/harness/TransferCalls.ts"

export type Retry = <A>(attempt: () => Promise<A>) => Promise<A>
interface StartedTransfers {
  readonly pull: string
  readonly paid: string
  readonly refused: string
  readonly cancelled: string
  readonly decided: string
  readonly returned: string
}

const keyed = (key: string): Operation.Keyed => ({ key, method: "POST", path: "/transfers", body: key })

/** Deposits money before any fault. */
export const prepare = (pay: AgentWorld): Promise<unknown> =>
  pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, 1000)))

/** A quote that is executed at once: it pulls from an external account, and the bank of the receiving account returns it. */
const exchange = async (pay: AgentWorld, retry: Retry): Promise<string> => {
  const submit = Quotes.use((quotes) =>
    quotes.create(
      {
        source: { sourceType: "ACCOUNT", accountId: pay.sources["000"] ?? "" },
        destination: { destinationType: "ACCOUNT", accountId: pay.sources["005"] ?? "" },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 50,
        immediatelyExecute: true,
      },
      keyed("quote"),
    ),
  )
  return (await retry(() => pay.run(submit))).body.transactionId
}

/** Starts all transfers; each has a key, so that a client may repeat the request. */
export const begin = async (pay: AgentWorld, retry: Retry): Promise<StartedTransfers> => {
  const out = async (suffix: string) => {
    const order = { sourceAccountId: pay.accountId, destinationAccountId: pay.sources[suffix] ?? "", amount: 100 }
    const submit = Transfers.use((transfers) => transfers.transferOut(order, keyed(suffix)))
    return (await retry(() => pay.run(submit))).body.id
  }
  const pulling = { sourceAccountId: pay.sources["000"] ?? "", destinationAccountId: pay.accountId, amount: 7 }
  const pulled = Transfers.use((transfers) => transfers.transferIn(pulling, keyed("in")))
  const payment = {
    destinationAccountId: pay.accountId,
    amount: 5,
    senderUmaAddress: "$bob@bank.example",
    requestedFields: [],
  }
  return {
    pull: (await retry(() => pay.run(pulled))).body.id,
    paid: await out("000"),
    refused: await out("002"),
    cancelled: await out("005"),
    returned: await exchange(pay, retry),
    decided: (await pay.run(IncomingPayments.use((payments) => payments.receive(payment)))).body.id,
  }
}

export const cancel = (pay: AgentWorld, { cancelled }: StartedTransfers, retry: Retry): Promise<unknown> =>
  retry(() => pay.run(Transactions.use((all) => all.cancel(cancelled))))

/** Asserts that each transfer ended once, emitted its events in order, and moved its money once. */
export const checkEnd = async (pay: AgentWorld, started: StartedTransfers): Promise<void> => {
  expect(await read(pay, started.pull)).toMatchObject({ status: "COMPLETED" })
  expect(await read(pay, started.paid)).toMatchObject({ status: "COMPLETED" })
  expect(await read(pay, started.decided)).toMatchObject({ status: "COMPLETED" })
  expect(await read(pay, started.refused)).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } })
  // A worker that died may cancel at the rail too late: then the payout has failed. The money is returned in both cases.
  expect(await read(pay, started.cancelled)).toMatchObject({ refund: { status: "COMPLETED" } })
  expect(await read(pay, started.returned)).toMatchObject({ status: "FAILED", refund: { status: "COMPLETED" } })
  const back = "REFUND_PENDING REFUND_COMPLETED"
  expect(eventNames(pay, started.returned).join(" ")).toBe(`PENDING PROCESSING COMPLETED FAILED ${back}`)
  expect(eventNames(pay, started.pull).join(" ")).toBe("PENDING COMPLETED")
  expect(eventNames(pay, started.paid).join(" ")).toBe("PENDING PROCESSING COMPLETED")
  expect(eventNames(pay, started.decided).join(" ")).toBe("PENDING COMPLETED")
  expect(eventNames(pay, started.refused).join(" ")).toBe(`PENDING PROCESSING FAILED ${back}`)
  expect([`PENDING PROCESSING ${back} COMPLETED`, `PENDING PROCESSING FAILED ${back}`]).toContain(
    eventNames(pay, started.cancelled).join(" "),
  )
  expect(await balances(pay)).toEqual([912, 912])
  const books = await pay.books()
  expect(books.reduce((total, book) => total + book.balance, 0)).toBe(0)
  for (const book of books) {
    expect(book.balance).toBe(book.entries.reduce((total, entry) => total + entry.amount, 0))
  }
}
