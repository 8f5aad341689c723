/**
 * Payments of customers under strong authentication to accounts that they trust: no challenge, but the session of a login.
 * Source: wire contract areas 1.3.5; D-381.
 */
import { CustomerAccess } from "@countersign/core"
import { describe, expect, it } from "vitest"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { withQuotingAgent } from "../agent/AgentQuoteSteps.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import { code, confirmByCode, signIn, trustPath, untrustPath } from "../sca/TrustRequests.ts"

type Reply = Awaited<ReturnType<QuoteHarness["quote"]>>

const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))
const person = { region: "EU", phoneNumber: "+14155550123" }
const sessionRequired = { status: 409, body: { code: "SCA_SESSION_REQUIRED" } }

/** A customer that is signed in, with money, and a peso account that it trusts. */
const trusting = async (options: WorldOptions = {}) => {
  const pay = await quoteHarness({ scaRegions: ["EU"], ...options }, person)
  await pay.fund("USD", 100_000)
  await signIn(pay, pay.customerId)
  await confirmByCode(pay, trustPath(await pay.external("MXN")))
  return pay
}

const request = async (pay: QuoteHarness, more: object = {}, suffix = "000") =>
  between(await pay.accountId("USD"), await pay.external("MXN", suffix), 10_000, more)

const payer = async (pay: QuoteHarness, suffix = "000") => ({
  source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: pay.customerId },
  destination: { destinationType: "ACCOUNT", accountId: await pay.external("MXN", suffix) },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 10_000,
})

describe("a quote to a trusted account", () => {
  it("is executed without a challenge", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await request(pay))
    const executed = await pay.execute(idOf(quote))
    expect(executed).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
    expect(executed.body).not.toHaveProperty("scaChallenge")
    await pay.settle()
    expect(pay.eventNames(at(quote, "transactionId"))).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
    await pay.checkBooks()
  })

  it("is executed at once without a challenge", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await request(pay, { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
  })

  it("shows a payer where to send the money, without a challenge", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await payer(pay))
    expect(quote).toMatchObject({ status: 201, body: { status: "PENDING", paymentInstructions: [{}] } })
    const body = { quoteId: idOf(quote), currencyCode: "USD" }
    expect((await pay.send("POST", "/sandbox/send", { body })).status).toBe(200)
    await pay.settle()
    expect(pay.eventNames(at(quote, "transactionId"))).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
  })

  it("needs the session of a login, and waits for it", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await request(pay))
    await pay.clock.advance("15 minutes")
    const later = await pay.quote(await request(pay))
    expect(later).toMatchObject({ status: 201, body: { status: "PENDING" } })
    expect(await pay.execute(idOf(later))).toMatchObject(sessionRequired)
    expect(await pay.quote(await request(pay, { immediatelyExecute: true }))).toMatchObject(sessionRequired)
    expect(await pay.quote(await payer(pay))).toMatchObject(sessionRequired)
    expect((await pay.getQuote(idOf(later))).body).toMatchObject({ status: "PENDING" })
    await signIn(pay, pay.customerId)
    expect((await pay.execute(idOf(later))).body).toMatchObject({ status: "PROCESSING" })
    expect((await pay.getQuote(idOf(quote))).body).toMatchObject({ status: "EXPIRED" })
  })

  describe.each<readonly [end: string, ends: (pay: QuoteHarness) => Promise<unknown>]>([
    ["has lasted its time", (pay) => pay.clock.advance("3 minutes")],
    ["is ended with the customer's access", (pay) => pay.run(CustomerAccess.use((all) => all.end(pay.customerId)))],
  ])("needs a session until the commit, which %s at any call of the store", (_, ends) => {
    it.each<readonly [what: string, pays: (pay: QuoteHarness, later: string) => Promise<Reply>]>([
      ["executed", (pay, later) => pay.execute(later)],
      ["executed at once", async (pay) => pay.quote(await request(pay, { immediatelyExecute: true }))],
      ["paid by a payer", async (pay) => pay.quote(await payer(pay))],
    ])("if it is %s", async (_what, pays) => {
      await atEachStoreCall(async ({ around, overlap }) => {
        await using pay = await trusting({ around })
        // The session ends before the quote does.
        await pay.clock.advance("12 minutes")
        const later = idOf(await pay.quote(await request(pay)))
        let paid: Reply | undefined
        const isOverlapped = await overlap(
          async () => {
            paid = await pays(pay, later)
          },
          () => ends(pay),
        )
        if (isOverlapped) expect(paid).toMatchObject(sessionRequired)
        else expect([200, 201]).toContain(paid?.status)
        return isOverlapped
      })
    })
  })

  it("is refused while the customer is locked out, in spite of the session", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await request(pay))
    const body = { eventType: "FAILED_LOGIN_ATTEMPT" }
    for (let failures = 0; failures < 5; failures++) {
      await pay.send("POST", `/sca/record-event?customerId=${pay.customerId}`, { body })
    }
    const locked = { status: 423, body: { code: "ACCOUNT_LOCKED" } }
    expect(await pay.execute(idOf(quote))).toMatchObject(locked)
    expect(await pay.quote(await payer(pay))).toMatchObject(locked)
  })

  it("is challenged again once the account is not trusted any more", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await request(pay))
    await confirmByCode(pay, untrustPath(await pay.external("MXN")))
    expect((await pay.execute(idOf(quote))).body).toMatchObject({ status: "PENDING_AUTHORIZATION", scaChallenge: {} })
  })

  it("is either executed or challenged while the trust ends at the same time", async () => {
    for (const interleave of [1, 2, 3, 4]) {
      await using pay = await trusting({ interleave })
      const quote = await pay.quote(await request(pay))
      const path = untrustPath(await pay.external("MXN"))
      const challengeId = at(await pay.send("POST", path), "scaChallenge", "id")
      const [executed, confirmed] = await Promise.all([
        pay.execute(idOf(quote)),
        pay.send("POST", `${path}/confirm`, { body: { challengeId, code } }),
      ])
      expect(confirmed).toMatchObject({ status: 200, body: { trusted: false } })
      expect(["PROCESSING", "PENDING_AUTHORIZATION"]).toContain(at(executed, "status"))
    }
  })
})

