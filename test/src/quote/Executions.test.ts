/** The execution and the expiry of quotes. Spec: 4.5; wire contract 5.5 and 11 (7). */
import { ExchangeRates, type OfferedRate } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))
const unknown = (type: string) => `${type}:00000000-0000-4000-8000-000000000009`

/** Creates a funded customer with a quote of 100.00 dollars to an external account in pesos. */
const begin = async (pay: QuoteHarness, more: object = {}) => {
  await pay.fund("USD", 100_000)
  return pay.quote(between(await pay.accountId("USD"), await pay.external("MXN"), 10_000, more))
}

describe("the execution of a quote", () => {
  it("happens at creation with immediatelyExecute", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay, { immediatelyExecute: true })
    expect(reply).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    await pay.settle()
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(pay.eventNames(at(reply, "transactionId"))).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
    const short = await pay.quote(
      between(await pay.accountId("USD"), await pay.external("USD"), 90_001, { immediatelyExecute: true }),
    )
    expect(short).toMatchObject({ status: 400, body: { details: { reason: "INSUFFICIENT_FUNDS" } } })
  })

  // Proves: SBX-RUN-02
  it("spends money that a transfer-in credited", async () => {
    await using pay = await quoteHarness()
    const inside = await pay.accountId("USD")
    const body = {
      source: { accountId: await pay.external("USD") },
      destination: { accountId: inside },
      amount: 10_000,
    }
    expect((await pay.send("POST", "/transfer-in", { body })).status).toBe(201)
    await pay.settle()
    const quote = await pay.quote(between(inside, await pay.external("MXN"), 10_000))
    expect(await pay.execute(idOf(quote))).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
    await pay.settle()
    expect(await pay.getQuote(idOf(quote))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.balances("USD")).toEqual([0, 0])
  })

  // Proves: RES-QUOTE-16
  it("uses the stored amounts after rates and fees have changed", async () => {
    let dollars = 1n
    const rates = Layer.succeed(ExchangeRates, {
      rate: (from, to) => Effect.sync((): OfferedRate => ({ from, to, numerator: dollars, denominator: 20n })),
    })
    await using pay = await quoteHarness({ ports: rates })
    const reply = await begin(pay)
    expect(reply.body).toMatchObject({ totalReceivingAmount: 200_000 })
    dollars = 2n
    const fee = { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "USD", variableFeeBps: 100 }
    await pay.send("PATCH", "/config", {
      body: { feeConfigs: [{ ...fee, fixedFee: { amount: 25, currency: "USD" } }] },
    })
    await pay.clock.advance("299 seconds")
    await pay.execute(idOf(reply))
    await pay.settle()
    expect(await pay.transaction(reply)).toMatchObject({
      body: { status: "COMPLETED", receivedAmount: { amount: 200_000 }, fees: 0 },
    })
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    const again = await begin(pay)
    expect(again.body).toMatchObject({ feesIncluded: 125 })
  })

  it("succeeds once when requested twice, and answers 409 to the other", async () => {
    for (const seed of [1, 2, 3]) {
      await using pay = await quoteHarness({ interleave: seed })
      const reply = await begin(pay)
      const both = await Promise.all([1, 2].map(() => pay.execute(idOf(reply))))
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
        code: "CONFLICT",
        details: { reason: "QUOTE_ALREADY_EXECUTED" },
      })
      expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    }
  })

  it("executes one of two quotes if funds cover only one", async () => {
    await using pay = await quoteHarness({ interleave: 4 })
    await pay.fund("USD", 10_000)
    const [source, external] = [await pay.accountId("USD"), await pay.external("MXN")]
    const quotes = [await pay.quote(between(source, external, 6000)), await pay.quote(between(source, external, 6000))]
    const both = await Promise.all(quotes.map((quote) => pay.execute(idOf(quote))))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(both.find(({ status }) => status === 400)?.body).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "INSUFFICIENT_FUNDS" },
    })
    expect(await pay.balances("USD")).toEqual([4000, 4000])
  })

  it("answers without a server error if the payment ends while it is being cancelled", async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const around = Layer.effect(
      Store,
      Effect.map(Store, (store) =>
        Store.of({
          ...store,
          read: (query) => {
            const happens = query.records?.some(({ kind }) => kind === "Quote") === true ? meanwhile : undefined
            if (happens === undefined) return store.read(query)
            meanwhile = undefined
            return Effect.andThen(Effect.promise(happens), store.read(query))
          },
        }),
      ),
    )
    await using pay = await quoteHarness({ around })
    await pay.fund("USD", 10_000)
    const body = between(await pay.accountId("USD"), await pay.external("USD"), 10_000, { immediatelyExecute: true })
    const reply = await pay.quote(body)
    meanwhile = pay.settle
    const cancelled = await pay.send("POST", `/transactions/${at(reply, "transactionId")}/cancel`)
    expect(meanwhile).toBeUndefined()
    expect(cancelled).toMatchObject({ status: 409, body: { code: "TRANSACTION_NOT_CANCELLABLE" } })
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.transaction(reply)).toMatchObject({ body: { status: "COMPLETED" } })
  })

  // Proves: EP-WALLET-45
  it("replays the stored response of an execution and of a creation for a repeated key", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const headers = { "idempotency-key": "november" }
    const body = between(await pay.accountId("USD"), await pay.external("MXN"), 10_000)
    const [first, second] = [await pay.quote(body, headers), await pay.quote(body, headers)]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect(await pay.quote({ ...body, lockedCurrencyAmount: 1 }, headers)).toMatchObject({ status: 409 })
    const path = `/quotes/${idOf(first)}/execute`
    const [one, two] = [await pay.send("POST", path, { headers }), await pay.send("POST", path, { headers, body: {} })]
    expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
  })

  // Proves: ERR-QUOTE_NOT_FOUND
  it("answers 404 for an unknown or foreign quote", async () => {
    await using pay = await quoteHarness()
    for (const id of [unknown("Quote"), "Quote:x", "x"]) {
      for (const reply of [await pay.getQuote(id), await pay.execute(id)]) {
        expect(reply).toMatchObject({ status: 404, body: { code: "QUOTE_NOT_FOUND" } })
      }
    }
    await using other = await agentHarness()
    expect((await other.send("GET", `/quotes/${unknown("Quote")}`, { as: { token: other.accessToken } })).status).toBe(
      401,
    )
  })

  it("is refused after an account or the customer has changed", async () => {
    await using pay = await quoteHarness()
    const destination = await pay.external("MXN")
    await pay.fund("USD", 100_000)
    const reply = await pay.quote(between(await pay.accountId("USD"), destination, 10_000))
    const status = (to: string) =>
      pay.send("POST", `/sandbox/external-accounts/${destination}/status`, { body: { status: to } })
    await status("INACTIVE")
    expect(await pay.execute(idOf(reply))).toMatchObject({ status: 400, body: { code: "INVALID_BANK_ACCOUNT" } })
    await status("ACTIVE")
    await pay.send("DELETE", `/customers/external-accounts/${destination}`)
    expect(await pay.execute(idOf(reply))).toMatchObject({
      status: 400,
      body: { code: "INVALID_BANK_ACCOUNT", details: { reason: "DESTINATION_DELETED" } },
    })
  })
})

