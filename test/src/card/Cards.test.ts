/**
 * Cards over HTTP: issue, provisioning by magic suffix, and lists.
 * Spec: 4.4, States: Card, Events, Errors; wire contract 3.1, 3.2, 6.1 and 7.5; D-171, D-180, D-181.
 */
import { Issuer } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import {
  accountsIn,
  activeCard,
  cardHarness,
  eventTypesOf,
  getCard,
  issueBody,
  issueCard,
  membersOf,
  patchCard,
  textOf,
} from "./CardWorld.ts"

describe("POST /cards", () => {
  // Proves: RES-CARD-02, RES-CARD-03, RES-CARD-08, RES-CARD-12, EVT-04, EVT-07
  // Proves: STATE-CARD-01, STATE-CARD-05, STATE-CARD-06, EP-CARD-01, EP-CARD-04
  it("issues a card in PROCESSING, which the issuer then provisions", async () => {
    await using pay = await cardHarness()
    const issued = await issueCard(pay, { platformCardId: "card-1000", maxSpendPerTransaction: 5000 })
    expect(issued).toMatchObject({
      status: 201,
      body: {
        cardholderId: pay.customerId,
        platformCardId: "card-1000",
        state: "PROCESSING",
        form: "VIRTUAL",
        fundingSources: [pay.accountId],
        maxSpendPerTransaction: 5000,
        currency: "USD",
      },
    })
    for (const later of ["last4", "expMonth", "expYear", "brand", "stateReason"]) {
      expect(issued.body).not.toHaveProperty(later)
    }
    await pay.settle()
    const id = textOf(issued, "id")
    const active = await getCard(pay, id)
    expect(active).toMatchObject({ status: 200, body: { state: "ACTIVE", brand: "VISA", expMonth: 11, expYear: 2029 } })
    expect(textOf(active, "last4")).toMatch(/^\d{4}$/u)
    expect(eventTypesOf(pay, id)).toEqual(["CARD.STATE_CHANGE"])
    expect(pay.inbox.ofType("CARD.STATE_CHANGE")[0]?.data).toEqual(active.body)
  })

  // Proves: EP-CARD-05
  it("generates a platformCardId if the request has none, and shows no limit as null", async () => {
    await using pay = await cardHarness()
    const issued = await issueCard(pay)
    expect(issued.body).toMatchObject({ maxSpendPerTransaction: null })
    expect(textOf(issued, "platformCardId")).not.toBe("undefined")
    const again = await issueCard(pay)
    expect(textOf(again, "platformCardId")).not.toBe(textOf(issued, "platformCardId"))
  })

  // Proves: RES-CARD-11, EVT-05
  // Proves: STATE-CARD-05, STATE-CARD-07, STATE-CARD-08, STATE-CARD-10
  it.each<[string, string, string, ReadonlyArray<string>]>([
    ["000", "ACTIVE", "ACTIVE", ["CARD.STATE_CHANGE"]],
    ["001", "PROCESSING", "PROCESSING", []],
    ["002", "CLOSED", "CLOSED", ["CARD.STATE_CHANGE"]],
    ["005", "PROCESSING", "ACTIVE", ["CARD.STATE_CHANGE"]],
  ])("provisions a card with suffix %s: %s at first, %s after a minute", async (suffix, first, last, events) => {
    await using pay = await cardHarness()
    const id = textOf(await issueCard(pay, { platformCardId: `card-${suffix}` }), "id")
    await pay.settle()
    expect((await getCard(pay, id)).body).toMatchObject({ state: first })
    await pay.clock.advance("29 seconds")
    expect((await getCard(pay, id)).body).toMatchObject({ state: first })
    await pay.clock.advance("31 seconds")
    const card = (await getCard(pay, id)).body
    expect(card).toMatchObject({ state: last })
    expect(eventTypesOf(pay, id)).toEqual(events)
    if (suffix === "002") {
      expect(card).toMatchObject({ stateReason: "ISSUER_REJECTED" })
      expect(card).not.toHaveProperty("last4")
      expect(await issueCard(pay, { platformCardId: "card-002" })).toMatchObject({
        status: 409,
        body: { code: "CONFLICT" },
      })
    }
  })

  // Proves: ERR-CARDHOLDER_KYC_NOT_APPROVED, ERR-USER_NOT_FOUND
  // Proves: STATE-CARD-02, EP-CARD-03
  it("refuses a cardholder that is not approved, is a business or does not exist", async () => {
    await using pay = await cardHarness()
    const pending = await newPerson(pay, { fullName: "Ada 001" })
    const business = await pay.send("POST", "/customers", {
      body: {
        customerType: "BUSINESS",
        businessInfo: { legalName: "x", country: "US", taxId: "123456789", incorporatedOn: "2014-03-01" },
      },
    })
    for (const [cardholderId, details] of [
      [pending, { kycStatus: "PENDING" }],
      [textOf(business, "id"), { customerType: "BUSINESS" }],
    ] as const) {
      const fundingSources = await accountsIn(pay, cardholderId, "USD")
      expect(await issueCard(pay, { cardholderId, fundingSources })).toMatchObject({
        status: 400,
        body: { code: "CARDHOLDER_KYC_NOT_APPROVED", details },
      })
    }
    const unknown = pay.customerId.replace(/.{4}$/u, "0000")
    expect(await issueCard(pay, { cardholderId: unknown })).toMatchObject({
      status: 404,
      body: { code: "USER_NOT_FOUND" },
    })
  })

  // Proves: RES-CARD-09, LIM-10, ERR-FUNDING_SOURCE_INELIGIBLE
  // Proves: STATE-CARD-03, EP-CARD-09, EP-CARD-10, EP-CARD-11
  it("lists every ineligible funding source with its reason", async () => {
    await using pay = await cardHarness()
    const other = await addCustomer(pay)
    const [eur = ""] = await accountsIn(pay, pay.customerId, "EUR")
    const [usdb = ""] = await accountsIn(pay, pay.customerId, "USDB")
    const unknown = pay.accountId.replace(/.{4}$/u, "0000")
    const fundingSources = [pay.accountId, other.accountId, eur, usdb, unknown]
    expect(await issueCard(pay, { fundingSources })).toMatchObject({
      status: 400,
      body: {
        code: "FUNDING_SOURCE_INELIGIBLE",
        details: {
          fundingSources: [
            { accountId: other.accountId, reason: "NOT_OF_CARDHOLDER" },
            { accountId: eur, reason: "CURRENCY_NOT_ELIGIBLE" },
            { accountId: usdb, reason: "CURRENCY_DIFFERS" },
            { accountId: unknown, reason: "UNKNOWN" },
          ],
        },
      },
    })
    expect((await pay.send("GET", "/cards")).body).toMatchObject({ totalCount: 0 })
  })

  it.each(["002", "003"])("refuses an invented funding source whose id ends in %s", async (suffix) => {
    await using pay = await cardHarness()
    const fundingSources = [`InternalAccount:00000000-0000-4000-8000-000000000${suffix}`]
    const ineligible = { status: 400, body: { code: "FUNDING_SOURCE_INELIGIBLE" } }
    expect(await issueCard(pay, { fundingSources })).toMatchObject(ineligible)
    expect(await patchCard(pay, await activeCard(pay), { fundingSources })).toMatchObject(ineligible)
  })

  it("treats the end of an account's id as a magic suffix only if that is switched on", async () => {
    const on = SandboxIssuer.layer.pipe(Layer.provide(Layer.succeed(SandboxIssuer.FundingSourceSuffixesOn, true)))
    const admitted = (issuer: Layer.Layer<Issuer>) =>
      Effect.runPromise(
        Issuer.use((port) =>
          Effect.forEach(["002", "003", "004"], (suffix) => port.admits(`InternalAccount:0-${suffix}`)),
        ).pipe(Effect.provide(issuer)),
      )
    expect(await admitted(SandboxIssuer.layer)).toEqual([true, true, true])
    expect(await admitted(on)).toEqual([false, false, true])
    const refusing = Layer.effect(
      Issuer,
      Effect.map(Issuer, (sandbox) => ({ ...sandbox, admits: () => Effect.succeed(false) })),
    ).pipe(Layer.provide(SandboxIssuer.layer))
    await using pay = await cardHarness({ ports: Layer.merge(Sandbox.layer, refusing) })
    expect(await issueCard(pay)).toMatchObject({
      status: 400,
      body: { details: { fundingSources: [{ accountId: pay.accountId, reason: "ISSUER_REFUSES" }] } },
    })
  })

  // Proves: RES-CARD-05
  // Proves: EP-CARD-07
  it("reports all problems of a body at once", async () => {
    await using pay = await cardHarness()
    const { body, status } = await pay.send("POST", "/cards", {
      body: { cardholderId: "x", form: "PHYSICAL", fundingSources: [], maxSpendPerTransaction: 0 },
    })
    expect(status).toBe(400)
    const { details } = body as { readonly details: { readonly errors: ReadonlyArray<{ readonly field: string }> } }
    expect(details.errors.map(({ field }) => field).toSorted()).toEqual([
      "cardholderId",
      "form",
      "fundingSources",
      "maxSpendPerTransaction",
    ])
    const twice = { fundingSources: [pay.accountId, pay.accountId] }
    expect(await issueCard(pay, twice)).toMatchObject({
      body: { details: { errors: [{ field: "fundingSources.1" }] } },
    })
    expect(await issueCard(pay, { threeDSecurePassword: "AbCd1234EfGh5678" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "threeDSecurePassword" }] } },
    })
  })

  // Proves: EP-CARD-02, EP-CARD-06, EP-CARD-08
  it("requires a cardholder, a form and funding sources only", async () => {
    await using pay = await cardHarness()
    const { body, status } = await pay.send("POST", "/cards", { body: {} })
    const { details } = body as { readonly details: { readonly errors: ReadonlyArray<{ readonly field: string }> } }
    expect([status, details.errors.map(({ field }) => field).toSorted()]).toEqual([
      400,
      ["cardholderId", "form", "fundingSources"],
    ])
  })

  it("gives a platformCardId to one card only in concurrent requests", async () => {
    await using pay = await cardHarness({ interleave: 7 })
    const all = await Promise.all(Array.from({ length: 5 }, () => issueCard(pay, { platformCardId: "card-one" })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
    expect(all.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "CONFLICT",
      details: { reason: "PLATFORM_CARD_ID_IN_USE" },
    })
  })
})

