/**
 * Settlement of card transactions over HTTP: clearings, returns, credits, exceptions and lists.
 * Source: wire contract 3.3, 3.5, 6.1, 7.1 and 7.5; D-173, D-174, D-176.
 */
import { CardTransactions } from "@countersign/core"
import { describe, expect, it } from "vitest"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import {
  activeCard,
  approved,
  authorizeCard,
  balanceOf,
  booksOfRole,
  clear,
  eventTypesOf,
  fundAccount,
  membersOf,
  patchCard,
  readyCard,
  simulate,
  simulateReturn,
  textOf,
  transaction,
  transactionOf,
} from "./CardWorld.ts"

describe("clearing", () => {
  it("settles an authorization in parts and expires the rest", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 100)
    expect(await transaction(pay, id)).toMatchObject({ status: "PARTIALLY_SETTLED", settledAmount: { amount: 100 } })
    expect(await balanceOf(pay)).toEqual([700, 900])
    await clear(pay, id, 50)
    await clear(pay, id, 0)
    expect(await transaction(pay, id)).toMatchObject({
      status: "SETTLED",
      settledAmount: { amount: 150 },
      settlementSummary: { count: 2, totalAmount: 150 },
      pullSummary: { count: 2, totalAmount: 150, pendingCount: 0 },
    })
    expect(await balanceOf(pay)).toEqual([850, 850])
    expect(eventTypesOf(pay, id)).toEqual([
      "CARD_TRANSACTION.AUTHORIZED",
      "CARD_TRANSACTION.PARTIALLY_SETTLED",
      "CARD_TRANSACTION.SETTLED",
    ])
    expect(await clear(pay, id, 0)).toMatchObject({
      status: 400,
      body: { details: { reason: "AUTHORIZATION_NOT_OPEN" } },
    })
  })

  it("pulls the amount above the authorization separately", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 350)
    expect(await transaction(pay, id)).toMatchObject({
      status: "SETTLED",
      authorizedAmount: { amount: 300 },
      settledAmount: { amount: 350 },
      pullSummary: { count: 2, totalAmount: 350 },
      settlementSummary: { count: 1 },
    })
    expect(await balanceOf(pay)).toEqual([650, 650])
    expect(eventTypesOf(pay, id)).toEqual(["CARD_TRANSACTION.AUTHORIZED", "CARD_TRANSACTION.SETTLED"])
  })

  it("charges the uncovered amount as debt, which a return pays first", async () => {
    await using pay = await readyCard({}, 320)
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 350)
    expect(await transaction(pay, id)).toMatchObject({
      settledAmount: { amount: 350 },
      pullSummary: { totalAmount: 320 },
    })
    expect([await balanceOf(pay), await booksOfRole(pay, "receivable")]).toEqual([[0, 0], -30])
    expect(await simulateReturn(pay, id, 40)).toMatchObject({ status: 202 })
    expect([await balanceOf(pay), await booksOfRole(pay, "receivable")]).toEqual([[10, 10], 0])
  })

  it("leaves no debt beside money that arrives meanwhile", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await readyCard({ around }, 320)
      const id = await approved(pay, pay.cardId, 300)
      const isOverlapped = await overlap(
        () => simulate(pay, pay.cardId, "clearing", { cardTransactionId: id, amount: 350 }),
        () => fundAccount(pay, pay.accountId, 30),
      )
      await pay.settle()
      expect([await balanceOf(pay), Math.abs((await booksOfRole(pay, "receivable")) ?? 0)]).toEqual([[0, 0], 0])
      return isOverlapped
    })
  })

  it("takes a clearing after expiry from the available balance", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 0)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 0 } })
    expect(await balanceOf(pay)).toEqual([1000, 1000])
    await clear(pay, id, 300)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 300 } })
    expect(await balanceOf(pay)).toEqual([700, 700])
  })

  it.each(["FROZEN", "CLOSED"])("clears and refunds a purchase of a card that is %s meanwhile", async (state) => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    await patchCard(pay, pay.cardId, { state })
    await clear(pay, id, 300)
    expect(await simulateReturn(pay, id, 300)).toMatchObject({ status: 202 })
    expect(await transaction(pay, id)).toMatchObject({ status: "REFUNDED" })
    expect(await balanceOf(pay)).toEqual([1000, 1000])
    expect(membersOf(await authorizeCard(pay, pay.cardId, 1))["declineReason"]).toBe(
      state === "FROZEN" ? "CARD_PAUSED" : "CARD_CLOSED",
    )
  })

  it("answers 404 for a clearing of another card's transaction or an unknown one", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    const other = await activeCard(pay)
    for (const [card, cardTransactionId] of [
      [other, id],
      [pay.cardId, id.replace(/.{4}$/u, "0000")],
    ] as const) {
      expect(await simulate(pay, card, "clearing", { cardTransactionId, amount: 1 })).toMatchObject({
        status: 404,
        body: { code: "TRANSACTION_NOT_FOUND" },
      })
    }
  })

  it("applies a repeated network message once", async () => {
    await using pay = await readyCard()
    const cardTransactionId = await approved(pay, pay.cardId, 300)
    const order = {
      cardId: pay.cardId,
      cardTransactionId,
      messageId: "m1",
      message: { _tag: "Clearing", amount: 100 },
    } as const
    const take = () => pay.run(CardTransactions.use((network) => network.receive(order)))
    await Promise.all([take(), take()])
    await take()
    expect(await transaction(pay, cardTransactionId)).toMatchObject({ settledAmount: { amount: 100 } })
  })
})

