/**
 * What a card network says, over HTTP: authorizations by suffix, clearings, expiry, returns, and what becomes of the money.
 * Spec: Card (fundingSources); wire contract 3.3, 3.5, 6.1, 7.1, 7.5 and 11 (46, 47); D-172 to D-176.
 */
import { CardTransactions, Issuer } from "@countersign/core"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import {
  activeCard,
  approved,
  authorizeCard,
  balancesOf,
  booksOfRole,
  cardHarness,
  fundAccount,
  issueCard,
  membersOf,
  patchCard,
  sayOf,
  textOf,
  toldOf,
  transaction,
  transactionOf,
} from "../harness/CardWorld.ts"

type Pay = Awaited<ReturnType<typeof cardHarness>>

/** A card on the one account, which holds 1000. */
const ready = async (options: Parameters<typeof cardHarness>[0] = {}, funds = 1000, more: object = {}) => {
  const pay = await cardHarness(options, funds)
  const cardId = await activeCard(pay, more)
  pay.inbox.clear()
  return Object.assign(pay, { cardId })
}

const balance = (pay: Pay) => balancesOf(pay, pay.accountId)
const clear = async (pay: Pay & { readonly cardId: string }, id: string, amount: number) => {
  const said = await sayOf(pay, pay.cardId, "clearing", { cardTransactionId: id, amount })
  await pay.settle()
  return said
}
const giveBack = (pay: Pay & { readonly cardId: string }, id: string, amount: number) =>
  sayOf(pay, pay.cardId, "return", { cardTransactionId: id, amount })

