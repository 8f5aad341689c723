/** Rails that throw, or do not know what happened: one advance of the harness steps through every retry. Source: D-447. */
import { type InquiryOutcome, type RailOutcome, Rails } from "@countersign/core/ports"
import { SandboxRails } from "@countersign/core/sandbox"
import { agentHarness, type Harness } from "@countersign/test"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const unknown: RailOutcome = { _tag: "Unknown", cause: "connection lost" }

/** A rail whose first answers are those of `answers`, with the number of its calls. Everything else is the sandbox's. */
const rail = (...answers: ReadonlyArray<() => Effect.Effect<RailOutcome & InquiryOutcome>>) => {
  const seen = { calls: 0 }
  const next = () => {
    const answer = answers[Math.min(seen.calls, answers.length - 1)]
    seen.calls += 1
    return answer?.() ?? Effect.succeed({ _tag: "Done" as const })
  }
  const own = Layer.effect(
    Rails,
    Effect.map(Rails, (sandbox) => ({ ...sandbox, pull: next, inquire: next })),
  ).pipe(Layer.provide(SandboxRails.layer))
  return { seen, ports: own }
}

const throws = (): never => {
  throw new Error("the bank's library is broken")
}
const dies = () => Effect.die(new Error("the bank's library is broken"))
const isUnknown = () => Effect.succeed(unknown)
const done = () => Effect.succeed({ _tag: "Done" } as const)

const pull = async (pay: Awaited<ReturnType<typeof agentHarness>>) => {
  const { data } = await pay.client.customers.listCustomerInternalAccounts({
    query: { customerId: pay.customerId, currency: "USD" },
  })
  const created = await pay.client.transfers.createTransferIn({
    payload: {
      source: { accountId: pay.sources["000"] ?? "" },
      destination: { accountId: data[0]?.id ?? "" },
      amount: 500,
    },
  })
  return created.id
}

const statusOf = async (pay: Harness, transactionId: string) =>
  (await pay.client.transactions.getTransactionById({ params: { transactionId } })).status

describe.each([
  ["throws", throws],
  ["dies", dies],
  ["answers Unknown", isUnknown],
] as const)("a rail that %s three times", (_, fails) => {
  it("completes the payment within one advance, on memory", async () => {
    const { ports, seen } = rail(fails, fails, fails, done)
    await using pay = await agentHarness({}, { ports })
    const id = await pull(pay)
    await pay.clock.advance("1 minute")
    expect(await statusOf(pay, id)).toBe("COMPLETED")
    expect(seen.calls).toBe(4)
    expect(pay.webhooks.ofType("INCOMING_PAYMENT.COMPLETED")).toHaveLength(1)
  })

  it("completes the payment within one advance, on PostgreSQL", async () => {
    const { ports, seen } = rail(fails, fails, fails, done)
    const database = TestDatabase.create(4)
    try {
      await using pay = await agentHarness({}, { ports, store: TestDatabase.emptyWorld(database) })
      const id = await pull(pay)
      await pay.clock.advance("1 minute")
      expect(await statusOf(pay, id)).toBe("COMPLETED")
      expect(seen.calls).toBe(4)
    } finally {
      await (await database).close()
    }
  })
})

describe("an advance", () => {
  it("does not reach a retry that is later than its end", async () => {
    const { ports, seen } = rail(isUnknown, isUnknown, isUnknown, done)
    await using pay = await agentHarness({}, { ports })
    const id = await pull(pay)
    await pay.clock.advance("100 millis")
    expect([await statusOf(pay, id), seen.calls]).toEqual(["PENDING", 1])
    // The first retry is a second later, plus or minus a tenth.
    await pay.clock.advance("1 second")
    expect([await statusOf(pay, id), seen.calls]).toEqual(["PENDING", 2])
  })

  it("retries what a fork took over from its origin", async () => {
    const { ports, seen } = rail(isUnknown, isUnknown, done)
    await using pay = await agentHarness({}, { ports })
    const id = await pull(pay)
    await pay.settle()
    await using fork = await pay.fork()
    await fork.clock.advance("1 minute")
    expect([await statusOf(fork, id), await statusOf(pay, id), seen.calls]).toEqual(["COMPLETED", "PENDING", 3])
  })

  it("steps through retries after business time was moved over the interface", async () => {
    const { ports, seen } = rail(isUnknown, isUnknown, isUnknown, done)
    await using pay = await agentHarness({}, { ports })
    expect((await pay.send("POST", "/sandbox/clock/advance", { body: { seconds: 86_400 } })).status).toBe(200)
    const id = await pull(pay)
    await pay.clock.advance("1 minute")
    expect([await statusOf(pay, id), seen.calls]).toEqual(["COMPLETED", 4])
    expect(new Date(await pay.clock.now()).toISOString()).toBe("2026-11-22T12:01:00.000Z")
  })

  it("parks a payment whose rail never knows, after a week", async () => {
    const { ports, seen } = rail(isUnknown)
    await using pay = await agentHarness({}, { ports })
    const id = await pull(pay)
    await pay.clock.advance("8 days")
    expect(await statusOf(pay, id)).toBe("PENDING")
    expect(seen.calls).toBeGreaterThan(900)
    expect(pay.log().filter((line) => line.includes("job parked"))).toEqual([
      expect.stringMatching(
        /^timestamp=2026-11-28T1\d:\d\d:.* level=ERROR .*job parked.*the rail does not know: connection lost/u,
      ),
    ])
  })
})
