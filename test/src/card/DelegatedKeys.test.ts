/** Delegated keys over HTTP: three signed calls, lists and revocation. Wire contract 4.1, 4.7, 4.8 and 4.11; D-177, D-261. */

import { Issuer, KeyVault } from "@countersign/core/ports"
import { Sandbox, SandboxIssuer } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { P256 } from "../../../packages/core/src/foundation/crypto/P256.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import { at } from "../customer/CustomerRequests.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { newWallet, type SignedIn, signed, signIn, signing, textAt } from "../wallet/People.ts"
import { accountsIn, fundAccount, membersOf } from "./CardWorld.ts"

/** Starts a service with a card that an embedded wallet funds, and a session of the wallet's owner. */
const ready = async (options: Parameters<typeof harness>[0] = {}) => {
  const pay = await harness(options)
  const wallet = await newWallet(pay)
  const issue = { cardholderId: wallet.customerId, form: "VIRTUAL", fundingSources: [wallet.accountId] }
  const cardId = textAt(await pay.send("POST", "/cards", { body: issue }), "id")
  await pay.settle()
  return Object.assign(pay, { wallet, cardId, session: await signIn(pay, wallet.emailId) })
}
type Ready = Awaited<ReturnType<typeof ready>>

const path = "/auth/delegated-keys"
const bodyOf = (pay: Ready, more: object = {}) => ({
  cardId: pay.cardId,
  internalAccountId: pay.wallet.accountId,
  nickname: "Settlement",
  ...more,
})

/** Makes the first two calls. Returns the second 202. */
const register = async (pay: Ready, { key }: SignedIn = pay.session) => signed(pay, "POST", path, key, bodyOf(pay))
/** Makes the third call. */
const activate = async (pay: Ready, challenge: Awaited<ReturnType<typeof register>>, { key } = pay.session) =>
  pay.send("POST", path, { body: bodyOf(pay), headers: await signing(challenge, key) })
const create = async (pay: Ready) => activate(pay, await register(pay))
const keysOf = async (pay: Ready, query = `accountId=${pay.wallet.accountId}`) =>
  membersOf(await pay.send("GET", `${path}?${query}`))["data"] as ReadonlyArray<{
    readonly id: string
    readonly fundingSourceId: string
    readonly publicKey: string
    readonly status: string
  }>