describe("a quote to another account", () => {
  it("is challenged as before", async () => {
    await using pay = await trusting()
    const quote = await pay.quote(await request(pay, {}, "008"))
    expect((await pay.execute(idOf(quote))).body).toMatchObject({ status: "PENDING_AUTHORIZATION", scaChallenge: {} })
    expect(await pay.quote(await payer(pay, "008"))).toMatchObject({ status: 202 })
    const atOnce = await request(pay, { immediatelyExecute: true }, "008")
    expect(await pay.quote(atOnce)).toMatchObject({ status: 202, body: { status: "PENDING_AUTHORIZATION" } })
  })

  it("is challenged while a request to trust the account is open", async () => {
    await using pay = await trusting()
    await pay.send("POST", trustPath(await pay.external("MXN", "008")))
    const quote = await pay.quote(await request(pay, {}, "008"))
    expect((await pay.execute(idOf(quote))).body).toMatchObject({ status: "PENDING_AUTHORIZATION" })
  })
})

describe("an agent", () => {
  const withAgent = async (rules: Parameters<typeof withQuotingAgent>[1] = {}) =>
    withQuotingAgent(await trusting(), rules)

  it("executes a quote to an account that its customer trusts without a challenge", async () => {
    await using pay = await withAgent()
    const quote = await pay.ask(await request(pay))
    expect(await pay.perform(idOf(quote))).toMatchObject({
      body: { status: "APPROVED", quote: { status: "PROCESSING" } },
    })
    expect(await pay.ask(await request(pay, { immediatelyExecute: true }))).toMatchObject({
      status: 201,
      body: { status: "PROCESSING" },
    })
    const other = await pay.ask(await request(pay, {}, "008"))
    expect(await pay.perform(idOf(other))).toMatchObject({ body: { quote: { status: "PENDING_AUTHORIZATION" } } })
  })

  it("stays under its policy and its approval", async () => {
    await using pay = await withAgent({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    const quote = await pay.ask(await request(pay))
    const held = await pay.perform(idOf(quote))
    expect(held.body).toMatchObject({ status: "PENDING_APPROVAL" })
    expect(await pay.approve(idOf(held))).toMatchObject({
      status: 200,
      body: { status: "APPROVED", quote: { status: "PROCESSING" } },
    })
    await pay.setPolicy({ spendingLimits: { currency: "USD", perTransactionLimit: 1 } })
    const large = await pay.ask(await request(pay))
    expect(await pay.perform(idOf(large))).toMatchObject({ status: 403 })
  })

  it("has its action fail without the session of a login", async () => {
    await using pay = await withAgent()
    await pay.clock.advance("15 minutes")
    const quote = await pay.ask(await request(pay))
    expect(await pay.perform(idOf(quote))).toMatchObject({ body: { status: "FAILED" } })
    expect((await pay.getQuote(idOf(quote))).body).toMatchObject({ status: "PENDING" })
  })
})

describe("a transfer out", () => {
  it("needs no challenge of its own, whether or not its customer trusts the account", async () => {
    await using pay = await trusting()
    await confirmByCode(pay, trustPath(await pay.external("USD")))
    for (const suffix of ["000", "008"]) {
      const body = {
        source: { accountId: await pay.accountId("USD") },
        destination: { accountId: await pay.external("USD", suffix) },
        amount: 1000,
      }
      const sent = await pay.send("POST", "/transfer-out", { body })
      expect(sent).toMatchObject({ status: 201, body: { status: "PENDING" } })
      expect(sent.body).not.toHaveProperty("scaChallenge")
    }
  })
})
