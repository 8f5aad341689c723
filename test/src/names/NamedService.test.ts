/**
 * A service with a name of its own: nothing that leaves it has a default name, and both spellings are accepted.
 * Source: wire contract areas 2.5; D-370, D-371.
 */
import { type Caller, tenant } from "@countersign/core"
import { TokenPermissions } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { at, between } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { seededWallet } from "../../../packages/test/src/harness/SeededWallet.ts"
import { operations, requestOf } from "../http/ExampleRequests.ts"
import { settle } from "../http/IsolatedTenant.ts"
import { payloadOf } from "../quote/Wallets.ts"
import { defaultNamesIn, type NamedService, namedService } from "./NamedService.ts"

const merchant = { descriptor: "Shop 000", mcc: "5411", country: "US" }

/** A quote of an agent's customer that is executed and paid. */
const payByQuote = async (pay: NamedService, more: object = {}) => {
  await pay.fund("USD", 100_000)
  const quote = await pay.quote(between(await pay.accountId("USD"), await pay.external("MXN"), 10_000, more))
  expect(quote.status).toBe(201)
  expect((await pay.execute(String(at(quote, "id")))).status).toBe(200)
  await pay.clock.advance("1 hour")
  return quote
}

/** A quote out of a wallet, executed with the signature that the header of this name carries. */
const payFromWallet = async (pay: NamedService, header: string) => {
  const device = await pay.device({ accountId: await pay.accountId("USDB", "EMBEDDED_WALLET") })
  await pay.send("POST", `/sandbox/internal-accounts/${device.accountId}/fund`, { body: { amount: 50_000_000 } })
  await device.signIn("EMAIL_OTP")
  const quote = await pay.quote(between(device.accountId, await pay.external("MXN"), 10_000_000))
  const signature = await device.sign(payloadOf(quote))
  return pay.send("POST", `/quotes/${at(quote, "id")}/execute`, { headers: { [header]: signature } })
}