describe("POST /auth/delegated-keys", () => {
  it.each(serviceNames)(
    "creates a key after two signatures, names it in both payloads and audits both, at the service %s",
    async (serviceName) => {
      await using pay = await ready({ serviceName })
      const first = await pay.send("POST", path, { body: bodyOf(pay) })
      expect(await keysOf(pay)).toEqual([])
      await pay.clock.advance("1 second")
      const second = await pay.send("POST", path, { body: bodyOf(pay), headers: await signing(first, pay.session.key) })
      expect([first.status, second.status]).toEqual([202, 202])
      expect(Object.keys(second.body as object).toSorted()).toEqual(["expiresAt", "payloadToSign", "requestId"])
      expect(textAt(second, "requestId")).not.toBe(textAt(first, "requestId"))
      const [pending] = await keysOf(pay)
      expect(pending).toMatchObject({ status: "PENDING", publicKey: expect.stringMatching(/^0[23][0-9a-f]{64}$/u) })
      await pay.clock.advance("1 second")
      const made = await activate(pay, second)
      expect(made).toMatchObject({
        status: 201,
        body: {
          id: pending?.id,
          cardId: pay.cardId,
          fundingSourceId: expect.stringMatching(/^CardFundingSource:/u),
          accountId: pay.wallet.accountId,
          publicKey: pending?.publicKey,
          nickname: "Settlement",
          status: "ACTIVE",
        },
      })
      expect(JSON.parse(textAt(first, "payloadToSign"))).toMatchObject({
        organizationId: pay.wallet.accountId,
        type: "ACTIVITY_TYPE_CREATE_USERS_V3",
        parameters: { users: [{ userName: pending?.id, apiKeys: [{ publicKey: pending?.publicKey }] }] },
      })
      expect(JSON.parse(textAt(second, "payloadToSign"))).toMatchObject({
        organizationId: pay.wallet.accountId,
        type: "ACTIVITY_TYPE_CREATE_POLICIES",
        parameters: { policies: [{ policyName: pending?.id, condition: `card.id == '${pay.cardId}'` }] },
      })
      const audit = await pay.send("GET", `/audit-records?operation=SIGNED_ACTION&target=${pay.wallet.accountId}`)
      const details = { action: "POST /auth/delegated-keys", sessionId: pay.session.sessionId }
      expect(audit.body).toMatchObject({
        data: [
          { details: { ...details, signedRequestId: textAt(second, "requestId") } },
          { details: { ...details, signedRequestId: textAt(first, "requestId") } },
        ],
      })
    },
  )

  it("generates a key for each request and leaves an abandoned one PENDING", async () => {
    await using pay = await ready()
    const [one, two] = [await register(pay), await register(pay)]
    const pending = await keysOf(pay)
    expect(new Set(pending.map(({ publicKey }) => publicKey)).size).toBe(2)
    expect((await activate(pay, two)).status).toBe(201)
    expect((await keysOf(pay)).map(({ status }) => status).toSorted()).toEqual(["ACTIVE", "PENDING"])
    // A funding source has one active key; the second and the third call refuse another one.
    const exists = { status: 409, body: { code: "CONFLICT", details: { reason: "DELEGATED_KEY_EXISTS" } } }
    expect(await activate(pay, one)).toMatchObject(exists)
    expect(await register(pay)).toMatchObject(exists)
    const [active] = (await keysOf(pay)).filter(({ status }) => status === "ACTIVE")
    expect((await pay.send("DELETE", `${path}/${active?.id}`)).status).toBe(204)
    // The refusal did not consume the request.
    expect((await activate(pay, one)).status).toBe(201)
  })

  it("requires the same session for both signatures", async () => {
    await using pay = await ready()
    const another = await signIn(pay, pay.wallet.emailId)
    const second = await register(pay, another)
    const reason = "Session not admitted"
    expect(await activate(pay, second)).toMatchObject({
      status: 401,
      body: { code: "WALLET_SIGNATURE_INVALID", reason },
    })
    expect((await activate(pay, second, another)).status).toBe(201)
  })

  it("does not accept one of the two requests for the other", async () => {
    await using pay = await ready()
    const first = await pay.send("POST", path, { body: bodyOf(pay) })
    const headers = await signing(first, pay.session.key)
    const second = await pay.send("POST", path, { body: bodyOf(pay), headers })
    const mixed = { ...(await signing(second, pay.session.key)), "request-id": textAt(first, "requestId") }
    expect((await pay.send("POST", path, { body: bodyOf(pay), headers: mixed })).status).toBe(401)
    const swapped = { ...headers, "request-id": textAt(second, "requestId") }
    expect(await pay.send("POST", path, { body: bodyOf(pay), headers: swapped })).toMatchObject({
      status: 401,
      body: { code: "WALLET_SIGNATURE_INVALID" },
    })
    expect((await activate(pay, second)).status).toBe(201)
  })

  it("refuses an impossible request at the first call", async () => {
    await using pay = await ready()
    const unknown = (type: string) => `${type}:00000000-0000-7000-8000-000000000000`
    const [crypto = ""] = (await accountsIn(pay, pay.wallet.customerId, "USDB")).filter(
      (id) => id !== pay.wallet.accountId,
    )
    const cases: ReadonlyArray<readonly [object, number, string]> = [
      [{ cardId: unknown("Card") }, 404, "REFERENCE_NOT_FOUND"],
      [{ internalAccountId: unknown("InternalAccount") }, 404, "REFERENCE_NOT_FOUND"],
      [{ internalAccountId: crypto }, 400, "INVALID_INPUT"],
      [{ nickname: "" }, 400, "INVALID_INPUT"],
      [{ nickname: "x".repeat(257) }, 400, "INVALID_INPUT"],
      [{ cardId: "x", internalAccountId: "x", nickname: 5 }, 400, "INVALID_INPUT"],
    ]
    for (const [more, status, code] of cases) {
      expect(await pay.send("POST", path, { body: bodyOf(pay, more) })).toMatchObject({ status, body: { code } })
    }
    const body = { cardId: "x", internalAccountId: "x", nickname: 5 }
    expect(at(await pay.send("POST", path, { body }), "details", "errors")).toHaveLength(3)
  })

  it("refuses to activate a key whose funding source was replaced", async () => {
    await using pay = await ready()
    const [crypto = ""] = (await accountsIn(pay, pay.wallet.customerId, "USDB")).filter(
      (id) => id !== pay.wallet.accountId,
    )
    const second = await register(pay)
    for (const fundingSources of [[crypto], [crypto, pay.wallet.accountId]]) {
      await signed(pay, "PATCH", `/cards/${pay.cardId}`, pay.session.key, { fundingSources })
    }
    expect(await activate(pay, second)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "FUNDING_SOURCE_REPLACED" } },
    })
  })

  it("activates one of two keys whose third calls are concurrent", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await ready({ failPoints })
    const [one, two] = [await register(pay), await register(pay)]
    during(["operation.decided", () => activate(pay, two)])
    expect(await activate(pay, one)).toMatchObject({
      status: 409,
      body: { details: { reason: "DELEGATED_KEY_EXISTS" } },
    })
    expect((await keysOf(pay)).map(({ status }) => status).toSorted()).toEqual(["ACTIVE", "PENDING"])
  })
})

