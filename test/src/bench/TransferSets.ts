/**
 * The change sets of the benchmark: those of an agent's transfer-in, with the ledger transfer in the same set. A set is
 * determined by four numbers of fixed width, so that `pgbench` can make the same sets.
 * Source: core, TransferInDecision and IncomingChanges.
 */

import type { AgentActionResource } from "@countersign/core/models"
import type { ChangeSet, JobFence, Kind, NewJob, RecordRef } from "@countersign/core/store"
import { deletionBlockerCounter } from "../../../packages/core/src/store/Kinds.ts"

/**
 * `plain` writes what the bare transfer writes. `full` adds one of every part of a change set. `transferIn` is the whole
 * change set of an agent's transfer-in, with the ledger.
 */
export type Size = "plain" | "full" | "transferIn"

export interface Numbers {
  /** The agent's account that is debited, and the account that is credited: 12 digits. */
  readonly from: string
  readonly to: string
  /** The parts of the set's identifiers: 8 increasing digits, and 12 random ones. */
  readonly head: string
  readonly tail: string
}

export const platformId = "Platform:00000000-0000-7000-8000-000000000001"

/** Returns the id of a record that belongs to an account, such as its customer or agent. */
export const idOf = (kind: Kind, account: string): string => `${kind}:00000000-0000-7000-8000-${account}`
export const available = (account: string): string => `available:${idOf("InternalAccount", account)}`

/** The time of all sets: now, so that no record is old enough for the retention sweep. */
export const at = Date.now()
const timestamp = new Date(at).toISOString()
const day = timestamp.slice(0, 10)
const month = timestamp.slice(0, 7)
const expiresAt = at + 24 * 60 * 60 * 1000
const currency = "USD"
const amount = 5
const bound = 1_000_000_000_000

const nothing = {
  inserts: [],
  updates: [],
  guards: [],
  claims: [],
  releases: [],
  ledgerAccounts: [],
  assertions: [],
  attempts: [],
  observes: [],
  counters: [],
  jobs: [],
  finishes: [],
  returns: [],
} satisfies Partial<ChangeSet>

/** A pending action that a full set updates, and a claimed job that it finishes. */
export interface PendingAction {
  readonly action: RecordRef<"AgentAction"> & { readonly version: number }
  readonly job: JobFence
}