/** A card that the service closes, because its holder is deleted. */
const closeCard = async (pay: NamedService) => {
  const holder = String(
    at(await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Grace Hopper" } }), "id"),
  )
  const accountId = await pay.accountId("USD", undefined, holder)
  const issued = await pay.send("POST", "/cards", {
    body: { cardholderId: holder, platformCardId: "card-000", form: "VIRTUAL", fundingSources: [accountId] },
  })
  await pay.settle()
  const path = `/cards/${at(issued, "id")}`
  await pay.send("POST", `/sandbox${path}/simulate/authorization`, { body: { amount: 1, currency: "USD", merchant } })
  expect((await pay.send("DELETE", `/customers/${holder}`)).status).toBe(200)
  await pay.settle()
  return pay.send("GET", path)
}

describe("the service Acme", { timeout: 120_000 }, () => {
  it("lets no default name out: in answers of any operation, errors, webhooks, the document and its page", async () => {
    await using pay = await namedService("Acme")
    const { clientId, clientSecret } = pay.credentials
    const platform = { ...tenant(pay.platformId), permissions: [...TokenPermissions] } as Caller
    const held = await settle(pay, platform, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, "Held")
    await payByQuote(pay)
    await payFromWallet(pay, "Acme-Wallet-Signature")
    await closeCard(pay)
    for (const operation of operations()) {
      const { body, path } = requestOf(operation, held.ids)
      const as = operation.scheme === "agent" ? { token: held.agentToken } : "platform"
      const content = body === undefined ? {} : { body }
      await pay.send(operation.method, path, { as, ...content })
      // A header that is too long: the error names it.
      await pay.send(operation.method, path, { as, ...content, headers: { "acme-wallet-signature": "s".repeat(8193) } })
    }
    await pay.clock.advance("1 day")
    const left = await pay.left()
    expect(left.flatMap(([where, text]) => defaultNamesIn(text).map((name) => `${where}: ${name}`))).toEqual([])
    const names = ["acmeApiMultiplier", "CLOSED_BY_ACME", "X-Acme-Signature", "X-Acme-Key-Signatures"]
    const seen = [...names, '"field":"Acme-Wallet-Signature"', "ACME_SWITCH_ERROR"]
    expect(seen.filter((name) => !left.some(([, text]) => text.includes(name)))).toEqual([])
    expect(left.filter(([, text]) => text.startsWith('{"status":500')).map(([where]) => where)).toEqual([])
  })

  it("shows its own names where the contract has them", async () => {
    await using pay = await namedService("Acme")
    const quote = await payByQuote(pay)
    const details = {
      acmeApiMultiplier: expect.any(Number),
      acmeApiFixedFee: 0,
      acmeApiVariableFeeRate: 0.005,
      acmeApiVariableFeeAmount: 50,
    }
    expect(quote.body).toMatchObject({ rateDetails: details })
    expect((await pay.getQuote(String(at(quote, "id")))).body).toMatchObject({ rateDetails: details })
    const transaction = (await pay.transaction(quote)).body
    expect(transaction).toMatchObject({ status: "COMPLETED", rateDetails: details })
    const listed = await pay.send("GET", `/transactions?customerId=${pay.customerId}`)
    expect(at(listed, "data")).toContainEqual(transaction)
    const event = pay.inbox.ofType("OUTGOING_PAYMENT.COMPLETED")[0]
    expect(event?.data).toEqual(transaction)
    expect((await closeCard(pay)).body).toMatchObject({ state: "CLOSED", stateReason: "CLOSED_BY_ACME" })
    expect(pay.inbox.ofType("CARD.STATE_CHANGE").at(-1)?.data).toMatchObject({ stateReason: "CLOSED_BY_ACME" })
  })

  it("keeps every text of a caller as it was written", async () => {
    await using pay = await namedService("Acme")
    const description = "serviceApiMultiplier and CLOSED_BY_SERVICE"
    const quote = await payByQuote(pay, { description, remittanceInformation: "SERVICE_SWITCH_ERROR" })
    const transaction = await pay.transaction(quote)
    expect(transaction.body).toMatchObject({ description, remittanceInformation: "SERVICE_SWITCH_ERROR" })
    expect(pay.inbox.ofType("OUTGOING_PAYMENT.COMPLETED")[0]?.data).toMatchObject({ description })
    const named = {
      customerType: "INDIVIDUAL",
      fullName: "CLOSED_BY_SERVICE",
      platformCustomerId: "serviceApiMultiplier",
    }
    const { fullName, platformCustomerId } = named
    expect((await pay.send("POST", "/customers", { body: named })).body).toMatchObject({ fullName, platformCustomerId })
    const missing = await pay.send("GET", "/transactions/serviceApiMultiplier")
    expect(missing).toMatchObject({ status: 404, body: { code: "TRANSACTION_NOT_FOUND" } })
  })

  it.each(["acme-wallet-signature", "Service-Wallet-Signature"])("accepts a signature in %s", async (header) => {
    await using pay = await namedService("Acme")
    expect((await payFromWallet(pay, header)).status).toBe(200)
  })

  it("counts its own header, if both are there, and the neutral one beside an empty one", async () => {
    await using pay = await namedService("Acme")
    const device = await pay.device({ accountId: await pay.accountId("USDB", "EMBEDDED_WALLET") })
    await device.signIn("EMAIL_OTP")
    const revoke = async (headersOf: (signature: string) => { readonly [name: string]: string }) => {
      const path = `/auth/sessions/${device.session?.id}`
      const challenge = await pay.send("DELETE", path)
      const signature = await device.sign(String(at(challenge, "payloadToSign")))
      return pay.send("DELETE", path, {
        headers: { ...headersOf(signature), "request-id": String(at(challenge, "requestId")) },
      })
    }
    const wrong = await seededWallet("other").makeKeys()
    const other = await seededWallet("other").stamp(wrong, "another payload")
    const bothWrong = await revoke((own) => ({ "acme-wallet-signature": other, "service-wallet-signature": own }))
    expect(bothWrong.status).toBe(401)
    const blank = await revoke((own) => ({ "acme-wallet-signature": " ", "service-wallet-signature": own }))
    expect(blank.status).toBe(204)
  })

  it("does not accept the header of a third name", async () => {
    await using pay = await namedService("Acme")
    const refused = await payFromWallet(pay, "Other-Wallet-Signature")
    expect(refused).toMatchObject({ status: 401, body: { code: "WALLET_SIGNATURE_MISSING" } })
  })
})

describe("a changed name", { timeout: 120_000 }, () => {
  it("shows in the replay of an answer that was stored under another name", async () => {
    await using before = await namedService("Acme")
    await before.fund("USD", 100_000)
    const body = between(await before.accountId("USD"), await before.external("MXN"), 10_000)
    const headers = { "idempotency-key": "one" }
    const first = await before.quote(body, headers)
    await using after = await before.fork({ serviceName: "Nova" })
    const again = await after.send("POST", "/quotes", { body, headers })
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    const { acmeApiMultiplier } = Object(at(first, "rateDetails"))
    expect(at(again, "id")).toBe(at(first, "id"))
    expect(at(again, "rateDetails", "novaApiMultiplier")).toBe(acmeApiMultiplier)
    expect(JSON.stringify(again.body)).not.toMatch(/acme|service/iu)
  })

  it("shows in the redelivery of an event, which is signed anew over the new bytes", async () => {
    await using before = await namedService("Acme")
    before.inbox.answerNext(...Array.from({ length: 20 }, () => 500))
    await before.fund("USD", 100_000)
    const quote = await before.quote(between(await before.accountId("USD"), await before.external("MXN"), 10_000))
    await before.settle()
    const refused = before.inbox.received.find(({ data }) => data["id"] === at(quote, "transactionId"))
    expect(refused?.body).toContain("acmeApiMultiplier")
    // The inbox of the fork verifies the signature of every delivery in the header of the new name.
    await using after = await before.fork({ serviceName: "Nova" })
    const redelivered = await after.webhooks.waitFor(({ id }) => id === refused?.id, "1 hour")
    expect(redelivered.body).toBe(refused?.body.replaceAll("acmeApi", "novaApi"))
    expect(redelivered.headers["X-Nova-Signature"]).not.toBe(refused?.headers["X-Acme-Signature"])
    expect(Object.keys(redelivered.headers).filter((name) => /acme|service/iu.test(name))).toEqual([])
  })
})