describe("the expiry of a quote", () => {
  // Proves: RES-QUOTE-07
  it("is visible at once, stored by a job, and refuses executions from then on", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay)
    await pay.clock.advance("299999 millis")
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "PENDING" } })
    await pay.clock.advance("1 millis")
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "EXPIRED" } })
    expect(await pay.transaction(reply)).toMatchObject({ body: { status: "EXPIRED" } })
    expect(pay.eventNames(at(reply, "transactionId"))).toEqual(["PENDING", "EXPIRED"])
    expect(await pay.execute(idOf(reply))).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "QUOTE_EXPIRED", status: "EXPIRED" } },
    })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  // Proves: RES-QUOTE-07
  it("refuses a commit that comes after it", async () => {
    let isWaiting = false
    const failPoints = (point: string) =>
      Effect.suspend(() => {
        if (!isWaiting || point !== "operation.decided") return Effect.void
        isWaiting = false
        return TestClock.adjust("5 minutes")
      })
    await using pay = await quoteHarness({ failPoints })
    const reply = await begin(pay)
    isWaiting = true
    expect(await pay.execute(idOf(reply))).toMatchObject({
      status: 409,
      body: { details: { reason: "QUOTE_EXPIRED" } },
    })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  it("does not affect a quote that was executed before", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay)
    await pay.clock.advance("299999 millis")
    await pay.execute(idOf(reply))
    await pay.clock.advance("1 hour")
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "COMPLETED" } })
  })

  it("unblocks the deletion of the customer", async () => {
    await using pay = await quoteHarness()
    const quote = await pay.quote(between(await pay.external("USD"), await pay.accountId("EUR"), 10_000))
    expect(quote.status).toBe(201)
    const remove = () => pay.send("DELETE", `/customers/${pay.customerId}`)
    expect(await remove()).toMatchObject({ status: 409, body: { details: { reason: "CUSTOMER_IN_USE" } } })
    await pay.clock.advance("5 minutes")
    expect((await remove()).status).toBe(200)
  })

  it("does not allow a cancellation of a payment that was not executed", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 1000)
    const quote = await pay.quote(between(await pay.accountId("USD"), await pay.external("USD"), 1000))
    const cancel = () => pay.send("POST", `/transactions/${at(quote, "transactionId")}/cancel`)
    expect(await cancel()).toMatchObject({ status: 409 })
    await pay.execute(idOf(quote))
    expect(await cancel()).toMatchObject({
      status: 200,
      body: { status: "COMPLETED", refund: { status: "COMPLETED" } },
    })
    expect(await pay.getQuote(idOf(quote))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.balances("USD")).toEqual([1000, 1000])
    await pay.checkBooks()
  })
})
