/** Strong customer authentication over HTTP: factors, challenges, lockouts and resets; 409 where it is not required. */

import { Platforms } from "@countersign/core"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import * as LockoutRules from "../../../packages/core/src/model/sca/LockoutRules.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, newPerson } from "../customer/CustomerRequests.ts"
import { recording } from "./TrustWorld.ts"

const regulated = { scaRegions: ["EU"] }
const european = { region: "EU", phoneNumber: "+14155550123" }
const endUserIpAddress = "203.0.113.7"

const sender = (pay: Harness, customerId: string) => (method: string, path: string, body?: object) =>
  pay.send(method, `/sca/${path}?customerId=${customerId}`, body === undefined ? {} : { body })

const operations: ReadonlyArray<{ readonly method: string; readonly path: string; readonly body?: object }> = [
  { method: "GET", path: "factors" },
  { method: "POST", path: "factors", body: { type: "TOTP" } },
  { method: "POST", path: "factors/confirm", body: { type: "TOTP", secret: "x", code: "123456" } },
  { method: "DELETE", path: "factors/x" },
  { method: "POST", path: "login/start", body: { factor: "SMS_OTP" } },
  { method: "POST", path: "login/complete", body: { factor: "SMS_OTP", endUserIpAddress, code: "123456" } },
  { method: "POST", path: "record-event", body: { eventType: "FAILED_LOGIN_ATTEMPT" } },
  { method: "POST", path: "factors/reset", body: { factor: "SMS_OTP" } },
  { method: "GET", path: "factors/reset/x" },
  { method: "POST", path: "factors/reset/x/complete" },
]

describe("region without strong authentication", () => {
  // Proves: ERR-RULE-03
  it.each(operations)(
    "answers 409 to $method $path if the region does not require it",
    async ({ body, method, path }) => {
      for (const [options, customer] of [
        [{}, european],
        [regulated, { ...european, region: "US" }],
        [regulated, {}],
      ] as const) {
        await using pay = await harness(options)
        const send = sender(pay, await newPerson(pay, customer))
        expect(await send(method, path, body)).toMatchObject({
          status: 409,
          body: { code: "CONFLICT", details: { reason: "NOT_REQUIRED" } },
        })
      }
    },
  )

  it.each(operations)(
    "answers 404 to $method $path for an unknown customer, and requires the customer's id",
    async ({ body, method, path }) => {
      await using pay = await harness(regulated)
      const unknown = sender(pay, "Customer:00000000-0000-4000-8000-000000000009")
      expect(await unknown(method, path, body)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } })
      const reply = await pay.send(method, `/sca/${path}`, body === undefined ? {} : { body })
      expect(at(reply, "details", "errors")).toMatchObject([{ field: "customerId" }])
    },
  )
})

describe("isolation of customers", () => {
  it("does not find factors and resets of another customer or platform", async () => {
    await using it = await world()
    const reset = await it.send("POST", "factors/reset", { factor: "SMS_OTP" })
    const path = `factors/reset/${at(reset, "resetId")}`
    const neighbour = sender(it.pay, await newPerson(it.pay, european))
    for (const [method, to] of [
      ["GET", path],
      ["POST", `${path}/complete`],
      ["DELETE", "factors/x"],
    ] as const) {
      expect(await neighbour(method, to)).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    }
    const second = {
      clientId: "second",
      clientSecret: Redacted.make("second"),
      name: "Second",
      currencies: ["USD"] as const,
    }
    await it.pay.run(Platforms.use((platforms) => platforms.setUp(second)))
    for (const { body, method, path: to } of operations) {
      const reply = await it.pay.send(method, `/sca/${to}?customerId=${it.customerId}`, {
        as: "nobody",
        headers: { authorization: `Basic ${btoa("second:second")}` },
        ...(body === undefined ? {} : { body }),
      })
      expect([method, to, reply.status, at(reply, "code")]).toEqual([method, to, 404, "USER_NOT_FOUND"])
    }
  })
})

