/**
 * Unapplied money and failed refunds, over HTTP and as an embedding program calls them.
 * Source: D-033, D-355.
 */

import { UnappliedMoney } from "@countersign/core"
import { Rails } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { serviceNames } from "../names/ServiceNames.ts"

/** The sandbox's rails, whose refunds arrive once `isBack` is set. */
const refundingRails = () => {
  const bank = { isBack: false }
  const rails = Layer.effect(
    Rails,
    Effect.map(Rails, (inner) => ({
      ...inner,
      refund: () =>
        Effect.sync(() =>
          bank.isBack ? ({ _tag: "Done" } as const) : ({ _tag: "Refused", reason: "EXECUTION_FAILED" } as const),
        ),
    })),
  )
  return { bank, ports: Layer.provideMerge(rails, Sandbox.layer) }
}

/** A quote of 5,000 USD cents whose payout and refund failed. */
const failedRefund = async (options: WorldOptions = {}) => {
  const { bank, ports } = refundingRails()
  const pay = await quoteHarness({ ports, ...options })
  await pay.fund("USD", 8000)
  const quote = await pay.quote(between(await pay.accountId("USD"), await pay.external("MXN", "007"), 5000))
  await pay.execute(String(at(quote, "id")))
  await pay.settle()
  await pay.clock.advance("1 minute")
  const transaction = await pay.transaction(quote)
  expect(transaction.body).toMatchObject({ status: "FAILED", refund: { status: "FAILED" } })
  return { bank, pay, quote, id: String(at(transaction, "id")), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

const list = async (pay: QuoteHarness) => (await pay.send("GET", "/unapplied-money")).body
const audited = async (pay: QuoteHarness, operation: string) =>
  at(await pay.send("GET", `/audit-records?operation=${operation}`), "data") as ReadonlyArray<object>

describe("unapplied money", () => {
  it("is listed with its owner, its amount and the account that could not take it", async () => {
    await using it = await failedRefund()
    expect(await list(it.pay)).toMatchObject({
      totalCount: 1,
      data: [
        {
          transactionId: it.id,
          customerId: it.pay.customerId,
          accountId: await it.pay.accountId("USD"),
          amount: { amount: 5000, currency: { code: "USD" } },
          status: "OPEN",
        },
      ],
    })
  })

  it("is applied once: the account is credited, the event is sent, and the audit says who did it", async () => {
    await using it = await failedRefund()
    const { id, pay } = it
    expect(await pay.balances("USD")).toEqual([3000, 3000])
    pay.inbox.clear()
    const headers = { "idempotency-key": "apply" }
    const apply = () => pay.send("POST", `/unapplied-money/${id}/apply`, { body: {}, headers })
    const applied = await apply()
    expect(applied).toMatchObject({ status: 200, body: { status: "APPLIED", amount: { amount: 5000 } } })
    expect((await apply()).body).toEqual(applied.body)
    expect(await pay.balances("USD")).toEqual([8000, 8000])
    await pay.settle()
    expect(pay.inbox.received.map(({ type }) => type)).toEqual(["INTERNAL_ACCOUNT.BALANCE_UPDATED"])
    expect(await list(pay)).toMatchObject({ totalCount: 0, data: [] })
    expect(await pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "NOT_UNAPPLIED" } },
    })
    expect(await audited(pay, "UNAPPLIED_APPLY")).toMatchObject([
      { actor: { type: "PLATFORM" }, target: id, details: { amount: 5000, currency: "USD" } },
    ])
    await pay.checkBooks()
  })

  it("is credited once when two operators apply it at the same time", async () => {
    await using it = await failedRefund()
    const { id, pay } = it
    const replies = await Promise.all(
      [1, 2, 3].map(() => pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await pay.balances("USD")).toEqual([8000, 8000])
    await pay.checkBooks()
  })

  it("is refused for an account of another currency or customer, and for one that does not exist", async () => {
    await using it = await failedRefund()
    const { id, pay } = it
    const other = String(
      at(await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Bob" } }), "id"),
    )
    const accounts = [
      await pay.accountId("EUR"),
      await pay.accountId("USD", undefined, other),
      "InternalAccount:00000000-0000-7000-8000-000000000000",
    ]
    for (const accountId of accounts) {
      const reply = await pay.send("POST", `/unapplied-money/${id}/apply`, { body: { accountId } })
      expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
      expect(at(reply, "details", "errors", 0, "field")).toBe("accountId")
    }
    expect(await pay.balances("USD")).toEqual([3000, 3000])
    expect(
      await pay.send("POST", "/unapplied-money/Transaction:00000000-0000-7000-8000-000000000000/apply", { body: {} }),
    ).toMatchObject({ status: 404, body: { code: "TRANSACTION_NOT_FOUND" } })
  })

  it("leaves the service when the operator records that it was returned", async () => {
    await using it = await failedRefund()
    const { id, pay } = it
    const giveBack = (reference: string) => pay.run(UnappliedMoney.use((money) => money.giveBack(id, reference)))
    for (const reference of [" ", "", "w".repeat(141)])
      expect(await pay.run(Effect.flip(UnappliedMoney.use((money) => money.giveBack(id, reference))))).toMatchObject({
        code: "INVALID_INPUT",
      })
    const longest = "w".repeat(140)
    expect((await giveBack(longest)).body).toMatchObject({ status: "RETURNED", amount: { amount: 5000 } })
    expect(await pay.balances("USD")).toEqual([3000, 3000])
    const books = (await pay.books()).filter((account) => account.id.startsWith("unapplied"))
    expect(books.map((account) => Math.abs(account.balance)).toSorted()).toEqual([0, 5000])
    expect(await audited(pay, "UNAPPLIED_RETURN")).toMatchObject([
      { actor: { type: "SERVICE" }, details: { reference: longest } },
    ])
    expect(await list(pay)).toMatchObject({ totalCount: 0 })
    await pay.checkBooks()
  })
})

describe("a failed refund", () => {
  const retry = (pay: QuoteHarness, id: string) => pay.send("POST", `/transactions/${id}/refund/retry`)

  it.each(serviceNames)(
    "credits the account when the rail returns the money after a retry, at the service %s",
    async (serviceName) => {
      await using it = await failedRefund({ serviceName })
      const { bank, id, pay, quote } = it
      bank.isBack = true
      pay.inbox.clear()
      expect(await retry(pay, id)).toMatchObject({ status: 200, body: { refund: { status: "PENDING" } } })
      await pay.settle()
      expect(await pay.transaction(quote)).toMatchObject({ body: { refund: { status: "COMPLETED" } } })
      expect(await pay.balances("USD")).toEqual([8000, 8000])
      expect(pay.eventNames(id)).toEqual(["REFUND_PENDING", "REFUND_COMPLETED"])
      expect(await list(pay)).toMatchObject({ totalCount: 0 })
      expect(await audited(pay, "REFUND_RETRY")).toHaveLength(1)
      await pay.checkBooks()
    },
  )

  it("stays unapplied when it fails again, and can be retried again", async () => {
    await using it = await failedRefund()
    const { bank, id, pay, quote } = it
    for (let round = 0; round < 2; round++) {
      expect((await retry(pay, id)).status).toBe(200)
      await pay.settle()
      expect(await pay.transaction(quote)).toMatchObject({ body: { refund: { status: "FAILED" } } })
      expect(await list(pay)).toMatchObject({ totalCount: 1, data: [{ amount: { amount: 5000 } }] })
    }
    bank.isBack = true
    await retry(pay, id)
    await pay.settle()
    expect(await pay.balances("USD")).toEqual([8000, 8000])
    await pay.checkBooks()
  })

  it("is refused while it is asked about, once it is completed, and once its money was applied", async () => {
    await using it = await failedRefund()
    const { id, pay } = it
    await retry(pay, id)
    const refused = { status: 409, body: { code: "CONFLICT", details: { reason: "REFUND_NOT_FAILED" } } }
    expect(await retry(pay, id)).toMatchObject(refused)
    expect(await pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })).toMatchObject({
      status: 409,
      body: { details: { reason: "REFUND_PENDING" } },
    })
    await pay.settle()
    expect((await pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })).status).toBe(200)
    expect(await retry(pay, id)).toMatchObject(refused)
    await pay.checkBooks()
  })
})
