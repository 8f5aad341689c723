/**
 * Events that wait: for the proof of their endpoint, behind others of their record, or for a probe that is on its way.
 * Source: wire contract 6.2; D-332, D-333.
 */
import { IncomingPayments, InternalAccounts, Platforms, tenant, WebhookEndpoints, Webhooks } from "@countersign/core"
import { WebhookTrust } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, Metric } from "effect"
import { describe, expect, it } from "vitest"
import type { Circuit } from "../../../packages/core/src/model/event/Circuit.ts"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import { makeAccountData } from "../../../packages/core/src/service/event/AccountData.ts"
import { spelledData } from "../../../packages/core/src/service/event/SpelledData.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { type AgentWorld, addCustomer, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { read } from "../../../packages/test/src/harness/TransferCalls.ts"
import { world } from "../../../packages/test/src/harness/World.ts"
import { at } from "../customer/CustomerRequests.ts"

const jobsOf = (pay: Pick<AgentWorld, "run">) => pay.run(Store.use((store) => store.jobs))

/** Gives the endpoint of the platform a circuit. */
const setCircuit = (pay: AgentWorld, circuit: Circuit) =>
  pay.run(
    Operation.run({
      name: "test",
      load: (reading) => reading({ records: [{ kind: "WebhookEndpoint", id: pay.platformId }] }),
      decide: (found) => {
        const stored = found.record("WebhookEndpoint", pay.platformId)
        if (stored === undefined) throw new Error("the platform has no endpoint")
        return Operation.answer(200, null, Changes.update(stored, { ...stored.data, circuit }))
      },
    }),
  )

describe("an event", () => {
  it("waits for the proof of its endpoint and says so; those behind it were not attempted", async () => {
    await using pay = await harness({ ports: Layer.succeed(WebhookTrust, "PROOF") })
    pay.inbox.deliverTo(async () => new Response("no proof"))
    const { accountId } = await addCustomer(pay)
    for (const amount of [1, 2, 3]) await pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, amount)))
    const began = await pay.clock.now()
    await pay.settle()
    const query = "type=INTERNAL_ACCOUNT.BALANCE_UPDATED&sortOrder=asc"
    const events = at(await pay.send("GET", `/operator/events?${query}`), "data") as ReadonlyArray<object>
    expect(events.map((event) => [at({ body: event }, "delivery"), at({ body: event }, "reason")])).toEqual([
      ["WAITING", "the endpoint has not proven itself"],
      ["WAITING", "an earlier job of its lane comes first"],
      ["WAITING", "an earlier job of its lane comes first"],
    ])
    expect(Date.parse(String(at({ body: events[0] }, "nextAttemptAt"))) - began).toBe(5000)
  })

  it("that only tests the endpoint is over after one attempt", async () => {
    await using pay = await world({ webhookEndpoint: null })
    pay.inbox.answerNext(500)
    await pay.run(Platforms.use((platforms) => platforms.updateConfig({ webhookEndpoint: "https://one.example/" })))
    await pay.settle()
    expect(pay.inbox.received.map(({ type }) => type)).toEqual(["TEST"])
    expect(await jobsOf(pay)).toEqual([])
  })

  it("that asks the platform fails while a probe is on its way, and is itself the probe otherwise", async () => {
    await using pay = await agentWorld()
    await pay.settle()
    const receive = async () => {
      pay.inbox.clear()
      const announced = {
        destinationAccountId: pay.accountId,
        amount: 5,
        senderUmaAddress: "$b@bank.example",
        requestedFields: [],
      }
      const { id } = (await pay.run(IncomingPayments.use((payments) => payments.receive(announced)))).body
      await pay.settle()
      return [await read(pay, id), pay.inbox.ofType("INCOMING_PAYMENT.PENDING").length]
    }
    const until = (await pay.clock.now()) + 30_000
    await setCircuit(pay, { state: "HALF_OPEN", failures: 5, openings: 1, until })
    expect(await receive()).toMatchObject([{ status: "REJECTED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" }, 0])
    await setCircuit(pay, { state: "OPEN", failures: 5, openings: 1, until })
    expect(await receive()).toMatchObject([{ status: "COMPLETED" }, 1])
  })

  it("is delivered by a probe alone while the circuit waits for it", async () => {
    await using pay = await agentWorld()
    await pay.settle()
    pay.inbox.clear()
    await setCircuit(pay, { state: "OPEN", failures: 5, openings: 1, until: (await pay.clock.now()) + 10_000 })
    await pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, 1)))
    await pay.settle()
    expect(pay.inbox.received).toEqual([])
    await pay.clock.advance("11 seconds")
    await pay.clock.advance("1 minute")
    expect(pay.inbox.received.length).toBeGreaterThan(0)
    expect((await jobsOf(pay)).filter(({ kind }) => kind === "webhook.deliver")).toEqual([])
  })
})

