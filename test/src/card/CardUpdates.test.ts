/**
 * Cards changed over HTTP: frozen, unfrozen, closed, and funded anew.
 * Spec: 4.4, States: Card, Events, Errors; wire contract 3.3 and 6.1; D-170, D-171.
 */
import { describe, expect, it } from "vitest"
import {
  accountsIn,
  activeCard,
  cardHarness,
  getCard,
  issueCard,
  patchCard,
  textOf,
  toldOf,
} from "../harness/CardWorld.ts"

describe("PATCH /cards/{id}", () => {
  it("freezes, unfreezes and closes, each told once", async () => {
    await using pay = await cardHarness()
    const id = await activeCard(pay)
    pay.inbox.clear()
    for (const state of ["FROZEN", "ACTIVE", "FROZEN", "CLOSED"]) {
      expect(await patchCard(pay, id, { state })).toMatchObject({ status: 200, body: { state } })
    }
    await pay.settle()
    expect((await getCard(pay, id)).body).toMatchObject({
      stateReason: "CLOSED_BY_PLATFORM",
      fundingSources: [pay.accountId],
    })
    expect(pay.inbox.ofType("CARD.STATE_CHANGE").map(({ data }) => data["state"])).toEqual([
      "FROZEN",
      "ACTIVE",
      "FROZEN",
      "CLOSED",
    ])
  })

  it.each<[string, object, string]>([
    ["ACTIVE", { state: "ACTIVE" }, "INVALID_STATE_TRANSITION"],
    ["FROZEN", { state: "FROZEN" }, "INVALID_STATE_TRANSITION"],
    ["CLOSED", { state: "CLOSED" }, "CARD_ALREADY_CLOSED"],
    ["CLOSED", { state: "ACTIVE" }, "CARD_NOT_MUTABLE"],
    ["CLOSED", { maxSpendPerTransaction: 5 }, "CARD_NOT_MUTABLE"],
    ["PROCESSING", { state: "FROZEN" }, "INVALID_STATE_TRANSITION"],
    ["PROCESSING", { state: "CLOSED" }, "INVALID_STATE_TRANSITION"],
  ])("of a card in %s with %j answers 409 %s", async (state, body, code) => {
    await using pay = await cardHarness()
    const id =
      state === "PROCESSING" ? textOf(await issueCard(pay, { platformCardId: "x-001" }), "id") : await activeCard(pay)
    if (state === "FROZEN" || state === "CLOSED") await patchCard(pay, id, { state })
    const before = (await getCard(pay, id)).body
    expect(await patchCard(pay, id, body)).toMatchObject({ status: 409, body: { code } })
    expect((await getCard(pay, id)).body).toEqual(before)
  })

  it.each<[object, string]>([
    [{}, "body"],
    [{ state: "PROCESSING" }, "state"],
    [{ state: "CLOSED", maxSpendPerTransaction: 5 }, "maxSpendPerTransaction"],
    [{ state: "CLOSED", fundingSources: ["InternalAccount:00000000-0000-7000-8000-000000000000"] }, "fundingSources"],
    [{ fundingSources: [] }, "fundingSources"],
    [{ maxSpendPerTransaction: 0 }, "maxSpendPerTransaction"],
    [{ maxSpendPerTransaction: "5" }, "maxSpendPerTransaction"],
  ])("with %j answers 400 on %s", async (body, field) => {
    await using pay = await cardHarness()
    const id = await activeCard(pay)
    expect(await patchCard(pay, id, body)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field }] } },
    })
  })

  it("replaces the funding sources, and keeps them when one is of another currency", async () => {
    await using pay = await cardHarness()
    const [crypto = "", wallet = ""] = await accountsIn(pay, pay.customerId, "USDB")
    const id = await activeCard(pay, { fundingSources: [crypto, wallet] })
    pay.inbox.clear()
    expect(await patchCard(pay, id, { fundingSources: [pay.accountId] })).toMatchObject({
      status: 400,
      body: {
        code: "FUNDING_SOURCE_INELIGIBLE",
        details: { fundingSources: [{ accountId: pay.accountId, reason: "CURRENCY_DIFFERS" }] },
      },
    })
    expect((await getCard(pay, id)).body).toMatchObject({ fundingSources: [crypto, wallet] })
    const replaced = await patchCard(pay, id, {
      fundingSources: [wallet, crypto],
      maxSpendPerTransaction: 7,
      state: "FROZEN",
    })
    expect(replaced).toMatchObject({
      status: 200,
      body: { fundingSources: [wallet, crypto], maxSpendPerTransaction: 7, state: "FROZEN" },
    })
    // The same again is no change of the sources.
    expect(await patchCard(pay, id, { fundingSources: [wallet, crypto], maxSpendPerTransaction: null })).toMatchObject({
      status: 200,
      body: { maxSpendPerTransaction: null },
    })
    await pay.settle()
    expect(toldOf(pay, id)).toEqual(["CARD.FUNDING_SOURCE_CHANGE", "CARD.STATE_CHANGE"])
    expect(pay.inbox.ofType("CARD.FUNDING_SOURCE_CHANGE")[0]?.data).toEqual(replaced.body)
  })
})
