/**
 * Decides a card authorization: the first funding source that covers it pays it.
 * Spec: Card (fundingSources); wire contract 3.5 and 7.5; D-172, D-262.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { AuditDetails } from "../../model/audit/AuditRecord.ts"
import {
  type AuthorizationFacts,
  CardAuthorizationRules,
  covers,
  type DeclineReason,
  type FundingSource,
} from "../../model/card/CardAuthorizationRules.ts"
import type { CardMerchant } from "../../model/card/CardTransaction.ts"
import { type CardTransactionResource, toCardTransaction } from "../../model/card/CardTransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import { authorize, type DecisionScope } from "./CardTransactionChanges.ts"
import { clear } from "./CardTransactionSteps.ts"

/** Authorization request of the card network. */
export interface CardAuthorization {
  readonly cardId: string
  /** The issuer's identifier of the transaction. A repeated token returns the first answer. */
  readonly issuerTransactionToken: string
  readonly direction: "CREDIT" | "DEBIT"
  /** Smallest unit of the card's currency; 0 for a balance inquiry. */
  readonly amount: number
  readonly currency: CurrencyCode
  readonly merchant: CardMerchant
  /** Whether it is authorized and cleared in one step. */
  readonly isFinancial: boolean
}

/** An approved authorization has a transaction; a declined one leaves no record. */
export type Authorized =
  | { readonly _tag: "Approved"; readonly transaction: CardTransactionResource }
  | { readonly _tag: "Declined"; readonly reason: DeclineReason }

type Balance = { readonly balance: number; readonly sequence: number }

/** Funding source with its balance. */
export interface LoadedSource {
  readonly account: Stored<"InternalAccount">
  readonly available: Balance
  /** Debt of the owner. */
  readonly owed: Balance
  /** Active delegated key, if the issuer needs one. */
  readonly key: Stored<"DelegatedKey"> | undefined
}

export interface AuthorizationLoaded {
  readonly card: Stored<"Card">
  readonly cardholder: Stored<"Customer">
  readonly sources: ReadonlyArray<LoadedSource>
  /** Transaction with this token, if any. */
  readonly known: Stored<"CardTransaction"> | undefined
}

export interface AuthorizationAsked {
  /** Decline reason of the issuer's own checks. */
  readonly screeningDecline: DeclineReason | undefined
}

export interface AuthorizationSettings {
  /** Whether an embedded wallet pays only through an active delegated key. */
  readonly needsDelegatedKeys: boolean
  /** Details of the sandbox's audit record; absent for the network's own authorizations. */
  readonly audit?: AuditDetails
}

const currencyMismatch = (currency: CurrencyCode): Refusal => ({
  code: "INVALID_CURRENCY",
  message: `This card is authorized in ${currency}.`,
  details: { errors: [{ field: "currency", message: `must be ${currency}`, constraint: { enum: [currency] } }] },
})

/** Whether the issuer debits the account only through a delegated key. */
export const needsKey = ({ data }: Stored<"InternalAccount">, needsDelegatedKeys: boolean): boolean =>
  needsDelegatedKeys && data.type === "EMBEDDED_WALLET"

const sourceFacts = (
  { account, available, key }: LoadedSource,
  { needsDelegatedKeys }: AuthorizationSettings,
): FundingSource => ({
  account: account.data,
  available: available.balance,
  isDrawable: !needsKey(account, needsDelegatedKeys) || key !== undefined,
})

const approve = (
  authorization: CardAuthorization,
  { card, cardholder }: AuthorizationLoaded,
  { account, available, key, owed }: LoadedSource,
  { ids, now, rejections }: DecisionContext,
): Decision<Authorized> => {
  const { amount, direction, isFinancial, issuerTransactionToken, merchant } = authorization
  const scope: DecisionScope = {
    ids,
    now,
    account,
    // The authorized amount is not available to the following steps of the same commit.
    available: direction === "DEBIT" ? { ...available, balance: available.balance - amount } : available,
    owed,
    isFull: exceededExactRange(rejections),
  }
  const { changes, transaction } = authorize(
    scope,
    card,
    {
      cardId: card.id,
      platformCustomerId: cardholder.data.platformCustomerId,
      issuerTransactionToken,
      direction,
      merchant,
      currency: card.data.currency,
      accountId: account.id,
      authorized: amount,
      messageIds: [],
    },
    ...(isFinancial ? [clear(amount)] : []),
  )
  const guards = Changes.guard(card, cardholder, account, ...(key === undefined ? [] : [key]))
  return answer(
    200,
    { _tag: "Approved", transaction: toCardTransaction(transaction) },
    Changes.combine(changes, guards),
  )
}

const decide = (
  authorization: CardAuthorization,
  settings: AuthorizationSettings,
  loaded: AuthorizationLoaded & AuthorizationAsked,
  context: DecisionContext,
): Decision<Authorized> => {
  const { card, cardholder, known, screeningDecline, sources } = loaded
  const { amount, currency, direction } = authorization
  if (known !== undefined) return answer(200, { _tag: "Approved", transaction: toCardTransaction(known) })
  if (currency !== card.data.currency) return refuse(currencyMismatch(card.data.currency))
  const facts: AuthorizationFacts = {
    card: card.data,
    cardholder: cardholder.data,
    now: context.now,
    direction,
    amount,
    sources: sources.map((source) => sourceFacts(source, settings)),
    screeningDecline,
  }
  const declined = CardAuthorizationRules.first(facts)
  if (declined !== undefined) return answer(200, { _tag: "Declined", reason: declined.refusal })
  const source = sources.find((candidate) => covers(sourceFacts(candidate, settings), facts))
  if (source === undefined) throw new Error("The authorization rules approved without a funding source.")
  return approve(authorization, loaded, source, context)
}

/** Audits a simulated authorization with its outcome, but never with the merchant. */
const auditAuthorization = (
  context: DecisionContext,
  card: Stored<"Card">,
  details: AuditDetails,
  outcome: Authorized,
): Changes.Changes =>
  outcome._tag === "Approved"
    ? auditRecord(context, "SANDBOX_CARD_MESSAGE", card, {
        details: { ...details, cardTransactionId: outcome.transaction.id },
      })
    : auditRecord(context, "SANDBOX_CARD_MESSAGE", card, {
        outcome: "REFUSED",
        details: { ...details, declineReason: outcome.reason },
      })

/** A decline is an answer. A refusal is a mistake of the request, which is not audited. */
export const decideAuthorization =
  (authorization: CardAuthorization, settings: AuthorizationSettings) =>
  (loaded: AuthorizationLoaded & AuthorizationAsked, context: DecisionContext): Decision<Authorized> => {
    const decision = decide(authorization, settings, loaded, context)
    const { audit } = settings
    if (decision._tag === "Refuse" || audit === undefined) return decision
    const changes = Changes.combine(decision.changes, auditAuthorization(context, loaded.card, audit, decision.body))
    return { ...decision, changes }
  }