describe("return", () => {
  it("keeps a transaction SETTLED after a partial return, REFUNDED after a full one, and SETTLED after its reversal", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    expect(await simulateReturn(pay, id, 1)).toMatchObject({
      status: 400,
      body: { details: { reason: "NOT_SETTLED" } },
    })
    await clear(pay, id, 300)
    await simulateReturn(pay, id, 100)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", refundedAmount: { amount: 100 } })
    expect(await simulateReturn(pay, id, 201)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "EXCEEDS_NET_SETTLED", netSettled: 200 } },
    })
    const reverse = () => simulate(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    expect(await reverse()).toMatchObject({ status: 400, body: { details: { reason: "NOT_REFUNDED" } } })
    await simulateReturn(pay, id, 200)
    expect(await transaction(pay, id)).toMatchObject({
      status: "REFUNDED",
      refundSummary: { count: 2, totalAmount: 300 },
    })
    expect(await balanceOf(pay)).toEqual([1000, 1000])
    expect((await reverse()).status).toBe(202)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", refundedAmount: { amount: 100 } })
    expect(await balanceOf(pay)).toEqual([800, 800])
    await pay.settle()
    expect(eventTypesOf(pay, id).map((type) => type.split(".")[1])).toEqual([
      "AUTHORIZED",
      "SETTLED",
      "REFUNDED",
      "SETTLED",
    ])
  })

  it("charges a reversed return as debt if its money is spent", async () => {
    await using pay = await readyCard({}, 300)
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 300)
    await simulateReturn(pay, id, 300)
    await approved(pay, pay.cardId, 250)
    await simulate(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    expect([await balanceOf(pay), await booksOfRole(pay, "receivable")]).toEqual([[0, 250], -250])
  })
})

