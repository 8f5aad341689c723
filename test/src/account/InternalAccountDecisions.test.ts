/**
 * What the decisions about internal accounts write: openings, events of their status, and funding instructions.
 * Source: wire contract 5.9; wire contract areas 2.12.
 */
import type { InternalAccount } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  accountStatusEvents,
  collectionJob,
  openAccounts,
} from "../../../packages/core/src/decision/account/AccountChanges.ts"
import {
  continueOpenings,
  openMissingAccounts,
} from "../../../packages/core/src/decision/account/AccountOpeningDecision.ts"
import { decideCollection, recordFundingSet } from "../../../packages/core/src/decision/account/FundingSetDecision.ts"
import { ownersOf } from "../../../packages/core/src/service/account/FundingSets.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"
import { context, dataOf, dated, eventsOf, ids, now, ofPlatform, owner } from "./WrittenChanges.ts"

const internal = (data: Partial<InternalAccount> = {}): Stored<"InternalAccount"> => ({
  ...dated,
  kind: "InternalAccount",
  id: "InternalAccount:1",
  data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD", ...data },
})

describe("the opening of accounts", () => {
  const opened = (changes: Changes) =>
    (changes.inserts ?? []).flatMap(({ data, kind }) =>
      kind === "InternalAccount" ? [`${data.currency} ${data.type} ${data.isPlatform ?? false} ${data.status}`] : [],
    )

  it("gives a customer one account per currency, and a wallet if the platform has USDB", () => {
    const changes = openAccounts(ids, now, owner, ["USD", "USDB"])
    expect(opened(changes)).toEqual([
      "USD INTERNAL_FIAT false ACTIVE",
      "USDB INTERNAL_CRYPTO false ACTIVE",
      "USDB EMBEDDED_WALLET false ACTIVE",
    ])
    expect(openAccounts(ids, now, owner, ["EUR"]).ledgerAccounts?.map(({ id }) => id)).toEqual([
      "available:InternalAccount:new",
      "held:InternalAccount:new",
      "outside:Customer:1:EUR",
    ])
    expect(changes.inserts?.map(({ kind }) => kind)).not.toContain("Credential")
    expect(opened(openAccounts(ids, now, owner, ["EUR"]))).toEqual(["EUR INTERNAL_FIAT false ACTIVE"])
  })

  it("gives the platform no wallet, and marks its accounts", () => {
    const changes = openAccounts(ids, now, ofPlatform, ["USD", "USDB"])
    expect(opened(changes)).toEqual(["USD INTERNAL_FIAT true ACTIVE", "USDB INTERNAL_CRYPTO true ACTIVE"])
    expect(changes.jobs).toEqual([])
  })

  it("asks for a collection account of a customer in US dollars alone", () => {
    expect(openAccounts(ids, now, owner, ["USD", "EUR"]).jobs).toEqual([
      collectionJob(ids, owner, "InternalAccount:new", now),
    ])
    expect(collectionJob(ids, owner, "InternalAccount:1", 5)).toMatchObject({
      kind: "account.collection",
      customerId: owner.customerId,
      dueAt: 5,
      payload: { accountId: "InternalAccount:1" },
    })
  })

  it("starts a wallet with the e-mail address of its owner, and leaves out what is open", () => {
    const present = [
      { currency: "USDB", type: "INTERNAL_CRYPTO" },
      { currency: "USD", type: "INTERNAL_CRYPTO" },
    ] as const
    const changes = openAccounts(ids, now, owner, ["USD", "USDB"], {
      email: "ada@example.com",
      present,
      rootId: "root",
    })
    expect(opened(changes)).toEqual(["USD INTERNAL_FIAT false ACTIVE", "USDB EMBEDDED_WALLET false ACTIVE"])
    expect(changes.inserts?.flatMap(({ data, kind }) => (kind === "Wallet" ? [data] : []))).toMatchObject([
      { rootId: "root" },
    ])
  })

  it("continues after the last customer of a page, and ends with the last page", () => {
    const finish: Changes = { finishes: [{ id: "Job:1", attempt: 1 }] }
    const next = continueOpenings({ createdAt: 7, id: "Customer:9" }, finish)(undefined, context).changes
    expect(next?.jobs).toMatchObject([
      { kind: "accounts.open", customerId: null, dueAt: now, payload: { after: { createdAt: 7, id: "Customer:9" } } },
    ])
    expect(next?.finishes).toEqual(finish.finishes)
    expect(continueOpenings(undefined, finish)(undefined, context).changes).toEqual(finish)
  })

  it("passes over a customer that is deleted or has no account", () => {
    const customer = { ...dated, kind: "Customer", id: "Customer:1", data: { isDeleted: true } } as Stored<"Customer">
    const platform = { ...dated, kind: "Platform", id: "Platform:1", data: {} } as Stored<"Platform">
    const accounts = [internal().data]
    const present = { ...customer, data: { ...customer.data, isDeleted: false } }
    for (const loaded of [
      { accounts, platform, customer },
      { accounts, platform, customer: undefined },
      { accounts, platform: undefined, customer: present },
      { accounts: [], platform, customer: present },
    ])
      expect(openMissingAccounts("root")(loaded, context)).toMatchObject({ status: 200, body: null, changes: {} })
  })
})

