/**
 * Card authorizations over HTTP: magic suffixes, card states, limits, funding sources and holds.
 * Spec: Card (fundingSources); wire contract 3.3, 3.5, 6.1, 7.1, 7.5 and 11 (46, 47); D-172, D-175.
 */
import { CardTransactions } from "@countersign/core"
import { Issuer } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import {
  activeCard,
  approved,
  authorizeCard,
  balanceOf,
  balancesOf,
  cardHarness,
  clear,
  eventTypesOf,
  fundAccount,
  issueCard,
  membersOf,
  patchCard,
  type ReadyCard,
  readyCard,
  textOf,
  transaction,
  transactionOf,
} from "./CardWorld.ts"

/** The summaries of pulls, settlements and refunds. */
const summariesOf = (found: { readonly [name: string]: unknown } | undefined) =>
  ["pullSummary", "settlementSummary", "refundSummary"].map((name) => found?.[name])
const none = { count: 0, totalAmount: 0 }

describe("card authorization", () => {
  it("holds the authorized amount, which lowers the available balance and not the total", async () => {
    await using pay = await readyCard()
    const reply = await authorizeCard(pay, pay.cardId, 300)
    expect(reply.status).toBe(202)
    expect(Object.keys(membersOf(reply))).toEqual(["issuerTransactionToken"])
    expect(await balanceOf(pay)).toEqual([700, 1000])
    const found = await transactionOf(pay, textOf(reply, "issuerTransactionToken"))
    expect(found).toMatchObject({
      type: "CARD",
      cardId: pay.cardId,
      customerId: pay.customerId,
      status: "AUTHORIZED",
      direction: "DEBIT",
      merchant: { descriptor: "Shop 000", mcc: "5411", country: "US" },
      authorizedAmount: { amount: 300, currency: { code: "USD" } },
      accountId: pay.accountId,
    })
    expect(summariesOf(found)).toEqual([{ count: 1, totalAmount: 300, pendingCount: 1 }, none, none])
    for (const later of ["settledAmount", "refundedAmount", "lastEventAt"]) expect(found).not.toHaveProperty(later)
    await pay.settle()
    expect(pay.inbox.received.map(({ type }) => type).toSorted()).toEqual([
      "CARD_TRANSACTION.AUTHORIZED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ])
    expect(pay.inbox.ofType("CARD_TRANSACTION.AUTHORIZED")[0]?.data).toEqual(found)
  })

  // Proves: RES-CARD-06, RES-CARD-07
  it("charges the first funding source that covers the whole amount", async () => {
    await using pay = await cardHarness({}, 0)
    const page = membersOf(await pay.send("GET", `/internal-accounts?customerId=${pay.customerId}&currency=USDB`))
    const [first = "", second = ""] = (page["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    await fundAccount(pay, first, 100)
    await fundAccount(pay, second, 400)
    const cardId = await activeCard(pay, { fundingSources: [first, second] })
    const say = (amount: number) =>
      pay.send("POST", `/sandbox/cards/${cardId}/simulate/authorization`, {
        body: { amount, currency: "USDB", merchant: { descriptor: "Shop" } },
      })
    const carriers: Array<unknown> = []
    for (const amount of [300, 100, 101]) {
      const reply = await say(amount)
      carriers.push((await transactionOf(pay, textOf(reply, "issuerTransactionToken")))?.["accountId"])
    }
    expect(carriers).toEqual([second, first, undefined])
    expect([await balancesOf(pay, first), await balancesOf(pay, second)]).toEqual([
      [0, 100],
      [100, 400],
    ])
  })

  it.each<[string, string | undefined, string | undefined]>([
    ["000", undefined, "SETTLED"],
    ["002", "INSUFFICIENT_FUNDS", undefined],
    ["003", "CARD_PAUSED", undefined],
    ["005", undefined, "AUTHORIZED"],
    ["006", undefined, "EXCEPTION"],
  ])("settles or declines a purchase by the merchant suffix %s", async (suffix, declineReason, status) => {
    await using pay = await readyCard()
    const reply = await authorizeCard(pay, pay.cardId, 300, { suffix })
    expect(reply.status).toBe(202)
    expect(membersOf(reply)["declineReason"]).toBe(declineReason)
    const found = await transactionOf(pay, textOf(reply, "issuerTransactionToken"))
    if (status === undefined) {
      expect(found).toBeUndefined()
      await pay.settle()
      expect(pay.inbox.received).toEqual([])
      expect(await balanceOf(pay)).toEqual([1000, 1000])
      return
    }
    const id = String(found?.["id"])
    await clear(pay, id, 300)
    expect(await transaction(pay, id)).toMatchObject({ status, settledAmount: { amount: 300 } })
    await pay.clock.advance("1 minute")
    const end = await transaction(pay, id)
    expect(end).toMatchObject({
      status: suffix === "006" ? "EXCEPTION" : "SETTLED",
    })
    const pulled = suffix === "006" ? 0 : 300
    expect(summariesOf(end)).toEqual([
      { count: 1, totalAmount: pulled, pendingCount: 0 },
      { count: 1, totalAmount: 300 },
      none,
    ])
    // The money of a failed pull stays held until the operator resolves it.
    expect(await balanceOf(pay)).toEqual(suffix === "006" ? [700, 1000] : [700, 700])
    expect(eventTypesOf(pay, id)).toEqual([
      "CARD_TRANSACTION.AUTHORIZED",
      suffix === "006" ? "CARD_TRANSACTION.EXCEPTION" : "CARD_TRANSACTION.SETTLED",
    ])
  })

  it("shows a delayed pull as pending", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300, { suffix: "005" })
    await clear(pay, id, 300)
    expect(await transaction(pay, id)).toMatchObject({
      status: "AUTHORIZED",
      pullSummary: { count: 1, pendingCount: 1 },
    })
    await pay.clock.advance("29 seconds")
    expect(await transaction(pay, id)).toMatchObject({ status: "AUTHORIZED" })
    await pay.clock.advance("2 seconds")
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", pullSummary: { pendingCount: 0 } })
  })

  it.each<[string, (pay: ReadyCard) => Promise<unknown>, string]>([
    ["a frozen card", (pay) => patchCard(pay, pay.cardId, { state: "FROZEN" }), "CARD_PAUSED"],
    ["a closed card", (pay) => patchCard(pay, pay.cardId, { state: "CLOSED" }), "CARD_CLOSED"],
    ["a limit below it", (pay) => patchCard(pay, pay.cardId, { maxSpendPerTransaction: 299 }), "SPEND_LIMIT_EXCEEDED"],
    ["money that is held already", (pay) => approved(pay, pay.cardId, 701), "INSUFFICIENT_FUNDS"],
  ])("declines an authorization on %s and stores no transaction", async (_what, before, declineReason) => {
    await using pay = await readyCard()
    await before(pay)
    const already = membersOf(await pay.send("GET", "/transactions?type=CARD"))["totalCount"]
    expect(await authorizeCard(pay, pay.cardId, 300)).toMatchObject({ status: 202, body: { declineReason } })
    expect(membersOf(await pay.send("GET", "/transactions?type=CARD"))["totalCount"]).toBe(already)
  })

  it("refuses to cancel a card transaction, and answers 404 for an unknown one", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    const cancel = (which: string) => pay.send("POST", `/transactions/${which}/cancel`, { body: {} })
    expect(await cancel(id)).toMatchObject({
      status: 409,
      body: { code: "TRANSACTION_NOT_CANCELLABLE", details: { status: "AUTHORIZED" } },
    })
    expect(await cancel(`${id.slice(0, -2)}zz`)).toMatchObject({ status: 404 })
    expect(await transaction(pay, id)).toMatchObject({ status: "AUTHORIZED" })
  })

  it("approves exactly the limit and exactly the balance", async () => {
    await using pay = await readyCard({}, 300, { maxSpendPerTransaction: 300 })
    expect(membersOf(await authorizeCard(pay, pay.cardId, 300))).not.toHaveProperty("declineReason")
    expect(await balanceOf(pay)).toEqual([0, 300])
  })

  // Proves: STATE-CARD-04
  it("declines an authorization of a card that is not provisioned", async () => {
    await using pay = await readyCard()
    const id = textOf(await issueCard(pay, { platformCardId: "x-001" }), "id")
    expect(await authorizeCard(pay, id, 1)).toMatchObject({ body: { declineReason: "CARD_NOT_ACTIVE" } })
  })

  it("never spends the same money twice in concurrent authorizations", async () => {
    await using pay = await readyCard({ interleave: 5 })
    const all = await Promise.all(Array.from({ length: 7 }, () => authorizeCard(pay, pay.cardId, 300)))
    const declined = all.filter((reply) => membersOf(reply)["declineReason"] === "INSUFFICIENT_FUNDS")
    expect([all.length - declined.length, await balanceOf(pay)]).toEqual([3, [100, 1000]])
  })

  it("takes the code of a whole currency, and nothing else of it", async () => {
    await using pay = await readyCard()
    const path = `/sandbox/cards/${pay.cardId}/simulate/authorization`
    const merchant = { descriptor: "Shop" }
    const currency = { code: "USD", name: "Another name", symbol: "?", decimals: 7 }
    expect((await pay.send("POST", path, { body: { amount: 300, currency, merchant } })).status).toBe(202)
    expect(await balanceOf(pay)).toEqual([700, 1000])
    const other = { ...currency, code: "EUR" }
    expect(await pay.send("POST", path, { body: { amount: 1, currency: other, merchant } })).toMatchObject({
      status: 400,
      body: { code: "INVALID_CURRENCY" },
    })
  })

  it("refuses another currency and an invalid body", async () => {
    await using pay = await readyCard()
    const path = `/sandbox/cards/${pay.cardId}/simulate/authorization`
    const merchant = { descriptor: "Shop" }
    expect(await pay.send("POST", path, { body: { amount: 1, currency: "EUR", merchant } })).toMatchObject({
      status: 400,
      body: { code: "INVALID_CURRENCY", details: { errors: [{ field: "currency" }] } },
    })
    expect(await pay.send("POST", path, { body: { amount: 0, currency: "USD", merchant: {} } })).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "amount" }, { field: "merchant.descriptor" }] } },
    })
    const unknown = path.replace(/Card:.{4}/u, "Card:ffff")
    expect(await pay.send("POST", unknown, { body: { amount: 1, currency: "USD", merchant } })).toMatchObject({
      status: 404,
    })
  })

  it("stores a merchant whose name no store keeps in a form that it does", async () => {
    await using pay = await readyCard()
    const authorized = await pay.run(
      CardTransactions.use((network) =>
        network.authorize({
          cardId: pay.cardId,
          issuerTransactionToken: "txn_dirty",
          direction: "DEBIT",
          amount: 300,
          currency: "USD",
          merchant: { descriptor: "Shop\u0000" },
          isFinancial: false,
        }),
      ),
    )
    expect(JSON.stringify(authorized)).toContain("Shop\uFFFD")
  })

  it("returns the same transaction for a repeated token", async () => {
    await using pay = await readyCard()
    const authorizationRequest = {
      cardId: pay.cardId,
      issuerTransactionToken: "txn_live",
      direction: "DEBIT" as const,
      amount: 300,
      currency: "USD" as const,
      merchant: { descriptor: "Shop" },
      isFinancial: false,
    }
    const authorize = () => pay.run(CardTransactions.use((network) => network.authorize(authorizationRequest)))
    const [first, second] = await Promise.all([authorize(), authorize()])
    expect(second).toEqual(first)
    expect(await authorize()).toEqual(first)
    expect(await balanceOf(pay)).toEqual([700, 1000])
  })
})

describe("embedded wallet as funding source", () => {
  it("requires an active delegated key if the issuer needs one", async () => {
    const strict = Layer.effect(
      Issuer,
      Effect.map(Issuer, (sandbox) => ({ ...sandbox, needsDelegatedKeys: true })),
    ).pipe(Layer.provide(SandboxIssuer.layer))
    await using pay = await cardHarness({ ports: Layer.merge(Sandbox.layer, strict) }, 0)
    const page = membersOf(
      await pay.send("GET", `/internal-accounts?customerId=${pay.customerId}&type=EMBEDDED_WALLET`),
    )
    const [wallet = ""] = (page["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    await fundAccount(pay, wallet, 500)
    const cardId = await activeCard(pay, { fundingSources: [wallet] })
    const body = { amount: 300, currency: "USDB", merchant: { descriptor: "Shop" } }
    expect(await pay.send("POST", `/sandbox/cards/${cardId}/simulate/authorization`, { body })).toMatchObject({
      status: 202,
      body: { declineReason: "FUNDING_SOURCE_UNAVAILABLE" },
    })
  })
})
