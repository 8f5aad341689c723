/**
 * Deposits at the edge of the exact integers: what cannot be counted exactly is refused or set aside for an operator.
 * Source: wire contract areas 2.13; D-033, D-355, D-398.
 */
import { type DepositReport, Deposits, InternalAccounts, Outcomes, UnappliedMoney } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as Ledger from "../../../packages/core/src/store/LedgerAccounts.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { balances, fund, pushTo } from "../../../packages/test/src/harness/TransferCalls.ts"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"
import { at } from "../customer/CustomerRequests.ts"
import { bySuffix, eventsOf } from "./DepositRequests.ts"

type AgentHarness = Awaited<ReturnType<typeof agentHarness>>

const reporting = (pay: AgentHarness, more: Partial<DepositReport> = {}) =>
  Deposits.use((deposits) =>
    deposits.report({ accountId: pay.accountId, amount: 10, depositId: "bank-1", source: {}, ...more }),
  )
const report = (pay: AgentHarness, more?: Partial<DepositReport>) => pay.run(reporting(pay, more))

const fill = (pay: AgentHarness, amount: number) =>
  pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, amount)))

const unapplied = async (pay: AgentHarness) => at(await pay.send("GET", "/unapplied-money"), "data")

/** An account that is full to the last unit, and a deposit of 10 that it cannot take. */
const overflowed = async () => {
  const pay = await agentHarness()
  await fill(pay, amountMax)
  const source = { ...bySuffix("000"), accountHolderName: "John Sender" }
  const deposit = await report(pay, { source })
  return { ...pay, deposit, id: deposit?.id ?? "", [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

describe("a reported deposit", () => {
  it.each([amountMax + 1, amountMax * 2, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "of %d is refused, because no amount is",
    async (amount) => {
      await using pay = await agentHarness()
      const refusal = await pay.run(Effect.flip(reporting(pay, { amount })))
      expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ field: "amount" }] } })
      expect(await balances(pay)).toEqual([0, 0])
    },
  )

  it.each<[string, Partial<DepositReport>]>([
    ["sent.amount", { sent: { amount: 0, currency: "EUR" } }],
    ["sent.amount", { sent: { amount: 0.5, currency: "EUR" } }],
    ["exchangeRate", { exchangeRate: 0 }],
    ["exchangeRate", { exchangeRate: Number.POSITIVE_INFINITY }],
    ["fees", { fees: -1 }],
    ["quoteId", { quoteId: "7" }],
  ])("is refused with a %s that no answer can show", async (field, more) => {
    await using pay = await agentHarness()
    const refusal = await pay.run(Effect.flip(reporting(pay, more)))
    expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ field }] } })
  })

  it("of the largest amount is credited, held and released", async () => {
    await using pay = await agentHarness()
    const held = await report(pay, { amount: amountMax, source: bySuffix("005") })
    expect(await balances(pay)).toEqual([0, amountMax])
    await pay.run(Outcomes.use((outcomes) => outcomes.report(held?.id ?? "", { _tag: "Done" })))
    expect(await balances(pay)).toEqual([amountMax, amountMax])
  })
})

