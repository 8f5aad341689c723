/**
 * Decides the reveal of a card and writes its audit record, before the issuer is asked for the reveal URL.
 * Spec: 4.4; wire contract 3.1, 3.4 and 11 (60); D-178.
 */
import { RevealRules } from "../../model/card/CardRevealRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

/** Returns the card as of the audit record. */
export const decideReveal = (
  { card }: { readonly card: Stored<"Card"> },
  context: DecisionContext,
): Decision<Stored<"Card">> => {
  const { caller } = context
  const tokenId = caller._tag === "Platform" ? caller.tokenId : null
  const refused = RevealRules.first({ card, tokenId })
  if (refused !== undefined) return refuse(refused.refusal)
  return answer(200, card, Changes.combine(auditRecord(context, "CARD_REVEAL", card), Changes.guard(card)))
}
