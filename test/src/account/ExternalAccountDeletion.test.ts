/**
 * The deletion of an external account, with its personal data, and its effect on actions and transactions in progress.
 * Source: wire contract 2.1 and 11 (21); D-055, D-056.
 */
import { AgentActions } from "@countersign/core"
import { Rails } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { eventRetentionMillis, Store } from "@countersign/core/store"
import { Duration, Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness, type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { held } from "../agent/AgentSteps.ts"
import { added, at, customersPath, newCustomer, platformPath, textAt, usd } from "./ExternalAccountRequests.ts"

const secrets = ["1234567000", "021000021", "Ada Lovelace", "1 Main St", "own-name"]

/** All stored versions of an account. */
const storedVersions = (pay: Harness, id: string) =>
  pay.run(Store.use((store) => store.history({ kind: "ExternalAccount", id })))

const transferIn = (pay: Awaited<ReturnType<typeof agentHarness>>, amount: number) =>
  pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount },
  })

describe("a deleted account", () => {
  it.each([customersPath, platformPath])("of %s does not exist afterwards, not even in lists", async (path) => {
    await using pay = await harness()
    const owner = path === customersPath ? { customerId: await newCustomer(pay) } : {}
    const id = await added(pay, { ...usd(), ...owner }, path)
    const other = path === customersPath ? platformPath : customersPath
    expect((await pay.send("DELETE", `${other}/${id}`)).status).toBe(404)
    expect(await pay.send("DELETE", `${path}/${id}`)).toMatchObject({ status: 204, body: undefined })
    expect((await pay.send("GET", `${path}/${id}`)).status).toBe(404)
    expect((await pay.send("DELETE", `${path}/${id}`)).status).toBe(404)
    expect((await pay.send("POST", `${path}/${id}/challenge`, { body: { method: "LIVENESS" } })).status).toBe(404)
    expect(
      (await pay.send("POST", `/sandbox/external-accounts/${id}/status`, { body: { status: "INACTIVE" } })).status,
    ).toBe(404)
    expect((await pay.send("GET", path)).body).toMatchObject({ data: [], totalCount: 0 })
  })

  it("can be created again under a new id", async () => {
    await using pay = await harness()
    const id = await added(pay, usd())
    await pay.send("DELETE", `${platformPath}/${id}`)
    expect(await added(pay, usd())).not.toBe(id)
  })

  it("leaves no personal data in any stored version", async () => {
    await using pay = await harness()
    const body = { ...usd(), customerId: await newCustomer(pay), platformAccountId: "own-name" }
    const id = await added(pay, body)
    await pay.send("POST", `/sandbox/external-accounts/${id}/status`, { body: { status: "INACTIVE" } })
    const before = JSON.stringify(await storedVersions(pay, id))
    for (const secret of secrets) expect(before).toContain(secret)
    await pay.send("DELETE", `${customersPath}/${id}`)
    const versions = await storedVersions(pay, id)
    expect(versions).toHaveLength(1)
    for (const secret of secrets) expect(JSON.stringify(versions)).not.toContain(secret)
  })

  it("leaves its events until their retention ends", async () => {
    await using pay = await harness()
    const id = await added(pay, usd())
    await pay.send("POST", `/sandbox/external-accounts/${id}/status`, { body: { status: "INACTIVE" } })
    await pay.settle()
    const eventId = pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED")[0]?.id ?? ""
    await pay.send("DELETE", `${platformPath}/${id}`)
    const event = () => pay.run(Store.use((store) => store.event(eventId)))
    expect(JSON.stringify(await event())).toContain("1234567000")
    await pay.clock.advance(Duration.millis(eventRetentionMillis))
    for (let n = 0; n < 5; n++) await newCustomer(pay)
    expect(await event()).toBeUndefined()
  })
})

describe("an operation in progress on an account", () => {
  it("fails at its approval if the account of a held action was deleted", async () => {
    await using pay = await agentHarness(held)
    const action = textAt(await transferIn(pay, 500), "id")
    await pay.send("DELETE", `${customersPath}/${pay.sources["000"]}`)
    expect(await pay.send("POST", `/agents/${pay.agentId}/actions/${action}/approve`)).toMatchObject({
      status: 200,
      body: { status: "FAILED" },
    })
    expect((await transferIn(pay, 500)).status).toBe(404)
  })

  it.each(["UNDER_REVIEW", "INACTIVE"])(
    "fails at its approval if the account of a held action is %s",
    async (status) => {
      await using pay = await agentHarness(held)
      const action = textAt(await transferIn(pay, 500), "id")
      await pay.send("POST", `/sandbox/external-accounts/${pay.sources["000"]}/status`, { body: { status } })
      expect((await pay.send("POST", `/agents/${pay.agentId}/actions/${action}/approve`)).body).toMatchObject({
        status: "FAILED",
      })
      expect(await transferIn(pay, 500)).toMatchObject({
        status: 400,
        body: { code: "INVALID_BANK_ACCOUNT", details: { reason: "SOURCE_NOT_ACTIVE", status } },
      })
    },
  )

  it("continues a started pull with the transaction's copy of a deleted account", async () => {
    const accountNumbers: Array<unknown> = []
    const rails = Layer.effect(
      Rails,
      Effect.map(Rails, (inner) => ({
        ...inner,
        pull: (request: Parameters<(typeof inner)["pull"]>[0]) => {
          accountNumbers.push(request.source.accountInfo["accountNumber"])
          return inner.pull(request)
        },
      })),
    )
    await using pay = await agentHarness({}, { ports: Layer.provideMerge(rails, Sandbox.layer) })
    const started = await transferIn(pay, 500)
    const { body: source } = await pay.send("GET", `${customersPath}/${pay.sources["000"]}`)
    await pay.send("DELETE", `${customersPath}/${pay.sources["000"]}`)
    await pay.settle()
    const transaction = textAt(started, "transaction", "id")
    expect((await pay.send("GET", `/transactions/${transaction}`)).body).toMatchObject({
      status: "COMPLETED",
      source: { accountId: pay.sources["000"] },
    })
    expect(accountNumbers).toEqual([at(source, "accountInfo", "accountNumber")])
  })

  it("fails a waiting pull of an inactive account without asking the rail", async () => {
    const rails = Layer.effect(
      Rails,
      Effect.map(Rails, (inner) => ({ ...inner, pull: () => Effect.die(new Error("the rail must not be called")) })),
    )
    await using pay = await agentHarness({}, { ports: Layer.provideMerge(rails, Sandbox.layer) })
    const started = await transferIn(pay, 500)
    await pay.send("POST", `/sandbox/external-accounts/${pay.sources["000"]}/status`, { body: { status: "INACTIVE" } })
    await pay.settle()
    const transaction = textAt(started, "transaction", "id")
    expect((await pay.send("GET", `/transactions/${transaction}`)).body).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
    })
    const action = await pay.run(
      AgentActions.use((actions) => Effect.result(actions.mineById(textAt(started, "id")))),
      pay.agent,
    )
    expect(Result.getOrThrow(action)).toMatchObject({ status: "FAILED" })
  })
})
