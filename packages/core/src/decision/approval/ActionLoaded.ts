/**
 * What an action of an agent is decided on: the request, the loaded records and the facts that ports answered.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.4.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import type { AgentAction } from "../../model/agent/AgentAction.ts"
import type { TouchedAccount } from "../../model/agent/PolicyRules.ts"
import type { Usage } from "../../model/agent/Usage.ts"
import type { ApprovalPolicy } from "../../model/approval/ApprovalPolicy.ts"
import type { ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { PullInspection } from "../../model/transaction/TransferInRules.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import type { Kind } from "../../store/Kinds.ts"
import type { ReadQuery, ReadResult } from "../../store/Store.ts"
import type { ExecutionFacts, QuoteRecords } from "../quote/QuoteExecutionDecision.ts"
import * as TransferIn from "../transaction/TransferInDecision.ts"
import * as TransferOut from "../transaction/TransferOutDecision.ts"

/** A transfer that an agent requests. */
export type TransferAction =
  | { readonly type: "TRANSFER_IN"; readonly order: TransferIn.TransferInOrder }
  | { readonly type: "TRANSFER_OUT"; readonly order: TransferOut.TransferOutOrder }

/** The execution of a quote that an agent requests. */
export interface QuoteAction {
  readonly type: "EXECUTE_QUOTE"
  readonly quoteId: string
}

/** An action that an agent requests. */
export type RequestedAction = TransferAction | QuoteAction

/** The agent, its customer and its usage. */
export interface AgentRecords {
  readonly agent: Stored<"Agent">
  readonly customer: Stored<"Customer">
  readonly usage: Usage
  /** Business time (ms) at which the counters' day ends. The decision is valid until then. */
  readonly dayEndsAt: number
}

/** The records that the requested action would change or depend on, by its type. */
export type RequestedRecords =
  | {
      readonly type: "TRANSFER_IN"
      readonly order: TransferIn.TransferInOrder
      /** Only those of the agent's customer. */
      readonly accounts: TransferIn.TransferInAccounts
    }
  | {
      readonly type: "TRANSFER_OUT"
      readonly order: TransferOut.TransferOutOrder
      /** Only those of the agent's customer. */
      readonly accounts: TransferOut.TransferOutAccounts
    }
  | {
      readonly type: "EXECUTE_QUOTE"
      /** Absent: the agent has created no such quote. */
      readonly records: QuoteRecords | undefined
      /** The customer's strong authentication. Absent: the customer is not under it. */
      readonly sca: ScaLoaded | undefined
    }

/** The records that an action is decided on. */
export interface ActionRecords extends AgentRecords {
  readonly requested: RequestedRecords
}

/** The facts that ports answered for an action. */
export interface ActionFacts extends ExecutionFacts {
  /** What the rail reports about the source of a transfer-in. Absent: the source is unknown, or it is another action. */
  readonly inspection: PullInspection | undefined
  /** The rates by which the amount is compared with the limits. */
  readonly rates: ReadonlyMap<CurrencyCode, Rate>
  /** The deployment's approval policy for the platform, if it has one, and when (business ms) it was asked. */
  readonly approvals: { readonly policy: ApprovalPolicy | undefined; readonly at: number }
}

export type ActionLoaded = ActionRecords & ActionFacts

/** Returns what to read for a transfer. */
export const readQueryFor = ({ order, type }: TransferAction): Required<Pick<ReadQuery, "records" | "balances">> =>
  type === "TRANSFER_IN" ? TransferIn.readQueryFor(order) : TransferOut.readQueryFor(order)

/** Returns the account if it belongs to the customer. An agent sees no other accounts. */
const ownAccount = <A extends { readonly customerId: string | null }>(
  account: A | undefined,
  { id }: Stored<"Customer">,
): A | undefined => (account?.customerId === id ? account : undefined)

/** Returns the records of a transfer from what was read. */
export const transferRecords = (
  { order, type }: TransferAction,
  read: ReadResult,
  customer: Stored<"Customer">,
): RequestedRecords => {
  if (type === "TRANSFER_IN") {
    const found = TransferIn.accountsOf(read, order)
    const source = ownAccount(found.source, customer)
    return { type, order, accounts: { ...found, source, destination: ownAccount(found.destination, customer) } }
  }
  const found = TransferOut.accountsOf(read, order)
  const source = ownAccount(found.source, customer)
  return { type, order, accounts: { ...found, source, destination: ownAccount(found.destination, customer) } }
}

/** Returns the action that a held action was submitted as, or `undefined` if its record names none. */
export const requestedActionOf = ({
  instructions,
  quoteId,
  transferDetails,
  type,
}: AgentAction): RequestedAction | undefined => {
  if (quoteId !== undefined) return { type: "EXECUTE_QUOTE", quoteId }
  if (transferDetails === undefined || type === "EXECUTE_QUOTE") return undefined
  const { amount, destinationAccountId, sourceAccountId } = transferDetails
  const order = { sourceAccountId, destinationAccountId, amount }
  return type === "TRANSFER_IN" ? { type, order } : { type, order: { ...order, ...instructions } }
}

/** The internal accounts that an action touches, and the currency of its amount. */
export interface TouchedMoney {
  readonly accounts: ReadonlyArray<TouchedAccount>
  readonly currency: CurrencyCode
}

const touchedAccount = ({ data, id }: Stored<"InternalAccount">): TouchedAccount => ({ id, currency: data.currency })

/** Returns what the limits are compared with, or `undefined` if the records that determine it do not exist. */
export const touchedMoneyOf = (requested: RequestedRecords): TouchedMoney | undefined => {
  switch (requested.type) {
    case "TRANSFER_IN":
    case "TRANSFER_OUT": {
      const { accounts, type } = requested
      const account = type === "TRANSFER_IN" ? accounts.destination : accounts.source
      return account && { accounts: [touchedAccount(account)], currency: account.data.currency }
    }
    case "EXECUTE_QUOTE": {
      if (requested.records === undefined) return undefined
      const { account, quote, receiver } = requested.records
      const paying = quote.data.funding === "ACCOUNT" ? account : undefined
      return {
        accounts: [paying, receiver].flatMap((touched) => (touched === undefined ? [] : [touchedAccount(touched)])),
        currency: quote.data.sendingCurrency,
      }
    }
  }
}

/** Returns the accounts that the action moves money between. */
const accountsOf = (requested: RequestedRecords): ReadonlyArray<AnyStored | Stored<Kind>> => {
  const { account, destination, pulled, receiver } = requested.type === "EXECUTE_QUOTE" ? (requested.records ?? {}) : {}
  const transferred =
    requested.type === "EXECUTE_QUOTE" ? [] : [requested.accounts.source, requested.accounts.destination]
  return [account, pulled, receiver, destination, ...transferred].filter((record) => record !== undefined)
}

/**
 * Guards an agent's records and `accounts` until the commit, which must come before the counters' day ends. So the agent is not
 * paused, its policy not changed, no account closed and the customer not deleted in between.
 */
export const guardAgentAnd = (
  { agent, customer, dayEndsAt }: AgentRecords,
  accounts: ReadonlyArray<AnyStored | Stored<Kind>>,
): Changes.Changes => ({
  ...Changes.guard(agent, customer, ...accounts),
  validUntil: dayEndsAt,
})

/** Guards all records that the decision on an action depends on. */
export const guardsFor = (loaded: ActionRecords): Changes.Changes => guardAgentAnd(loaded, accountsOf(loaded.requested))
