/**
 * Invitations over HTTP: their states, their errors, and what other platforms see.
 * Source: wire contract areas 1.4.
 */
import { InvitationBaseUrl } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, textAt } from "../account/ExternalAccountRequests.ts"
import { codeOf, invitationWorld, invitee, inviter, reasonOf } from "./InvitationWorld.ts"

const unknown = { status: 404, body: { code: "INVITATION_NOT_FOUND" } }

describe("a new invitation", () => {
  it("has exactly the fields of the request, a code, a link and the customer's first currency", async () => {
    await using pay = await invitationWorld({ startsAt: "2026-11-21T12:00:00Z" })
    const reply = await pay.own("POST", "/invitations", {
      inviterUma: inviter,
      firstName: "Alice",
      amountToSend: 12_550,
      expiresAt: "2026-11-22T12:00:00Z",
    })
    const code = codeOf(reply)
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{12}$/u)
    const expected = {
      code,
      createdAt: textAt(reply, "createdAt"),
      url: `https://invite.sandbox.example/i/${code}`,
      expiresAt: "2026-11-22T12:00:00Z",
      inviterUma: inviter,
      status: "PENDING",
      firstName: "Alice",
      amountToSend: { amount: 12_550, currency: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 } },
    }
    expect(reply).toMatchObject({ status: 201 })
    expect(reply.body).toEqual(expected)
    expect(await pay.own("GET", `/invitations/${code}`)).toMatchObject({ status: 200 })
    expect((await pay.own("GET", `/invitations/${code}`)).body).toEqual(expected)
    expect((await pay.other("GET", `/invitations/${code}`)).body).toEqual(expected)
    await pay.settle()
    expect(pay.inbox.ofType("INVITATION.CLAIMED")).toEqual([])
  })

  it("needs no more than the inviter, and has a code of its own", async () => {
    await using pay = await invitationWorld()
    const codes = await Promise.all(Array.from({ length: 20 }, () => pay.invite()))
    expect(new Set(codes).size).toBe(20)
    const { body } = await pay.own("GET", `/invitations/${codes[0]}`)
    expect(Object.keys(body as object).toSorted()).toEqual(["code", "createdAt", "inviterUma", "status", "url"])
  })

  it("announces an amount in the platform's first currency if the customer has none", async () => {
    await using pay = await invitationWorld({}, { currencies: [] })
    const first = at((await pay.own("GET", "/config")).body, "supportedCurrencies", 0, "currencyCode")
    const code = await pay.invite({ amountToSend: 1 })
    expect(at((await pay.own("GET", `/invitations/${code}`)).body, "amountToSend")).toMatchObject({
      amount: 1,
      currency: { code: first },
    })
    await pay.own("PATCH", "/config", { supportedCurrencies: [] })
    expect(await pay.own("POST", "/invitations", { inviterUma: inviter, amountToSend: 1 })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "amountToSend" }] } },
    })
  })

  it.each([
    [{ inviterUma: "inviter@first.example.com" }, "INVALID_UMA_ADDRESS", undefined],
    [{ inviterUma: "$nobody@first.example.com" }, "INVALID_UMA_ADDRESS", "INVITER_UNKNOWN"],
    [{ inviterUma: invitee }, "INVALID_UMA_ADDRESS", "INVITER_UNKNOWN"],
    [{ inviterUma: inviter, expiresAt: "2020-01-01T00:00:00Z" }, "INVALID_INPUT", undefined],
    [{ inviterUma: inviter, expiresAt: "soon" }, "INVALID_INPUT", undefined],
    [{ inviterUma: inviter, firstName: "" }, "INVALID_INPUT", undefined],
    [{ inviterUma: inviter, firstName: "x".repeat(101) }, "INVALID_INPUT", undefined],
    [{ inviterUma: inviter, amountToSend: 0 }, "INVALID_INPUT", undefined],
    [{ inviterUma: inviter, amountToSend: 1.5 }, "INVALID_INPUT", undefined],
    [{ inviterUma: inviter, amountToSend: 2 ** 53 }, "INVALID_INPUT", undefined],
    [{ firstName: "Alice" }, "INVALID_INPUT", undefined],
  ])("is refused: %j", async (body, code, reason) => {
    await using pay = await invitationWorld()
    const reply = await pay.own("POST", "/invitations", body)
    expect([reply.status, at(reply.body, "code"), reasonOf(reply)]).toEqual([400, code, reason])
  })

  // Proves: ERR-INVITATIONS_NOT_CONFIGURED
  it("is refused without a base for links, and has the base that the deployment sets", async () => {
    await using without = await invitationWorld({ ports: Layer.succeed(InvitationBaseUrl, undefined) })
    expect(await without.own("POST", "/invitations", { inviterUma: inviter })).toMatchObject({
      status: 400,
      body: { code: "INVITATIONS_NOT_CONFIGURED" },
    })
    await using own = await invitationWorld({
      ports: Layer.succeed(InvitationBaseUrl, "https://join.example.com/pay/"),
    })
    const reply = await own.own("POST", "/invitations", { inviterUma: inviter })
    expect(at(reply.body, "url")).toBe(`https://join.example.com/pay/i/${codeOf(reply)}`)
  })

  it("is created once per idempotency key", async () => {
    await using pay = await invitationWorld()
    const create = (firstName: string) =>
      pay.own("POST", "/invitations", { inviterUma: inviter, firstName }, { "idempotency-key": "one" })
    expect((await create("Alice")).body).toEqual((await create("Alice")).body)
    expect((await create("Bob")).status).toBe(409)
  })
})

