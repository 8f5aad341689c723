/**
 * A new card, decided.
 * Spec: 4.4, States: Card; wire contract 3.1 and 3.2; D-171.
 */

import { type CardCreateRequest, type CardResource, toCard } from "../../model/card/CardResource.ts"
import { type CardIssueFacts, CardIssueRules, type SourceFacts } from "../../model/card/CardRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { cardClaim } from "../../store/Kinds.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { bindings, issue } from "./CardChanges.ts"

/** A funding source as it was read, and whether the issuer takes it. */
export interface SourceLoaded {
  readonly accountId: string
  readonly account: Stored<"InternalAccount"> | undefined
  readonly isAdmitted: boolean
}

/** The sources as the rules see them. */
export const sourceFacts = (
  sources: ReadonlyArray<SourceLoaded>,
  cardholderId: string | null,
): ReadonlyArray<SourceFacts> =>
  sources.map(({ account, accountId, isAdmitted }) => ({
    accountId,
    account: account?.data,
    isCardholders: account !== undefined && account.customerId !== null && account.customerId === cardholderId,
    isAdmitted,
  }))

export interface CardIssueLoaded {
  readonly cardholder: Stored<"Customer"> | undefined
  readonly sources: ReadonlyArray<SourceLoaded>
}

export const decideIssue =
  (
    cardId: string,
    request: CardCreateRequest,
    settings: Pick<CardIssueFacts, "eligibleCurrencies" | "takesPassword">,
  ) =>
  ({ cardholder, sources }: CardIssueLoaded, context: DecisionContext): Decision<CardResource> => {
    const { cardholderId, form, maxSpendPerTransaction = null, platformCardId = cardId } = request
    const refused = CardIssueRules.first({
      ...settings,
      hasPassword: request.threeDSecurePassword !== undefined,
      cardholder: cardholder?.data.isDeleted === true ? undefined : cardholder?.data,
      sources: sourceFacts(sources, cardholderId),
      isTaken: takenClaim(context.rejections)?.key === cardClaim(platformCardId).key,
    })
    if (refused !== undefined) return refuse(refused.refusal)
    const accounts = sources.flatMap(({ account }) => account ?? [])
    const [first] = accounts
    if (cardholder === undefined || first === undefined) throw new Error("a card needs a cardholder and a source")
    const owner = { platformId: context.caller.platformId, customerId: cardholderId }
    const issued = issue(context, cardId, owner, {
      platformCardId,
      form,
      fundingSources: bindings(context.ids, request.fundingSources),
      maxSpendPerTransaction,
      currency: first.data.currency,
    })
    return answer(201, toCard(issued.card), Changes.combine(issued.changes, Changes.guard(cardholder, ...accounts)))
  }
