/** The volume of a day, which concurrent payments cannot exceed and failed ones give back once. D-339; wire contract 8.2. */
import { DailyVolume, type DailyVolumeSettings } from "@countersign/core/ports"
import { Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { returnVolume } from "../../../packages/core/src/decision/transaction/VolumeChanges.ts"
import type { OutgoingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import { insertedRecord } from "../../../packages/core/src/store/Changes.ts"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { fund } from "../../../packages/test/src/harness/TransferCalls.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { approve, attemptOut, held, submitOut, usage } from "../agent/AgentSteps.ts"

const settings = (limits: DailyVolumeSettings) => ({ ports: Layer.succeed(DailyVolume, limits) })
const exceeded = (reason: string) => ({
  status: 429,
  body: { code: "DAILY_VOLUME_LIMIT_EXCEEDED", details: { reason, currency: "USD" } },
})

const transferOut = async (pay: QuoteHarness, amount: number, suffix = "000") =>
  pay.send("POST", "/transfer-out", {
    body: {
      source: { accountId: await pay.accountId("USD") },
      destination: { accountId: await pay.external("USD", suffix) },
      amount,
    },
  })

const opened = async (options: WorldOptions, limits: DailyVolumeSettings, customer: object = {}) => {
  const pay = await quoteHarness({ ...options, ...settings(limits) }, customer)
  await pay.fund("USD", 1_000_000)
  return pay
}

const proveVolume = (options: () => WorldOptions) => {
  it("admits no more concurrent payments than the volume, and as many as the volume", async () => {
    await using pay = await opened(options(), { perCustomer: { USD: 5500 } })
    await pay.external("USD")
    const replies = await Promise.all(Array.from({ length: 20 }, () => transferOut(pay, 1000)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply).toMatchObject(exceeded("CUSTOMER_VOLUME"))
      expect(reply.headers.get("retry-after")).toBe(String(12 * 60 * 60))
    }
    expect((await transferOut(pay, 500)).status).toBe(201)
    expect(await transferOut(pay, 1)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    await pay.clock.advance("12 hours")
    expect((await transferOut(pay, 5500)).status).toBe(201)
    await pay.checkBooks()
  })

  it("gets the amount of a failed payment back once", async () => {
    await using pay = await opened(options(), { perCustomer: { USD: 5000 } })
    const failing = await transferOut(pay, 4000, "002")
    expect(failing.status).toBe(201)
    await pay.settle()
    await pay.clock.advance("1 hour")
    expect(await pay.send("GET", `/transactions/${at(failing, "id")}`)).toMatchObject({ body: { status: "FAILED" } })
    expect((await transferOut(pay, 3000)).status).toBe(201)
    expect(await transferOut(pay, 2001)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    expect((await transferOut(pay, 2000)).status).toBe(201)
  })

  it("gets nothing back for the payment of an earlier day", async () => {
    await using pay = await opened(options(), { perCustomer: { USD: 5000 } })
    await pay.clock.advance("43190 seconds")
    const failing = await transferOut(pay, 4000, "005")
    expect(failing.status).toBe(201)
    await pay.clock.advance("10 seconds")
    expect((await transferOut(pay, 4000)).status).toBe(201)
    await pay.clock.advance("1 hour")
    expect(await pay.send("GET", `/transactions/${at(failing, "id")}`)).toMatchObject({ body: { status: "FAILED" } })
    expect(await transferOut(pay, 1001)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    expect((await transferOut(pay, 1000)).status).toBe(201)
  })

  it("counts quotes when they are executed, at once, later or after a challenge", async () => {
    const regulated = { ...options(), scaRegions: ["EU"] }
    await using pay = await opened(regulated, { perCustomer: { USD: 3000 } })
    const request = async (more: object = {}) =>
      between(await pay.accountId("USD"), await pay.external("MXN"), 1000, more)
    const executed = async () => pay.execute(String(at(await pay.quote(await request()), "id")))
    expect((await pay.quote(await request({ immediatelyExecute: true }))).status).toBe(201)
    expect((await executed()).status).toBe(200)
    await pay.quote(await request())
    expect((await executed()).status).toBe(200)
    expect(await executed()).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    expect(await pay.quote(await request({ immediatelyExecute: true }))).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    await pay.settle()
    await pay.checkBooks()
  })

  it("gets the amount of a quote back whose payment is returned after its delivery", async () => {
    await using pay = await opened(options(), { perCustomer: { USD: 1000 } })
    const quote = await pay.quote(between(await pay.accountId("USD"), await pay.external("MXN", "005"), 1000))
    expect((await pay.execute(String(at(quote, "id")))).status).toBe(200)
    expect(await transferOut(pay, 1)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    await pay.clock.advance("1 hour")
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "FAILED" } })
    expect((await transferOut(pay, 1000)).status).toBe(201)
    expect(await transferOut(pay, 1)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
  })
}

describe("the volume of a day, in memory", () => {
  proveVolume(() => ({ interleave: 11 }))

  it("counts an authorized quote at its authorization", async () => {
    const customer = { region: "EU", phoneNumber: "+14155550123" }
    await using pay = await opened({ scaRegions: ["EU"] }, { perCustomer: { USD: 1000 } }, customer)
    const request = between(await pay.accountId("USD"), await pay.external("MXN"), 1000)
    const challenged = async () => {
      const id = String(at(await pay.quote(request), "id"))
      expect(await pay.execute(id)).toMatchObject({ body: { status: "PENDING_AUTHORIZATION" } })
      return id
    }
    const [one, other] = [await challenged(), await challenged()]
    const answer = (id: string) => pay.send("POST", `/quotes/${id}/authorize`, { body: { code: "123456" } })
    expect((await answer(one)).status).toBe(200)
    expect(await answer(other)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
  })

  it("holds for all customers of a platform together, and by platform", async () => {
    await using pay = await opened({}, { perPlatform: { USD: 1500 } })
    expect((await transferOut(pay, 1000)).status).toBe(201)
    expect(await transferOut(pay, 501)).toMatchObject(exceeded("PLATFORM_VOLUME"))
    const own = { platforms: { [pay.platformId]: { perCustomer: { USD: 10 } } }, perCustomer: { USD: 99_999 } }
    await using single = await opened({}, own)
    expect(single.platformId).toBe(pay.platformId)
    expect(await transferOut(single, 11)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
  })

  it("is checked after every other rule, and refuses no answer that a key has stored", async () => {
    await using pay = await opened({}, { perCustomer: { USD: 10 } })
    expect(await transferOut(pay, 2_000_000)).toMatchObject({ body: { details: { reason: "INSUFFICIENT_FUNDS" } } })
    expect(await transferOut(pay, 0)).toMatchObject({ status: 400 })
    expect(await transferOut(pay, 11)).toMatchObject(exceeded("CUSTOMER_VOLUME"))
    const body = {
      source: { accountId: await pay.accountId("USD") },
      destination: { accountId: await pay.external("USD") },
      amount: 10,
    }
    const keyed = () => pay.send("POST", "/transfer-out", { body, headers: { "idempotency-key": "k" } })
    expect([(await keyed()).status, (await keyed()).status]).toEqual([201, 201])
  })

  it("refuses an agent's payment, and fails an action that is approved too late", async () => {
    const limits = settings({ perCustomer: { USD: 2500 } })
    await using automatic = await agentWorld({}, limits)
    await fund(automatic, 10_000)
    expect((await submitOut(automatic, 2000)).status).toBe("APPROVED")
    const refused = await attemptOut(automatic, 501)
    expect(refused).toMatchObject({ failure: { code: "DAILY_VOLUME_LIMIT_EXCEEDED" } })
    expect(await usage(automatic)).toMatchObject({ dailySpend: 2000, dailyTransactionCount: 1 })

    await using pay = await agentWorld(held, limits)
    await fund(pay, 10_000)
    const actions = [await submitOut(pay, 2000), await submitOut(pay, 2000)]
    const [one, other] = actions.map(({ id }) => id)
    expect((await approve(pay, one ?? "")).status).toBe("APPROVED")
    expect(await approve(pay, other ?? "")).toMatchObject({
      status: "FAILED",
      details: { code: "DAILY_VOLUME_LIMIT_EXCEEDED", reason: "CUSTOMER_VOLUME" },
    })
    expect(await usage(pay)).toMatchObject({ dailySpend: 2000, dailyTransactionCount: 1 })
  })

  it("has no limit unless the deployment sets one, and none for another currency or for money that comes in", async () => {
    await using pay = await opened({}, { perCustomer: { EUR: 1 } })
    expect((await transferOut(pay, 900_000)).status).toBe(201)
    await using free = await quoteHarness()
    await free.fund("USD", 10_000_000)
    expect((await transferOut(free, 10_000_000)).status).toBe(201)
    await using incoming = await opened({}, { perCustomer: { USD: 1 } })
    const body = {
      source: { accountId: await incoming.external("USD") },
      destination: { accountId: await incoming.accountId("USD") },
      amount: 5000,
    }
    expect((await incoming.send("POST", "/transfer-in", { body })).status).toBe(201)
  })
})

describe("a payment that fails", () => {
  const volume = { keys: ["a", "b"], amount: 7, currency: "USD", endsAt: 1000 } as const
  const data: OutgoingTransaction = {
    type: "OUTGOING",
    status: "FAILED",
    direction: "DEBIT",
    platformCustomerId: "",
    amount: 7,
    currency: "USD",
    reference: "P1",
    destinationAccountId: "ExternalAccount:1",
    railSelectionMode: "AUTO",
  }
  const owner = { platformId: "p", customerId: null }
  const failed = { ...insertedRecord("Transaction", "Transaction:1", owner, data, 0), data: { ...data, volume } }
  const scopeAt = (now: number) => ({ now, ids: () => "", source: undefined })

  it("gives its amount back to each counter before the day ends, and to none afterwards", () => {
    const given = [
      { key: "a", delta: -7 },
      { key: "b", delta: -7 },
    ]
    expect(returnVolume(scopeAt(999), failed)).toEqual({ data, changes: { counters: given } })
    expect(returnVolume(scopeAt(1000), failed)).toEqual({ data, changes: {} })
  })
})

describe("the volume of a day, on PostgreSQL", { timeout: 120_000 }, () => {
  let database: TestDatabase.TestDatabase
  beforeAll(async () => {
    database = await TestDatabase.create(8)
  }, 60_000)
  afterAll(() => database.close())
  proveVolume(() => ({ store: TestDatabase.emptyWorld(Promise.resolve(database)) }))
})
