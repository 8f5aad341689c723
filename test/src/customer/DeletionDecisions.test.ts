/** What the deletion of a customer refuses, depends on and ends. Wire contract 5.11 and 11 (22); D-081. */
import type { AnyStored, Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  type DeletionLoaded,
  deleteCustomer,
  deletionIdsMax,
  ledgerAccountsOfRecords,
} from "../../../packages/core/src/decision/customer/CustomerDeletionDecision.ts"
import { changesOf, contextOf, effects } from "../card/StoredCards.ts"
import { internalOf } from "../quote/CreationFacts.ts"
import { credentialOf, sessionOf } from "../wallet/StoredCredentials.ts"
import { ada } from "./SampleCustomer.ts"

const dated = { platformId: "PlatformConfig:1", customerId: "Customer:1", version: 2, createdAt: 0, updatedAt: 0 }
const customer: Stored<"Customer"> = { ...dated, kind: "Customer", id: "Customer:1", data: ada }
const account = internalOf("Customer:1", { currency: "USD" }, "InternalAccount:1")
const [available, held, receivable] = [
  "available:InternalAccount:1",
  "held:InternalAccount:1",
  "receivable:Customer:1:USD",
]
const documentIn = (status: string, id: string): AnyStored =>
  ({ ...dated, kind: "Document", id, data: { status, fileId: `StoredFile:${id}` } }) as AnyStored

const deleted = (more: Partial<DeletionLoaded> = {}, balances: Readonly<Record<string, number>> = {}) =>
  deleteCustomer(
    {
      customer,
      owners: [],
      deletionBlockers: 0,
      dependents: 4,
      records: [account],
      balances: new Map(
        [available, held, receivable].map((name, n) => [name, { balance: balances[name] ?? 0, sequence: n + 5 }]),
      ),
      ...more,
    },
    contextOf(),
  )
const inUse = (openTransactions: number, ...accounts: ReadonlyArray<object>) => ({
  _tag: "Refuse",
  refusal: { code: "CONFLICT", details: { reason: "CUSTOMER_IN_USE", openTransactions, accounts } },
  changes: {},
})
const holding = { accountId: "InternalAccount:1", currency: "USD", amount: 0, owed: 0 }

describe("a customer who is deleted", () => {
  it("must be there", () => {
    const gone = { ...customer, data: { ...ada, isDeleted: true } }
    expect(deleted({ customer: gone })).toMatchObject({ refusal: { code: "CUSTOMER_DELETED" }, changes: {} })
  })

  it.each<[number, Readonly<Record<string, number>>, object]>([
    [1, {}, inUse(1)],
    [0, { [available]: 1 }, inUse(0, { ...holding, amount: 1 })],
    [0, { [held]: 2 }, inUse(0, { ...holding, amount: 2 })],
    [2, { [available]: 1, [held]: 2 }, inUse(2, { ...holding, amount: 3 })],
    [0, { [receivable]: -7 }, inUse(0, { ...holding, owed: 7 })],
    [0, { [available]: 5, [receivable]: -7 }, inUse(0, { ...holding, amount: 5, owed: 7 })],
    // A debt that is more than paid back is no debt, and yet money.
    [0, { [receivable]: 3 }, inUse(0, holding)],
  ])("may have neither open transactions nor money nor debts: %i, %j", (deletionBlockers, balances, refusal) => {
    expect(deleted({ deletionBlockers }, balances)).toMatchObject(refusal)
  })

  it("is decided on every balance and on the number of its records", () => {
    const decision = deleted()
    expect(decision).toMatchObject({ status: 200, body: { id: "Customer:1", isDeleted: true } })
    expect(changesOf(decision).assertions).toEqual([
      { account: available, sequence: 5 },
      { account: held, sequence: 6 },
      { account: receivable, sequence: 7 },
    ])
    expect(changesOf(decision).counters?.filter(({ expected }) => expected !== undefined)).toEqual([
      { key: "kept:Customer:1", customerId: "Customer:1", delta: 0, expected: 0 },
      { key: "attached:Customer:1", customerId: "Customer:1", delta: 0, expected: 4 },
    ])
  })

  it("depends on each ledger account once, and on those of accounts alone", () => {
    const other = internalOf("Customer:1", { currency: "USD" }, "InternalAccount:2")
    expect(ledgerAccountsOfRecords([account, other, customer])).toEqual([
      available,
      held,
      receivable,
      "available:InternalAccount:2",
      "held:InternalAccount:2",
    ])
  })

  it("ends what has not ended, and leaves the rest", () => {
    const closed = internalOf("Customer:1", { currency: "USD", status: "CLOSED" }, "InternalAccount:2")
    const over = sessionOf({ status: "REVOKED" }, "Session:2")
    const records = [account, closed, sessionOf(), over, credentialOf()]
    const changes = changesOf(deleted({ records }))
    const ended = (changes.updates ?? []).map(({ data, id }) => [id, "status" in data ? data.status : undefined])
    expect(ended).toEqual([
      ["Customer:1", undefined],
      ["InternalAccount:1", "CLOSED"],
      ["Session:1", "REVOKED"],
      ["AuthMethod:1", undefined],
    ])
    expect(effects(changes).events).toEqual([
      "INTERNAL_ACCOUNT.STATUS_UPDATED",
      "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED",
    ])
  })

  it("has the files of its documents erased, but for those that are gone", () => {
    const jobsOf = (...records: ReadonlyArray<AnyStored>) => effects(changesOf(deleted({ records }))).jobs
    const stored = [documentIn("STORED", "a"), documentIn("DELETED", "b"), documentIn("RETAINED", "c")]
    expect(jobsOf(...stored)).toEqual([["file.erase", 0, undefined, { fileIds: ["StoredFile:a", "StoredFile:c"] }]])
    expect(jobsOf(documentIn("DELETED", "b"))).toEqual([])
  })

  it("has room for the events of each card", () => {
    expect(deletionIdsMax(3) - deletionIdsMax(0)).toBe(9)
  })
})
