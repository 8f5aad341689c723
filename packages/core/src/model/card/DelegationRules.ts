/**
 * Rules that permit delegating a card's funding source to a key, in order of precedence.
 * Source: wire contract 3.5.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { InternalAccount } from "../account/InternalAccount.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Card } from "./Card.ts"

export interface DelegationFacts {
  readonly card: RecordOf<"Card", Card> | undefined
  readonly account: RecordOf<"InternalAccount", InternalAccount> | undefined
  /** Whether an active key exists for this funding source. */
  readonly hasActiveKey: boolean
}

/** Returns the card's binding of the account. */
export const bindingOf = ({ account, card }: Pick<DelegationFacts, "account" | "card">) =>
  card?.data.fundingSources.find(({ accountId }) => accountId === account?.id)

const invalidAccount = (message: string): Refusal => ({
  code: "INVALID_INPUT",
  message: `internalAccountId: ${message}`,
  details: { errors: [{ field: "internalAccountId", message }] },
})

/** Checked at each of the three calls. */
export const DelegationRules = Rules.make<DelegationFacts, Refusal>("Delegation", [
  ["CARD_EXISTS", ({ card }) => (card === undefined ? notFound("card") : undefined)],
  ["ACCOUNT_EXISTS", ({ account }) => (account === undefined ? notFound("internal account") : undefined)],
  [
    "ACCOUNT_IS_WALLET",
    ({ account }) =>
      account === undefined || account.data.type === "EMBEDDED_WALLET"
        ? undefined
        : invalidAccount("must be an embedded wallet"),
  ],
  [
    "ACCOUNT_FUNDS_CARD",
    (facts) =>
      facts.card === undefined || facts.account === undefined || bindingOf(facts) !== undefined
        ? undefined
        : invalidAccount("must be a funding source of the card"),
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
    ({ hasActiveKey }) =>
      hasActiveKey
        ? {
            code: "CONFLICT",
            message: "An active key exists for this funding source.",
            details: { reason: "DELEGATED_KEY_EXISTS" },
          }
        : undefined,
  ],
])