describe("an authorization", () => {
  it("holds its amount, which lowers the balance and not the total", async () => {
    await using pay = await ready()
    const said = await authorizeCard(pay, pay.cardId, 300)
    expect(said.status).toBe(202)
    expect(Object.keys(membersOf(said))).toEqual(["issuerTransactionToken"])
    expect(await balance(pay)).toEqual([700, 1000])
    const found = await transactionOf(pay, textOf(said, "issuerTransactionToken"))
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
    for (const later of ["settledAmount", "refundedAmount", "pullSummary", "settlementSummary", "lastEventAt"]) {
      expect(found).not.toHaveProperty(later)
    }
    await pay.settle()
    expect(pay.inbox.received.map(({ type }) => type).toSorted()).toEqual([
      "CARD_TRANSACTION.AUTHORIZED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ])
    expect(pay.inbox.ofType("CARD_TRANSACTION.AUTHORIZED")[0]?.data).toEqual(found)
  })

  it("is carried by the first source that covers the whole amount", async () => {
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
      const said = await say(amount)
      carriers.push((await transactionOf(pay, textOf(said, "issuerTransactionToken")))?.["accountId"])
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
  ])("at a merchant with suffix %s", async (suffix, declineReason, status) => {
    await using pay = await ready()
    const said = await authorizeCard(pay, pay.cardId, 300, { suffix })
    expect(said.status).toBe(202)
    expect(membersOf(said)["declineReason"]).toBe(declineReason)
    const found = await transactionOf(pay, textOf(said, "issuerTransactionToken"))
    if (status === undefined) {
      expect(found).toBeUndefined()
      await pay.settle()
      expect(pay.inbox.received).toEqual([])
      expect(await balance(pay)).toEqual([1000, 1000])
      return
    }
    const id = String(found?.["id"])
    await clear(pay, id, 300)
    expect(await transaction(pay, id)).toMatchObject({ status, settledAmount: { amount: 300 } })
    await pay.clock.advance("1 minute")
    const end = await transaction(pay, id)
    expect(end).toMatchObject({
      status: suffix === "006" ? "EXCEPTION" : "SETTLED",
      pullSummary: { count: 1, pendingCount: 0 },
    })
    // What could not be pulled stays held until somebody acts.
    expect(await balance(pay)).toEqual(suffix === "006" ? [700, 1000] : [700, 700])
    expect(toldOf(pay, id)).toEqual([
      "CARD_TRANSACTION.AUTHORIZED",
      suffix === "006" ? "CARD_TRANSACTION.EXCEPTION" : "CARD_TRANSACTION.SETTLED",
    ])
  })

  it("of a pull that is delayed shows it as pending", async () => {
    await using pay = await ready()
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

  it.each<[string, (pay: Pay & { readonly cardId: string }) => Promise<unknown>, string]>([
    ["a frozen card", (pay) => patchCard(pay, pay.cardId, { state: "FROZEN" }), "CARD_PAUSED"],
    ["a closed card", (pay) => patchCard(pay, pay.cardId, { state: "CLOSED" }), "CARD_CLOSED"],
    ["a limit below it", (pay) => patchCard(pay, pay.cardId, { maxSpendPerTransaction: 299 }), "SPEND_LIMIT_EXCEEDED"],
    ["money that is held already", (pay) => approved(pay, pay.cardId, 701), "INSUFFICIENT_FUNDS"],
  ])("on %s is declined and leaves nothing", async (_what, before, declineReason) => {
    await using pay = await ready()
    await before(pay)
    const already = membersOf(await pay.send("GET", "/transactions?type=CARD"))["totalCount"]
    expect(await authorizeCard(pay, pay.cardId, 300)).toMatchObject({ status: 202, body: { declineReason } })
    expect(membersOf(await pay.send("GET", "/transactions?type=CARD"))["totalCount"]).toBe(already)
  })

  it("of exactly the limit, and of exactly the balance, is approved", async () => {
    await using pay = await ready({}, 300, { maxSpendPerTransaction: 300 })
    expect(membersOf(await authorizeCard(pay, pay.cardId, 300))).not.toHaveProperty("declineReason")
    expect(await balance(pay)).toEqual([0, 300])
  })

  it("of a card that is not made yet is declined", async () => {
    await using pay = await ready()
    const id = textOf(await issueCard(pay, { platformCardId: "x-001" }), "id")
    expect(await authorizeCard(pay, id, 1)).toMatchObject({ body: { declineReason: "CARD_NOT_ACTIVE" } })
  })

  it("never spends the same money twice, however many come at once", async () => {
    await using pay = await ready({ interleave: 5 })
    const all = await Promise.all(Array.from({ length: 7 }, () => authorizeCard(pay, pay.cardId, 300)))
    const declined = all.filter((said) => membersOf(said)["declineReason"] === "INSUFFICIENT_FUNDS")
    expect([all.length - declined.length, await balance(pay)]).toEqual([3, [100, 1000]])
  })

  it("in another currency is refused, and so is what makes no sense", async () => {
    await using pay = await ready()
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
    const nobody = path.replace(/Card:.{4}/u, "Card:ffff")
    expect(await pay.send("POST", nobody, { body: { amount: 1, currency: "USD", merchant } })).toMatchObject({
      status: 404,
    })
  })

  it("that comes again under its token is the same one", async () => {
    await using pay = await ready()
    const asked = {
      cardId: pay.cardId,
      issuerTransactionToken: "txn_live",
      direction: "DEBIT" as const,
      amount: 300,
      currency: "USD" as const,
      merchant: { descriptor: "Shop" },
      isFinancial: false,
    }
    const authorize = () => pay.run(CardTransactions.use((network) => network.authorize(asked)))
    const [first, second] = await Promise.all([authorize(), authorize()])
    expect(second).toEqual(first)
    expect(await authorize()).toEqual(first)
    expect(await balance(pay)).toEqual([700, 1000])
  })
})

describe("a clearing", () => {
  it("of parts settles step by step, and expiry ends the rest", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 100)
    expect(await transaction(pay, id)).toMatchObject({ status: "PARTIALLY_SETTLED", settledAmount: { amount: 100 } })
    expect(await balance(pay)).toEqual([700, 900])
    await clear(pay, id, 50)
    await clear(pay, id, 0)
    expect(await transaction(pay, id)).toMatchObject({
      status: "SETTLED",
      settledAmount: { amount: 150 },
      settlementSummary: { count: 2, totalAmount: { amount: 150 } },
      pullSummary: { count: 2, totalAmount: { amount: 150 }, pendingCount: 0 },
    })
    expect(await balance(pay)).toEqual([850, 850])
    expect(toldOf(pay, id)).toEqual([
      "CARD_TRANSACTION.AUTHORIZED",
      "CARD_TRANSACTION.PARTIALLY_SETTLED",
      "CARD_TRANSACTION.SETTLED",
    ])
    expect(await clear(pay, id, 0)).toMatchObject({
      status: 400,
      body: { details: { reason: "AUTHORIZATION_NOT_OPEN" } },
    })
  })

  it("above the authorization pulls the rest a second time", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 350)
    expect(await transaction(pay, id)).toMatchObject({
      status: "SETTLED",
      authorizedAmount: { amount: 300 },
      settledAmount: { amount: 350 },
      pullSummary: { count: 2, totalAmount: { amount: 350 } },
      settlementSummary: { count: 1 },
    })
    expect(await balance(pay)).toEqual([650, 650])
    expect(toldOf(pay, id)).toEqual(["CARD_TRANSACTION.AUTHORIZED", "CARD_TRANSACTION.SETTLED"])
  })

  it("beyond what the account holds is owed, and a return pays that first", async () => {
    await using pay = await ready({}, 320)
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 350)
    expect(await transaction(pay, id)).toMatchObject({
      settledAmount: { amount: 350 },
      pullSummary: { totalAmount: { amount: 320 } },
    })
    expect([await balance(pay), await booksOfRole(pay, "receivable")]).toEqual([[0, 0], -30])
    expect(await giveBack(pay, id, 40)).toMatchObject({ status: 202 })
    expect([await balance(pay), await booksOfRole(pay, "receivable")]).toEqual([[10, 10], 0])
  })

  it("that comes late takes what is available", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 0)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 0 } })
    expect(await balance(pay)).toEqual([1000, 1000])
    await clear(pay, id, 300)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 300 } })
    expect(await balance(pay)).toEqual([700, 700])
  })

  it.each(["FROZEN", "CLOSED"])("goes on when the card is %s meanwhile, and so does a return", async (state) => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    await patchCard(pay, pay.cardId, { state })
    await clear(pay, id, 300)
    expect(await giveBack(pay, id, 300)).toMatchObject({ status: 202 })
    expect(await transaction(pay, id)).toMatchObject({ status: "REFUNDED" })
    expect(await balance(pay)).toEqual([1000, 1000])
    expect(membersOf(await authorizeCard(pay, pay.cardId, 1))["declineReason"]).toBe(
      state === "FROZEN" ? "CARD_PAUSED" : "CARD_CLOSED",
    )
  })

  it("of another card's transaction, or of none, is 404", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    const other = await activeCard(pay)
    for (const [card, cardTransactionId] of [
      [other, id],
      [pay.cardId, id.replace(/.{4}$/u, "0000")],
    ] as const) {
      expect(await sayOf(pay, card, "clearing", { cardTransactionId, amount: 1 })).toMatchObject({
        status: 404,
        body: { code: "TRANSACTION_NOT_FOUND" },
      })
    }
  })

  it("that the network sends twice is taken once", async () => {
    await using pay = await ready()
    const cardTransactionId = await approved(pay, pay.cardId, 300)
    const order = {
      cardId: pay.cardId,
      cardTransactionId,
      messageId: "m1",
      message: { _tag: "Clearing", amount: 100 },
    } as const
    const take = () => pay.run(CardTransactions.use((network) => network.take(order)))
    await Promise.all([take(), take()])
    await take()
    expect(await transaction(pay, cardTransactionId)).toMatchObject({ settledAmount: { amount: 100 } })
  })
})

