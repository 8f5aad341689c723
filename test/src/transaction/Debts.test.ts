/**
 * A customer's debt after a returned pull: incoming money repays it first, and the customer cannot be deleted meanwhile.
 * Source: D-092, D-114.
 */

import { Customers, IncomingPayments, InternalAccounts } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import {
  balances,
  eventNames,
  fund,
  pullFrom,
  pushTo,
  report,
} from "../../../packages/test/src/harness/TransferCalls.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

const owed = async (pay: AgentWorld): Promise<number> =>
  (await pay.books()).find(({ id }) => id === `receivable:${pay.customerId}:USD`)?.balance ?? 0

/** A customer with a debt of 700: it pulled 700, paid them out, and the pull was returned. */
const indebted = async (options: Parameters<typeof agentWorld>[1] = {}) => {
  const pay = await agentWorld({}, { suffixes: ["000", "002"], ...options })
  const { id } = await pullFrom(pay, "000", 700)
  await pay.settle()
  const { id: payout } = await pushTo(pay, "000", { amount: 700 })
  await pay.settle()
  await report(pay, id, { _tag: "Returned" })
  await pay.settle()
  expect([await owed(pay), await balances(pay)]).toEqual([-700, [0, 0]])
  return { ...pay, payout }
}

/** The ledger entries of the present moment, by account role. */
const entriesNow = async (pay: AgentWorld) => {
  const now = await pay.clock.now()
  const entries = (await pay.books()).flatMap(({ entries: own, id }) => own.map((entry) => ({ ...entry, id })))
  const own = entries.filter(({ at }) => at === now)
  return Object.fromEntries(own.map(({ amount, id, transfer }) => [`${transfer} ${id.split(":")[0]}`, amount]))
}

const paying: ReadonlyArray<readonly [string, (pay: AgentWorld, amount: number) => Promise<unknown>]> = [
  ["sandbox funding", fund],
  ["a pull", (pay, amount) => pullFrom(pay, "000", amount)],
  [
    "an incoming payment",
    (pay, amount) => {
      const { accountId: destinationAccountId } = pay
      const payment = { destinationAccountId, amount, senderUmaAddress: "$b@b.example", requestedFields: [] }
      return pay.run(IncomingPayments.use((payments) => payments.receive(payment)))
    },
  ],
]

describe.each(paying)("a credit by %s", (_name, pays) => {
  it("repays the debt first and makes only the rest available", async () => {
    await using pay = await indebted()
    await pay.clock.advance("1 minute")
    await pays(pay, 300)
    await pay.settle()
    expect([await owed(pay), await balances(pay)]).toEqual([-400, [0, 0]])
    expect(await entriesNow(pay)).toEqual({ "0 outside": -300, "0 receivable": 300 })
    await pay.clock.advance("1 minute")
    await pays(pay, 1000)
    await pay.settle()
    expect([await owed(pay), await balances(pay)]).toEqual([0, [600, 600]])
    expect(await entriesNow(pay)).toEqual({
      "0 outside": -400,
      "0 receivable": 400,
      "1 outside": -600,
      "1 available": 600,
    })
    await pays(pay, 5)
    await pay.settle()
    expect([await owed(pay), await balances(pay)]).toEqual([0, [605, 605]])
  })
})

describe("a returned payout", () => {
  it("repays the debt first when its money is refunded", async () => {
    await using pay = await indebted()
    await report(pay, pay.payout, { _tag: "Returned" })
    await pay.clock.advance("2 seconds")
    expect(eventNames(pay, pay.payout).slice(-2)).toEqual(["REFUND_PENDING", "REFUND_COMPLETED"])
    expect([await owed(pay), await balances(pay)]).toEqual([0, [0, 0]])
  })
})