describe("a claim", () => {
  it("by any platform is reported to the inviter's platform and shown only to it", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite({ firstName: "Alice" })
    await pay.clock.advance("1 minute")
    const reply = await pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee })
    expect(reply).toMatchObject({ status: 200, body: { status: "CLAIMED", inviteeUma: invitee } })
    const shown = (await pay.own("GET", `/invitations/${code}`)).body
    expect(shown).toEqual(reply.body)
    const claimedAt = Date.parse(textAt(reply, "claimedAt")) - Date.parse(textAt(reply, "createdAt"))
    expect(claimedAt).toBe(60_000)
    await pay.settle()
    expect(pay.inbox.ofType("INVITATION.CLAIMED").map(({ data }) => data)).toEqual([shown])
    const { body } = await pay.other("GET", `/invitations/${code}`)
    expect(body).toMatchObject({ status: "CLAIMED", claimedAt: at(shown, "claimedAt") })
    expect(JSON.stringify(body)).not.toContain(invitee)
  })

  // Proves: ERR-INVITATION_ALREADY_CLAIMED
  it("succeeds once: a repeated one is refused, and only the inviter's platform learns the invitee", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    const claim = (call: typeof pay.own) => call("POST", `/invitations/${code}/claim`, { inviteeUma: invitee })
    await claim(pay.other)
    const [other, own] = [await claim(pay.other), await claim(pay.own)]
    for (const reply of [other, own]) {
      expect(reply).toMatchObject({ status: 400, body: { code: "INVITATION_ALREADY_CLAIMED" } })
    }
    expect(at(other.body, "details")).toEqual({ status: "CLAIMED" })
    expect(at(own.body, "details")).toEqual({ status: "CLAIMED", inviteeUma: invitee })
    expect(await pay.own("POST", `/invitations/${code}/cancel`)).toMatchObject({
      status: 400,
      body: { code: "INVITATION_ALREADY_CLAIMED" },
    })
  })

  it("is replayed for the platform whose key it is, and not for another with the same key", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    const claim = (call: typeof pay.own, inviteeUma = invitee) =>
      call("POST", `/invitations/${code}/claim`, { inviteeUma }, { "idempotency-key": "same" })
    const first = await claim(pay.other)
    expect(first.status).toBe(200)
    expect(await claim(pay.other)).toMatchObject({ status: 200, body: first.body })
    expect(await claim(pay.own)).toMatchObject({ status: 400, body: { code: "INVITATION_ALREADY_CLAIMED" } })
    const reused = { status: 409, body: { code: "CONFLICT", details: { reason: "IDEMPOTENCY_KEY_REUSED" } } }
    expect(await claim(pay.other, "$any@bank.example")).toMatchObject(reused)
  })

  it.each([
    ["a malformed address", { inviteeUma: "invitee" }, "INVALID_UMA_ADDRESS", undefined],
    ["the inviter's own address", { inviteeUma: inviter.toUpperCase() }, "INVALID_INPUT", "SELF_INVITATION"],
    ["no customer of this platform", { inviteeUma: "$x@first.example.com" }, "INVALID_UMA_ADDRESS", "INVITEE_UNKNOWN"],
    ["no customer of another one", { inviteeUma: "$x@SECOND.example.com" }, "INVALID_UMA_ADDRESS", "INVITEE_UNKNOWN"],
    ["no address", {}, "INVALID_INPUT", undefined],
  ])("for %s is refused and changes nothing", async (_what, body, errorCode, reason) => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    for (const call of [pay.own, pay.other]) {
      const reply = await call("POST", `/invitations/${code}/claim`, body)
      expect([reply.status, at(reply.body, "code"), reasonOf(reply)]).toEqual([400, errorCode, reason])
    }
    expect(await pay.own("GET", `/invitations/${code}`)).toMatchObject({ body: { status: "PENDING" } })
  })

  it("for an address under a domain that no platform has needs only the form", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    const reply = await pay.own("POST", `/invitations/${code}/claim`, { inviteeUma: "$any@bank.example" })
    expect(reply).toMatchObject({ status: 200, body: { inviteeUma: "$any@bank.example" } })
  })
})