describe("other network messages", () => {
  it.each<[string, number, string, ReadonlyArray<string>]>([
    ["financial_authorization", 700, "SETTLED", ["AUTHORIZED", "SETTLED"]],
    ["financial_credit_authorization", 1300, "SETTLED", ["AUTHORIZED", "SETTLED"]],
    ["credit_authorization", 1000, "AUTHORIZED", ["AUTHORIZED"]],
    ["credit_authorization_advice", 1000, "AUTHORIZED", ["AUTHORIZED"]],
  ])("authorizes by the message %s", async (kind, total, status, events) => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300, { kind })
    await pay.settle()
    const direction = kind.includes("credit") ? "CREDIT" : "DEBIT"
    expect(await transaction(pay, id)).toMatchObject({ status, direction })
    expect(await balanceOf(pay)).toEqual([total, total])
    expect(eventTypesOf(pay, id).map((type) => type.split(".")[1])).toEqual(events)
    if (status === "SETTLED") return
    await clear(pay, id, 200)
    expect([await balanceOf(pay), (await transaction(pay, id))["status"]]).toEqual([[1200, 1200], "PARTIALLY_SETTLED"])
    expect(await simulateReturn(pay, id, 1)).toMatchObject({
      status: 400,
      body: { details: { reason: "NOT_A_PURCHASE" } },
    })
  })

  it("answers a balance inquiry without a hold", async () => {
    await using pay = await readyCard()
    const reply = await simulate(pay, pay.cardId, "balance_inquiry", { merchant: { descriptor: "Till" } })
    expect(reply.status).toBe(202)
    expect(await transactionOf(pay, textOf(reply, "issuerTransactionToken"))).toMatchObject({
      status: "AUTHORIZED",
      authorizedAmount: { amount: 0 },
    })
    expect(await balanceOf(pay)).toEqual([1000, 1000])
    expect(await simulate(pay, pay.cardId, "balance_inquiry", { merchant: { descriptor: "Till 003" } })).toMatchObject({
      body: { declineReason: "CARD_PAUSED" },
    })
  })
})

describe("transaction with a failed pull", () => {
  it("settles an exception when the operator reports the pull as done, and refuses clearings before", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300, { suffix: "006" })
    await clear(pay, id, 100)
    // The rest of the hold is released, because no further clearing is taken.
    expect(await balanceOf(pay)).toEqual([900, 1000])
    expect(await clear(pay, id, 10)).toMatchObject({ status: 400, body: { details: { reason: "NOT_CLEARABLE" } } })
    const report = (outcome: "Done" | "Refused") =>
      pay.run(CardTransactions.use((network) => network.report(id, 0, { _tag: outcome })))
    await report("Refused")
    expect(await transaction(pay, id)).toMatchObject({ status: "EXCEPTION" })
    await report("Done")
    await report("Done")
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED" })
    expect(await balanceOf(pay)).toEqual([900, 900])
  })
})

describe("GET /transactions", () => {
  it("lists card transactions among the others with the same filters", async () => {
    await using pay = await readyCard()
    await pay.clock.advance("1 second")
    const id = await approved(pay, pay.cardId, 300)
    const ids = async (query: string) =>
      (
        membersOf(await pay.send("GET", `/transactions?${query}`))["data"] as ReadonlyArray<{ readonly id: string }>
      ).map((each) => each.id)
    const [, fund = ""] = await ids("")
    expect(await ids("")).toEqual([id, fund])
    expect(await ids("sortOrder=asc")).toEqual([fund, id])
    for (const query of [
      "type=CARD",
      "status=AUTHORIZED",
      `senderAccountIdentifier=${pay.accountId}`,
      `type=CARD&accountIdentifier=${pay.accountId}`,
      `status=AUTHORIZED&customerId=${pay.customerId}`,
    ]) {
      expect([query, await ids(query)]).toEqual([query, [id]])
    }
    expect(await ids(`accountIdentifier=${pay.accountId}`)).toEqual([id, fund])
    for (const query of [
      "type=OUTGOING",
      `type=CARD&receiverAccountIdentifier=${pay.accountId}`,
      "reference=x",
      "status=SETTLED",
      `customerId=${pay.platformId}`,
    ]) {
      expect([query, await ids(query)]).toEqual([query, []])
    }
    const page = membersOf(await pay.send("GET", "/transactions?limit=1"))
    expect(page).toMatchObject({ hasMore: true, totalCount: 2, data: [{ id }] })
    expect(await ids(`limit=1&cursor=${page["nextCursor"]}`)).toEqual([fund])
    expect(await pay.send("GET", `/transactions/${id.replace(/.{4}$/u, "0000")}`)).toMatchObject({
      status: 404,
      body: { code: "TRANSACTION_NOT_FOUND" },
    })
    expect(await pay.send("POST", `/transactions/${id}/cancel`)).toMatchObject({ status: 409 })
  })
})
