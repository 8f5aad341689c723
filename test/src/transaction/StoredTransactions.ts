/** Stored transactions and their accounts for tests of decisions, and a short form of what a decision writes. */
import { tenant } from "@countersign/core"
import type { ExternalAccount, InternalAccount } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import type { CommitRejection, Decision, DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import { zeroReceivable } from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import { decideOutcome } from "../../../packages/core/src/decision/transaction/OutcomeDecision.ts"
import type { DefiniteOutcome, OutcomeLoaded } from "../../../packages/core/src/decision/transaction/OutcomeLoaded.ts"
import type { Exchange } from "../../../packages/core/src/model/transaction/Exchange.ts"
import type {
  IncomingTransaction,
  OutgoingTransaction,
} from "../../../packages/core/src/model/transaction/Transaction.ts"
import type {
  StoredIncoming,
  StoredOutgoing,
} from "../../../packages/core/src/model/transaction/TransactionResource.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

export const now = Date.parse("2026-03-02T08:00:00Z")
export const owner = { platformId: "PlatformConfig:1", customerId: "Customer:1" }
const dated = { ...owner, version: 3, createdAt: now - 5000, updatedAt: now - 4000 }

/** The context of a decision; `isFull`: an earlier attempt has exceeded the range of exact sums. */
export const contextOf = (more: Partial<DecisionContext> = {}): DecisionContext => {
  let count = 0
  const ids = (type: string) => `${type}:${++count}`
  return { now, ids, caller: tenant(owner.platformId), requestId: "Request:1", rejections: [], ...more }
}
export const beyondRange: ReadonlyArray<CommitRejection> = [
  { _tag: "Bound", bound: { _tag: "Range", account: "available:InternalAccount:1" } },
]

export const transactionId = "Transaction:00000000-0000-7000-8000-00000000abcd"
export const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "12345000" }

export const internalOf = (
  data: Partial<InternalAccount> = {},
  id = "InternalAccount:1",
): Stored<"InternalAccount"> => ({
  ...dated,
  kind: "InternalAccount",
  id,
  data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD", ...data },
})

export const externalOf = (data: Partial<ExternalAccount> = {}): Stored<"ExternalAccount"> => ({
  ...dated,
  kind: "ExternalAccount",
  id: "ExternalAccount:1",
  data: { currency: "USD", status: "ACTIVE", defaultUmaDepositAccount: false, accountInfo, isDeleted: false, ...data },
})

/** A deposit that has arrived for the account. */
export const incomingOf = (data: Partial<IncomingTransaction> = {}): StoredIncoming => ({
  ...dated,
  kind: "Transaction",
  id: transactionId,
  data: {
    type: "INCOMING",
    status: "PENDING",
    direction: "CREDIT",
    platformCustomerId: "ada",
    amount: 400,
    currency: "USD",
    destinationAccountId: "InternalAccount:1",
    ...data,
  },
})

/** A pull that a rail has been asked for. */
export const pullOf = (data: Partial<IncomingTransaction> = {}): StoredIncoming =>
  incomingOf({
    sourceAccountId: "ExternalAccount:1",
    externalAccount: { accountInfo, rail: "ACH" },
    submittedAt: now - 3000,
    ...data,
  })

export const depositOf = (data: Partial<IncomingTransaction> = {}): StoredIncoming =>
  incomingOf({ deposit: { source: {} }, ...data })

/** A transfer to an external account that its rail has been asked for. */
export const outgoingOf = (data: Partial<OutgoingTransaction> = {}): StoredOutgoing => ({
  ...dated,
  kind: "Transaction",
  id: transactionId,
  data: {
    type: "OUTGOING",
    status: "PENDING",
    direction: "DEBIT",
    platformCustomerId: "ada",
    amount: 400,
    currency: "USD",
    sourceAccountId: "InternalAccount:1",
    destinationAccountId: "ExternalAccount:1",
    externalAccount: { accountInfo, rail: "ACH" },
    railSelectionMode: "AUTO",
    submittedAt: now - 3000,
    ...data,
  },
})

export const exchangeOf = (data: Partial<Exchange> = {}): Exchange => ({
  quoteId: "Quote:1",
  received: { amount: 350, currency: "EUR" },
  rate: { numerator: "9", denominator: "10" },
  fees: { service: 0, platform: 0 },
  funding: "ACCOUNT",
  isInternal: false,
  fundedAt: now - 2000,
  ...data,
})

export const loadedOf = (transaction: Stored<"Transaction">, more: Partial<OutcomeLoaded> = {}): OutcomeLoaded => ({
  transaction,
  account: internalOf(),
  available: { balance: 1000, sequence: 4 },
  accountReceivable: zeroReceivable,
  action: undefined,
  agent: undefined,
  ...more,
})

export const done: DefiniteOutcome = { _tag: "Done" }
export const refused: DefiniteOutcome = { _tag: "Refused", reason: "TIMED_OUT" }
export const returned: DefiniteOutcome = { _tag: "Returned" }
export const cancelled: DefiniteOutcome = { _tag: "Cancelled" }
export const laterAt = (at: number): DefiniteOutcome => ({ _tag: "Later", at })
/** One outcome of each kind. */
export const outcomes = [done, refused, returned, cancelled, laterAt(now + 9000)]

const isDelivery = (kind: string) => kind.startsWith("webhook.")
/** Whether a counter is of a limit, not of the records that keep a customer. */
const isLimit = (key: string) => key.startsWith("limit:")
/** Without the identifier of the transaction. */
const short = (text: string) => text.replace(`:${transactionId}`, "")

/** What changes write: statuses, events, postings, jobs and counters. Deliveries of events are left out. */
export const written = (changes: Changes | undefined) => {
  const { counters = [], events = [], jobs = [], transfers = [], updates = [] } = changes ?? {}
  return {
    statuses: updates.flatMap(({ data }) => ("status" in data ? [data.status] : [])),
    events: events.map(({ type }) => type),
    postings: transfers.map(({ amount, from, to }) => `${amount} ${short(from)} ${short(to)}`),
    jobs: jobs
      .filter(({ kind }) => !isDelivery(kind))
      .map(({ dueAt, kind, lane, payload }) => [kind, dueAt - now, short(lane ?? ""), payload]),
    counters: counters.filter(({ key }) => isLimit(key)).map(({ delta, key }) => [key, delta]),
  }
}

export const changesOf = (decision: Decision<unknown>): Changes => decision.changes ?? {}
export const dataOf = ({ inserts = [], updates = [] }: Changes) => [...inserts, ...updates].map(({ data }) => data)

/** What is written by no change. */
export const unchanged = written(undefined)
/** A job as `written` shows it, due in this number of milliseconds. */
export const jobOf = (kind: string, millis: number, accountId?: string, lane = kind) => [
  kind,
  millis,
  lane,
  { transactionId, ...(accountId === undefined ? {} : { accountId }) },
]
export const balance = "INTERNAL_ACCOUNT.BALANCE_UPDATED"
export const outgoingEvents = (...types: ReadonlyArray<string>) => types.map((type) => `OUTGOING_PAYMENT.${type}`)

/** Decides on an outcome; `isFull`: it does not fit into the account. */
export const decided = (loaded: OutcomeLoaded, outcome: DefiniteOutcome, isFull = false) =>
  decideOutcome(loaded, outcome, isFull, contextOf())
export const wrote = (loaded: OutcomeLoaded, outcome: DefiniteOutcome, isFull = false) =>
  written(decided(loaded, outcome, isFull)?.changes)