describe("an authorization that nobody clears", () => {
  it("expires after seven days, and its hold is free again, once", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    await pay.clock.advance("6 days")
    expect(await balance(pay)).toEqual([700, 1000])
    await pay.clock.advance("1 day")
    expect(await balance(pay)).toEqual([1000, 1000])
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 0 } })
    await pay.clock.advance("8 days")
    expect([await balance(pay), await booksOfRole(pay, "held")]).toEqual([[1000, 1000], 0])
  })

  it("keeps its customer until then", async () => {
    await using pay = await ready({}, 300)
    const id = await approved(pay, pay.cardId, 300)
    const path = `/customers/${pay.customerId}`
    expect(await pay.send("DELETE", path)).toMatchObject({ status: 409, body: { details: { openTransactions: 1 } } })
    await clear(pay, id, 300)
    pay.inbox.clear()
    expect((await pay.send("DELETE", path)).status).toBe(200)
    await pay.settle()
    expect((await pay.send("GET", `/cards/${pay.cardId}`)).body).toMatchObject({
      state: "CLOSED",
      stateReason: "CLOSED_BY_SERVICE",
    })
    expect(toldOf(pay, pay.cardId)).toEqual(["CARD.STATE_CHANGE"])
    // What a merchant gives back now has no account to go to: it waits for a person.
    expect(await giveBack(pay, id, 100)).toMatchObject({ status: 202 })
    expect([await balance(pay), await booksOfRole(pay, "unapplied")]).toEqual([[0, 0], 100])
  })
})

