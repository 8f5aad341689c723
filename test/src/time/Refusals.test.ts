/**
 * Advances that are refused or stop before their target: invalid amounts, several platforms, concurrent calls, endless work.
 * Source: D-100, D-103.
 */
import { Clocks, CurrentCaller, Platforms, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { type RailOutcome, TimeTravel } from "@countersign/core/ports"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { pullFrom, read } from "../../../packages/test/src/harness/TransferCalls.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"
import { advance, clock, nothing, send } from "./Clock.ts"

const forms: ReadonlyArray<readonly [body: unknown, ...fields: ReadonlyArray<string>]> = [
  [{}, "seconds"],
  [{ minutes: 5 }, "seconds"],
  [{ seconds: 0 }, "seconds"],
  [{ seconds: -1 }, "seconds"],
  [{ seconds: 1.5 }, "seconds"],
  [{ seconds: "60" }, "seconds"],
  [{ seconds: null }, "seconds"],
  [{ seconds: 3653 * 86_400 + 1 }, "seconds"],
  [{ by: "PT0S" }, "by"],
  [{ by: "P0W0DT0H" }, "by"],
  [{ by: "-PT5M" }, "by"],
  [{ by: "PT-5M" }, "by"],
  [{ by: "P" }, "by"],
  [{ by: "PT" }, "by"],
  [{ by: "P1Y" }, "by"],
  [{ by: "P1M" }, "by"],
  [{ by: "5 minutes" }, "by"],
  [{ by: "P3653DT1S" }, "by"],
  [{ by: "PT1.0005S" }, "by"],
  [{ by: 60 }, "by"],
  [{ to: "tomorrow" }, "to"],
  [{ to: "2026-02-30T00:00:00Z" }, "to"],
  [{ to: "2026-11-21" }, "to"],
  [{ to: "2026-11-21T12:00:00Z" }, "to"],
  [{ to: "2026-11-21T11:59:59.999Z" }, "to"],
  [{ to: "2020-01-01T00:00:00Z" }, "to"],
  [{ to: "2036-11-21T12:00:00.001Z" }, "to"],
  [{ seconds: 1, by: "PT1S" }, "seconds", "by"],
  [{ seconds: 1, by: "PT1S", to: "2027-01-01T00:00:00Z" }, "seconds", "by", "to"],
  [{ seconds: 0, by: "x", to: "y" }, "seconds", "by", "to"],
]

const errorsOf = (body: unknown) =>
  (body as { readonly details: { readonly errors: ReadonlyArray<{ readonly field: string }> } }).details.errors

describe("the body of an advance", () => {
  it.each(forms)("is rejected with all wrong fields: %j", async (body, ...fields) => {
    await using pay = await harness()
    const reply = await send(pay, body)
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    expect([...new Set(errorsOf(reply.body).map(({ field }) => field))].toSorted()).toEqual([...fields].toSorted())
    expect((await clock(pay)).aheadMillis).toBe(0)
  })

  it("names the other fields of two that exclude each other, and not itself", async () => {
    await using pay = await harness()
    const { body } = await send(pay, { seconds: 1, by: "PT1S", to: "2027-01-01T00:00:00Z" })
    expect(errorsOf(body)).toMatchObject([
      { field: "seconds", message: "must not be given together with by, to" },
      { field: "by", message: "must not be given together with seconds, to" },
      { field: "to", message: "must not be given together with seconds, by" },
    ])
  })

  it("moves at most ten years ahead of real time, in any number of calls", async () => {
    await using pay = await harness()
    await advance(pay, { to: "2036-11-21T12:00:00Z" })
    expect(errorsOf((await send(pay, { seconds: 1 })).body)).toMatchObject([{ field: "seconds" }])
    expect(errorsOf((await send(pay, { by: "PT1S" })).body)).toMatchObject([{ field: "by" }])
    await pay.clock.advance("1 second")
    expect((await clock(pay)).now).toBe("2036-11-21T12:00:01Z")
  })
})

const another = (pay: Harness) =>
  pay.run(
    Platforms.use((platforms) =>
      platforms.setUp({
        clientId: "another",
        clientSecret: Redacted.make("another"),
        name: "Another",
        currencies: sandboxCurrencies,
      }),
    ),
  )

describe("several platforms", () => {
  it("share one time, which none of them may move", async () => {
    await using pay = await harness()
    await another(pay)
    expect(await send(pay, { seconds: 1 })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "SEVERAL_PLATFORMS" } },
    })
    expect(await clock(pay)).toMatchObject({ aheadMillis: 0 })
  })

  it("may move it for all when the deployment allows it", async () => {
    await using pay = await harness({ isClockShared: true })
    const platformId = await another(pay)
    const moved = Clocks.use((clocks) => clocks.advance({ seconds: 60 }))
    await pay.run(moved, { ...tenant(platformId) })
    expect(await clock(pay)).toMatchObject({ now: "2026-11-21T12:01:00Z" })
  })
})

