/**
 * Whether a card is shown, and the record of it, which is written before anybody gets the address.
 * Spec: 4.4; wire contract 3.1, 3.4 and 11 (60); D-178.
 */
import type { Refusal } from "../errors/ServiceError.ts"
import * as Rules from "../kit/Rules.ts"
import { audited } from "../operation/Audit.ts"
import * as Changes from "../operation/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../operation/Operation.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { isRevealable } from "./CardMachine.ts"

export interface RevealFacts {
  readonly card: Stored<"Card">
  /** Who asks; absent: the call cannot be attributed to a credential. */
  readonly tokenId: string | null
}

export const RevealRules = Rules.make<RevealFacts, Refusal>("Reveal", [
  [
    "CALLER_ATTRIBUTED",
    ({ tokenId }) =>
      tokenId === null
        ? {
            code: "FORBIDDEN",
            message: "A reveal is audited: it needs the credential of somebody.",
            details: { reason: "CALLER_NOT_ATTRIBUTED" },
          }
        : undefined,
  ],
  [
    "REVEALABLE",
    ({ card: { data } }) =>
      isRevealable(data.state)
        ? undefined
        : {
            code: "CARD_NOT_MUTABLE",
            message: "Only a card that is ACTIVE or FROZEN can be shown.",
            details: { state: data.state },
          },
  ],
])

/** Answers the card as it was when the reveal was audited. */
export const decideReveal = (card: Stored<"Card">, context: DecisionContext): Decision<Stored<"Card">> => {
  const { caller } = context
  const tokenId = caller._tag === "Platform" ? caller.tokenId : null
  const refused = RevealRules.first({ card, tokenId })
  if (refused !== undefined) return refuse(refused.refusal)
  return answer(200, card, Changes.combine(audited(context, "CARD_REVEAL", card), Changes.guard(card)))
}
