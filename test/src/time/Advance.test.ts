/**
 * Time travel over HTTP: the clock moves from one due time to the next, and all due work is completed.
 * Source: D-100 to D-104.
 */
import { DeviceCodes } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { balances, eventNames, fund, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"
import { advance, clock, nothing } from "./Clock.ts"

const failing = ["PENDING", "PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_COMPLETED"]

describe("the clock", () => {
  it("shows the time, its lead over real time, and the next due time", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    const noon = { now: "2026-11-21T12:00:00Z", realTime: "2026-11-21T12:00:00Z", aheadMillis: 0 }
    expect(await clock(pay)).toEqual(noon)
    await fund(pay, 1000)
    await pushTo(pay, "005", { amount: 400 })
    await pay.settle()
    expect(await clock(pay)).toEqual({ ...noon, nextDueAt: "2026-11-21T12:00:30Z" })
    await advance(pay, { by: "PT1H" })
    expect(await clock(pay)).toEqual({ ...noon, now: "2026-11-21T13:00:00Z", aheadMillis: 3_600_000 })
    // Real time that passes is added.
    await pay.clock.advance("5 seconds")
    expect(await clock(pay)).toMatchObject({ now: "2026-11-21T13:00:05Z", realTime: "2026-11-21T12:00:05Z" })
  })

  it("shows no work that is due now as the next", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    await pay.settle()
    await pushTo(pay, "005", { amount: 400 })
    const due = await pay.run(Store.use(({ jobs }) => jobs))
    expect(due.map(({ dueAt, state }) => [new Date(dueAt).toISOString(), state])).toContainEqual([
      "2026-11-21T12:00:00.000Z",
      "waiting",
    ])
    expect(await clock(pay)).toEqual(expect.not.objectContaining({ nextDueAt: "2026-11-21T12:00:00Z" }))
  })

  it("never moves backwards", async () => {
    await using pay = await harness()
    const { now } = await clock(pay)
    await expect(pay.clock.advance("-5 minutes")).rejects.toThrow("the clock cannot go back")
    expect(await clock(pay)).toMatchObject({ now })
  })

  it.each([
    [{ seconds: 90 }, "2026-11-21T12:01:30Z"],
    [{ by: "PT1.5S" }, "2026-11-21T12:00:01.500Z"],
    [{ by: "P1W2DT3H4M5S" }, "2026-11-30T15:04:05Z"],
    [{ to: "2027-01-01T00:00:00+01:00" }, "2026-12-31T23:00:00Z"],
  ])("advances by %j", async (body, now) => {
    await using pay = await harness()
    await pay.settle()
    expect(await advance(pay, body)).toEqual({
      startedAt: "2026-11-21T12:00:00Z",
      target: now,
      now,
      isComplete: true,
      steps: 1,
      jobsRun: 0,
      jobsLeft: nothing,
      stops: [],
    })
    expect((await clock(pay)).now).toBe(now)
  })
})

