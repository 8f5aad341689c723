/**
 * Requests to trust external accounts, and to end the trust, over HTTP: challenges, factors, and when none is needed.
 * Source: wire contract areas 1.3; D-381.
 */
import { TrustSuffixes } from "@countersign/core/sandbox"
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { added, at, customersPath, textAt, usd } from "../account/ExternalAccountRequests.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import { code, confirmByCode, enrollPasskey, passkeyAnswer, signIn, trustPath, untrustPath } from "./TrustRequests.ts"
import {
  isTrusted,
  passkeyOnly,
  phoneNumber,
  recording,
  refusedBy,
  regulated,
  startOf,
  trusting,
} from "./TrustWorld.ts"

describe("a request to trust an account", () => {
  it("sends a code, and is confirmed by it", async () => {
    const { checked, ports, sent } = recording()
    await using it = await trusting({ ports })
    sent.length = 0
    const started = await it.post(trustPath(it.id))
    expect(started).toMatchObject({ status: 200 })
    expect(started.body).toEqual({
      scaChallenge: {
        id: expect.stringMatching(/^ScaChallenge:/u),
        expiresAt: "2026-11-21T12:05:00Z",
        factor: "SMS_OTP",
        availableFactors: ["SMS_OTP"],
        purpose: "BENEFICIARY_TRUST",
      },
    })
    expect(sent).toEqual([`SMS_OTP ${phoneNumber}`])
    const challengeId = textAt(started, "scaChallenge", "id")
    checked.length = 0
    const confirmed = await it.post(`${trustPath(it.id)}/confirm`, {
      challengeId,
      code,
      endUserIpAddress: "203.0.113.7",
    })
    expect([confirmed.status, confirmed.body]).toEqual([200, { trusted: true }])
    expect(checked).toMatchObject([{ customerId: it.customerId, challengeId, factor: "SMS_OTP" }])
    expect(checked[0]).not.toHaveProperty("endUserIpAddress")
  })

  it("is undone by a request and a confirmation of its own", async () => {
    await using it = await trusting()
    await confirmByCode(it.pay, trustPath(it.id))
    const started = await it.post(untrustPath(it.id))
    expect(started.body).toMatchObject({ scaChallenge: { purpose: "BENEFICIARY_UNTRUST" } })
    const body = { challengeId: at(started.body, "scaChallenge", "id"), code }
    const confirmed = await it.post(`${untrustPath(it.id)}/confirm`, body)
    expect([confirmed.status, confirmed.body]).toEqual([200, { trusted: false }])
    expect(await isTrusted(it)).not.toHaveProperty("isTrusted")
  })

  it("shows nothing of the trust on the account", async () => {
    await using it = await trusting()
    const before = await it.pay.send("GET", `${customersPath}/${it.id}`)
    await startOf(it, trustPath(it.id))
    expect((await it.pay.send("GET", `${customersPath}/${it.id}`)).body).toEqual(before.body)
    await confirmByCode(it.pay, trustPath(it.id))
    expect((await it.pay.send("GET", `${customersPath}/${it.id}`)).body).toEqual(before.body)
    await it.pay.settle()
    expect(it.pay.inbox.received.map(({ type }) => type).filter((type) => type.includes("ACCOUNT."))).toEqual([])
  })

  it("uses a passkey if the customer has no telephone number", async () => {
    await using pay = await harness(regulated)
    const customerId = await newPerson(pay, passkeyOnly)
    await enrollPasskey(pay, customerId)
    await signIn(pay, customerId, "PASSKEY")
    const path = trustPath(await added(pay, { ...usd(), customerId }))
    const started = await pay.send("POST", path)
    expect(started.body).toMatchObject({
      scaChallenge: {
        factor: "PASSKEY",
        availableFactors: ["PASSKEY"],
        passkeyAssertionOptions: { rpId: "sandbox.example" },
        passkeyAllowedOrigins: ["https://sandbox.example"],
      },
    })
    const challengeId = textAt(started, "scaChallenge", "id")
    const confirm = (body: object) => pay.send("POST", `${path}/confirm`, { body: { challengeId, ...body } })
    expect(at((await confirm({ code })).body, "details", "errors")).toMatchObject([{ field: "passkeyAssertion" }])
    expect(await confirm({ ...passkeyAnswer, passkeyAssertion: {} })).toMatchObject(refusedBy("WRONG_CODE"))
    // The value that a wallet's credential accepts in place of a signature is no proof here. Wire contract areas 3.5.
    const legacy = { signature: "sandbox-valid-passkey-signature" }
    expect(await confirm({ ...passkeyAnswer, passkeyAssertion: legacy })).toMatchObject(refusedBy("WRONG_CODE"))
    expect(await confirm(passkeyAnswer)).toMatchObject({ status: 200, body: { trusted: true } })
  })

  it("prefers the telephone number to a passkey, and lists both", async () => {
    await using it = await trusting()
    await enrollPasskey(it.pay, it.customerId)
    expect((await it.post(trustPath(it.id))).body).toMatchObject({
      scaChallenge: { factor: "SMS_OTP", availableFactors: ["SMS_OTP", "PASSKEY"] },
    })
  })

  it("makes an earlier challenge void", async () => {
    await using it = await trusting()
    const path = trustPath(it.id)
    const [first, second] = [await startOf(it, path), await startOf(it, path)]
    expect(await it.post(`${path}/confirm`, { challengeId: first, code })).toMatchObject(
      refusedBy("CHALLENGE_MISMATCH"),
    )
    expect((await it.post(`${path}/confirm`, { challengeId: second, code })).status).toBe(200)
  })

  it("is answered alike when its key is repeated, with one code", async () => {
    const { ports, sent } = recording()
    await using it = await trusting({ ports })
    sent.length = 0
    const headers = { "idempotency-key": "november" }
    const path = trustPath(it.id)
    const [first, again] = [await it.post(path, undefined, headers), await it.post(path, undefined, headers)]
    expect(again.body).toEqual(first.body)
    expect(sent).toHaveLength(1)
    const body = { challengeId: at(first.body, "scaChallenge", "id"), code }
    const [done, replayed] = [
      await it.post(`${path}/confirm`, body, headers),
      await it.post(`${path}/confirm`, body, headers),
    ]
    expect([done.body, replayed.body]).toEqual([{ trusted: true }, { trusted: true }])
    expect(await it.post(`${path}/confirm`, { ...body, code: "1" }, headers)).toMatchObject({ status: 409 })
  })
})