describe("the data of an event", () => {
  it("is filled in for accounts alone, without a read for any other record", async () => {
    await using pay = await world()
    const dataOf = (subject: string, data: Parameters<Effect.Success<typeof makeAccountData>>[1]) =>
      pay.run(
        Store.use((store) =>
          Effect.flatMap(makeAccountData, (filled) => filled(subject, data)).pipe(
            Effect.provideService(Store, { ...store, read: () => Effect.die(new Error("must not read")) }),
          ),
        ),
        tenant(pay.platformId),
      )
    expect(await dataOf("Card:00000000-0000-4000-8000-00000000dead", { a: 1 })).toEqual({ a: 1 })
    expect(await dataOf("InternalAccount:00000000-0000-4000-8000-00000000dead", "text")).toBe("text")
    await expect(dataOf("InternalAccount:00000000-0000-4000-8000-00000000dead", {})).rejects.toThrow("must not read")
  })

  it("has the instructions of an account that was active then, and none of one that was not", async () => {
    await using pay = await agentWorld()
    const dataAs = (status: string) =>
      pay.run(
        Effect.flatMap(makeAccountData, (filled) => filled(pay.accountId, { customerId: pay.customerId, status })),
        tenant(pay.platformId),
      )
    const active = await dataAs("ACTIVE")
    expect(active).toMatchObject({ status: "ACTIVE", fundingPaymentInstructions: [expect.anything()] })
    expect(await dataAs("FROZEN")).toEqual({ customerId: pay.customerId, status: "FROZEN" })
    await pay.run(
      Operation.run({
        name: "test",
        load: (reading) => reading({ records: [{ kind: "InternalAccount", id: pay.accountId }] }),
        decide: (found) => {
          const stored = found.record("InternalAccount", pay.accountId)
          if (stored === undefined) throw new Error("the account does not exist")
          return Operation.answer(200, null, Changes.update(stored, { ...stored.data, status: "FROZEN" }))
        },
      }),
    )
    expect(await dataAs("ACTIVE")).toEqual(active)
  })

  it("is spelled with the service's name, by the resource of its type", () => {
    const data = { rateDetails: { serviceApiMultiplier: 1 } }
    const neutral = spelledData({ serviceName: undefined, signatureForm: "json" })
    const named = spelledData({ serviceName: "Acme", signatureForm: "json" })
    expect(neutral("OUTGOING_PAYMENT.PENDING", data)).toBe(data)
    for (const _time of [1, 2])
      expect(named("OUTGOING_PAYMENT.PENDING", data)).toEqual({ rateDetails: { acmeApiMultiplier: 1 } })
    expect(named("CARD.STATE_CHANGE", { id: "Card:1" })).toEqual({ id: "Card:1" })
  })
})

it("a test of the endpoint is sent while its circuit is open", async () => {
  await using pay = await agentWorld()
  await pay.settle()
  await setCircuit(pay, { state: "OPEN", failures: 5, openings: 1, until: (await pay.clock.now()) + 30_000 })
  const tested = await pay.run(Webhooks.use((webhooks) => webhooks.test))
  expect(tested).toMatchObject({ response_status: 200 })
  const found = await pay.run(
    Store.use((store) => store.read({ records: [{ kind: "WebhookEndpoint", id: pay.platformId }] })),
  )
  expect(found.record("WebhookEndpoint", pay.platformId)?.data.circuit).toEqual({
    state: "CLOSED",
    failures: 0,
    openings: 0,
  })
})

describe("a challenge", () => {
  const proving = async (answer: () => Response) => {
    const pay = await harness({ ports: Layer.succeed(WebhookTrust, "PROOF") })
    pay.inbox.deliverTo(async () => answer())
    const prove = (number: number) =>
      pay.run(
        Effect.exit(
          WebhookEndpoints.use((endpoints) =>
            endpoints.prove({
              id: "Job:00000000-0000-4000-8000-00000000dead",
              platformId: pay.platformId,
              customerId: null,
              kind: "webhook.prove",
              queue: "webhook",
              attempt: 1,
              firstClaimedAt: 0,
              dueAt: 0,
              payload: { number },
            }),
          ),
        ),
        tenant(pay.platformId),
      )
    return { pay, prove, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
  }

  it("fails for the reason of its answer, is sent ten times an hour, and not for an earlier proof", async () => {
    let answer = () => new Response("{}")
    await using all = await proving(() => answer())
    expect(JSON.stringify(await all.prove(1))).toContain("the endpoint did not answer the challenge")
    answer = () => new Response("{}", { status: 500 })
    expect(JSON.stringify(await all.prove(1))).toContain("the endpoint answered 500")
    expect(all.pay.inbox.received.map(({ type }) => type)).toEqual([
      "WEBHOOK_ENDPOINT.VERIFICATION",
      "WEBHOOK_ENDPOINT.VERIFICATION",
    ])
    await all.prove(0)
    expect(all.pay.inbox.received).toHaveLength(2)
    for (let sent = 2; sent < 10; sent++) await all.prove(1)
    expect(JSON.stringify(await all.prove(1))).toContain("too many challenges were sent")
    expect(all.pay.inbox.received).toHaveLength(10)
    const challenges = all.pay.inbox.received.map(({ data }) => data["challenge"])
    expect(challenges[0]).toMatch(/^[0-9a-f]{64}$/u)
    expect(new Set(challenges).size).toBe(10)
  })
})

it("each delivery of a run counts as one job that is done, with its time since the commit", async () => {
  const counts = (pay: AgentWorld) =>
    pay.run(Metric.snapshot).then((metrics) => {
      const total = (found: typeof metrics) =>
        found.reduce((sum, { state }) => sum + ("count" in state ? Number(state.count) : 0), 0)
      const done = metrics
        .filter(({ attributes, id }) => id === "countersign_jobs_total" && attributes?.["kind"] === "webhook.deliver")
        .filter(({ attributes }) => attributes?.["outcome"] === "done")
      return [total(done), total(metrics.filter(({ id }) => id === "countersign_webhook_lag_seconds"))]
    })
  await using pay = await agentWorld()
  await pay.settle()
  const [done = 0, timed = 0] = await counts(pay)
  pay.inbox.clear()
  for (const amount of [1, 2, 3])
    await pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, amount)))
  await pay.settle()
  expect(pay.inbox.received).toHaveLength(6)
  expect(await counts(pay)).toEqual([done + 6, timed + 6])
})
