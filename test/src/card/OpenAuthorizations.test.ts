/**
 * Open card authorizations over HTTP: their expiry, their advices, and their clearing after the card's expiry.
 * Source: wire contract 3.3, 3.5, 7.5 and 11 (46, 47); D-172, D-175.
 */
import { describe, expect, it } from "vitest"
import {
  approved,
  authorizeCard,
  balanceOf,
  booksOfRole,
  clear,
  eventTypesOf,
  getCard,
  membersOf,
  readyCard,
  simulate,
  simulateReturn,
  transaction,
} from "./CardWorld.ts"

describe("uncleared authorization", () => {
  it("expires an uncleared authorization after seven days and releases its hold once", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    await pay.clock.advance("6 days")
    expect(await balanceOf(pay)).toEqual([700, 1000])
    await pay.clock.advance("1 day")
    expect(await balanceOf(pay)).toEqual([1000, 1000])
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 0 } })
    await pay.clock.advance("8 days")
    expect([await balanceOf(pay), await booksOfRole(pay, "held")]).toEqual([[1000, 1000], 0])
  })

  it("blocks the deletion of the customer until the authorization ends", async () => {
    await using pay = await readyCard({}, 300)
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
    expect(eventTypesOf(pay, pay.cardId)).toEqual(["CARD.STATE_CHANGE"])
    // A return for a closed account is set aside for the operator.
    expect(await simulateReturn(pay, id, 100)).toMatchObject({ status: 202 })
    expect([await balanceOf(pay), await booksOfRole(pay, "unapplied")]).toEqual([[0, 0], 100])
  })
})

describe("authorization advice", () => {
  it("raises and lowers the hold of an open authorization up to the available balance", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    const advise = (amount: number) =>
      simulate(pay, pay.cardId, "authorization_advice", { cardTransactionId: id, amount })
    const seen: Array<unknown> = []
    for (const amount of [500, 200, 1200]) {
      expect((await advise(amount)).status).toBe(202)
      seen.push([(await transaction(pay, id))["authorizedAmount"], await balanceOf(pay)])
    }
    expect(seen).toMatchObject([
      [{ amount: 500 }, [500, 1000]],
      [{ amount: 200 }, [800, 1000]],
      [{ amount: 1200 }, [0, 1000]],
    ])
    await clear(pay, id, 1200)
    expect([await balanceOf(pay), await booksOfRole(pay, "receivable")]).toEqual([[0, 0], -200])
    expect(await advise(5)).toMatchObject({ status: 400, body: { details: { reason: "AUTHORIZATION_NOT_OPEN" } } })
  })

  it("settles an authorization whose total is lowered to the cleared amount", async () => {
    await using pay = await readyCard()
    const id = await approved(pay, pay.cardId, 300)
    await clear(pay, id, 100)
    await simulate(pay, pay.cardId, "authorization_advice", { cardTransactionId: id, amount: 100 })
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED" })
    expect(await balanceOf(pay)).toEqual([900, 900])
  })
})

describe("expired card", () => {
  it("declines authorizations after the expiry month and still clears earlier ones", async () => {
    await using pay = await readyCard()
    const { expMonth, expYear } = (await getCard(pay, pay.cardId)).body as {
      readonly expMonth: number
      readonly expYear: number
    }
    const end = Date.UTC(expYear, expMonth)
    await pay.clock.advance(`${end - 1 - (await pay.clock.now())} millis`)
    const id = await approved(pay, pay.cardId, 100)
    await pay.clock.advance("1 millis")
    for (const kind of ["authorization", "financial_authorization", "credit_authorization"]) {
      expect(membersOf(await authorizeCard(pay, pay.cardId, 1, { kind }))["declineReason"]).toBe("CARD_EXPIRED")
    }
    await clear(pay, id, 100)
    expect(await transaction(pay, id)).toMatchObject({ status: "SETTLED", settledAmount: { amount: 100 } })
    expect((await getCard(pay, pay.cardId)).body).toMatchObject({ state: "ACTIVE" })
  })
})
