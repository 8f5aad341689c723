/** Stored cards, card transactions and keys for tests of decisions, and a short form of what a decision writes. */
import { tenant } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import type { CommitRejection, Decision, DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import type { Card } from "../../../packages/core/src/model/card/Card.ts"
import type { CardTransaction, Pull } from "../../../packages/core/src/model/card/CardTransaction.ts"
import type { DelegatedKey } from "../../../packages/core/src/model/card/DelegatedKey.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"
import { ada } from "../customer/SampleCustomer.ts"
import { customerOf, internalOf } from "../quote/CreationFacts.ts"

export const now = Date.parse("2026-03-02T08:00:00Z")
export const owner = { platformId: "PlatformConfig:1", customerId: "Customer:1" }
const dated = { ...owner, version: 3, createdAt: now - 5000, updatedAt: now - 4000 }

export const contextOf = (more: Partial<DecisionContext> = {}): DecisionContext => {
  let count = 0
  const ids = (type: string) => `${type}:new${++count}`
  return { now, ids, caller: tenant(owner.platformId), requestId: "Request:1", rejections: [], ...more }
}
export const beyondRange: ReadonlyArray<CommitRejection> = [{ _tag: "Bound", bound: { _tag: "Range", account: "a" } }]
export const fence: Changes = { finishes: [{ id: "Job:1", attempt: 1 }] }

export const cardholder = { ...customerOf(), data: { ...ada, checkStatus: "APPROVED" } } as const
export const [one, two] = [
  internalOf("Customer:1", {}, "InternalAccount:1"),
  internalOf("Customer:1", {}, "InternalAccount:2"),
]

export const cardOf = (data: Partial<Card> = {}): Stored<"Card"> => ({
  ...dated,
  kind: "Card",
  id: "Card:1",
  data: {
    platformCardId: "own",
    form: "VIRTUAL",
    state: "ACTIVE",
    fundingSources: [{ id: "CardFundingSource:1", accountId: one.id }],
    maxSpendPerTransaction: null,
    currency: "USD",
    ...data,
  },
})

/** A purchase that holds its amount. */
export const purchaseOf = (data: Partial<CardTransaction> = {}): Stored<"CardTransaction"> => ({
  ...dated,
  kind: "CardTransaction",
  id: "CardTransaction:1",
  data: {
    cardId: "Card:1",
    platformCustomerId: "ada",
    issuerTransactionToken: "token",
    status: "AUTHORIZED",
    direction: "DEBIT",
    merchant: { descriptor: "Shop" },
    currency: "USD",
    accountId: one.id,
    authorized: 100,
    held: 100,
    isExpired: false,
    clearings: [],
    pulls: [],
    refunds: [],
    messageIds: [],
    authorizedAt: now - 5000,
    ...data,
  },
})

export const keyOf = (data: Partial<DelegatedKey> = {}): Stored<"DelegatedKey"> => ({
  ...dated,
  kind: "DelegatedKey",
  id: "DelegatedKey:1",
  data: {
    cardId: "Card:1",
    fundingSourceId: "CardFundingSource:1",
    accountId: one.id,
    publicKey: "02aa",
    nickname: "Card key",
    status: "PENDING",
    ...data,
  },
})

export const changesOf = (decision: Decision<unknown>): Changes => decision.changes ?? {}
/** The data of the records of a kind that a decision inserts or updates. */
export const writtenTo = ({ inserts = [], updates = [] }: Changes, kind: string) =>
  [...inserts, ...updates].filter((record) => record.kind === kind).map(({ data }) => data)

/** The events, postings and jobs of changes. Deliveries of events are left out. */
export const effects = ({ events = [], jobs = [], transfers = [] }: Changes) => ({
  events: events.map(({ type }) => type),
  postings: transfers.map(({ amount, from, to }) => `${amount} ${from} ${to}`.replaceAll(":InternalAccount", "")),
  jobs: jobs
    .filter(({ kind }) => !kind.startsWith("webhook."))
    .map(({ dueAt, kind, lane, payload }) => [kind, dueAt - now, lane, payload]),
})

export const balance = "INTERNAL_ACCOUNT.BALANCE_UPDATED"
export const outside = "outside:Customer:1:USD"
export const event = (type: string): string => `CARD_TRANSACTION.${type}`
/** The effects of changes that have none. */
export const nothing = { events: [], postings: [], jobs: [] }
/** The job that collects a pull, as `effects` shows it. */
export const collect = (pull: number, id = "CardTransaction:1", millis = 0) => [
  "card.collect",
  millis,
  undefined,
  { cardTransactionId: id, pull },
]
export const pull = (amount: number, status: Pull["status"] = "PENDING"): Pull => ({ amount, status, requestedAt: now })