describe("the end of an invitation", () => {
  it("comes at its time, read or not, and nothing is reported", async () => {
    await using pay = await invitationWorld({ startsAt: "2026-11-21T12:00:00Z" })
    const code = await pay.invite({ expiresAt: "2026-11-21T12:10:00Z" })
    const read = async () => at((await pay.other("GET", `/invitations/${code}`)).body, "status")
    await pay.clock.advance("9 minutes")
    expect(await read()).toBe("PENDING")
    await pay.clock.advance("1 minute")
    expect(await read()).toBe("EXPIRED")
    for (const reply of [
      await pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee }),
      await pay.own("POST", `/invitations/${code}/cancel`),
    ]) {
      expect(reply).toMatchObject({
        status: 400,
        body: {
          code: "INVALID_INPUT",
          details: { reason: "INVITATION_EXPIRED", expirationTime: "2026-11-21T12:10:00Z" },
        },
      })
    }
    await pay.settle()
    expect(pay.inbox.ofType("INVITATION.CLAIMED")).toEqual([])
    expect(await pay.run(Store.use((store) => store.jobs))).toEqual([])
  })

  // Proves: ERR-INVITATION_CANCELLED
  it("comes by the inviter's platform, once", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    expect(await pay.other("POST", `/invitations/${code}/cancel`)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    })
    expect(await pay.own("POST", `/invitations/${code}/cancel`)).toMatchObject({
      status: 200,
      body: { code, status: "CANCELLED" },
    })
    for (const reply of [
      await pay.own("POST", `/invitations/${code}/cancel`),
      await pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee }),
    ]) {
      expect(reply).toMatchObject({ status: 400, body: { code: "INVITATION_CANCELLED" } })
    }
  })

  it("comes with the deletion of the inviter, unless it has ended before", async () => {
    await using pay = await invitationWorld({ startsAt: "2026-11-21T12:00:00Z" })
    const [claimed, open] = [await pay.invite(), await pay.invite()]
    await pay.other("POST", `/invitations/${claimed}/claim`, { inviteeUma: invitee })
    expect((await pay.own("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
    const statusOf = async (code: string) => at((await pay.own("GET", `/invitations/${code}`)).body, "status")
    expect([await statusOf(claimed), await statusOf(open)]).toEqual(["CLAIMED", "CANCELLED"])
    expect(await pay.other("POST", `/invitations/${open}/claim`, { inviteeUma: invitee })).toMatchObject({
      status: 400,
      body: { code: "INVITATION_CANCELLED" },
    })
    expect(await pay.own("POST", "/invitations", { inviterUma: inviter })).toMatchObject({
      status: 400,
      body: { details: { reason: "INVITER_UNKNOWN" } },
    })
  })
})

describe("a magic first name", () => {
  it.each([
    [["EUR"], "$success.eur@uma.sandbox.example"],
    [["BRL", "EUR"], "$success.usd@uma.sandbox.example"],
  ])("001 claims the invitation after 5 seconds: %s", async (currencies, by) => {
    await using pay = await invitationWorld({}, { currencies })
    const code = await pay.invite({ firstName: "Alice001" })
    await pay.clock.advance("4 seconds")
    expect(pay.inbox.ofType("INVITATION.CLAIMED")).toEqual([])
    await pay.clock.advance("1 second")
    const { body } = await pay.own("GET", `/invitations/${code}`)
    expect(body).toMatchObject({ status: "CLAIMED", inviteeUma: by })
    expect(pay.inbox.ofType("INVITATION.CLAIMED").map(({ data }) => data)).toEqual([body])
  })

  it("001 claims no invitation that was cancelled before", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite({ firstName: "001" })
    await pay.own("POST", `/invitations/${code}/cancel`)
    await pay.clock.advance("1 minute")
    expect(await pay.own("GET", `/invitations/${code}`)).toMatchObject({ body: { status: "CANCELLED" } })
    expect(pay.inbox.ofType("INVITATION.CLAIMED")).toEqual([])
    expect(await pay.run(Store.use((store) => store.jobs))).toEqual([])
  })

  it.each([{}, { expiresAt: "2030-01-01T00:00:00Z" }, { expiresAt: "2026-11-21T12:00:10Z" }])(
    "002 ends the invitation after 30 seconds, whatever expiry it has: %j",
    async (fields) => {
      await using pay = await invitationWorld({ startsAt: "2026-11-21T12:00:00Z" })
      const code = await pay.invite({ firstName: "Bob 002", ...fields })
      await pay.clock.advance("29 seconds")
      expect(await pay.own("GET", `/invitations/${code}`)).toMatchObject({ body: { status: "PENDING", ...fields } })
      await pay.clock.advance("1 second")
      expect(await pay.own("GET", `/invitations/${code}`)).toMatchObject({ body: { status: "EXPIRED", ...fields } })
      expect(await pay.own("POST", `/invitations/${code}/cancel`)).toMatchObject({
        body: { details: { reason: "INVITATION_EXPIRED", expirationTime: "2026-11-21T12:00:30Z" } },
      })
    },
  )
})