describe("a caller other than the platform", () => {
  it("may not move time", async () => {
    await using pay = await agentHarness()
    const body = { seconds: 60 }
    expect((await pay.send("POST", "/sandbox/clock/advance", { as: { token: pay.accessToken }, body })).status).toBe(
      401,
    )
    const byAgent = Clocks.use((clocks) => clocks.advance(body)).pipe(Effect.flip)
    expect(await pay.run(byAgent, pay.agent)).toMatchObject({ code: "FORBIDDEN" })
  })
})

describe("a deployment without a sandbox's clock", () => {
  it("shows real time and refuses to move it", async () => {
    await using pay = await harness({ ports: Layer.succeed(TimeTravel, "nobody") })
    expect(await send(pay, { seconds: 60 })).toMatchObject({ status: 501, body: { code: "NOT_IMPLEMENTED" } })
    expect(await clock(pay)).toMatchObject({ aheadMillis: 0, now: "2026-11-21T12:00:00Z" })
  })
})

describe("two concurrent calls", () => {
  it("are not both accepted", async () => {
    await using pay = await agentHarness()
    const replies = await Promise.all([send(pay, { seconds: 60 }), send(pay, { seconds: 60 })])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)).toMatchObject({
      body: { code: "CONFLICT", details: { reason: "CLOCK_IS_MOVING" } },
    })
    expect(await clock(pay)).toMatchObject({ now: "2026-11-21T12:01:00Z" })
    expect((await send(pay, { seconds: 60 })).status).toBe(200)
  })

  it("leave the clock free after one was refused", async () => {
    await using pay = await harness()
    expect((await send(pay, { to: "2020-01-01T00:00:00Z" })).status).toBe(400)
    expect((await send(pay, { seconds: 60 })).status).toBe(200)
  })
})

const railsWith = (pull: Effect.Effect<RailOutcome>) =>
  Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, SuccessfulRails.layer({ pull: () => pull }))