describe("the events of an internal account", () => {
  const events = (before: InternalAccount["status"], after: InternalAccount["status"]) =>
    eventsOf(accountStatusEvents(ids, now, internal({ status: before }), internal({ status: after })))
  const of = (type: string) => [`INTERNAL_ACCOUNT.${type}`, "InternalAccount:1", owner.customerId]

  it("report the status, and the instructions where they come or go", () => {
    const both = [of("STATUS_UPDATED"), of("FUNDING_INSTRUCTIONS_UPDATED")]
    expect(events("ACTIVE", "FROZEN")).toEqual(both)
    expect(events("FROZEN", "ACTIVE")).toEqual(both)
    expect(events("FROZEN", "CLOSED")).toEqual([of("STATUS_UPDATED")])
  })
})

describe("a change of funding instructions", () => {
  const recorded = (data: Partial<InternalAccount>, report: { readonly hasCollectionAccount?: boolean }) =>
    recordFundingSet(report)(internal(data), context).changes ?? {}

  it("stores a new collection account and its withdrawal, with an event each", () => {
    const added = recorded({}, { hasCollectionAccount: true })
    expect([dataOf(added), eventsOf(added).length]).toEqual([[{ ...internal().data, hasCollectionAccount: true }], 1])
    const removed = recorded({ hasCollectionAccount: true }, { hasCollectionAccount: false })
    expect([dataOf(removed), eventsOf(removed).length]).toEqual([[internal().data], 1])
  })

  it("keeps what other instructions do not change, and emits their event", () => {
    for (const data of [{}, { hasCollectionAccount: true as const }]) {
      const changes = recorded(data, {})
      expect([dataOf(changes), eventsOf(changes).length]).toEqual([[internal(data).data], 1])
    }
  })

  it("needs each customer of the accounts once, and none of the platform's", () => {
    const accounts = [internal(), { ...internal(), customerId: null }, internal()]
    expect(ownersOf(accounts)).toEqual([{ kind: "Customer", id: "Customer:1" }])
  })

  it("writes nothing for what is known, and no event for an account that is not active", () => {
    expect(recorded({}, { hasCollectionAccount: false })).toEqual({})
    expect(recorded({ hasCollectionAccount: true }, { hasCollectionAccount: true })).toEqual({})
    const frozen = recorded({ status: "FROZEN" }, { hasCollectionAccount: true })
    expect([dataOf(frozen).length, eventsOf(frozen)]).toEqual([1, []])
  })

  it("follows the answer about a collection account: stored, asked again, or dropped", () => {
    const decided = (answer: Parameters<typeof decideCollection>[0]) =>
      decideCollection(answer, {})(internal(), context).changes ?? {}
    expect(dataOf(decided({ _tag: "Available" }))).toMatchObject([{ hasCollectionAccount: true }])
    expect(decided({ _tag: "Later", at: 9 }).jobs).toEqual([collectionJob(ids, owner, "InternalAccount:1", 9)])
    expect(decided({ _tag: "None" }).jobs).toEqual([])
  })
})