describe("an authorization advice", () => {
  it("raises and lowers the hold of an open authorization, as far as the account goes", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    const advise = (amount: number) => sayOf(pay, pay.cardId, "authorization_advice", { cardTransactionId: id, amount })
    const seen: Array<unknown> = []
    for (const amount of [500, 200, 1200]) {
      expect((await advise(amount)).status).toBe(202)
      seen.push([(await transaction(pay, id))["authorizedAmount"], await balance(pay)])
    }
    expect(seen).toMatchObject([
      [{ amount: 500 }, [500, 1000]],
      [{ amount: 200 }, [800, 1000]],
      [{ amount: 1200 }, [0, 1000]],
    ])
    await clear(pay, id, 1200)
    expect([await balance(pay), await booksOfRole(pay, "receivable")]).toEqual([[0, 0], -200])
    expect(await advise(5)).toMatchObject({ status: 400, body: { details: { reason: "AUTHORIZATION_NOT_OPEN" } } })
  })

  it("down to what has cleared settles it", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 100)
    await sayOf(pay, pay.cardId, "authorization_advice", { cardTransactionId: id, amount: 100 })
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED" })
    expect(await balance(pay)).toEqual([900, 900])
  })
})

describe("a return", () => {
  it("of parts leaves the transaction SETTLED, of the whole REFUNDED, and its reversal SETTLED again", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300)
    expect(await giveBack(pay, id, 1)).toMatchObject({ status: 400, body: { details: { reason: "NOT_SETTLED" } } })
    await clear(pay, id, 300)
    await giveBack(pay, id, 100)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", refundedAmount: { amount: 100 } })
    expect(await giveBack(pay, id, 201)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "EXCEEDS_NET_SETTLED", netSettled: 200 } },
    })
    const reverse = () => sayOf(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    expect(await reverse()).toMatchObject({ status: 400, body: { details: { reason: "NOT_REFUNDED" } } })
    await giveBack(pay, id, 200)
    expect(await transaction(pay, id)).toMatchObject({
      status: "REFUNDED",
      refundSummary: { count: 2, totalAmount: { amount: 300 } },
    })
    expect(await balance(pay)).toEqual([1000, 1000])
    expect((await reverse()).status).toBe(202)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", refundedAmount: { amount: 100 } })
    expect(await balance(pay)).toEqual([800, 800])
    await pay.settle()
    expect(toldOf(pay, id).map((type) => type.split(".")[1])).toEqual(["AUTHORIZED", "SETTLED", "REFUNDED", "SETTLED"])
  })

  it("that is reversed when its money is spent is owed", async () => {
    await using pay = await ready({}, 300)
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 300)
    await giveBack(pay, id, 300)
    await approved(pay, pay.cardId, 250)
    await sayOf(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    expect([await balance(pay), await booksOfRole(pay, "receivable")]).toEqual([[0, 250], -250])
  })
})

