/** What the rails of bank files answer: at once, later, after the end of an order, and when they cannot. */
import { type BankFileStore, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { Rails } from "@countersign/core/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { outcomeOf } from "../../../packages/adapter-bank-files/src/OrderOutcome.ts"
import { BankFilesUnavailable } from "../../../packages/adapter-bank-files/src/orders/BankFileStore.ts"
import type { BankOrder } from "../../../packages/adapter-bank-files/src/orders/BankOrder.ts"
import { achAccount, achBank, bankWorld, euroBank, ibanAccount } from "./BankWorld.ts"
import { memoryFolder } from "./MemoryFolder.ts"

const { folder } = memoryFolder()
const start = "2026-03-04T09:00:00Z"
const now = Date.parse(start)
const hours = 3_600_000
const world = (store = MemoryBankFileStore.make()) =>
  bankWorld([euroBank({ folder }), achBank({ folder: memoryFolder().folder })], start, store)
const reference = "Transaction:019dd51b-07a5-7000-8000-000000000001"
const refundRequest = (of: string) => ({
  reference: of,
  destination: ibanAccount(),
  amount: 100,
  initiatedAt: now,
})
const base: BankOrder = {
  reference,
  platformId: "Platform:1",
  bank: "euro",
  direction: "push",
  currency: "EUR",
  amount: 100,
  endToEndId: "019dd51b07a570008000000000000001",
  individualId: "I1",
  state: "ACCEPTED",
  acceptedAt: now,
  changedAt: now,
  isReported: true,
}

describe("the outcome of an order", () => {
  it.each<readonly [Partial<BankOrder>, unknown]>([
    [{ state: "ACCEPTED" }, { _tag: "Later", at: Date.parse("2026-03-04T20:00:00Z"), isQueued: true }],
    [{ state: "BATCHED" }, { _tag: "Later", at: now + 6 * hours }],
    [{ state: "BOOKED" }, { _tag: "Done" }],
    [
      { state: "REJECTED", refusal: "INSUFFICIENT_FUNDS" },
      { _tag: "Refused", reason: "INSUFFICIENT_FUNDS" },
    ],
    [{ state: "REJECTED" }, { _tag: "Refused", reason: "BANK_REJECTED" }],
    [{ state: "RETURNED" }, { _tag: "Returned" }],
    [{ state: "CANCELLED" }, { _tag: "Cancelled" }],
  ])("%j is %j", (more, outcome) => {
    expect(outcomeOf({ ...base, ...more }, euroBank({ folder }), now)).toEqual(outcome)
  })

  it("of a bank that is configured no more is asked again in six hours", () => {
    expect(outcomeOf(base, undefined, now)).toEqual({ _tag: "Later", at: now + 6 * hours, isQueued: true })
  })
})

describe("an instruction", () => {
  it("keeps its order with everything that a file needs", async () => {
    const { order, pull, push } = world()
    await push(reference, ibanAccount("Zoë"), 100, "Invoice №1")
    const kept = await order(reference)
    const iban = { _tag: "Iban", iban: "FR1420041010050500013M02606" }
    const party = { name: "Zoe", isBusiness: false, account: iban }
    expect(kept).toEqual({ ...base, individualId: kept?.individualId, party, remittance: "Invoice No1" })
    expect(kept?.individualId).toMatch(/^[A-Z2-7]{15}$/u)
    await pull("Transaction:2", ibanAccount(), 5)
    expect(await order("Transaction:2")).toMatchObject({
      direction: "pull",
      amount: 5,
      mandate: { id: "MANDATE-1", signedOn: "2026-01-02" },
    })
    await push("Transaction:3", achAccount(), 7)
    const ach = await order("Transaction:3")
    expect([ach?.bank, ach && "mandate" in ach, ach && "remittance" in ach]).toEqual(["ach", false, false])
  })

  it.each([
    [
      "of a currency that no bank carries",
      { ...ibanAccount(), currency: "GBP" },
      undefined,
      "BANK_REJECTED",
      "NO_BANK",
      "",
    ],
    ["to an account that a file cannot name", ibanAccount("日本"), undefined, "ACCOUNT_INVALID", "BE01", "euro"],
    ["with a text that a file cannot carry", ibanAccount(), "日本", "EXECUTION_FAILED", "TEXT", "euro"],
  ] as const)("%s is refused, and kept with its code", async (_, account, text, reason, code, bank) => {
    const { order, push } = world()
    expect(await push(reference, account, 100, text)).toEqual({ _tag: "Refused", reason })
    const kept = await order(reference)
    expect(kept).toMatchObject({ state: "REJECTED", refusal: reason, code, bank, isReported: true })
    expect(kept).not.toHaveProperty("party")
  })

  it("of a rail that no bank carries is refused", async () => {
    const { run } = world()
    const pushBy = (rail: "SEPA" | "SEPA_INSTANT") =>
      run(
        Rails.use((rails) =>
          rails.push({
            reference: `Transaction:${rail}`,
            destination: ibanAccount(),
            amount: 1,
            submittedAt: now,
            rail,
          }),
        ),
      )
    expect((await pushBy("SEPA"))._tag).toBe("Later")
    expect(await pushBy("SEPA_INSTANT")).toEqual({ _tag: "Refused", reason: "BANK_REJECTED" })
  })

  it("inspects whether an account can be pulled, and knows no funds", async () => {
    const { run } = world()
    const inspect = (account: ReturnType<typeof ibanAccount>, amount?: number) =>
      run(Rails.use((rails) => rails.inspectPull(account, amount, { _tag: "Transfer" })))
    expect(await inspect(ibanAccount())).toEqual({ pullable: true, funds: "unknown" })
    expect(await inspect(ibanAccount("日本"))).toEqual({ pullable: false, funds: "unknown" })
    expect(await inspect({ ...ibanAccount(), currency: "GBP" })).toEqual({ pullable: false, funds: "unknown" })
    expect([await inspect(achAccount(), 9_999_999_999), await inspect(achAccount(), 10_000_000_000)]).toEqual([
      { pullable: true, funds: "unknown" },
      { pullable: false, funds: "unknown" },
    ])
  })
})

describe("a refund or a cancellation", () => {
  const after = async (state: BankOrder["state"]) => {
    const { order, push, run, store } = world()
    await push(reference, ibanAccount(), 100)
    const kept = await order(reference)
    if (kept === undefined) throw new Error("no order")
    await run(store.transact((rows) => rows.putOrders([{ ...kept, state }])))
    const request = { reference, direction: "push", account: ibanAccount(), submittedAt: now } as const
    return {
      order: () => order(reference),
      refund: () => run(Rails.use((rails) => rails.refund(refundRequest(reference)))),
      cancel: () => run(Rails.use((rails) => rails.cancel(request))),
    }
  }
  const done = { _tag: "Done" }
  const tooLate = { _tag: "Refused", reason: "BANK_REJECTED" }

  it.each([
    ["ACCEPTED", { _tag: "Later", at: Date.parse("2026-03-04T20:00:00Z"), isQueued: true }, done, "CANCELLED"],
    ["BATCHED", { _tag: "Later", at: now + 6 * hours }, tooLate, "BATCHED"],
    ["BOOKED", tooLate, tooLate, "BOOKED"],
    ["REJECTED", done, tooLate, "REJECTED"],
    ["RETURNED", done, tooLate, "RETURNED"],
    ["CANCELLED", done, done, "CANCELLED"],
  ] as const)("of an order that is %s answers", async (state, refunded, cancelled, then) => {
    const { cancel, order, refund } = await after(state)
    expect(await refund()).toEqual(refunded)
    expect([await cancel(), await cancel()]).toEqual([cancelled, cancelled])
    expect((await order())?.state).toBe(then)
  })

  it("of an order that was never given is done, or too late", async () => {
    const { run } = world()
    const request = { reference: "Transaction:9", direction: "push", account: ibanAccount(), submittedAt: now } as const
    expect(await run(Rails.use((rails) => rails.refund(refundRequest("Transaction:9"))))).toEqual(done)
    expect(await run(Rails.use((rails) => rails.cancel(request)))).toEqual(tooLate)
  })
})

it("answers that the outcome is unknown if the store does not answer", async () => {
  const store: BankFileStore["Service"] = {
    transact: () => Effect.fail(new BankFilesUnavailable({ cause: new Error("refused") })),
  }
  const { inquire, pull, push, run } = world(store)
  const unknown = { _tag: "Unknown", cause: "the store of bank files does not answer" }
  const request = { reference, direction: "push", account: ibanAccount(), submittedAt: now } as const
  expect([
    await push(reference, ibanAccount(), 1),
    await pull(reference, ibanAccount(), 1),
    await inquire(reference, ibanAccount()),
    await run(Rails.use((rails) => rails.refund(refundRequest(reference)))),
    await run(Rails.use((rails) => rails.cancel(request))),
  ]).toEqual([unknown, unknown, unknown, unknown, unknown])
})
