/**
 * A change of a card, decided: its state, its limit, and the replacement of its funding sources.
 * Spec: States: Card, 4.4; wire contract 3.3; D-171, D-260.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { triggerForRequestedState } from "../../model/card/CardMachine.ts"
import { type CardResource, type CardUpdateRequest, toCard } from "../../model/card/CardResource.ts"
import { CardUpdateRules } from "../../model/card/CardRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { dependentCounter } from "../../store/Kinds.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { change } from "./CardChanges.ts"
import { type SourceLoaded, sourceFacts } from "./CardIssueDecision.ts"

export interface CardUpdateLoaded {
  readonly card: Stored<"Card"> | undefined
  /** The sources that are to replace the card's. */
  readonly sources: ReadonlyArray<SourceLoaded>
  /** What an unsigned replacement rests on: that there is still no credential which could sign it. */
  readonly resting: Changes.Changes
}

/** The customer has got no record since, hence no credential. */
export const nothingNew = (customerId: string, attached: number): Changes.Changes => ({
  counters: [{ key: dependentCounter(customerId), customerId, delta: 0, expected: attached }],
})

export const decideUpdate =
  (request: CardUpdateRequest, eligibleCurrencies: ReadonlyArray<CurrencyCode>) =>
  ({ card, resting, sources }: CardUpdateLoaded, context: DecisionContext): Decision<CardResource> => {
    const refused = CardUpdateRules.first({
      card: card?.data,
      request,
      sources: sourceFacts(sources, card?.customerId ?? null),
      eligibleCurrencies,
    })
    if (refused !== undefined) return refuse(refused.refusal)
    if (card === undefined) throw new Error("there is no card to change")
    const { state, ...rest } = request
    const changed = change(context, card, {
      ...rest,
      ...(state === undefined ? {} : { on: triggerForRequestedState[state] }),
    })
    return answer(
      200,
      toCard(changed.card),
      Changes.combine(changed.changes, resting, Changes.guard(...sources.flatMap(({ account }) => account ?? []))),
    )
  }