describe("the other messages", () => {
  it.each<[string, number, string, ReadonlyArray<string>]>([
    ["financial_authorization", 700, "SETTLED", ["AUTHORIZED", "SETTLED"]],
    ["financial_credit_authorization", 1300, "SETTLED", ["AUTHORIZED", "SETTLED"]],
    ["credit_authorization", 1000, "AUTHORIZED", ["AUTHORIZED"]],
    ["credit_authorization_advice", 1000, "AUTHORIZED", ["AUTHORIZED"]],
  ])("%s", async (kind, total, status, events) => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300, { kind })
    await pay.settle()
    const direction = kind.includes("credit") ? "CREDIT" : "DEBIT"
    expect(await transaction(pay, id)).toMatchObject({ status, direction })
    expect(await balance(pay)).toEqual([total, total])
    expect(toldOf(pay, id).map((type) => type.split(".")[1])).toEqual(events)
    if (status === "SETTLED") return
    await clear(pay, id, 200)
    expect([await balance(pay), (await transaction(pay, id))["status"]]).toEqual([[1200, 1200], "PARTIALLY_SETTLED"])
    expect(await giveBack(pay, id, 1)).toMatchObject({ status: 400, body: { details: { reason: "NOT_A_PURCHASE" } } })
  })

  it("balance_inquiry authorizes nothing and holds nothing", async () => {
    await using pay = await ready()
    const said = await sayOf(pay, pay.cardId, "balance_inquiry", { merchant: { descriptor: "Till" } })
    expect(said.status).toBe(202)
    expect(await transactionOf(pay, textOf(said, "issuerTransactionToken"))).toMatchObject({
      status: "AUTHORIZED",
      authorizedAmount: { amount: 0 },
    })
    expect(await balance(pay)).toEqual([1000, 1000])
    expect(await sayOf(pay, pay.cardId, "balance_inquiry", { merchant: { descriptor: "Till 003" } })).toMatchObject({
      body: { declineReason: "CARD_PAUSED" },
    })
  })
})

describe("a transaction whose money did not come", () => {
  it("is settled when somebody acts, and takes nothing before", async () => {
    await using pay = await ready()
    const id = await approved(pay, pay.cardId, 300, { suffix: "006" })
    await clear(pay, id, 100)
    // The rest of the hold is free: nothing more clears by itself.
    expect(await balance(pay)).toEqual([900, 1000])
    expect(await clear(pay, id, 10)).toMatchObject({ status: 400, body: { details: { reason: "NOT_CLEARABLE" } } })
    const report = (said: "Done" | "Refused") =>
      pay.run(CardTransactions.use((network) => network.report(id, 0, { _tag: said })))
    await report("Refused")
    expect(await transaction(pay, id)).toMatchObject({ status: "EXCEPTION" })
    await report("Done")
    await report("Done")
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED" })
    expect(await balance(pay)).toEqual([900, 900])
  })
})

describe("an embedded wallet", () => {
  it("pays only by an active delegated key where the issuer needs one", async () => {
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

describe("GET /transactions", () => {
  it("lists what cards spent among the others, by the same filters", async () => {
    await using pay = await ready()
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
    expect(await pay.send("POST", `/transactions/${id}/cancel`)).toMatchObject({ status: 404 })
  })
})