describe("an advance", () => {
  it("completes a transfer that takes 30 seconds, with its webhooks in order", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "005", { amount: 400 })
    expect(await advance(pay, { seconds: 29 })).toMatchObject({ isComplete: true, steps: 1, jobsLeft: nothing })
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
    expect(eventNames(pay, id)).toEqual(["PENDING"])
    const done = await advance(pay, { seconds: 2 })
    expect(done).toMatchObject({ isComplete: true, now: "2026-11-21T12:00:31Z", steps: 2, jobsLeft: nothing })
    expect(await read(pay, id)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED", initiatedAt: "2026-11-21T12:00:30Z", settledAt: "2026-11-21T12:00:31Z" },
    })
    expect(await balances(pay)).toEqual([1000, 1000])
    expect(eventNames(pay, id)).toEqual(failing)
    const attempts = done.stops.flatMap(({ jobs }) => jobs.map(({ attempts: count }) => count))
    expect(attempts.reduce((total, count) => total + count, 0)).toBe(done.jobsRun)
    expect(done.stops.map(({ at, jobs }) => [at, jobs.map(({ kind }) => kind)])).toEqual([
      ["2026-11-21T12:00:30Z", ["transfer.push", "transfer.refund", "webhook.deliver"]],
      ["2026-11-21T12:00:31Z", ["transfer.refund", "webhook.deliver"]],
    ])
    expect(done.stopsOmitted).toBeUndefined()
    // The push, the refund (asked twice), and a webhook for each event.
    const later = pay.inbox.received.filter(({ timestamp }) => timestamp >= "2026-11-21T12:00:30Z")
    expect(done.jobsRun).toBe(3 + later.length)
    expect(later.map(({ timestamp }) => timestamp)).toEqual(later.map(({ timestamp }) => timestamp).toSorted())
  })

  it("runs each job at its due time, in the order of the due times", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    const first = await pushTo(pay, "005", { amount: 400 })
    await advance(pay, { seconds: 10 })
    const second = await pushTo(pay, "005", { amount: 300 })
    const done = await advance(pay, { by: "P1D" })
    // 30 and 31, 40 and 41 seconds after noon, and the target.
    expect(done).toMatchObject({ isComplete: true, steps: 5, now: "2026-11-22T12:00:10Z" })
    const refund = (initiated: number) => ({
      initiatedAt: `2026-11-21T12:00:${initiated}Z`,
      settledAt: `2026-11-21T12:00:${initiated + 1}Z`,
    })
    expect(await read(pay, first.id)).toMatchObject({ updatedAt: "2026-11-21T12:00:31Z", refund: refund(30) })
    expect(await read(pay, second.id)).toMatchObject({ updatedAt: "2026-11-21T12:00:41Z", refund: refund(40) })
    const ends = pay.inbox.ofType("OUTGOING_PAYMENT.REFUND_COMPLETED")
    expect(ends.map(({ data, timestamp }) => [data["id"], timestamp])).toEqual([
      [first.id, "2026-11-21T12:00:31Z"],
      [second.id, "2026-11-21T12:00:41Z"],
    ])
  })

  it("does not wait for failed deliveries, which are retried in real time", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    await pay.settle()
    pay.inbox.clear()
    const { id } = await pushTo(pay, "005", { amount: 400 })
    pay.inbox.answerNext(500)
    const done = await advance(pay, { by: "P2D" })
    expect(done).toMatchObject({ isComplete: true, now: "2026-11-23T12:00:00Z" })
    expect(done.jobsLeft).toMatchObject({ running: 0, parked: 0 })
    expect(done.jobsLeft.waiting).toBeGreaterThan(0)
    expect(await read(pay, id)).toMatchObject({ refund: { status: "COMPLETED" } })
    const [failed] = pay.inbox.received
    // Two days of business time take less than a second of the endpoint's time.
    expect(pay.inbox.received.filter((event) => event.id === failed?.id)).toHaveLength(1)
    await pay.clock.advance("6 seconds")
    expect(eventNames(pay, id)).toEqual(failing)
    const attempts = pay.inbox.received.filter((event) => event.id === failed?.id)
    expect(attempts.map(({ body }) => body)).toEqual([failed?.body, failed?.body])
  })

  it("resets an agent's budgets at midnight UTC", async () => {
    const spendingLimits = { currency: "USD", perTransactionLimit: 900, dailyLimit: 1000, monthlyLimit: 1500 } as const
    await using pay = await agentHarness({ spendingLimits })
    const body = (amount: number) => ({
      source: { accountId: pay.sources["000"] },
      destination: { accountId: pay.accountId },
      amount,
    })
    const pull = (amount: number) =>
      pay.send("POST", "/agents/me/transfer-in", { as: { token: pay.accessToken }, body: body(amount) })
    expect((await pull(900)).status).toBe(201)
    expect(await pull(200)).toMatchObject({ status: 403, body: { details: { limit: "dailyLimit" } } })
    await advance(pay, { to: "2026-11-21T23:59:59.999Z" })
    expect(await pull(200)).toMatchObject({ status: 403 })
    await advance(pay, { by: "PT0.001S" })
    const usage = async () => ((await pay.send("GET", `/agents/${pay.agentId}`)).body as { usage: unknown }).usage
    expect(await usage()).toMatchObject({ dailyTransactionCount: 0 })
    expect((await pull(600)).status).toBe(201)
    await advance(pay, { by: "P1D" })
    expect(await pull(200)).toMatchObject({ status: 403, body: { details: { limit: "monthlyLimit" } } })
    await advance(pay, { to: "2026-12-01T00:00:00Z" })
    expect((await pull(900)).status).toBe(201)
  })

  it("expires a device code", async () => {
    await using pay = await agentHarness()
    const issued = await pay.run(DeviceCodes.use((codes) => codes.issue(pay.agentId)).pipe(Effect.result))
    const created = await pay.send("POST", "/agents", {
      body: {
        name: "Late",
        customerId: pay.customerId,
        policy: {
          permissions: [],
          defaultExecutionMode: "AUTO",
          spendingLimits: { currency: "USD", perTransactionLimit: 1 },
        },
      },
    })
    expect(issued._tag).toBe("Failure")
    const { code } = (created.body as { readonly deviceCode: { readonly code: string } }).deviceCode
    await advance(pay, { by: "P1D" })
    const late = await pay.send("POST", `/agents/device-codes/${code}/redeem`, { as: "nobody" })
    expect(late.status).toBe(400)
  })

  it("keeps the answer of an idempotency key for 24 hours of real time", async () => {
    await using pay = await agentHarness()
    const body = { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 5 }
    const pull = () => pay.send("POST", "/transfer-in", { body, headers: { "idempotency-key": "once" } })
    const first = await pull()
    await advance(pay, { by: "P30D" })
    expect((await pull()).body).toEqual(first.body)
    await pay.clock.advance("24 hours")
    expect((await pull()).body).not.toEqual(first.body)
  })

  it("deletes events after their retention in business time", async () => {
    await using pay = await agentHarness()
    await fund(pay, 100)
    await pay.settle()
    const [event] = pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED")
    const find = () => pay.run(Store.use((store) => store.event(event?.id ?? "")))
    await advance(pay, { by: "P29D" })
    await fund(pay, 100)
    expect(await find()).toBeDefined()
    await advance(pay, { by: "P2D" })
    for (let round = 0; round < 5; round++) await fund(pay, 100)
    expect(await find()).toBeUndefined()
  })
})