describe("delegated key", () => {
  it("is derived by its id, for a purpose of its own", async () => {
    await using pay = await ready()
    const made = await create(pay)
    const key = await pay.run(
      Effect.gen(function* () {
        const { derive } = yield* KeyVault
        return yield* (yield* P256).derive(yield* derive("delegated-key", textAt(made, "id")))
      }),
    )
    expect(key.publicKey.compressed).toBe(textAt(made, "publicKey"))
  })

  it("lists delegated keys newest first and revokes an active one without a signature", async () => {
    await using pay = await ready()
    await register(pay)
    await pay.clock.advance("1 second")
    const made = await create(pay)
    const id = textAt(made, "id")
    const all = await keysOf(pay)
    expect(all.map(({ status }) => status)).toEqual(["ACTIVE", "PENDING"])
    expect(await keysOf(pay, `fundingSourceId=${textAt(made, "fundingSourceId")}`)).toEqual(all)
    const absent = "00000000-0000-7000-8000-000000000009"
    const ofOther = `fundingSourceId=CardFundingSource:${absent}`
    for (const query of [
      `accountId=InternalAccount:${absent}`,
      ofOther,
      `accountId=${pay.wallet.accountId}&${ofOther}`,
    ]) {
      expect([query, await keysOf(pay, query)]).toEqual([query, []])
    }
    expect((await pay.send("GET", `${path}/${id}`)).body).toEqual(made.body)
    expect((await pay.send("DELETE", `${path}/${all[1]?.id}`)).status).toBe(400)
    expect((await pay.send("DELETE", `${path}/${id}`)).status).toBe(204)
    expect((await pay.send("GET", `${path}/${id}`)).body).toMatchObject({ status: "REVOKED" })
    expect(await pay.send("DELETE", `${path}/${id}`)).toMatchObject({
      status: 400,
      body: { details: { reason: "KEY_NOT_ACTIVE", status: "REVOKED" } },
    })
  })

  it("pays with a card while it is active, and no more once it is revoked", async () => {
    const demanding = Layer.effect(
      Issuer,
      Effect.map(Issuer, (sandbox) => ({ ...sandbox, needsDelegatedKeys: true })),
    ).pipe(Layer.provide(SandboxIssuer.layer))
    await using pay = await ready({ ports: Layer.merge(Sandbox.layer, demanding) })
    await fundAccount(pay, pay.wallet.accountId, 1000)
    const reasonOf = async () => {
      const merchant = { descriptor: "Shop 000", mcc: "5411", country: "US" }
      const body = { amount: 10, currency: "USDB", merchant }
      return membersOf(await pay.send("POST", `/sandbox/cards/${pay.cardId}/simulate/authorization`, { body }))
    }
    const id = textAt(await create(pay), "id")
    expect(await reasonOf()).not.toHaveProperty("declineReason")
    expect((await pay.send("DELETE", `${path}/${id}`)).status).toBe(204)
    expect(await reasonOf()).toMatchObject({ declineReason: "FUNDING_SOURCE_UNAVAILABLE" })
  })

  it("keeps a delegated key when its funding source stays, and revokes it with its customer", async () => {
    await using pay = await ready()
    const made = await create(pay)
    await signed(pay, "PATCH", `/cards/${pay.cardId}`, pay.session.key, { fundingSources: [pay.wallet.accountId] })
    expect((await register(pay)).status).toBe(409)
    expect((await pay.send("DELETE", `/customers/${pay.wallet.customerId}`)).status).toBe(200)
    expect((await pay.send("GET", `${path}/${textAt(made, "id")}`)).body).toMatchObject({ status: "REVOKED" })
  })

  it("requires a filter for the list and answers 404 for an unknown key", async () => {
    await using pay = await ready()
    expect(await pay.send("GET", path)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", message: "accountId: or fundingSourceId must be given" },
    })
    for (const method of ["GET", "DELETE"])
      expect(await pay.send(method, `${path}/x`)).toMatchObject({
        status: 404,
        body: { message: "No such delegated key." },
      })
  })
})