describe("endless work", () => {
  /** Answers each time that the outcome follows in a second. */
  const never = railsWith(
    Effect.map(Clock.currentTimeMillis, (now): RailOutcome => ({ _tag: "Later", at: now + 1000 })),
  )

  it("stops at the maximum of steps and continues with the next call", async () => {
    const bounds = Layer.succeed(Clocks.bounds, { wallMillisMax: 20_000, stepsMax: 10, jobsMax: 1000 })
    await using pay = await agentHarness({}, { ports: Layer.merge(never, bounds) })
    await pullFrom(pay, "000", 100)
    const target = "2026-11-21T12:00:15Z"
    expect(await advance(pay, { to: target })).toMatchObject({
      target,
      now: "2026-11-21T12:00:10Z",
      isComplete: false,
      stopReason: "TOO_MUCH_WORK",
      steps: 10,
      jobsLeft: nothing,
    })
    expect(await advance(pay, { to: target })).toMatchObject({ now: target, isComplete: true, steps: 5 })
  })

  it("stops at the maximum of jobs", async () => {
    const bounds = Layer.succeed(Clocks.bounds, { wallMillisMax: 20_000, stepsMax: 1000, jobsMax: 20 })
    await using pay = await agentHarness({}, { ports: Layer.merge(never, bounds) })
    await pullFrom(pay, "000", 100)
    const stopped = await advance(pay, { by: "P1D" })
    expect(stopped).toMatchObject({ isComplete: false, stopReason: "TOO_MUCH_WORK", jobsRun: 20 })
    expect(stopped.now < stopped.target).toBe(true)
    expect((await clock(pay)).now).toBe(stopped.now)
  })

  it("does not stop time when its jobs fail and are postponed or parked", async () => {
    const lost = railsWith(Effect.succeed<RailOutcome>({ _tag: "Unknown", cause: "no answer" }))
    await using pay = await agentHarness({}, { ports: lost })
    const { id } = await pullFrom(pay, "000", 100)
    expect(await advance(pay, { by: "P1D" })).toMatchObject({ isComplete: true, jobsLeft: { ...nothing, waiting: 1 } })
    // Deliveries are retried for seven days of real time.
    for (let day = 0; day < 8; day++) await pay.clock.advance("1 day")
    expect(await advance(pay, { by: "P1D" })).toMatchObject({ isComplete: true, jobsLeft: { ...nothing, parked: 1 } })
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
  })
})

describe("work in flight", () => {
  /** Claims a job as another process; returns how to finish it. */
  const claimed = async (pay: Harness) => {
    const jobs = [
      { id: "Job:elsewhere", queue: "work", kind: "elsewhere", customerId: null, dueAt: 0, payload: null } as const,
    ]
    const as = Effect.provideService(CurrentCaller, tenant(pay.platformId))
    const now = await pay.clock.now()
    const ours = { worker: "elsewhere", businessNow: now, wallNow: now, leavesReserve: false, leaseMillis: 90_000 }
    await pay.run(Store.use((store) => store.commit(changeSet({ jobs }))).pipe(as))
    await pay.run(Store.use((store) => store.claim({ queue: "work", limit: 1, ...ours })))
    const finishes = [{ id: "Job:elsewhere", attempt: 1 }]
    return () => pay.run(Store.use((store) => store.commit(changeSet({ finishes }))).pipe(as))
  }

  it("in another process is awaited", async () => {
    await using pay = await harness()
    await pay.settle()
    const finish = await claimed(pay)
    const advancing = advance(pay, { by: "P1D" })
    for (let turn = 0; turn < 20; turn++) await pay.run(Effect.yieldNow)
    expect((await clock(pay)).aheadMillis).toBe(0)
    await finish()
    expect(await advancing).toMatchObject({ isComplete: true, now: "2026-11-22T12:00:00Z", jobsLeft: nothing })
  })

  it("in another process stops the advance when it does not end", async () => {
    await using pay = await harness()
    await pay.settle()
    await claimed(pay)
    expect(await advance(pay, { by: "P1D" })).toMatchObject({
      isComplete: false,
      stopReason: "OUT_OF_TIME",
      now: "2026-11-21T12:00:00Z",
      steps: 0,
      jobsLeft: { ...nothing, running: 1 },
    })
  })

  it("in this process is not interrupted when the call runs out of time", async () => {
    const gate = Promise.withResolvers<void>()
    const slow = Effect.as(
      Effect.promise(() => gate.promise),
      { _tag: "Done" } as const,
    )
    await using pay = await agentHarness({}, { ports: railsWith(slow) })
    const { id } = await pullFrom(pay, "000", 100)
    const advancing = advance(pay, { by: "P1D" })
    for (let turn = 0; turn < 20; turn++) await pay.run(Effect.yieldNow)
    await pay.run(TestClock.adjust("20 seconds"))
    const stopped = await advancing
    expect(stopped).toMatchObject({ isComplete: false, stopReason: "OUT_OF_TIME", jobsLeft: { running: 1 } })
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
    gate.resolve()
    expect(await advance(pay, { to: stopped.target })).toMatchObject({ isComplete: true, jobsLeft: nothing })
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED", settledAt: "2026-11-21T12:00:20Z" })
  })
})
