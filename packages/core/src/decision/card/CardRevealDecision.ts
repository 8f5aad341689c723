/**
 * Whether a card is shown, and the record of it, which is written before anybody gets the address.
 * Spec: 4.4; wire contract 3.1, 3.4 and 11 (60); D-178.
 */

import { RevealRules } from "../../model/card/CardRevealRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

/** Answers the card as it was when the reveal was audited. */
export const decideReveal = (card: Stored<"Card">, context: DecisionContext): Decision<Stored<"Card">> => {
  const { caller } = context
  const tokenId = caller._tag === "Platform" ? caller.tokenId : null
  const refused = RevealRules.first({ card, tokenId })
  if (refused !== undefined) return refuse(refused.refusal)
  return answer(200, card, Changes.combine(auditRecord(context, "CARD_REVEAL", card), Changes.guard(card)))
}
