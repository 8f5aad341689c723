/**
 * Decides the issue of a card.
 * Spec: 4.4, States: Card; wire contract 3.1 and 3.2; D-171, D-181.
 */
import type { SealedText } from "../../foundation/crypto/Sealed.ts"
import { type CardCreateRequest, type CardResource, toCard } from "../../model/card/CardResource.ts"
import { type CardIssueFacts, CardIssueRules, type FundingSourceFacts } from "../../model/card/CardRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { cardClaim } from "../../store/Claims.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { bindFundingSources, issue } from "./CardChanges.ts"

/** Account that a request names as a funding source. */
export interface NamedSource {
  readonly accountId: string
  readonly account: Stored<"InternalAccount"> | undefined
}

/** Accounts that the issuer accepts as funding sources. */
export interface AdmissionFacts {
  readonly admittedAccountIds: ReadonlyArray<string>
}

/** Converts named sources into the facts of the rules. */
export const fundingSourceFacts = (
  sources: ReadonlyArray<NamedSource>,
  { admittedAccountIds }: AdmissionFacts,
  cardholderId: string | null,
): ReadonlyArray<FundingSourceFacts> =>
  sources.map(({ account, accountId }) => ({
    accountId,
    account: account?.data,
    isOwnedByCardholder: account !== undefined && account.customerId !== null && account.customerId === cardholderId,
    isAdmitted: admittedAccountIds.includes(accountId),
  }))

export interface CardIssueLoaded {
  readonly cardholder: Stored<"Customer"> | undefined
  readonly sources: ReadonlyArray<NamedSource>
}

export interface CardIssueAsked extends AdmissionFacts {
  /** The 3-D Secure password of the request, sealed for the provisioning job. */
  readonly sealedPassword: SealedText | undefined
}

/** What a request says of a new card, without its 3-D Secure password. */
export type CardIssueOrder = Omit<CardCreateRequest, "threeDSecurePassword"> &
  Pick<CardIssueFacts, "hasPassword"> & { readonly cardId: string }

type Settings = Pick<CardIssueFacts, "eligibleCurrencies" | "takesPassword">

/** A card without a `platformCardId` has its own id for one. */
export const decideIssue =
  (order: CardIssueOrder, settings: Settings) =>
  (facts: CardIssueLoaded & CardIssueAsked, context: DecisionContext): Decision<CardResource> => {
    const { cardholder, sealedPassword, sources } = facts
    const { cardholderId, cardId, form, hasPassword, maxSpendPerTransaction = null, platformCardId = cardId } = order
    const refused = CardIssueRules.first({
      ...settings,
      hasPassword,
      cardholder: cardholder?.data.isDeleted === true ? undefined : cardholder?.data,
      sources: fundingSourceFacts(sources, facts, cardholderId),
      isTaken: takenClaim(context.rejections)?.key === cardClaim(platformCardId).key,
    })
    if (refused !== undefined) return refuse(refused.refusal)
    const accounts = sources.flatMap(({ account }) => account ?? [])
    const [first] = accounts
    if (cardholder === undefined || first === undefined) {
      throw new Error("The card rules accepted a card without a cardholder or a funding source.")
    }
    const owner = { platformId: context.caller.platformId, customerId: cardholderId }
    const details = {
      platformCardId,
      form,
      fundingSources: bindFundingSources(context.ids, order.fundingSources),
      maxSpendPerTransaction,
      currency: first.data.currency,
    }
    const issued = issue(context, cardId, owner, details, sealedPassword)
    return answer(201, toCard(issued.card), Changes.combine(issued.changes, Changes.guard(cardholder, ...accounts)))
  }
