/**
 * The trust in external accounts over HTTP: its end, what it prevents, races and audit records.
 * Source: wire contract areas 1.3; D-381.
 */
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/index.ts"
import { at, customersPath } from "../account/ExternalAccountRequests.ts"
import { code, confirmByCode, signIn, trustPath, untrustPath } from "./TrustRequests.ts"
import {
  european,
  isTrusted,
  phoneNumber,
  refusedBy,
  regulated,
  startOf,
  type Trusting,
  trusting,
} from "./TrustWorld.ts"

describe("the trust in an account", () => {
  const setStatus = (it: Trusting, status: string) => it.post(`/sandbox/external-accounts/${it.id}/status`, { status })

  it("ends when the account leaves ACTIVE, and does not come back", async () => {
    for (const status of ["UNDER_REVIEW", "INACTIVE"]) {
      await using it = await trusting()
      await confirmByCode(it.pay, trustPath(it.id))
      expect((await setStatus(it, status)).status).toBe(200)
      expect(await it.post(trustPath(it.id))).toMatchObject(refusedBy("ACCOUNT_NOT_ACTIVE", 409))
      expect(await it.post(`${trustPath(it.id)}/confirm`, { code })).toMatchObject(refusedBy("ACCOUNT_NOT_ACTIVE", 409))
      expect((await it.post(untrustPath(it.id))).body).toEqual({})
      expect((await setStatus(it, "ACTIVE")).status).toBe(200)
      expect(await isTrusted(it)).not.toHaveProperty("isTrusted")
      expect((await it.post(trustPath(it.id))).body).toHaveProperty("scaChallenge")
    }
  })

  it("takes the open request along when the account leaves ACTIVE", async () => {
    await using it = await trusting()
    const challengeId = await startOf(it, trustPath(it.id))
    await setStatus(it, "UNDER_REVIEW")
    await setStatus(it, "ACTIVE")
    expect(await it.post(`${trustPath(it.id)}/confirm`, { challengeId, code })).toMatchObject(
      refusedBy("NO_CHALLENGE_PENDING", 409),
    )
  })

  it("prevents the deletion of the account until it is untrusted", async () => {
    await using it = await trusting()
    await confirmByCode(it.pay, trustPath(it.id))
    const remove = () => it.pay.send("DELETE", `${customersPath}/${it.id}`)
    expect(await remove()).toMatchObject({ status: 409, body: { code: "BENEFICIARY_TRUSTED" } })
    await startOf(it, untrustPath(it.id))
    expect((await remove()).status).toBe(409)
    await confirmByCode(it.pay, untrustPath(it.id))
    expect((await remove()).status).toBe(204)
  })

  it("prevents the deletion by an agent", async () => {
    const permissions = ["MANAGE_EXTERNAL_ACCOUNTS"] as const
    await using pay = await agentHarness({ permissions }, regulated)
    const { customerId } = pay
    await pay.send("PATCH", `/customers/${customerId}`, { body: { customerType: "INDIVIDUAL", ...european } })
    await signIn(pay, customerId)
    const id = pay.sources["000"] ?? ""
    await confirmByCode(pay, trustPath(id))
    const remove = () => pay.send("DELETE", `/agents/me/external-accounts/${id}`, { as: { token: pay.accessToken } })
    expect(await remove()).toMatchObject({ status: 409, body: { code: "BENEFICIARY_TRUSTED" } })
    await confirmByCode(pay, untrustPath(id))
    expect((await remove()).status).toBe(204)
  })

  it("vanishes with the account when the customer is deleted", async () => {
    await using it = await trusting()
    await confirmByCode(it.pay, trustPath(it.id))
    expect((await it.pay.send("DELETE", `/customers/${it.customerId}`)).status).toBe(200)
    await it.pay.settle()
    expect(await isTrusted(it)).not.toHaveProperty("isTrusted")
    expect((await it.post(trustPath(it.id))).status).toBe(404)
  })

  it("is confirmed once by two confirmations at the same time", async () => {
    for (const interleave of [1, 2, 3, 4]) {
      await using it = await trusting({ interleave })
      const challengeId = await startOf(it, trustPath(it.id))
      const confirm = () => it.post(`${trustPath(it.id)}/confirm`, { challengeId, code })
      const replies = await Promise.all([confirm(), confirm()])
      expect(replies.map(({ body, status }) => [status, body])).toEqual([
        [200, { trusted: true }],
        [200, { trusted: true }],
      ])
      const page = await it.pay.send("GET", `/audit-records?target=${it.id}`)
      expect(at(page.body, "data")).toHaveLength(1)
    }
  })

  it("is audited with outcome, factor and account, and without the code", async () => {
    await using it = await trusting()
    const challengeId = await startOf(it, trustPath(it.id))
    await it.post(`${trustPath(it.id)}/confirm`, { challengeId, code: "000999" })
    await it.pay.clock.advance("1 second")
    await it.post(`${trustPath(it.id)}/confirm`, { challengeId, code })
    await it.pay.clock.advance("1 second")
    await confirmByCode(it.pay, untrustPath(it.id))
    const page = await it.pay.send("GET", `/audit-records?target=${it.id}`)
    expect(at(page.body, "data")).toMatchObject([
      { operation: "BENEFICIARY_UNTRUST", outcome: "DONE", target: it.id, details: { factor: "SMS_OTP" } },
      { operation: "BENEFICIARY_TRUST", outcome: "DONE", target: it.id, details: { factor: "SMS_OTP" } },
      { operation: "BENEFICIARY_TRUST", outcome: "REFUSED", details: { factor: "SMS_OTP", reason: "WRONG_CODE" } },
    ])
    for (const secret of [code, "000999", phoneNumber]) expect(JSON.stringify(page.body)).not.toContain(secret)
  })
})