describe("GET /cards", () => {
  // Proves: EP-CARD-12, EP-CARD-14, EP-CARD-15, EP-CARD-16
  it("filters cards by each parameter and returns pages", async () => {
    await using pay = await cardHarness()
    const [usdb = ""] = await accountsIn(pay, pay.customerId, "USDB")
    const first = await activeCard(pay, { platformCardId: "first-000" })
    await pay.clock.advance("1 second")
    const second = await activeCard(pay, { platformCardId: "second-000", fundingSources: [usdb] })
    await pay.clock.advance("1 second")
    const third = textOf(await issueCard(pay, { platformCardId: "third-001" }), "id")
    await patchCard(pay, first, { state: "FROZEN" })
    const ids = async (query: string) =>
      (membersOf(await pay.send("GET", `/cards${query}`))["data"] as ReadonlyArray<{ readonly id: string }>).map(
        ({ id }) => id,
      )
    expect(await ids("")).toEqual([third, second, first])
    expect(await ids("?sortOrder=asc")).toEqual([first, second, third])
    expect(await ids("?state=FROZEN")).toEqual([first])
    expect(await ids("?state=PENDING_KYC")).toEqual([])
    expect(await ids("?platformCardId=second-000")).toEqual([second])
    expect(await ids(`?accountId=${usdb}`)).toEqual([second])
    expect(await ids(`?cardholderId=${pay.customerId}&state=PROCESSING`)).toEqual([third])
    const page = membersOf(await pay.send("GET", "/cards?limit=2"))
    expect(page).toMatchObject({ hasMore: true, totalCount: 3 })
    expect(await ids(`?limit=2&cursor=${page["nextCursor"]}`)).toEqual([first])
    for (const query of ["?state=OPEN", "?limit=0", "?cardholderId=x", `?state=ACTIVE&cursor=${page["nextCursor"]}`]) {
      expect(await pay.send("GET", `/cards${query}`)).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    }
  })

  // Proves: EP-CARD-13
  it("lists the cards of one cardholder", async () => {
    await using pay = await cardHarness()
    const other = await addCustomer(pay)
    const own = textOf(await issueCard(pay), "id")
    const issued = await issueCard(pay, { cardholderId: other.customerId, fundingSources: [other.accountId] })
    for (const [cardholderId, id] of [
      [pay.customerId, own],
      [other.customerId, textOf(issued, "id")],
    ]) {
      const page = membersOf(await pay.send("GET", `/cards?cardholderId=${cardholderId}`))
      expect(page).toMatchObject({ data: [{ id, cardholderId }], totalCount: 1 })
    }
  })

  it("answers 404 for an unknown card and for an invalid id", async () => {
    await using pay = await cardHarness()
    for (const id of ["Card:00000000-0000-7000-8000-000000000000", "x"]) {
      expect(await getCard(pay, id)).toMatchObject({
        status: 404,
        body: { code: "REFERENCE_NOT_FOUND", message: "No such card." },
      })
      expect(await patchCard(pay, id, { state: "FROZEN" })).toMatchObject({ status: 404 })
      expect(await pay.send("POST", `/cards/${id}/reveal`)).toMatchObject({ status: 404 })
    }
  })
})

describe("card permissions", () => {
  it("requires the permission of each card call", async () => {
    await using pay = await cardHarness()
    const id = await activeCard(pay)
    const made = await pay.send("POST", "/tokens", { body: { name: "Reader", permissions: ["VIEW"] } })
    const headers = {
      authorization: `Basic ${btoa(`${textOf(made, "clientId")}:${textOf(made, "clientSecret")}`)}`,
      "content-type": "application/json",
    }
    const asReader = (method: string, path: string, body?: object) =>
      pay.send(method, path, { as: "nobody", headers, ...(body === undefined ? {} : { body }) })
    expect((await asReader("GET", `/cards/${id}`)).status).toBe(200)
    expect((await asReader("PATCH", `/cards/${id}`, { state: "FROZEN" })).status).toBe(403)
    expect((await asReader("POST", `/cards/${id}/reveal`)).status).toBe(403)
    expect((await asReader("POST", "/cards", issueBody(pay))).status).toBe(403)
    expect((await pay.send("GET", "/cards", { as: "nobody" })).status).toBe(401)
  })
})
