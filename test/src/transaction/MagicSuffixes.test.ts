/**
 * Each magic suffix of transfers in and out: the final record, the intermediate balances, and the webhooks in order.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.7, 7.3 and 11 (49, 50).
 */
import { TransferSuffixes } from "@countersign/core/sandbox"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, eventNames, fund, pullFrom, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"

const suffixes = ["000", "002", "003", "004", "005"]
const failing = ["PENDING", "PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_COMPLETED"]

it("has a case for every suffix of the table", () => {
  expect([...TransferSuffixes.keys].toSorted()).toEqual(suffixes.slice(1))
})

describe("transfer-out", () => {
  // Proves: SBX-TRANSFER_OUT-OTHER
  it("to any other suffix is held, sent and completed", async () => {
    await using pay = await agentWorld({}, { suffixes })
    await fund(pay, 1000)
    const created = await pushTo(pay, "000", { amount: 400 })
    expect(created).toMatchObject({
      type: "OUTGOING",
      status: "PENDING",
      direction: "DEBIT",
      sentAmount: { amount: 400 },
      receivedAmount: { amount: 400 },
      paymentRail: "ACH",
      railSelectionMode: "AUTO",
      source: { accountId: pay.accountId },
      destination: { accountId: pay.sources["000"] },
    })
    expect(await balances(pay)).toEqual([600, 1000])
    await pay.settle()
    const completed = await read(pay, created.id)
    expect(completed).toMatchObject({ status: "COMPLETED", settledAt: "2026-11-21T12:00:00Z" })
    expect(completed).not.toHaveProperty("refund")
    expect(completed).not.toHaveProperty("failureReason")
    expect(await balances(pay)).toEqual([600, 600])
    expect(eventNames(pay, created.id)).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
    const shown = pay.inbox
      .ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED")
      .map(({ data }) => [data["balance"], data["totalBalance"]].map((sum) => (sum as { amount: number }).amount))
    expect(shown).toEqual([
      [1000, 1000],
      [600, 1000],
      [600, 600],
    ])
    const last = pay.inbox.ofType("OUTGOING_PAYMENT.COMPLETED")[0]
    expect(last?.data).toEqual(completed)
  })

  // Proves: SBX-TRANSFER_OUT-002, SBX-TRANSFER_OUT-003, SBX-TRANSFER_OUT-004
  it.each([
    ["002", "QUOTE_EXECUTION_FAILED"],
    ["003", "ACCOUNT_INVALID"],
    ["004", "ACCOUNT_CANNOT_RECEIVE"],
  ])("to suffix %s fails at once with %s and is refunded a second later", async (suffix, failureReason) => {
    await using pay = await agentWorld({}, { suffixes })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, suffix, { amount: 400 })
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({
      status: "FAILED",
      failureReason,
      refund: { status: "PENDING", reason: "TRANSACTION_FAILED", initiatedAt: "2026-11-21T12:00:00Z" },
    })
    expect(await balances(pay)).toEqual([600, 600])
    await pay.clock.advance("1 second")
    const end = await read(pay, id)
    expect(end).toMatchObject({
      status: "FAILED",
      failureReason,
      refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED", settledAt: "2026-11-21T12:00:01Z" },
    })
    expect(await balances(pay)).toEqual([1000, 1000])
    expect(eventNames(pay, id)).toEqual(failing)
    expect(pay.inbox.ofType("OUTGOING_PAYMENT.REFUND_COMPLETED").map(({ data }) => data)).toEqual([end])
  })

  // Proves: LIM-07
  // Proves: SBX-TRANSFER_OUT-005
  it("to suffix 005 stays PENDING for 30 seconds, then fails and is refunded for a timeout", async () => {
    await using pay = await agentWorld({}, { suffixes })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "005", { amount: 400 })
    await pay.clock.advance("29 seconds")
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
    expect(await balances(pay)).toEqual([600, 1000])
    expect(eventNames(pay, id)).toEqual(["PENDING"])
    await pay.clock.advance("1 second")
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" })
    await pay.clock.advance("1 second")
    expect(await read(pay, id)).toMatchObject({
      refund: { status: "COMPLETED", reason: "TIMEOUT", initiatedAt: "2026-11-21T12:00:30Z" },
    })
    expect(await balances(pay)).toEqual([1000, 1000])
    expect(eventNames(pay, id)).toEqual(failing)
  })
})

describe("transfer-in", () => {
  // Proves: SBX-TRANSFER_IN-OTHER
  it("from any other suffix completes and credits the account only then", async () => {
    await using pay = await agentWorld({}, { suffixes })
    const created = await pullFrom(pay, "000", 400)
    expect(created).toMatchObject({ type: "INCOMING", status: "PENDING", receivedAmount: { amount: 400 } })
    expect(created).not.toHaveProperty("agentId")
    expect(await balances(pay)).toEqual([0, 0])
    await pay.settle()
    expect(await read(pay, created.id)).toMatchObject({ status: "COMPLETED" })
    expect(await balances(pay)).toEqual([400, 400])
    expect(eventNames(pay, created.id)).toEqual(["PENDING", "COMPLETED"])
  })

  // Proves: SBX-TRANSFER_IN-002, SBX-TRANSFER_IN-003, SBX-TRANSFER_IN-004
  it.each(["002", "003", "004"])("from suffix %s fails at once with COLLECTION_FAILED", async (suffix) => {
    await using pay = await agentWorld({}, { suffixes })
    const { id } = await pullFrom(pay, suffix, 400)
    await pay.settle()
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(await balances(pay)).toEqual([0, 0])
    expect(eventNames(pay, id)).toEqual(["PENDING", "FAILED"])
  })

  // Proves: LIM-07
  // Proves: SBX-TRANSFER_IN-005
  it("from suffix 005 stays PENDING for 30 seconds, then fails", async () => {
    await using pay = await agentWorld({}, { suffixes })
    const { id } = await pullFrom(pay, "005", 400)
    await pay.clock.advance("29 seconds")
    expect(await read(pay, id)).toMatchObject({ status: "PENDING" })
    await pay.clock.advance("1 second")
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(eventNames(pay, id)).toEqual(["PENDING", "FAILED"])
  })

  it("without an amount pulls the amount that the rail reports", async () => {
    await using pay = await agentWorld({}, { suffixes })
    expect(await pullFrom(pay, "000")).toMatchObject({ receivedAmount: { amount: 10_000 } })
  })
})