describe("an account that already is what is asked for", () => {
  it("needs neither challenge nor proof, and sends no code", async () => {
    const { ports, sent } = recording()
    await using it = await trusting({ ports })
    await confirmByCode(it.pay, trustPath(it.id))
    sent.length = 0
    for (const [path, trusted] of [
      [trustPath(it.id), true],
      [untrustPath(await added(it.pay, { ...usd("7654321000"), customerId: it.customerId })), false],
    ] as const) {
      const started = await it.post(path)
      expect([started.status, started.body]).toEqual([200, {}])
      for (const body of [{}, { code: "000000" }, { challengeId: "other", ...passkeyAnswer }]) {
        const confirmed = await it.post(`${path}/confirm`, body)
        expect([confirmed.status, confirmed.body]).toEqual([200, { trusted }])
      }
    }
    expect(sent).toEqual([])
  })
})

describe("an account that the sandbox does not challenge", () => {
  it("is one whose identifier ends in 108", () => {
    expect(TrustSuffixes.entries).toEqual([["108", "NO_CHALLENGE"]])
  })

  it("is trusted by any code, without a challenge's id", async () => {
    const { checked, ports, sent } = recording()
    await using it = await trusting({ ports }, usd("1234567108"))
    sent.length = 0
    checked.length = 0
    const path = trustPath(it.id)
    expect(await it.post(`${path}/confirm`, { code: "x" })).toMatchObject(refusedBy("NO_CHALLENGE_PENDING", 409))
    const started = await it.post(path)
    expect([started.status, started.body]).toEqual([200, {}])
    expect((await it.post(`${path}/confirm`, {})).status).toBe(400)
    expect((await it.post(`${path}/confirm`, { code: "x" })).body).toEqual({ trusted: true })
    expect((await it.post(untrustPath(it.id))).body).toEqual({})
    expect((await it.post(`${untrustPath(it.id)}/confirm`, { code: "y" })).body).toEqual({ trusted: false })
    expect([sent, checked]).toEqual([[], []])
  })

  it("needs no factor for the challenge", async () => {
    await using it = await trusting({}, usd("1234567108"))
    expect((await it.post(trustPath(it.id))).body).toEqual({})
    await it.pay.clock.advance("5 minutes")
    expect(await it.post(`${trustPath(it.id)}/confirm`, { code })).toMatchObject(refusedBy("CHALLENGE_EXPIRED"))
  })
})
