/**
 * Confirmations of the trust in external accounts over HTTP: proofs, challenges, time limits and lockouts.
 * Source: wire contract areas 1.3; D-381.
 */
import { describe, expect, it } from "vitest"
import { added, at, usd } from "../account/ExternalAccountRequests.ts"
import { code, confirmByCode, passkeyAnswer, trustPath, untrustPath } from "./TrustRequests.ts"
import { isTrusted, refusedBy, startOf, trusting } from "./TrustWorld.ts"

describe("a confirmation", () => {
  it.each([
    ["without a proof", {}, "code"],
    ["with two proofs", { code, ...passkeyAnswer }, "code"],
    ["with an assertion but no origin", { passkeyAssertion: { id: "key-1" } }, "origin"],
    ["with a code that is no text", { code: 1 }, "code"],
    ["with an assertion for a challenge by code", passkeyAnswer, "code"],
  ])("%s is refused and not counted", async (_what, proof, field) => {
    await using it = await trusting()
    const challengeId = await startOf(it, trustPath(it.id))
    for (let tries = 0; tries < 6; tries++) {
      const reply = await it.post(`${trustPath(it.id)}/confirm`, { challengeId, ...proof })
      expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
      expect(at(reply.body, "details", "errors")).toMatchObject([{ field }])
    }
    expect((await it.post(`${trustPath(it.id)}/confirm`, { challengeId, code })).status).toBe(200)
  })

  it.each([undefined, null, "ScaChallenge:00000000-0000-4000-8000-000000000009"])(
    "must name the open challenge, not %s",
    async (challengeId) => {
      await using it = await trusting()
      await startOf(it, trustPath(it.id))
      const body = { code, ...(challengeId === undefined ? {} : { challengeId }) }
      const reply = await it.post(`${trustPath(it.id)}/confirm`, body)
      expect(reply).toMatchObject(refusedBy("CHALLENGE_MISMATCH"))
      expect(at(reply.body, "details", "errors")).toMatchObject([{ field: "challengeId" }])
    },
  )

  it("needs a request for the same change", async () => {
    await using it = await trusting()
    const confirm = (path: string, challengeId?: string) =>
      it.post(`${path}/confirm`, { code, ...(challengeId === undefined ? {} : { challengeId }) })
    expect(await confirm(trustPath(it.id))).toMatchObject(refusedBy("NO_CHALLENGE_PENDING", 409))
    await confirmByCode(it.pay, trustPath(it.id))
    expect(await confirm(untrustPath(it.id))).toMatchObject(refusedBy("NO_CHALLENGE_PENDING", 409))
    const used = await startOf(it, untrustPath(it.id))
    expect((await confirm(untrustPath(it.id), used)).body).toEqual({ trusted: false })
    expect(await confirm(trustPath(it.id), used)).toMatchObject(refusedBy("NO_CHALLENGE_PENDING", 409))
  })

  it.each([
    ["before the challenge expires is accepted", "299 seconds", { status: 200 }],
    ["from the time on at which the challenge expires is refused", "300 seconds", refusedBy("CHALLENGE_EXPIRED")],
  ])("%s", async (_when, wait, expected) => {
    await using it = await trusting()
    const challengeId = await startOf(it, trustPath(it.id))
    await it.pay.clock.advance(wait as `${number} seconds`)
    expect(await it.post(`${trustPath(it.id)}/confirm`, { challengeId, code })).toMatchObject(expected)
  })

  it("locks the customer out after five wrong proofs, whatever the account", async () => {
    await using it = await trusting()
    const other = await added(it.pay, { ...usd("7654321000"), customerId: it.customerId })
    const wrong = async (id: string) => {
      const challengeId = await startOf(it, trustPath(id))
      return it.post(`${trustPath(id)}/confirm`, { challengeId, code: "000000" })
    }
    for (const id of [it.id, other, it.id, other, it.id]) {
      const reply = await wrong(id)
      expect(reply).toMatchObject(refusedBy("WRONG_CODE"))
      expect(at(reply.body, "details", "errors")).toMatchObject([{ field: "code" }])
    }
    const locked = { status: 423, body: { code: "ACCOUNT_LOCKED", details: { failedAttempts: 5 } } }
    for (const path of [trustPath(it.id), untrustPath(it.id)]) {
      expect(await it.post(path)).toMatchObject(locked)
      expect(await it.post(`${path}/confirm`, { code })).toMatchObject(locked)
    }
    expect(await isTrusted(it)).not.toHaveProperty("isTrusted")
  })

  it("clears the failed attempts with a right answer", async () => {
    await using it = await trusting()
    const challengeId = await startOf(it, trustPath(it.id))
    const confirm = (path: string, body: object) => it.post(`${path}/confirm`, body)
    for (let tries = 0; tries < 4; tries++) await confirm(trustPath(it.id), { challengeId, code: "000000" })
    expect((await confirm(trustPath(it.id), { challengeId, code })).status).toBe(200)
    const next = await startOf(it, untrustPath(it.id))
    for (let tries = 0; tries < 4; tries++) {
      expect(await confirm(untrustPath(it.id), { challengeId: next, code: "1" })).toMatchObject(refusedBy("WRONG_CODE"))
    }
  })
})