export const transferSet = ({ from, head, tail, to }: Numbers, size: Size, pending?: PendingAction): ChangeSet => {
  const uuid = (ordinal: number) => `${head}-000${ordinal}-7000-8000-${tail}`
  const customerId = idOf("Customer", from)
  const agentId = idOf("Agent", from)
  const sourceAccountId = idOf("ExternalAccount", from)
  const destinationAccountId = idOf("InternalAccount", from)
  const actionId = `AgentAction:${uuid(1)}`
  const transactionId = `Transaction:${uuid(2)}`
  const owner = { platformId, customerId }
  const platformCustomerId = `customer-${from}`
  const transaction = {
    id: transactionId,
    type: "INCOMING",
    status: "PENDING",
    direction: "CREDIT",
    source: { sourceType: "ACCOUNT", accountId: sourceAccountId, currency },
    destination: { destinationType: "ACCOUNT", accountId: destinationAccountId, currency },
    customerId,
    platformCustomerId,
    receivedAmount: { amount, currency: { code: currency, decimals: 2, name: "United States Dollar", symbol: "$" } },
    agentId,
    createdAt: timestamp,
    updatedAt: timestamp,
  } as const
  const action: AgentActionResource = {
    id: actionId,
    agentId,
    customerId,
    platformCustomerId,
    status: "APPROVED",
    type: "TRANSFER_IN",
    transferDetails: { amount, currency, sourceAccountId, destinationAccountId },
    transaction,
    createdAt: timestamp,
    updatedAt: timestamp,
  }
  /** The body of the response and the event of the bare transfer. */
  const short = {
    id: transactionId,
    status: "PENDING",
    type: "INCOMING",
    amount: { amount, currency: { code: currency, decimals: 2 } },
    customerId,
  }
  const isWhole = size === "transferIn"
  const eventId = `Webhook:${uuid(3)}`
  const keys = [`${agentId}/count/${day}`, `${agentId}/spend/${day}/USD`, `${agentId}/spend/${month}/USD`] as const
  const hash = `${tail}00000000000000000000${tail}00000000000000000000`
  const bare: ChangeSet = {
    ...nothing,
    operationId: uuid(0),
    at,
    inserts: [
      {
        kind: "Transaction",
        id: transactionId,
        ...owner,
        data: {
          type: "INCOMING",
          status: "PENDING",
          direction: "CREDIT",
          platformCustomerId,
          amount,
          currency,
          sourceAccountId,
          destinationAccountId,
          agentId,
          actionId,
        },
      },
    ],
    transfers: [{ from: available(from), to: available(to), amount, currency, reference: transactionId }],
    events: [
      {
        id: eventId,
        type: "INCOMING_PAYMENT.PENDING",
        customerId,
        subject: transactionId,
        data: { body: isWhole ? transaction : short, placeholders: [] },
      },
    ],
    replay: {
      key: hash,
      fingerprint: hash,
      status: 201,
      answer: { body: isWhole ? action : short, placeholders: [] },
      expiresAt,
    },
  }
  if (size === "plain") return bare
  const actionData = {
    agentId,
    platformCustomerId,
    status: "APPROVED",
    type: "TRANSFER_IN",
    transferDetails: { amount, currency, sourceAccountId, destinationAccountId },
    transactionId,
    charges: [
      { period: day, budget: "USD.0", amount },
      { period: month, budget: "USD.0", amount },
    ],
  } as const
  const pull: NewJob = {
    id: `Job:${uuid(4)}`,
    queue: "work",
    kind: "transfer.pull",
    customerId,
    lane: `pull:${transactionId}`,
    opensLane: true,
    dueAt: at,
    payload: { transactionId },
  }
  if (size === "full") {
    if (pending === undefined) throw new Error("a full set needs a pending action")
    return {
      ...bare,
      updates: [{ ...pending.action, data: actionData }],
      guards: [{ kind: "Agent", id: agentId, version: 1 }],
      claims: [
        { scope: "platform", key: `reference:${transactionId}`, record: { kind: "Transaction", id: transactionId } },
      ],
      counters: [{ key: keys[1], customerId, delta: amount, max: bound }],
      jobs: [pull],
      finishes: [pending.job],
    }
  }
  return {
    ...bare,
    inserts: [...bare.inserts, { kind: "AgentAction", id: actionId, ...owner, data: actionData }],
    guards: [
      { kind: "Agent", id: agentId, version: 1 },
      { kind: "ExternalAccount", id: sourceAccountId, version: 1 },
      { kind: "InternalAccount", id: destinationAccountId, version: 1 },
    ],
    counters: [
      { key: keys[0], customerId, delta: 1, max: bound },
      { key: keys[1], customerId, delta: amount, max: bound },
      { key: keys[2], customerId, delta: amount, max: bound },
      { key: deletionBlockerCounter(customerId), customerId, delta: 1 },
    ],
    jobs: [
      pull,
      {
        id: `Job:${uuid(5)}`,
        queue: "webhook",
        kind: "webhook.deliver",
        customerId,
        lane: `event:${transactionId}`,
        opensLane: true,
        laneHoldMillis: 30_000,
        dueAt: at,
        payload: { eventId },
      },
    ],
  }
}

export const accounts = 10_000

/** Returns the 12 digits of the account with this number, from 1. */
export const accountNumber = (number: number): string => String(100_000_000_000 + number)

let setCount = 0
/** Returns the numbers of the next set: from the first half of the accounts, or the hot account, to the second half. */
export const nextNumbers = (isHot: boolean): Numbers => {
  setCount += 1
  const random = (low: number, count: number) => low + Math.floor(Math.random() * count)
  return {
    from: accountNumber(isHot ? 1 : random(1, accounts / 2)),
    to: accountNumber(random(accounts / 2 + 1, accounts / 2)),
    head: String(10_000_000 + (setCount >> 4)),
    tail: String(random(100_000_000_000, 900_000_000_000)),
  }
}
