/**
 * Decides an update of a card: its state, its limit, and the replacement of its funding sources.
 * Spec: States: Card, 4.4; wire contract 3.3; D-171, D-260.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { triggerForRequestedState } from "../../model/card/CardMachine.ts"
import { type CardResource, type CardUpdateRequest, toCard } from "../../model/card/CardResource.ts"
import { CardUpdateRules } from "../../model/card/CardRules.ts"
import type { SignedRequestChallenge, UntypedOperation } from "../../model/wallet/SignedRequest.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { assertNoAddedCredential } from "../wallet/CredentialChanges.ts"
import { decideSigned, type SigningFacts } from "../wallet/SignedDecision.ts"
import { applyRequestedChange } from "./CardChanges.ts"
import { type AdmissionFacts, fundingSourceFacts, type NamedSource } from "./CardIssueDecision.ts"

export interface CardUpdateLoaded {
  readonly card: Stored<"Card">
  /** Accounts that are to replace the card's funding sources. */
  readonly sources: ReadonlyArray<NamedSource>
  /** Number of the cardholder's dependent records, if a replacement may need no signature. */
  readonly dependents: number | undefined
}

export interface CardUpdateAsked extends AdmissionFacts {
  /** `undefined` if the update needs no signature. */
  readonly signing: SigningFacts<UntypedOperation> | undefined
}

const update = (
  request: CardUpdateRequest,
  eligibleCurrencies: ReadonlyArray<CurrencyCode>,
  { card, dependents, signing, sources, ...admission }: CardUpdateLoaded & CardUpdateAsked,
  context: DecisionContext,
): Decision<CardResource> => {
  const refused = CardUpdateRules.first({
    card: card.data,
    request,
    sources: fundingSourceFacts(sources, admission, card.customerId),
    eligibleCurrencies,
  })
  if (refused !== undefined) return refuse(refused.refusal)
  const { state, ...rest } = request
  const changed = applyRequestedChange(context, card, {
    ...rest,
    ...(state === undefined ? {} : { trigger: triggerForRequestedState[state] }),
  })
  const isUnsignedReplacement = dependents !== undefined && signing === undefined
  return answer(
    200,
    toCard(changed.card),
    Changes.combine(
      changed.changes,
      isUnsignedReplacement ? assertNoAddedCredential(card.customerId ?? "", dependents) : undefined,
      Changes.guard(...sources.flatMap(({ account }) => account ?? [])),
    ),
  )
}

export const decideUpdate =
  (request: CardUpdateRequest, eligibleCurrencies: ReadonlyArray<CurrencyCode>) =>
  (
    facts: CardUpdateLoaded & CardUpdateAsked,
    context: DecisionContext,
  ): Decision<CardResource | SignedRequestChallenge> => {
    const decision = update(request, eligibleCurrencies, facts, context)
    return facts.signing === undefined ? decision : decideSigned(facts.signing, context, decision)
  }
