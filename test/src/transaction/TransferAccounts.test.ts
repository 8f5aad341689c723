/**
 * The external accounts that the platform's transfers may use, and transfers whose account changes or is deleted meanwhile.
 * Spec: 4.3 (only ACTIVE accounts); wire contract 2.1, 2.7 and 11 (21); D-050, D-055.
 */
import {
  type PullRequest,
  type PushRequest,
  type RailAccount,
  type RailInstruction,
  type RailOutcome,
  Rails,
} from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { balances, eventNames, fund, pullFrom, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"

type Harness = Awaited<ReturnType<typeof agentHarness>>

/** The sandbox's ports with some of the rails replaced. */
const ports = (own: Partial<Rails["Service"]>) =>
  Layer.provideMerge(
    Layer.effect(
      Rails,
      Effect.map(Rails, (inner) => {
        const rails = { ...inner, ...own }
        return {
          ...rails,
          inquire: (asked: RailInstruction) =>
            asked._tag === "Push" ? rails.push(asked.request) : rails.pull(asked.request),
        }
      }),
    ),
    Sandbox.layer,
  )

const never = () => Effect.die(new Error("the rail must not be called"))

const setStatus = async (pay: Harness, status: string) => {
  const path = `/sandbox/external-accounts/${pay.sources["000"]}/status`
  expect(await pay.send("POST", path, { body: { status } })).toMatchObject({ status: 200, body: { status } })
}
const remove = async (pay: Harness) =>
  expect(await pay.send("DELETE", `/customers/external-accounts/${pay.sources["000"]}`)).toMatchObject({ status: 204 })

const internal = (pay: Harness) => ({ accountId: pay.accountId })
const external = (pay: Harness) => ({ accountId: pay.sources["000"] })
const transferIn = (pay: Harness) =>
  pay.send("POST", "/transfer-in", { body: { source: external(pay), destination: internal(pay), amount: 400 } })
const transferOut = (pay: Harness) =>
  pay.send("POST", "/transfer-out", { body: { source: internal(pay), destination: external(pay), amount: 400 } })

describe.each([
  ["/transfer-in", transferIn, "SOURCE_NOT_ACTIVE"],
  ["/transfer-out", transferOut, "DESTINATION_NOT_ACTIVE"],
] as const)("POST %s", (_path, transfer, reason) => {
  // Proves: STATE-OTHER-03, STATE-OTHER-04, STATE-OTHER-05
  it.each(["UNDER_REVIEW", "INACTIVE"])("refuses an account that is %s until it is ACTIVE again", async (status) => {
    await using pay = await agentHarness()
    await fund(pay, 1000)
    await setStatus(pay, status)
    expect(await transfer(pay)).toMatchObject({
      status: 400,
      body: { code: "INVALID_BANK_ACCOUNT", details: { reason, status } },
    })
    await pay.settle()
    expect(await balances(pay)).toEqual([1000, 1000])
    await setStatus(pay, "ACTIVE")
    expect(await transfer(pay)).toMatchObject({ status: 201 })
  })

  it("answers 404 for a deleted account without asking a rail", async () => {
    await using pay = await agentHarness({}, { ports: ports({ inspectPull: never, pull: never, push: never }) })
    await fund(pay, 1000)
    await remove(pay)
    expect(await transfer(pay)).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    await pay.settle()
    expect(await balances(pay)).toEqual([1000, 1000])
  })
})

describe("a rail that is asked whether it can pull", () => {
  it("has the account, the amount and the purpose", async () => {
    const asked: Array<unknown> = []
    const inspectPull: Rails["Service"]["inspectPull"] = (account, amount, purpose) =>
      Effect.sync(() => {
        asked.push([account.accountId, account.currency, amount, purpose])
        return { pullable: true, reported: 10_000, funds: "sufficient" }
      })
    await using pay = await agentHarness({}, { ports: ports({ inspectPull }) })
    expect(await transferIn(pay)).toMatchObject({ status: 201 })
    expect(asked).toEqual([[pay.sources["000"], "USD", 400, { _tag: "Transfer" }]])
  })
})

describe("an account that becomes inactive before submission", () => {
  it.each(["UNDER_REVIEW", "INACTIVE"])(
    "refunds a payment to an account that is %s, without asking the rail",
    async (status) => {
      await using pay = await agentHarness({}, { ports: ports({ push: never, refund: never }) })
      await fund(pay, 1000)
      const { id } = await pushTo(pay, "000", { amount: 400 })
      expect(await balances(pay)).toEqual([600, 1000])
      await setStatus(pay, status)
      await pay.settle()
      expect(await read(pay, id)).toMatchObject({
        status: "FAILED",
        failureReason: "ACCOUNT_INVALID",
        refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED", settledAt: expect.any(String) },
      })
      expect(eventNames(pay, id)).toEqual(["PENDING", "PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_COMPLETED"])
      expect(await balances(pay)).toEqual([1000, 1000])
      expect(await pay.books()).toContainEqual(
        expect.objectContaining({ id: `transit:${pay.customerId}:USD`, balance: 0 }),
      )
    },
  )

  it("fails a pull from it without asking the rail", async () => {
    await using pay = await agentHarness({}, { ports: ports({ pull: never }) })
    const { id } = await pullFrom(pay, "000", 400)
    await setStatus(pay, "INACTIVE")
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(await balances(pay)).toEqual([0, 0])
  })
})

describe("an account that changes after submission", () => {
  it.each(["INACTIVE", "deleted"])("gets the outcome of the rail although it is %s", async (how) => {
    const push = ({ submittedAt }: PushRequest) =>
      Effect.map(
        Clock.currentTimeMillis,
        (now): RailOutcome =>
          now < submittedAt + 60_000 ? { _tag: "Later", at: submittedAt + 60_000 } : { _tag: "Done" },
      )
    await using pay = await agentHarness({}, { ports: ports({ push }) })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "PROCESSING" })
    await (how === "deleted" ? remove(pay) : setStatus(pay, how))
    await pay.clock.advance("2 minutes")
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(await balances(pay)).toEqual([600, 600])
  })
})

describe("an account that is deleted before submission", () => {
  it("is paid and pulled with the transaction's copy of it", async () => {
    const asked: Array<RailAccount> = []
    const done = (account: RailAccount) =>
      Effect.sync((): RailOutcome => {
        asked.push(account)
        return { _tag: "Done" }
      })
    const pull = ({ source }: PullRequest) => done(source)
    const push = ({ destination }: PushRequest) => done(destination)
    await using pay = await agentHarness({}, { ports: ports({ pull, push }) })
    await fund(pay, 1000)
    const out = await pushTo(pay, "000", { amount: 400 })
    const into = await pullFrom(pay, "000", 50)
    await remove(pay)
    await pay.settle()
    for (const { id } of [out, into]) expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(asked).toHaveLength(2)
    for (const account of asked) {
      expect(account).toMatchObject({
        accountId: pay.sources["000"],
        accountInfo: { accountType: "USD_ACCOUNT", accountNumber: "12345000", routingNumber: "021000021" },
      })
    }
    expect(await balances(pay)).toEqual([650, 650])
  })
})
