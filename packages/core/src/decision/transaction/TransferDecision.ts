/**
 * What the decisions about both directions of a transfer share.
 * Spec: 4.5; wire contract 5.6; D-093.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { type TransactionResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import type { Kind } from "../../store/Kinds.ts"
import type { AccountRef, ReadResult } from "../../store/Store.ts"
import { answer, type Decision } from "../Decision.ts"

/** The agent and action that started a transfer; empty when the platform did. */
export interface Initiator {
  readonly agentId?: string
  readonly actionId?: string
}

/** What to read for a transfer: its two accounts and their balances. */
export interface TransferQuery {
  readonly records: ReadonlyArray<AccountRef>
  readonly balances: ReadonlyArray<string>
}

/** The customers of a transfer's two accounts. */
export interface TransferCustomers {
  /** The customer of the internal account; absent when that account is the platform's own. */
  readonly customer: Stored<"Customer"> | undefined
  /** The customer of the external account, read only when the internal account is the platform's own. */
  readonly externalOwner?: Stored<"Customer"> | undefined
}

/** Returns the customers of a transfer's two accounts, as they were read with their owners. */
export const customersOf = (
  { owner }: Pick<ReadResult, "owner">,
  internal: Stored<"InternalAccount"> | undefined,
  external: Stored<"ExternalAccount"> | undefined,
): TransferCustomers =>
  internal?.customerId === null
    ? { customer: undefined, externalOwner: external && owner(external) }
    : { customer: internal && owner(internal) }

/** Treats a deleted account as absent: no rule and no rail is asked about it. */
export const undeleted = (account: Stored<"ExternalAccount"> | undefined) =>
  account?.data.isDeleted === true ? undefined : account

/** Whether the owner of the internal account may use the external one: the platform may use its customers' (D-093). */
export const isOwnersAccount = (
  external: Stored<"ExternalAccount"> | undefined,
  internal: Stored<"InternalAccount"> | undefined,
): boolean =>
  external === undefined ||
  internal === undefined ||
  internal.customerId === null ||
  internal.customerId === external.customerId

export const isRefusal = (value: object): value is Refusal => "code" in value

/** Answers 201 with the started transaction, and guards the records that the decision depends on. */
export const answerStarted = (
  { changes, transaction }: { readonly transaction: Stored<"Transaction">; readonly changes: Changes.Changes },
  ...guarded: ReadonlyArray<AnyStored | Stored<Kind> | undefined>
): Decision<TransactionResource> =>
  answer(
    201,
    toTransaction(transaction),
    Changes.combine(changes, Changes.guard(...guarded.filter((record) => record !== undefined))),
  )
