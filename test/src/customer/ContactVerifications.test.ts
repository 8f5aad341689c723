/**
 * The confirmation of contacts in regions that require it, and the link to the provider's page.
 * Source: wire contract 5.8, 5.12, 7.6 and 11 (53).
 */

import { SecurityCodes } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { newPerson } from "./CustomerRequests.ts"

const contacts = { email: "ada@example.com", phoneNumber: "+14155550123" }
const regulated = { scaRegions: ["EU"] }
const post = (pay: Harness, customerId: string, path: string, body?: object) =>
  pay.send("POST", `/customers/${customerId}/${path}`, body === undefined ? {} : { body })
const conflict = (reason: string) => ({ status: 409, body: { code: "CONFLICT", details: { reason } } })

/** A provider that accepts one code, and records the codes that it is asked about. */
const checking = (checked: Array<string>) =>
  Layer.succeed(SecurityCodes, {
    send: () => Effect.void,
    check: (_request, code) =>
      Effect.sync(() => {
        checked.push(Redacted.value(code))
        return Redacted.value(code) === "123456"
      }),
  })

describe.each(["email", "phone"] as const)("the customer's %s", (contact) => {
  const path = `verify-${contact}`
  const fieldOf = contact === "email" ? "email" : "phoneNumber"

  // Proves: ERR-RULE-02
  it("needs no confirmation outside the listed regions", async () => {
    await using pay = await harness(regulated)
    for (const region of [{}, { region: "US" }]) {
      const id = await newPerson(pay, { ...contacts, ...region })
      expect((await pay.send("GET", `/customers/${id}`)).body).not.toHaveProperty("contactVerification")
      expect(await post(pay, id, path)).toMatchObject(conflict("NOT_REQUIRED"))
      expect(await post(pay, id, `${path}/confirm`, { code: "123456" })).toMatchObject(conflict("NOT_REQUIRED"))
    }
  })

  it("is confirmed once, by the code that was sent", async () => {
    await using pay = await harness(regulated)
    const id = await newPerson(pay, { ...contacts, region: "EU" })
    const customer = () => pay.send("GET", `/customers/${id}`)
    expect((await customer()).body).toMatchObject({ contactVerification: { email: "PENDING", phone: "PENDING" } })
    expect((await post(pay, id, path)).status).toBe(204)
    expect(await post(pay, id, `${path}/confirm`, { code: "000000" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "code" }] } },
    })
    expect((await post(pay, id, `${path}/confirm`, {})).status).toBe(400)
    const confirmed = await post(pay, id, `${path}/confirm`, { code: "123456" })
    expect(confirmed).toMatchObject({ status: 200, body: { id, contactVerification: { [contact]: "VERIFIED" } } })
    expect((await customer()).body).toEqual(confirmed.body)
    expect(await post(pay, id, path)).toMatchObject(conflict("ALREADY_VERIFIED"))
  })

  it("is protected from guessed codes by a daily limit", async () => {
    const checked: Array<string> = []
    await using pay = await harness({ ...regulated, ports: checking(checked) })
    const id = await newPerson(pay, { ...contacts, region: "EU" })
    const confirm = (code: string) => post(pay, id, `${path}/confirm`, { code })
    for (let attempt = 0; attempt < 10; attempt++) expect((await confirm("000000")).status).toBe(400)
    const limited = await confirm("123456")
    expect(limited).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } })
    // The provider is not asked, so that no answer tells the right code, and none is used up.
    expect(checked).toEqual(Array.from({ length: 10 }, () => "000000"))
    expect(limited.headers.get("retry-after")).toBe(String(12 * 60 * 60))
    await pay.clock.advance("12 hours")
    expect((await confirm("123456")).status).toBe(200)
    expect(await confirm("123456")).toMatchObject(conflict("ALREADY_VERIFIED"))
    expect(checked).toHaveLength(11)
  })

  it("awaits confirmation again after it changes, and not after another field changes", async () => {
    await using pay = await harness(regulated)
    // Created without the e-mail address: no credential is tied to it, so its change requires no signature.
    const id = await newPerson(pay, { region: "EU" })
    await pay.send("PATCH", `/customers/${id}`, { body: { customerType: "INDIVIDUAL", [fieldOf]: contacts[fieldOf] } })
    await post(pay, id, `${path}/confirm`, { code: "123456" })
    const change = (body: object) =>
      pay.send("PATCH", `/customers/${id}`, { body: { customerType: "INDIVIDUAL", ...body } })
    expect((await change({ fullName: "Ada King" })).body).toMatchObject({
      contactVerification: { [contact]: "VERIFIED" },
    })
    const other = contact === "email" ? { email: "new@example.com" } : { phoneNumber: "+14155550199" }
    expect((await change(other)).body).toMatchObject({ contactVerification: { [contact]: "PENDING" } })
    expect((await change({ region: "US" })).body).not.toHaveProperty("contactVerification")
  })

  it("cannot be confirmed if it does not exist", async () => {
    await using pay = await harness(regulated)
    const id = await newPerson(pay, { region: "EU" })
    expect(await post(pay, id, path)).toMatchObject(conflict("NO_CONTACT"))
    expect(await post(pay, "nobody", path)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } })
  })
})

describe("the link to the provider's page", () => {
  it("is new for each request and replayed for a repeated key", async () => {
    await using pay = await harness()
    const id = await newPerson(pay, { fullName: "Ada 003" })
    const redirectUri = "https://platform.example/back?x=1"
    const path = `/customers/${id}/kyc-link`
    const send = (key: string, body: object = { redirectUri }) =>
      pay.send("POST", path, { body, headers: { "idempotency-key": key } })
    const first = await send("a")
    expect(first).toMatchObject({ status: 201, body: { provider: "SUMSUB", expiresAt: "2026-11-21T13:00:00Z" } })
    await pay.clock.advance("1 minute")
    const again = await send("a")
    expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([first.body, "true"])
    expect((await send("a", {})).body).toMatchObject({ code: "CONFLICT" })
    expect((await send("b")).body).not.toEqual(first.body)
    expect((await pay.send("POST", path)).status).toBe(201)
    expect((await pay.send("POST", path, { body: { redirectUri: "ftp://x" } })).body).toMatchObject({
      details: { errors: [{ field: "redirectUri" }] },
    })
    expect((await pay.send("GET", `/customers/${id}`)).body).toMatchObject({ kycStatus: "UNVERIFIED" })
    expect((await pay.send("POST", "/customers/nobody/kyc-link")).status).toBe(404)
  })

  it("is refused until the contacts are confirmed", async () => {
    await using pay = await harness(regulated)
    for (const [first, second] of [
      ["email", "phone"],
      ["phone", "email"],
    ]) {
      const id = await newPerson(pay, { ...contacts, region: "EU" })
      await post(pay, id, `verify-${first}/confirm`, { code: "123456" })
      expect(await post(pay, id, "kyc-link")).toMatchObject(conflict("CONTACT_VERIFICATION_OUTSTANDING"))
      await post(pay, id, `verify-${second}/confirm`, { code: "123456" })
      expect((await post(pay, id, "kyc-link")).status).toBe(201)
    }
  })
})