const world = async () => {
  const pay = await harness(regulated)
  const customerId = await newPerson(pay, european)
  return { pay, customerId, send: sender(pay, customerId), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

describe("factor", () => {
  it("enrols TOTP by a code and shows its recovery codes once", async () => {
    await using it = await world()
    const begun = await it.send("POST", "factors", { type: "TOTP" })
    expect(begun).toMatchObject({ status: 200, body: { type: "TOTP" } })
    const secret = String(at(begun, "secret"))
    expect(String(at(begun, "totpUri"))).toContain(`secret=${at(begun, "secretBase32Encoded")}`)
    const confirm = (code: string) => it.send("POST", "factors/confirm", { type: "TOTP", secret, code })
    expect(at(await confirm("000000"), "details", "errors")).toMatchObject([{ field: "code" }])
    const done = await confirm("123456")
    expect(done).toMatchObject({ status: 200, body: { type: "TOTP" } })
    expect(at(done, "recoveryCodes")).toHaveLength(8)
    expect((await confirm("123456")).body).toMatchObject({ code: "CONFLICT" })
    const listed = await it.send("GET", "factors")
    expect(listed.body).toEqual({ factors: [{ factor: "TOTP" }] })
  })

  it("lists SMS_OTP once the telephone number is verified, and again after a change of the number", async () => {
    await using it = await world()
    const factors = async () => at(await it.send("GET", "factors"), "factors")
    expect(await factors()).toEqual([])
    const verify = async () => {
      const path = `/customers/${it.customerId}/verify-phone`
      expect((await it.pay.send("POST", path)).status).toBe(204)
      expect((await it.pay.send("POST", `${path}/confirm`, { body: { code: "123456" } })).status).toBe(200)
    }
    await verify()
    expect(await factors()).toEqual([{ factor: "SMS_OTP", name: european.phoneNumber }])
    const change = { customerType: "INDIVIDUAL", phoneNumber: "+14155550199" }
    expect((await it.pay.send("PATCH", `/customers/${it.customerId}`, { body: change })).status).toBe(200)
    expect(await factors()).toEqual([])
    await verify()
    expect(await factors()).toEqual([{ factor: "SMS_OTP", name: "+14155550199" }])
  })

  it("enrols a PASSKEY once and signs in with it", async () => {
    await using it = await world()
    expect((await it.send("POST", "factors", { type: "PASSKEY" })).body).toMatchObject({
      type: "PASSKEY",
      relyingPartyId: "sandbox.example",
    })
    const body = { type: "PASSKEY", origin: "https://sandbox.example", credential: { id: "key-1" } }
    expect((await it.send("POST", "factors/confirm", body)).body).toEqual({
      type: "PASSKEY",
      factor: { factor: "PASSKEY", credentialId: "key-1" },
    })
    expect(await it.send("POST", "factors/confirm", body)).toMatchObject({
      status: 409,
      body: { code: "PASSKEY_ALREADY_ENROLLED" },
    })
    const login = await it.send("POST", "login/start", { factor: "PASSKEY" })
    expect(login.body).toMatchObject({ factor: "PASSKEY", passkeyOptions: {}, relyingPartyId: "sandbox.example" })
    const answer = { factor: "PASSKEY", endUserIpAddress, challengeId: at(login, "challengeId") }
    expect(at(await it.send("POST", "login/complete", answer), "details", "errors")).toMatchObject([
      { field: "passkeyAssertion" },
      { field: "origin" },
    ])
    const whole = { ...answer, passkeyAssertion: { id: "key-1" }, origin: "https://sandbox.example" }
    expect((await it.send("POST", "login/complete", whole)).status).toBe(200)
    const listed = await it.send("GET", "factors")
    expect(listed.body).toEqual({ factors: [{ factor: "PASSKEY", credentialId: "key-1" }] })
    expect((await it.send("DELETE", "factors/key-1")).status).toBe(204)
    expect((await it.send("DELETE", "factors/key-1")).status).toBe(404)
    expect((await it.send("GET", "factors")).body).toEqual({ factors: [] })
  })

  it("refuses an unknown or not enrolled factor", async () => {
    await using it = await world()
    expect((await it.send("POST", "factors", { type: "SMS_OTP" })).status).toBe(400)
    expect((await it.send("POST", "factors/confirm", { type: "PASSKEY", origin: "x", credential: {} })).status).toBe(
      400,
    )
    expect((await it.send("POST", "login/start", { factor: "TOTP" })).body).toMatchObject({
      details: { reason: "FACTOR_NOT_ENROLLED" },
    })
  })
})

describe("challenge", () => {
  it("accepts one answer within five minutes by the factor of the challenge", async () => {
    await using it = await world()
    const begun = await it.send("POST", "login/start", { factor: "SMS_OTP" })
    expect(begun.body).toMatchObject({ factor: "SMS_OTP", expiresAt: "2026-11-21T12:05:00Z" })
    const answer = { factor: "SMS_OTP", endUserIpAddress, challengeId: at(begun, "challengeId"), code: "123456" }
    const complete = (change: object = {}) => it.send("POST", "login/complete", { ...answer, ...change })
    for (const change of [{ challengeId: "other" }, { factor: "TOTP" }]) {
      expect(at(await complete(change), "details", "errors")).toMatchObject([{ field: "challengeId" }])
    }
    expect((await complete()).body).toEqual({ status: "AUTHENTICATED", sessionExpiresAt: "2026-11-21T12:15:00Z" })
    expect((await complete()).status).toBe(400)
    await it.send("POST", "login/start", { factor: "SMS_OTP" })
    await it.pay.clock.advance("5 minutes")
    expect(at(await complete({ challengeId: null }), "details", "errors")).toMatchObject([{ field: "challengeId" }])
  })

  it("is answered with all that the customer sends, which reaches the provider", async () => {
    const { checked, codes, ports } = recording()
    await using pay = await harness({ ...regulated, ports })
    const customerId = await newPerson(pay, european)
    const send = sender(pay, customerId)
    const challengeId = at(await send("POST", "login/start", { factor: "SMS_OTP" }), "challengeId")
    const answer = { factor: "SMS_OTP", endUserIpAddress, origin: "https://sandbox.example" }
    await send("POST", "login/complete", { ...answer, code: "000000" })
    await send("POST", "login/complete", { ...answer, code: "000001", origin: null, passkeyAssertion: null })
    expect(checked).toEqual([
      { ...answer, customerId, challengeId, code: expect.anything() },
      { factor: "SMS_OTP", endUserIpAddress, customerId, challengeId, code: expect.anything() },
    ])
    expect(codes).toEqual(["000000", "000001"])
  })

  it("locks the customer out after wrong answers", async () => {
    await using it = await world()
    await it.send("POST", "login/start", { factor: "SMS_OTP" })
    const complete = (code: string) => it.send("POST", "login/complete", { factor: "SMS_OTP", endUserIpAddress, code })
    for (let tried = 0; tried < 5; tried++) {
      expect(at(await complete("000000"), "details", "errors")).toMatchObject([{ field: "code" }])
    }
    const details = { lockedUntil: "2026-11-21T12:15:00Z", failedAttempts: 5, suspended: false }
    expect(await complete("123456")).toMatchObject({ status: 423, body: { code: "ACCOUNT_LOCKED", details } })
    expect((await it.send("POST", "login/start", { factor: "SMS_OTP" })).status).toBe(423)
    await it.pay.clock.advance("15 minutes")
    await it.send("POST", "login/start", { factor: "SMS_OTP" })
    expect((await complete("123456")).status).toBe(200)
  })
})

describe("failed attempts", () => {
  it("locks for each period of the table, then suspends", async () => {
    await using it = await world()
    const fail = () => it.send("POST", "record-event", { eventType: "FAILED_LOGIN_ATTEMPT" })
    for (let attempts = 1; attempts < 5; attempts++) {
      expect((await fail()).body).toMatchObject({ failedAttempts: attempts, suspended: false, lockedUntil: null })
    }
    for (const [failures, millis] of LockoutRules.Lockouts.entries) {
      const reply = await fail()
      if (millis === null) expect(reply.body).toMatchObject({ failedAttempts: Number(failures), suspended: true })
      else {
        const until = new Date((await it.pay.clock.now()) + millis).toISOString().replace(".000Z", "Z")
        expect(reply.body).toMatchObject({ failedAttempts: Number(failures), lockedUntil: until, suspended: false })
        expect(await fail()).toMatchObject({ status: 423, body: { details: { lockedUntil: until } } })
        await it.pay.clock.advance(millis)
      }
    }
    const reset = { eventType: "RESET_PASSWORD_COMPLETED" }
    expect(await it.send("POST", "record-event", reset)).toMatchObject({
      status: 423,
      body: { details: { suspended: true, failedAttempts: 9 } },
    })
  })

  it("clears failed attempts after a new password", async () => {
    await using it = await world()
    for (let attempts = 0; attempts < 5; attempts++) {
      await it.send("POST", "record-event", { eventType: "FAILED_LOGIN_ATTEMPT" })
    }
    const reset = await it.send("POST", "record-event", { eventType: "RESET_PASSWORD_COMPLETED" })
    expect(reset.body).toMatchObject({ failedAttempts: 0, lockedUntil: null, suspended: false })
    expect((await it.send("POST", "login/start", { factor: "SMS_OTP" })).status).toBe(200)
    expect((await it.send("POST", "record-event", { eventType: "x" })).status).toBe(400)
  })
})

describe("factor reset", () => {
  it("removes the factor, which can then be enrolled anew", async () => {
    await using it = await world()
    const enroll = () => it.send("POST", "factors/confirm", { type: "TOTP", secret: "x", code: "123456" })
    await enroll()
    const begun = await it.send("POST", "factors/reset", { factor: "TOTP" })
    expect(begun).toMatchObject({ status: 201, body: { expiresAt: "2026-11-21T13:00:00Z" } })
    const path = `factors/reset/${at(begun, "resetId")}`
    const look = async () => (await it.send("GET", path)).body
    expect(await look()).toEqual({ status: "LIVENESS_PASSED", factor: "TOTP", expiresAt: "2026-11-21T13:00:00Z" })
    expect((await it.send("POST", `${path}/complete`)).status).toBe(204)
    expect(await look()).toMatchObject({
      status: "COMPLETED",
      enrollmentStatus: "PENDING",
      completedAt: "2026-11-21T12:00:00Z",
    })
    expect((await it.send("POST", `${path}/complete`)).body).toMatchObject({ details: { reason: "RESET_NOT_PASSED" } })
    await enroll()
    await it.pay.clock.advance("2 hours")
    expect(await look()).toMatchObject({ status: "COMPLETED", enrollmentStatus: "COMPLETED" })
  })

  it("replaces the telephone number when SMS_OTP is reset, and requires it", async () => {
    await using it = await world()
    const begun = await it.send("POST", "factors/reset", { factor: "SMS_OTP" })
    const path = `factors/reset/${at(begun, "resetId")}`
    const complete = (body?: object) => it.send("POST", `${path}/complete`, body)
    for (const body of [undefined, {}]) {
      expect(at(await complete(body), "details", "errors")).toMatchObject([{ field: "mobile" }])
    }
    for (const [mobile, fields] of [
      [{ countryCode: "+1" }, ["mobile.number"]],
      [{ countryCode: "1", number: "415 555" }, ["mobile.countryCode", "mobile.number"]],
      [{ countryCode: "+1234", number: "123" }, ["mobile.countryCode", "mobile.number"]],
    ] as const) {
      const errors = at(await complete({ mobile }), "details", "errors") as ReadonlyArray<{ readonly field: string }>
      expect(errors.map(({ field }) => field)).toEqual(fields)
    }
    expect((await it.send("GET", path)).body).toMatchObject({ status: "LIVENESS_PASSED" })
    expect((await complete({ mobile: { countryCode: "+44", number: "7700900123" } })).status).toBe(204)
    expect((await it.send("GET", path)).body).toMatchObject({ status: "COMPLETED", enrollmentStatus: "PENDING" })
    const customer = `/customers/${it.customerId}`
    expect((await it.pay.send("GET", customer)).body).toMatchObject({
      phoneNumber: "+447700900123",
      contactVerification: { phone: "PENDING" },
    })
    await it.pay.send("POST", `${customer}/verify-phone`)
    await it.pay.send("POST", `${customer}/verify-phone/confirm`, { body: { code: "123456" } })
    expect((await it.send("GET", path)).body).toMatchObject({ enrollmentStatus: "COMPLETED" })
  })

  it("ignores a telephone number when another factor is reset", async () => {
    await using it = await world()
    await it.send("POST", "factors/confirm", { type: "TOTP", secret: "x", code: "123456" })
    const begun = await it.send("POST", "factors/reset", { factor: "TOTP" })
    const mobile = { countryCode: "+44", number: "7700900123" }
    expect((await it.send("POST", `factors/reset/${at(begun, "resetId")}/complete`, { mobile })).status).toBe(204)
    expect((await it.pay.send("GET", `/customers/${it.customerId}`)).body).toMatchObject({
      phoneNumber: european.phoneNumber,
    })
  })

  it("expires a reset after an hour, and permits five resets a day", async () => {
    await using it = await world()
    const begin = () => it.send("POST", "factors/reset", { factor: "SMS_OTP" })
    const first = await begin()
    for (let begun = 1; begun < 5; begun++) await begin()
    const late = await begin()
    expect(late).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } })
    expect(late.headers.get("retry-after")).toBe(String(24 * 60 * 60))
    await it.pay.clock.advance("1 hour")
    const path = `factors/reset/${at(first, "resetId")}`
    expect((await it.send("GET", path)).body).toMatchObject({ status: "EXPIRED" })
    expect((await it.send("POST", `${path}/complete`)).status).toBe(409)
    expect((await it.send("GET", "factors/reset/nobody")).status).toBe(404)
    expect((await it.send("POST", "factors/reset", { factor: "TOTP" })).body).toMatchObject({
      details: { reason: "FACTOR_NOT_ENROLLED" },
    })
    await it.pay.clock.advance("23 hours")
    expect((await begin()).status).toBe(201)
  })
})
