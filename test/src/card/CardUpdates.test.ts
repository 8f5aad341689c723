/**
 * Card updates over HTTP: freeze, unfreeze, close, and the replacement of funding sources.
 * Spec: 4.4, States: Card, Events, Errors; wire contract 3.3, 4.7, 4.8 and 6.1; D-170, D-171, D-260.
 */

import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { contacts, newWallet, signIn, signing } from "../wallet/People.ts"
import {
  accountsIn,
  activeCard,
  cardHarness,
  eventTypesOf,
  getCard,
  issueCard,
  patchCard,
  textOf,
} from "./CardWorld.ts"

describe("PATCH /cards/{id}", () => {
  // Proves: EVT-06
  // Proves: STATE-CARD-11, STATE-CARD-12, EP-CARD-17
  it("freezes, unfreezes and closes a card with one event each", async () => {
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

  // Proves: STATE-CARD-13, STATE-CARD-14, EP-CARD-17
  it("closes an ACTIVE card, after which no update is accepted", async () => {
    await using pay = await cardHarness()
    const id = await activeCard(pay)
    const closed = await patchCard(pay, id, { state: "CLOSED" })
    expect(closed).toMatchObject({ status: 200, body: { id, state: "CLOSED" } })
    for (const body of [
      { state: "ACTIVE" },
      { state: "FROZEN" },
      { state: "CLOSED" },
      { fundingSources: [pay.accountId] },
    ]) {
      expect((await patchCard(pay, id, body)).status).toBe(409)
    }
    expect((await getCard(pay, id)).body).toEqual(closed.body)
    await pay.settle()
    expect(pay.inbox.ofType("CARD.STATE_CHANGE").map(({ data }) => data["state"])).toEqual(["ACTIVE", "CLOSED"])
  })

  // Proves: STATE-CARD-14
  it.each<[string, object, string]>([
    ["ACTIVE", { state: "ACTIVE" }, "INVALID_STATE_TRANSITION"],
    ["FROZEN", { state: "FROZEN" }, "INVALID_STATE_TRANSITION"],
    ["CLOSED", { state: "CLOSED" }, "CARD_ALREADY_CLOSED"],
    ["CLOSED", { state: "ACTIVE" }, "CARD_NOT_MUTABLE"],
    ["CLOSED", { maxSpendPerTransaction: 5 }, "CARD_NOT_MUTABLE"],
    ["PROCESSING", { state: "FROZEN" }, "INVALID_STATE_TRANSITION"],
    ["PROCESSING", { state: "CLOSED" }, "INVALID_STATE_TRANSITION"],
  ])("refuses, for a card in %s, the update %j with 409 %s", async (state, body, code) => {
    await using pay = await cardHarness()
    const id =
      state === "PROCESSING" ? textOf(await issueCard(pay, { platformCardId: "x-001" }), "id") : await activeCard(pay)
    if (state === "FROZEN" || state === "CLOSED") await patchCard(pay, id, { state })
    const before = (await getCard(pay, id)).body
    expect(await patchCard(pay, id, body)).toMatchObject({ status: 409, body: { code } })
    expect((await getCard(pay, id)).body).toEqual(before)
  })

  // Proves: STATE-CARD-09, STATE-CARD-10
  it("accepts no update of a card that the issuer refused, and keeps its platformCardId taken", async () => {
    await using pay = await cardHarness()
    const id = textOf(await issueCard(pay, { platformCardId: "card-002" }), "id")
    await pay.settle()
    const before = (await getCard(pay, id)).body
    expect(before).toMatchObject({ state: "CLOSED", stateReason: "ISSUER_REJECTED" })
    for (const state of ["ACTIVE", "FROZEN", "CLOSED"]) {
      expect((await patchCard(pay, id, { state })).status).toBe(409)
    }
    expect((await getCard(pay, id)).body).toEqual(before)
    expect(await issueCard(pay, { platformCardId: "card-002" })).toMatchObject({
      status: 409,
      body: { details: { reason: "PLATFORM_CARD_ID_IN_USE" } },
    })
    expect(await issueCard(pay, { platformCardId: "card-003" })).toMatchObject({ status: 201 })
  })

  it.each<[object, string]>([
    [{}, "body"],
    [{ state: "PROCESSING" }, "state"],
    [{ state: "CLOSED", maxSpendPerTransaction: 5 }, "maxSpendPerTransaction"],
    [{ state: "CLOSED", fundingSources: ["InternalAccount:00000000-0000-7000-8000-000000000000"] }, "fundingSources"],
    [{ fundingSources: [] }, "fundingSources"],
    [{ maxSpendPerTransaction: 0 }, "maxSpendPerTransaction"],
    [{ maxSpendPerTransaction: "5" }, "maxSpendPerTransaction"],
  ])("refuses the update %j with 400 on %s", async (body, field) => {
    await using pay = await cardHarness()
    const id = await activeCard(pay)
    expect(await patchCard(pay, id, body)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field }] } },
    })
  })

  // Proves: RES-CARD-09, LIM-10
  // Proves: EP-CARD-08, EP-CARD-10, EP-CARD-18
  it("replaces the funding sources, and keeps them if a new one has another currency", async () => {
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
    // Replacing the sources by the same ones emits no event.
    expect(await patchCard(pay, id, { fundingSources: [wallet, crypto], maxSpendPerTransaction: null })).toMatchObject({
      status: 200,
      body: { maxSpendPerTransaction: null },
    })
    await pay.settle()
    expect(eventTypesOf(pay, id)).toEqual(["CARD.FUNDING_SOURCE_CHANGE", "CARD.STATE_CHANGE"])
    expect(pay.inbox.ofType("CARD.FUNDING_SOURCE_CHANGE")[0]?.data).toEqual(replaced.body)
  })
})

