/**
 * A provider that loses connections, and a process that ends around the call: each mint is begun once, and one that has begun is shown.
 * Source: wire contract areas 1.6.6 and 1.6.7; D-390.
 */
import type { FailPoint } from "@countersign/core/verify"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { at } from "../customer/CustomerRequests.ts"
import { type Call, fakeProvider } from "./FakeProvider.ts"
import {
  bank,
  burn,
  burnBody,
  codeOf,
  idOf,
  mint,
  mintBody,
  type Pay,
  stablecoin,
  stablecoinWorld,
  wallet,
} from "./StablecoinWorld.ts"

const operationsOf = async (pay: Pay, coin: string) =>
  at(await pay.send("GET", `/stablecoins/${coin}/operations`), "data")

/** Ends the process once, at the first time that it reaches the point. */
const endingAt = (end: FailPoint) => {
  let ended = false
  return (point: FailPoint) =>
    Effect.suspend(() => {
      if (point !== end || ended) return Effect.void
      ended = true
      return Effect.die(new Error("the process ended"))
    })
}

const worldWith = async (calls: ReadonlyArray<Call>, inquiries: ReadonlyArray<Call> = [], end?: FailPoint) => {
  const provider = fakeProvider(calls, inquiries)
  const failPoints = end === undefined ? {} : { failPoints: endingAt(end) }
  const pay = await stablecoinWorld({ ports: provider.layer, ...failPoints })
  const coin = await stablecoin(pay)
  return { pay, coin, provider, body: mintBody(await wallet(pay)), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

describe("a mint whose client repeats the request", () => {
  it.each<[string, ReadonlyArray<Call>, ReadonlyArray<Call>, ReadonlyArray<number>, ReadonlyArray<string>]>([
    ["whose answer was lost", ["lost after"], [], [503, 201], ["begin", "inquire"]],
    ["that the provider has not received", ["lost before"], [], [503, 201], ["begin", "inquire", "begin"]],
    [
      "while the provider knows nothing",
      ["lost after"],
      ["lost after"],
      [503, 503, 201],
      ["begin", "inquire", "inquire"],
    ],
    ["once the provider is reached", ["down"], [], [503, 201], ["begin", "begin"]],
    [
      "that is lost each time",
      ["lost before", "lost after"],
      [],
      [503, 503, 201],
      ["begin", "inquire", "begin", "inquire"],
    ],
  ])("is begun once: one %s", async (_, calls, inquiries, statuses, log) => {
    await using world = await worldWith(calls, inquiries)
    const { body, coin, pay, provider } = world
    const answered: Array<number> = []
    for (const expected of statuses) {
      const reply = await mint(pay, coin, body, "once")
      answered.push(reply.status)
      if (expected === 503) expect(reply.headers.get("retry-after")).not.toBeNull()
    }
    expect(answered).toEqual(statuses)
    expect(provider.log).toEqual(log)
    expect(provider.begun).toHaveLength(1)
    // The answer is stored now: the provider is not asked again.
    const again = await mint(pay, coin, body, "once")
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect(provider.log).toEqual(log)
    await pay.clock.advance("10 minutes")
    expect(provider.begun).toHaveLength(1)
    expect(await operationsOf(pay, coin)).toMatchObject([{ id: idOf(again) }])
  })

  it.each<[FailPoint, ReadonlyArray<string>]>([
    ["stablecoin.submitted", ["inquire", "begin"]],
    ["stablecoin.asked", ["begin", "inquire"]],
  ])("is begun once, if the process ends at %s", async (end, log) => {
    await using world = await worldWith([], [], end)
    const { body, coin, pay, provider } = world
    expect((await mint(pay, coin, body, "once")).status).toBe(500)
    expect(await operationsOf(pay, coin)).toEqual([])
    const again = await mint(pay, coin, body, "once")
    expect(again.status).toBe(201)
    expect(provider.log).toEqual(log)
    expect(provider.begun).toHaveLength(1)
  })

  it("gets another body refused while the first may have begun", async () => {
    await using world = await worldWith(["lost after"])
    const { body, coin, pay, provider } = world
    await mint(pay, coin, body, "once")
    const other = await mint(pay, coin, { ...body, amount: "2000000" }, "once")
    expect(codeOf(other)).toEqual([409, "CONFLICT", "IDEMPOTENCY_KEY_REUSED"])
    // That refusal is not the answer of the key.
    expect((await mint(pay, coin, body, "once")).status).toBe(201)
    expect(provider.begun).toHaveLength(1)
    const late = await mint(pay, coin, { ...body, amount: "2000000" }, "once")
    expect(codeOf(late)).toEqual([409, "CONFLICT", "IDEMPOTENCY_KEY_REUSED"])
  })

  it("is begun once by simultaneous requests", async () => {
    await using world = await worldWith([])
    const { body, coin, pay, provider } = world
    const replies = await Promise.all(Array.from({ length: 5 }, () => mint(pay, coin, body, "once")))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map(idOf)).size).toBe(1)
    expect(new Set(provider.begun.map(({ reference }) => reference)).size).toBe(1)
    expect(new Set(provider.begun.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  })
})

describe("a mint whose client never returns", () => {
  it.each<FailPoint>(["stablecoin.asked"])(
    "is shown, if the provider has begun it: its process ended at %s",
    async (end) => {
      await using world = await worldWith([], [], end)
      const { body, coin, pay, provider } = world
      await mint(pay, coin, body, "once")
      expect(await operationsOf(pay, coin)).toEqual([])
      await pay.clock.advance("1 minute")
      expect(await operationsOf(pay, coin)).toMatchObject([
        { status: "PENDING_FUNDING", fundingInstructions: { rail: "SPARK" } },
      ])
      expect(provider.log).toEqual(["begin", "inquire"])
      // The key belongs to it, for the client that returns after all.
      const other = await mint(pay, coin, { ...body, amount: "2000000" }, "once")
      expect(codeOf(other)).toEqual([409, "CONFLICT", "IDEMPOTENCY_KEY_REUSED"])
      const late = await mint(pay, coin, body, "once")
      expect(late.status).toBe(201)
      expect(await operationsOf(pay, coin)).toMatchObject([{ id: idOf(late) }])
      const replayed = await mint(pay, coin, body, "once")
      expect([replayed.headers.get("idempotency-replayed"), replayed.body]).toEqual(["true", late.body])
      expect(provider.begun).toHaveLength(1)
    },
  )

  it("ends, if the provider has not received it, and its key is free", async () => {
    await using world = await worldWith(["lost before"])
    const { body, coin, pay, provider } = world
    await mint(pay, coin, body, "once")
    await pay.clock.advance("10 minutes")
    expect(await operationsOf(pay, coin)).toEqual([])
    expect(provider.log).toEqual(["begin", "inquire"])
    const other = await mint(pay, coin, { ...body, amount: "2000000" }, "once")
    expect(other.status).toBe(201)
    expect(provider.begun.map(({ amount }) => amount)).toEqual(["2000000"])
    const keys = await pay.send("GET", "/audit-records?operation=STABLECOIN_OPERATION_STATUS")
    expect(at(keys, "data")).toMatchObject([
      { outcome: "DONE" },
      { outcome: "FAILED", details: { status: "NOT_BEGUN" } },
    ])
  })

  it("keeps its key while a repeated request may still instruct the provider", async () => {
    await using world = await worldWith(["lost before", "lost before"])
    const { body, coin, pay } = world
    const other = { ...body, amount: "2000000" }
    await mint(pay, coin, body, "once")
    await pay.clock.advance("50 seconds")
    await mint(pay, coin, body, "once")
    await pay.clock.advance("59 seconds")
    expect((await mint(pay, coin, other, "once")).status).toBe(409)
    await pay.clock.advance("1 second")
    expect((await mint(pay, coin, other, "once")).status).toBe(201)
  })

  it("is asked about until the provider knows", async () => {
    await using world = await worldWith(["lost after"], ["lost after", "lost after"])
    const { body, coin, pay, provider } = world
    await mint(pay, coin, body, "once")
    for (let round = 0; round < 5; round++) await pay.clock.advance("1 minute")
    expect(await operationsOf(pay, coin)).toHaveLength(1)
    expect(provider.begun).toHaveLength(1)
  })
})

describe("a refusal of the credentials", () => {
  it("by the instruction is final, and ends the link", async () => {
    await using world = await worldWith(["refused"])
    const { body, coin, pay } = world
    const refused = await mint(pay, coin, body, "once")
    expect(codeOf(refused)).toEqual([400, "STABLECOIN_PROVIDER_ACCOUNT_INVALID", undefined])
    const links = await pay.send("GET", "/stablecoin-provider-accounts")
    expect(at(links, "data")).toMatchObject([{ status: "INVALID" }])
    expect((await mint(pay, coin, body, "once")).headers.get("idempotency-replayed")).toBe("true")
  })

  it("by an inquiry is no answer to a mint that may have begun", async () => {
    await using world = await worldWith(["lost after"], ["refused"])
    const { body, coin, pay, provider } = world
    expect((await mint(pay, coin, body, "once")).status).toBe(503)
    expect((await mint(pay, coin, body, "once")).status).toBe(503)
    expect(at(await pay.send("GET", "/stablecoin-provider-accounts"), "data")).toMatchObject([{ status: "INVALID" }])
    expect((await mint(pay, coin, body, "once")).status).toBe(201)
    expect(provider.begun).toHaveLength(1)
  })
})

describe("the provider of a burn", () => {
  it("gets the copy of the account, the rail and one key of its own for each operation", async () => {
    await using world = await worldWith([])
    const { coin, pay, provider } = world
    const to = await bank(pay)
    await burn(pay, coin, burnBody(to), "same")
    await mint(pay, coin, world.body, "same")
    const [burned, minted] = provider.begun
    expect(burned).toMatchObject({
      operationType: "BURN",
      amount: "1000000",
      cents: 100,
      sourceType: "EXTERNAL_ACCOUNT",
      destination: { accountId: to, currency: "USD", accountInfo: { accountNumber: "12345100" } },
      rail: "ACH_CREDIT",
      token: { providerTokenIdentifier: "ACME", networkTokenIdentifier: "btkn1acme", network: "SPARK" },
      account: { provider: "BRALE", providerAccountId: "account", credentials: { apiClientId: "provider_client_100" } },
    })
    expect(burned?.idempotencyKey).not.toBe(minted?.idempotencyKey)
    expect(burned?.idempotencyKey).toMatch(/^[0-9a-f]{64}$/u)
  })
})