describe("a debt", () => {
  it("is repaid once by two concurrent payments", async () => {
    await using pay = await indebted({ interleave: 3 })
    await Promise.all([fund(pay, 500), fund(pay, 500), fund(pay, 500)])
    expect([await owed(pay), await balances(pay)]).toEqual([0, [800, 800]])
  })

  it("is not repaid again by a payment that was decided before another one repaid it", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await indebted({ failPoints })
    during(["operation.decided", () => fund(pay, 700)])
    await fund(pay, 700)
    expect(allRan()).toBe(true)
    expect([await owed(pay), await balances(pay)]).toEqual([0, [700, 700]])
  })

  it("is computed from the balance at the commit of the return, not at its decision", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    const { id } = await pullFrom(pay, "000", 700)
    await pay.settle()
    await pushTo(pay, "000", { amount: 600 })
    await pay.settle()
    during(["operation.decided", () => fund(pay, 250)])
    await report(pay, id, { _tag: "Returned" })
    expect(allRan()).toBe(true)
    expect([await owed(pay), await balances(pay)]).toEqual([-350, [0, 0]])
  })

  it("is shown as the account's last change in the answer and in the event", async () => {
    await using pay = await agentWorld()
    const { id } = await pullFrom(pay, "000", 700)
    await pay.settle()
    await pushTo(pay, "000", { amount: 700 })
    await pay.settle()
    await pay.clock.advance("1 minute")
    await report(pay, id, { _tag: "Returned" })
    await pay.settle()
    const { updatedAt } = await pay.run(InternalAccounts.use((accounts) => accounts.get(pay.accountId)))
    expect(Date.parse(updatedAt)).toBe(await pay.clock.now())
    expect(pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").at(-1)?.data).toMatchObject({ updatedAt })
  })

  it("blocks the deletion of the customer, and the refusal shows the amount", async () => {
    await using pay = await indebted()
    const remove = Customers.use((customers) => customers.remove(pay.customerId))
    expect(await pay.run(Effect.flip(remove))).toMatchObject({
      code: "CONFLICT",
      details: { openTransactions: 0, accounts: [{ currency: "USD", amount: 0, owed: 700 }] },
    })
    await fund(pay, 700)
    expect((await pay.run(remove)).body).toMatchObject({ isDeleted: true })
  })

  it("blocks the deletion of the customer even when it arises during the deletion", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    const { id } = await pullFrom(pay, "000", 700)
    await pay.settle()
    await pushTo(pay, "000", { amount: 700 })
    await pay.settle()
    during(["operation.decided", () => report(pay, id, { _tag: "Returned" })])
    const remove = Customers.use((customers) => customers.remove(pay.customerId))
    expect(await pay.run(Effect.flip(remove))).toMatchObject({ code: "CONFLICT" })
    expect(allRan()).toBe(true)
  })
})

const deleted = (pay: AgentWorld) =>
  pay.run(Effect.flip(Customers.use((customers) => customers.remove(pay.customerId))))
const kept = { code: "CONFLICT", details: { reason: "CUSTOMER_IN_USE", openTransactions: 1, accounts: [] } }

describe("a pending refund", () => {
  it("blocks the deletion of the customer until the refund is credited", async () => {
    await using pay = await agentWorld({}, { suffixes: ["002"] })
    await fund(pay, 400)
    await pushTo(pay, "002", { amount: 400 })
    await pay.settle()
    expect(await balances(pay)).toEqual([0, 0])
    expect(await deleted(pay)).toMatchObject(kept)
    await pay.clock.advance("2 seconds")
    expect(await deleted(pay)).toMatchObject({ details: { openTransactions: 0, accounts: [{ amount: 400 }] } })
  })

  it("becomes unapplied when the customer was deleted meanwhile", async () => {
    await using pay = await agentWorld()
    await fund(pay, 400)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    await pay.run(Customers.use((customers) => customers.remove(pay.customerId)))
    await report(pay, id, { _tag: "Returned" })
    await pay.clock.advance("2 seconds")
    expect(eventNames(pay, id).slice(-3)).toEqual(["FAILED", "REFUND_PENDING", "REFUND_FAILED"])
    const books = await pay.books()
    const of = (account: string) => books.find((book) => book.id === account)?.balance
    expect([of(`unapplied:${id}`), of(`available:${pay.accountId}`)]).toEqual([400, 0])
  })
})

describe("unapplied money", () => {
  it("of a late pull blocks the deletion of the customer", async () => {
    await using pay = await agentWorld()
    await pullFrom(pay, "000", 100)
    const most = InternalAccounts.use((accounts) => accounts.fund(pay.accountId, amountMax - 50))
    await pay.run(most)
    await pay.settle()
    expect((await pay.books()).filter(({ id }) => id.startsWith("unapplied:"))).toMatchObject([{ balance: 100 }])
    await pushTo(pay, "000", { amount: amountMax - 50 })
    await pay.settle()
    expect(await balances(pay)).toEqual([0, 0])
    expect(await deleted(pay)).toMatchObject(kept)
  })

  it("of a failed refund blocks the deletion of the customer", async () => {
    const refused = () => Effect.succeed({ _tag: "Refused", reason: "BANK_REJECTED" } as const)
    const ports = Layer.mergeAll(
      SandboxRates.layer,
      SandboxVerifier.layer,
      SuccessfulRails.layer({ push: refused, refund: refused }),
    )
    await using pay = await agentWorld({}, { ports })
    await fund(pay, 400)
    await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    expect(await balances(pay)).toEqual([0, 0])
    expect(await deleted(pay)).toMatchObject(kept)
  })
})
