/**
 * Rules that permit the reveal of a card's number, in order of precedence.
 * Source: wire contract 3.4.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Card } from "./Card.ts"
import { isRevealable } from "./CardMachine.ts"

export interface RevealFacts {
  readonly card: RecordOf<"Card", Card>
  /** API token of the caller; `null` if the call has no credential. */
  readonly tokenId: string | null
}

export const RevealRules = Rules.make<RevealFacts, Refusal>("Reveal", [
  [
    "CALLER_ATTRIBUTED",
    ({ tokenId }) =>
      tokenId === null
        ? {
            code: "FORBIDDEN",
            message: "A reveal is audited: it needs an API token.",
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