describe("a deposit that its account cannot count exactly", () => {
  it("fails, and its money waits for an operator, with what is known of its sender", async () => {
    await using pay = await overflowed()
    const { customerId, deposit, id } = pay
    expect(deposit).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      counterpartyInformation: { FULL_NAME: "John Sender" },
      destination: { accountId: pay.accountId },
    })
    expect(deposit).not.toHaveProperty("refund")
    expect(await report(pay)).toBeUndefined()
    expect(await balances(pay)).toEqual([amountMax, amountMax])
    expect(await unapplied(pay)).toMatchObject([{ transactionId: id, customerId, amount: { amount: 10 } }])
    await pay.settle()
    expect(eventsOf(pay, id)).toEqual(["INCOMING_PAYMENT.FAILED"])
    expect(bookProblems(await pay.books())).toEqual([])
  })

  it("is applied once there is room, and not before", async () => {
    await using pay = await overflowed()
    const apply = () => pay.send("POST", `/unapplied-money/${pay.id}/apply`, { body: {} })
    expect(await apply()).toMatchObject({ status: 400, body: { code: "AMOUNT_OUT_OF_RANGE" } })
    expect(await unapplied(pay)).toHaveLength(1)
    await pushTo(pay, "000", { amount: 10 })
    await pay.settle()
    expect(await apply()).toMatchObject({ status: 200, body: { status: "APPLIED" } })
    expect(await balances(pay)).toEqual([amountMax, amountMax])
    expect(await apply()).toMatchObject({ status: 409, body: { details: { reason: "NOT_UNAPPLIED" } } })
    expect(bookProblems(await pay.books())).toEqual([])
  })

  it("may be returned by the operator, is not retried, and blocks the deletion of its customer until then", async () => {
    await using pay = await overflowed()
    const retry = UnappliedMoney.use((money) => money.retryRefund(pay.id))
    expect(await pay.run(Effect.flip(retry))).toMatchObject({ details: { reason: "REFUND_NOT_FAILED" } })
    await pushTo(pay, "000", { amount: amountMax })
    await pay.settle()
    const remove = () => pay.send("DELETE", `/customers/${pay.customerId}`)
    expect(await remove()).toMatchObject({ status: 409, body: { details: { openTransactions: 1 } } })
    await pay.run(UnappliedMoney.use((money) => money.giveBack(pay.id, "wire 4711")))
    expect(await unapplied(pay)).toEqual([])
    expect(await remove()).toMatchObject({ status: 200 })
    expect(bookProblems(await pay.books())).toEqual([])
  })

  it("is set aside when only its total would be too large, because an exchange filled the account", async () => {
    await using pay = await agentHarness()
    const euros = await pay.send("GET", `/customers/internal-accounts?customerId=${pay.customerId}&currency=EUR`)
    const from = Ledger.ownedBy({ platformId: pay.platformId, customerId: pay.customerId }, "EUR", "exchange")
    const accountId = String(at(euros, "data", 0, "id"))
    const transfers = [
      { from: from.id, to: Ledger.available(accountId), amount: amountMax, currency: "EUR" as const, reference: "x" },
    ]
    await pay.run(
      Operation.run({
        name: "test",
        load: () => Effect.succeed({}),
        decide: () => Operation.answer(200, null, { ledgerAccounts: [from], transfers }),
      }),
    )
    const held = await report(pay, { accountId, source: bySuffix("005") })
    expect(held).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    const account = await pay.send("GET", `/internal-accounts/${accountId}`)
    expect(at(account, "totalBalance", "amount")).toBe(amountMax)
    expect(await unapplied(pay)).toMatchObject([{ amount: { amount: 10, currency: { code: "EUR" } } }])
    const refused = pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 1 } })
    expect(await refused).toMatchObject({ status: 400, body: { code: "AMOUNT_OUT_OF_RANGE" } })
    expect(bookProblems(await pay.books())).toEqual([])
  })

  it("is set aside although its screening would hold or refuse it", async () => {
    for (const suffix of ["002", "005"]) {
      await using pay = await agentHarness()
      await fill(pay, amountMax)
      expect(await report(pay, { source: bySuffix(suffix) })).toMatchObject({ status: "FAILED" })
      expect(await balances(pay)).toEqual([amountMax, amountMax])
      expect(await unapplied(pay)).toHaveLength(1)
    }
  })

  it("repays no debt, which its application does", async () => {
    await using pay = await agentHarness()
    await fund(pay, 10)
    const spent = await report(pay, { amount: 5, depositId: "bank-0" })
    await pushTo(pay, "000", { amount: 15 })
    await pay.settle()
    await fill(pay, amountMax)
    const { id } = (await report(pay)) ?? { id: "" }
    await pushTo(pay, "000", { amount: amountMax })
    await pay.settle()
    await pay.run(Outcomes.use((outcomes) => outcomes.report(spent?.id ?? "", { _tag: "Returned" })))
    const owed = async () => (await pay.books()).find((book) => book.id === `receivable:${pay.customerId}:USD`)?.balance
    expect([await owed(), await balances(pay)]).toEqual([-5, [0, 0]])
    expect(await pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })).toMatchObject({ status: 200 })
    expect([await owed(), await balances(pay)]).toEqual([0, [5, 5]])
  })
})