const path = "/auth/credentials"
/** A card of a customer with an embedded wallet, and the customer's other account of the card's currency. */
const walletCard = async (options: Parameters<typeof harness>[0] = {}, contact: object = contacts) => {
  const pay = await harness(options)
  const wallet = await newWallet(pay, contact)
  const all = await accountsIn(pay, wallet.customerId, "USDB")
  const other = all.find((id) => id !== wallet.accountId) ?? ""
  const issue = { cardholderId: wallet.customerId, form: "VIRTUAL", fundingSources: [wallet.accountId] }
  const cardId = textOf(await pay.send("POST", "/cards", { body: issue }), "id")
  await pay.settle()
  pay.inbox.clear()
  return Object.assign(pay, { wallet, other, cardId })
}

describe("replacement of funding sources", () => {
  // Proves: EP-CARD-18, EP-CARD-19
  it.each(serviceNames)(
    "replaces funding sources and applies the rest of the update once a session of the cardholder has signed, at the service %s",
    async (serviceName) => {
      await using pay = await walletCard({ serviceName })
      const { accountId, emailId } = pay.wallet
      const session = await signIn(pay, emailId)
      const before = (await getCard(pay, pay.cardId)).body
      const body = { fundingSources: [pay.other, accountId], state: "FROZEN", maxSpendPerTransaction: 70 }
      const first = await patchCard(pay, pay.cardId, body)
      expect(first.status).toBe(202)
      expect(JSON.parse(textOf(first, "payloadToSign"))).toEqual({
        organizationId: pay.other,
        parameters: {
          encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
          hashFunction: "HASH_FUNCTION_NO_OP",
          payload: createHash("sha256")
            .update(`{"fundingSources":["${pay.other}","${accountId}"],"maxSpendPerTransaction":70,"state":"FROZEN"}`)
            .digest("hex"),
          signWith: pay.cardId,
        },
        timestampMs: String(await pay.clock.now()),
        type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
      })
      // The first call changes nothing and emits no event.
      expect((await getCard(pay, pay.cardId)).body).toEqual(before)
      const headers = await signing(first, session.key)
      const done = await pay.send("PATCH", `/cards/${pay.cardId}`, { body, headers })
      expect(done).toMatchObject({ status: 200, body })
      await pay.settle()
      expect(eventTypesOf(pay, pay.cardId)).toEqual(["CARD.FUNDING_SOURCE_CHANGE", "CARD.STATE_CHANGE"])
      expect(pay.inbox.ofType("CARD.FUNDING_SOURCE_CHANGE")[0]?.data).toEqual(done.body)
    },
  )

  it("changes state and limit without a signature", async () => {
    await using pay = await walletCard()
    for (const body of [
      { state: "FROZEN" },
      { maxSpendPerTransaction: 5 },
      { state: "ACTIVE", maxSpendPerTransaction: null },
    ]) {
      expect(await patchCard(pay, pay.cardId, body)).toMatchObject({ status: 200, body })
    }
    const closing = { state: "CLOSED", fundingSources: [pay.other] }
    expect(await patchCard(pay, pay.cardId, closing)).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })

  it("refuses a funding source of another currency at the first call and at the retry", async () => {
    await using pay = await walletCard()
    const session = await signIn(pay, pay.wallet.emailId)
    const [usd = ""] = await accountsIn(pay, pay.wallet.customerId, "USD")
    const refusal = {
      status: 400,
      body: {
        code: "FUNDING_SOURCE_INELIGIBLE",
        details: { fundingSources: [{ accountId: usd, reason: "CURRENCY_DIFFERS" }] },
      },
    }
    const before = (await getCard(pay, pay.cardId)).body
    const body = { fundingSources: [usd], state: "FROZEN" }
    expect(await patchCard(pay, pay.cardId, body)).toMatchObject(refusal)
    const other = await patchCard(pay, pay.cardId, { fundingSources: [pay.other] })
    const headers = await signing(other, session.key)
    // The signature is of another body.
    expect((await pay.send("PATCH", `/cards/${pay.cardId}`, { body, headers })).status).toBe(401)
    expect((await getCard(pay, pay.cardId)).body).toEqual(before)
  })

  it("refuses a signed replacement for a card that was closed meanwhile", async () => {
    await using pay = await walletCard()
    const session = await signIn(pay, pay.wallet.emailId)
    const body = { fundingSources: [pay.other] }
    const first = await patchCard(pay, pay.cardId, body)
    await patchCard(pay, pay.cardId, { state: "CLOSED" })
    const headers = await signing(first, session.key)
    const closed = { status: 409, body: { code: "CARD_NOT_MUTABLE" } }
    expect(await pay.send("PATCH", `/cards/${pay.cardId}`, { body, headers })).toMatchObject(closed)
    expect((await getCard(pay, pay.cardId)).body).toMatchObject({ fundingSources: [pay.wallet.accountId] })
  })

  it("refuses the signature of another card's replacement", async () => {
    await using pay = await walletCard()
    const session = await signIn(pay, pay.wallet.emailId)
    const issue = { cardholderId: pay.wallet.customerId, form: "VIRTUAL", fundingSources: [pay.wallet.accountId] }
    const second = textOf(await pay.send("POST", "/cards", { body: issue }), "id")
    const body = { fundingSources: [pay.other] }
    const headers = await signing(await patchCard(pay, pay.cardId, body), session.key)
    // Body and time are the same, but the payload names the card.
    const otherRequest = { ...headers, "request-id": textOf(await patchCard(pay, second, body), "requestId") }
    const send = (sent: typeof headers) => pay.send("PATCH", `/cards/${second}`, { body, headers: sent })
    expect(await send(headers)).toMatchObject({ status: 401, body: { code: "WALLET_SIGNATURE_BODY_MISMATCH" } })
    expect(await send(otherRequest)).toMatchObject({ status: 401, body: { code: "WALLET_SIGNATURE_INVALID" } })
  })

  it("replaces without a signature while no credential exists, and asks for one if a credential is added before the commit", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await walletCard({ failPoints }, {})
    const { accountId, customerId } = pay.wallet
    const email = { customerType: "INDIVIDUAL", email: "ada@example.com" }
    await pay.send("PATCH", `/customers/${customerId}`, { body: email })
    const register = () => pay.send("POST", path, { body: { type: "EMAIL_OTP", accountId } })
    expect(await patchCard(pay, pay.cardId, { fundingSources: [pay.other] })).toMatchObject({ status: 200 })
    during(["operation.decided", register])
    expect((await patchCard(pay, pay.cardId, { fundingSources: [accountId] })).status).toBe(202)
    expect(allRan()).toBe(true)
    expect((await getCard(pay, pay.cardId)).body).toMatchObject({ fundingSources: [pay.other] })
  })
})
