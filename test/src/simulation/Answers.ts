/**
 * What the service has answered to the clients of a simulated run. The auditor compares it with what exists at the end.
 */

import type { Send } from "@countersign/test"
import type { AcceptedChange } from "./AcceptedChange.ts"
import { type DelegatedKeyAnswers, noDelegatedKeyAnswers } from "./DelegatedKeyAnswers.ts"
import { type EndpointAnswers, noEndpointAnswers } from "./EndpointAnswers.ts"
import { noWalletAnswers, type WalletAnswers } from "./WalletAnswers.ts"

/** The response to a request that created something. */
export type Body = { readonly [name: string]: unknown }

/** Contents that a document was given. */
export interface DocumentVersion extends AcceptedChange {
  /** Unique: it tells which contents the service has kept. */
  readonly fileName: string
  readonly content: string
}

/** A confirmation that an external account is trusted, or is not any more. */
export interface TrustChange extends AcceptedChange {
  readonly isTrusted: boolean
}

export interface DepositRequest {
  /** Unique: the remittance information of the deposit. */
  readonly reference: string
  /** That of the sender's account. */
  readonly suffix: string
  readonly accountId: string
  readonly amount: number
}

export interface InvitationRequests {
  /** That of the first name, or `expires` if the request named an end. */
  readonly suffix: string
  /** The invitees whose claims were accepted. */
  readonly claimedBy: Set<string>
  isCancelled: boolean
}

export interface ImportedRow {
  readonly number: number
  readonly platformCustomerId: string
  /** Unique: it tells which row has made a customer. Empty: the row is refused. */
  readonly fullName: string
}

export interface VerifiedCustomer {
  readonly isBusiness: boolean
  /** The decision of its creation; empty: it was not decided. */
  readonly first: string
  readonly owners: Set<string>
  /** Number of requests to add an owner whose outcome is unknown. */
  unknownOwners: number
  /** Number of submissions and of reports, without their repetitions. */
  requests: number
}

export interface ImportRequest {
  readonly rows: ReadonlyArray<ImportedRow>
  /** Whether the name of the file makes it fail as a whole. */
  readonly isFailing: boolean
}

/** A request under a key, and when (wall time) its response was stored. */
export interface KeyedRequest {
  readonly path: string
  readonly options: Send
  readonly storedAt: number
}

/** The responses to all clients. */
export interface Answers {
  /** How often each error code was answered. */
  readonly codes: Map<string, number>
  /** The whole response by key. */
  readonly byKey: Map<string, string>
  readonly keyed: Map<string, KeyedRequest>
  readonly actions: Set<string>
  readonly transactions: Set<string>
  /** Those of them that a client asked to cancel. */
  readonly cancelled: Set<string>
  /** Those of them that were sent to a UMA address. */
  readonly arrivals: Set<string>
  /** The first response by quote. */
  readonly quotes: Map<string, Body>
  /** Those of them that an agent requested. */
  readonly agentQuotes: Set<string>
  /** Those of them whose execution or payment was accepted, and those for which a client sent another amount. */
  readonly executedQuotes: Set<string>
  readonly mispaidQuotes: Set<string>
  /** The attempts to upload and replace, by document. */
  readonly documents: Map<string, Array<DocumentVersion>>
  /** The first response by mint or burn. */
  readonly stablecoinOperations: Map<string, Body>
  /** The confirmations by external account. */
  readonly trust: Map<string, ReadonlyArray<TrustChange>>
  /** By their reference: those that were answered, and those whose outcome is unknown. */
  readonly deposits: Map<string, DepositRequest>
  readonly unansweredDeposits: Map<string, DepositRequest>
  /** The account to which an operator has applied the unapplied money of a transaction. */
  readonly applied: Map<string, string>
  /** By code. */
  readonly invitations: Map<string, InvitationRequests>
  /** By job. */
  readonly imports: Map<string, ImportRequest>
  /** The card by the platform's own id. */
  readonly cards: Map<string, string>
  /** The customers that are submitted to verification. */
  readonly verified: Map<string, VerifiedCustomer>
  readonly wallet: WalletAnswers
  readonly endpoint: EndpointAnswers
  readonly delegated: DelegatedKeyAnswers
  /** Those whose last request was a freeze. */
  readonly frozen: Set<string>
  /** The identifier of an external account by its number; `null` if it was refused. */
  readonly outside: Map<string, string | null>
  readonly removed: Set<string>
  /** The tokens of approved and of declined authorizations. */
  readonly approved: Set<string>
  readonly declined: Set<string>
  /** Number of requests without a key whose outcome is unknown. */
  readonly unknown: { authorizations: number; arrivals: number }
  requests: number
  /** How often each action was performed; refusals are counted separately. */
  readonly actionCounts: Map<string, number>
  /** Responses that are not allowed. */
  readonly problems: Array<string>
}

export const noAnswers = (): Answers => ({
  codes: new Map(),
  byKey: new Map(),
  keyed: new Map(),
  actions: new Set(),
  transactions: new Set(),
  cancelled: new Set(),
  arrivals: new Set(),
  quotes: new Map(),
  agentQuotes: new Set(),
  executedQuotes: new Set(),
  mispaidQuotes: new Set(),
  documents: new Map(),
  stablecoinOperations: new Map(),
  trust: new Map(),
  deposits: new Map(),
  unansweredDeposits: new Map(),
  applied: new Map(),
  invitations: new Map(),
  imports: new Map(),
  cards: new Map(),
  verified: new Map(),
  wallet: noWalletAnswers(),
  endpoint: noEndpointAnswers(),
  delegated: noDelegatedKeyAnswers(),
  frozen: new Set(),
  outside: new Map(),
  removed: new Set(),
  approved: new Set(),
  declined: new Set(),
  unknown: { authorizations: 0, arrivals: 0 },
  requests: 0,
  actionCounts: new Map(),
  problems: [],
})
