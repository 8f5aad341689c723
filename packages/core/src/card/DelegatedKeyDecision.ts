/**
 * Delegated keys, decided: registered by the second of the three calls, active by the third, revoked without a signature. The
 * signed retry that leads from call to call is the wallets'.
 * Source: wire contract 4.1 and 4.11; D-177, D-261.
 */
import { notFound, type Refusal } from "../errors/ServiceError.ts"
import * as Rules from "../kit/Rules.ts"
import * as Changes from "../operation/Changes.ts"
import { answer, type Decision, type DecisionContext, metTaken, refuse } from "../operation/Operation.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { delegatedKeyClaim } from "../ports/Kinds.ts"
import type { Delegate } from "../wallet/SigningPayload.ts"
import {
  type DelegatedKey,
  type DelegatedKeyCreateRequest,
  type DelegatedKeyResource,
  toDelegatedKey,
} from "./DelegatedKey.ts"
import { DelegatedKeyMachine } from "./DelegatedKeyMachine.ts"

export interface DelegationFacts {
  readonly card: Stored<"Card"> | undefined
  readonly account: Stored<"InternalAccount"> | undefined
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

/** The second call was signed: the key is there, and harmless. `delegate`: the pair that signs for the service. */
export const registerKey =
  (request: DelegatedKeyCreateRequest, { keyId, publicKey }: Delegate) =>
  (facts: DelegationFacts, { now }: Pick<DecisionContext, "now">): Decision<DelegatedKeyResource> => {
    const refused = DelegationRules.first(facts)
    if (refused !== undefined) return refuse(refused.refusal)
    const { account, card } = facts
    const binding = bindingOf(facts)
    if (card === undefined || account === undefined || binding === undefined) throw new Error("there is no binding")
    const data: DelegatedKey = {
      cardId: card.id,
      fundingSourceId: binding.id,
      accountId: account.id,
      publicKey,
      nickname: request.nickname,
      status: DelegatedKeyMachine.follow(null, "Register"),
    }
    const key = Changes.born("DelegatedKey", keyId, account, data, now)
    return answer(
      201,
      toDelegatedKey(key),
      Changes.combine(Changes.insert("DelegatedKey", key.id, account, data), Changes.guard(card, account)),
    )
  }

const moved = (key: Stored<"DelegatedKey">, on: "Activate" | "Revoke", now: number) => {
  const data: DelegatedKey = { ...key.data, status: DelegatedKeyMachine.follow(key.data.status, on) }
  return { key: Changes.after(key, data, now), changes: Changes.update(key, data) }
}

/** The third call was signed: the service may draw on the wallet for the card. */
export const activateKey = (
  key: Stored<"DelegatedKey">,
  facts: DelegationFacts,
  { now, obstacles }: DecisionContext,
): Decision<DelegatedKeyResource> => {
  const claim = delegatedKeyClaim(key.data.fundingSourceId).key
  const refused = DelegationRules.first({ ...facts, isTaken: facts.isTaken || metTaken(obstacles)?.key === claim })
  if (refused !== undefined) return refuse(refused.refusal)
  if (key.data.status !== "PENDING") return refuse(notPending(key))
  // Taken out of the card's list and put back: what was signed for is another funding source.
  if (bindingOf(facts)?.id !== key.data.fundingSourceId) return refuse(replaced)
  const { account, card } = facts
  if (card === undefined || account === undefined) throw new Error("there is no binding")
  const active = moved(key, "Activate", now)
  return answer(201, toDelegatedKey(active.key), Changes.combine(active.changes, Changes.guard(card, account)))
}

const notPending = ({ data }: Stored<"DelegatedKey">): Refusal => ({
  code: "CONFLICT",
  message: "The key is not waiting to be activated.",
  details: { status: data.status },
})

const replaced: Refusal = {
  code: "CONFLICT",
  message: "The funding source was replaced meanwhile. Begin again.",
  details: { reason: "FUNDING_SOURCE_REPLACED" },
}

/** Only an active key is revoked. */
export const revokeKey = (key: Stored<"DelegatedKey">, { now }: DecisionContext): Decision<null> =>
  key.data.status === "ACTIVE"
    ? answer(204, null, moved(key, "Revoke", now).changes)
    : refuse({
        code: "INVALID_INPUT",
        message: "Only an active key can be revoked.",
        details: { reason: "KEY_NOT_ACTIVE", status: key.data.status },
      })
