/**
 * Access to the trust in external accounts over HTTP: sessions, regions, accounts, agents and factors.
 * Source: wire contract areas 1.3; D-381.
 */
import { CustomerAccess, Platforms } from "@countersign/core"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { agentHarness } from "../../../packages/test/src/harness/index.ts"
import { added, customersPath, platformPath, usd } from "../account/ExternalAccountRequests.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import { code, enrollPasskey, signIn, trustPath, untrustPath } from "./TrustRequests.ts"
import { european, passkeyOnly, phoneNumber, refusedBy, regulated, trusting } from "./TrustWorld.ts"

describe("every operation of trust", () => {
  const operations = (id: string) =>
    [trustPath(id), untrustPath(id)].flatMap((path) => [
      [path, undefined] as const,
      [`${path}/confirm`, { code }] as const,
    ])

  it("needs the session of a login, for 15 minutes and not after the end of the customer's access", async () => {
    await using it = await trusting()
    const needed = { status: 409, body: { code: "SCA_SESSION_REQUIRED" } }
    await it.pay.clock.advance("899 seconds")
    expect((await it.post(trustPath(it.id))).status).toBe(200)
    await it.pay.clock.advance("1 second")
    for (const [path, body] of operations(it.id)) expect(await it.post(path, body)).toMatchObject(needed)
    await signIn(it.pay, it.customerId)
    expect((await it.post(trustPath(it.id))).status).toBe(200)
    await it.pay.run(CustomerAccess.use((access) => access.end(it.customerId)))
    for (const [path, body] of operations(it.id)) expect(await it.post(path, body)).toMatchObject(needed)
    const stranger = await newPerson(it.pay, { ...european, phoneNumber: "+14155550199" })
    const id = await added(it.pay, { ...usd(), customerId: stranger })
    for (const [path, body] of operations(id)) expect(await it.post(path, body)).toMatchObject(needed)
  })

  it("is refused for a customer whose region needs no strong authentication", async () => {
    for (const [options, customer] of [
      [{}, european],
      [regulated, { phoneNumber, region: "US" }],
    ] as const) {
      await using pay = await harness(options)
      const id = await added(pay, { ...usd(), customerId: await newPerson(pay, customer) })
      for (const [path, body] of operations(id)) {
        const reply = await pay.send("POST", path, body === undefined ? {} : { body })
        expect(reply).toMatchObject({
          status: 409,
          body: { code: "CONFLICT", details: { reason: "SCA_NOT_REQUIRED" } },
        })
      }
    }
  })

  it("does not find accounts that are unknown, deleted, foreign or the platform's", async () => {
    await using it = await trusting()
    const deleted = await added(it.pay, { ...usd("7654321000"), customerId: it.customerId })
    await it.pay.send("DELETE", `${customersPath}/${deleted}`)
    const unknown = "ExternalAccount:00000000-0000-4000-8000-000000000009"
    const missing = { status: 404, body: { code: "REFERENCE_NOT_FOUND" } }
    for (const id of [unknown, deleted, "nothing", await added(it.pay, usd(), platformPath)]) {
      for (const [path, body] of operations(id)) expect(await it.post(path, body)).toMatchObject(missing)
    }
    const second = {
      clientId: "second",
      clientSecret: Redacted.make("s"),
      name: "Second",
      currencies: ["USD"] as const,
    }
    await it.pay.run(Platforms.use((platforms) => platforms.setUp(second)))
    const headers = { authorization: `Basic ${btoa("second:s")}` }
    for (const [path, body] of operations(it.id)) {
      const options = { as: "nobody", headers, ...(body === undefined ? {} : { body }) } as const
      expect(await it.pay.send("POST", path, options)).toMatchObject(missing)
    }
  })

  it("is not for agents", async () => {
    await using pay = await agentHarness({}, regulated)
    for (const [path, body] of operations(pay.sources["000"] ?? "")) {
      const as = { token: pay.accessToken }
      const reply = await pay.send("POST", path, { as, ...(body === undefined ? {} : { body }) })
      expect(reply).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } })
    }
  })

  it("cannot challenge a customer without a factor", async () => {
    await using it = await trusting()
    const body = { customerType: "INDIVIDUAL", region: "EU" }
    await it.pay.send("PATCH", `/customers/${it.customerId}`, { body })
    const customerId = await newPerson(it.pay, passkeyOnly)
    await enrollPasskey(it.pay, customerId)
    await signIn(it.pay, customerId, "PASSKEY")
    await it.pay.send("DELETE", `/sca/factors/key-1?customerId=${customerId}`)
    const path = trustPath(await added(it.pay, { ...usd(), customerId }))
    expect(await it.post(path)).toMatchObject(refusedBy("FACTOR_NOT_ENROLLED", 409))
  })
})
