/** The ordered rules of delegating a card's funding source to a key. Source: wire contract 3.5. */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Card } from "./Card.ts"

export interface DelegationFacts {
  readonly card: RecordOf<"Card", Card> | undefined
  readonly account: RecordOf<"InternalAccount", InternalAccount> | undefined
  /** Whether an active key exists for this funding source. */
  readonly isTaken: boolean
}

/** Which binding of the card is meant. */
export const bindingOf = ({ account, card }: Pick<DelegationFacts, "account" | "card">) =>
  card?.data.fundingSources.find(({ accountId }) => accountId === account?.id)

const delegationField = (message: string): Refusal => ({
  code: "INVALID_INPUT",
  message: `internalAccountId: ${message}`,
  details: { errors: [{ field: "internalAccountId", message }] },
})

/** Whether a key can be delegated at all; asked at each of the three calls. */
export const DelegationRules = Rules.make<DelegationFacts, Refusal>("Delegation", [
  ["CARD_EXISTS", ({ card }) => (card === undefined ? notFound("card") : undefined)],
  ["ACCOUNT_EXISTS", ({ account }) => (account === undefined ? notFound("internal account") : undefined)],
  [
    "ACCOUNT_IS_WALLET",
    ({ account }) =>
      account === undefined || account.data.type === "EMBEDDED_WALLET"
        ? undefined
        : delegationField("must be an embedded wallet"),
  ],
  [
    "ACCOUNT_FUNDS_CARD",
    (facts) =>
      facts.card === undefined || facts.account === undefined || bindingOf(facts) !== undefined
        ? undefined
        : delegationField("must be a funding source of the card"),
  ],
  [
    "CARD_OPEN",
    ({ card }) =>
      card?.data.state === "CLOSED"
        ? { code: "CARD_NOT_MUTABLE", message: "A closed card does not change.", details: { state: card.data.state } }
        : undefined,
  ],
  [
    "KEY_FREE",
    ({ isTaken }) =>
      isTaken
        ? {
            code: "CONFLICT",
            message: "An active key exists for this funding source.",
            details: { reason: "DELEGATED_KEY_EXISTS" },
          }
        : undefined,
  ],
])