describe("an unknown code", () => {
  // Proves: ERR-INVITATION_NOT_FOUND
  it("is not found by any operation, whatever it is", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    for (const wrong of ["x", code.toLowerCase(), `${code}x`, "%F0%9F%92%B8", "..%2F", "x".repeat(500)]) {
      expect(await pay.own("GET", `/invitations/${wrong}`)).toMatchObject(unknown)
    }
    expect(await pay.own("POST", "/invitations/x/claim", { inviteeUma: invitee })).toMatchObject(unknown)
    expect(await pay.own("POST", "/invitations/x/cancel")).toMatchObject(unknown)
  })

  it("is refused to a platform that has tried 20 in a minute, and so is every other code", async () => {
    await using pay = await invitationWorld()
    const code = await pay.invite()
    for (let tries = 0; tries < 20; tries++) {
      expect((await pay.other("GET", `/invitations/${code}`)).status).toBe(200)
      expect(await pay.other("GET", `/invitations/guess${tries}`)).toMatchObject(unknown)
    }
    for (const reply of [
      await pay.other("GET", "/invitations/guess"),
      await pay.other("GET", `/invitations/${code}`),
      await pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee }),
      await pay.other("POST", `/invitations/${code}/cancel`),
    ]) {
      expect(reply).toMatchObject({ status: 429, body: { code: "RATE_LIMITED", details: { limit: 20 } } })
      expect(reasonOf(reply)).toBe("WRONG_INVITATION_CODES")
      expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d?$/u)
    }
    expect((await pay.own("GET", `/invitations/${code}`)).status).toBe(200)
    await pay.clock.advance("1 minute")
    expect((await pay.other("GET", `/invitations/${code}`)).status).toBe(200)
  })
})

describe("the audit of invitations", () => {
  it("names the code by its digest only, and no token of another platform", async () => {
    await using pay = await invitationWorld()
    const claimed = await pay.invite({ firstName: "Grace" })
    await pay.clock.advance("1 second")
    const cancelled = await pay.invite()
    await pay.clock.advance("1 second")
    await pay.other("POST", `/invitations/${claimed}/claim`, { inviteeUma: invitee })
    await pay.clock.advance("1 second")
    await pay.own("POST", `/invitations/${cancelled}/cancel`)
    const { body } = await pay.own("GET", "/audit-records?limit=100&sortOrder=asc")
    const records = (at(body, "data") as ReadonlyArray<Record<string, unknown>>).filter(({ operation }) =>
      String(operation).startsWith("INVITATION_"),
    )
    const own = { type: "PLATFORM", id: expect.stringMatching(/^Token:/u) }
    expect(records).toMatchObject([
      { operation: "INVITATION_CREATE", outcome: "DONE", actor: own },
      { operation: "INVITATION_CREATE", outcome: "DONE", actor: own },
      { operation: "INVITATION_CLAIM", outcome: "DONE" },
      { operation: "INVITATION_CANCEL", outcome: "DONE", actor: own },
    ])
    expect(records[2]?.["actor"]).toEqual({ type: "PLATFORM" })
    const [first, second, third, fourth] = records.map(({ details }) => at(details, "codeDigest"))
    expect([third, fourth]).toEqual([first, second])
    expect(first).toMatch(/^[0-9a-f]{64}$/u)
    for (const hidden of [claimed, cancelled, "Grace", inviter, invitee]) {
      expect(JSON.stringify(records)).not.toContain(hidden)
    }
  })
})
