/**
 * Decides the registration, activation and revocation of a delegated key.
 * Source: wire contract 4.1 and 4.11; D-177, D-261.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import {
  type DelegatedKey,
  type DelegatedKeyCreateRequest,
  type DelegatedKeyResource,
  toDelegatedKey,
} from "../../model/card/DelegatedKey.ts"
import { DelegatedKeyMachine } from "../../model/card/DelegatedKeyMachine.ts"
import { bindingOf, type DelegationFacts, DelegationRules } from "../../model/card/DelegationRules.ts"
import type { Delegate } from "../../model/wallet/SigningPayload.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { delegatedKeyClaim } from "../../store/Claims.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"

/** Registers the key without permissions. `delegate` is the key pair that signs on behalf of the wallet's owner. */
export const registerKey =
  (request: DelegatedKeyCreateRequest, { keyId, publicKey, rootId }: Delegate) =>
  (facts: DelegationFacts, { now }: Pick<DecisionContext, "now">): Decision<DelegatedKeyResource> => {
    const refused = DelegationRules.first(facts)
    if (refused !== undefined) return refuse(refused.refusal)
    const { account, card } = facts
    const binding = bindingOf(facts)
    if (card === undefined || account === undefined || binding === undefined) {
      throw new Error("The delegation rules accepted an account that does not fund the card.")
    }
    const data: DelegatedKey = {
      cardId: card.id,
      fundingSourceId: binding.id,
      accountId: account.id,
      publicKey,
      nickname: request.nickname,
      status: DelegatedKeyMachine.follow(null, "Register").state,
      ...(rootId === undefined ? {} : { rootId }),
    }
    const key = Changes.insertedRecord("DelegatedKey", keyId, account, data, now)
    return answer(
      201,
      toDelegatedKey(key),
      Changes.combine(Changes.insert("DelegatedKey", key.id, account, data), Changes.guard(card, account)),
    )
  }

const transition = (key: Stored<"DelegatedKey">, trigger: "Activate" | "Revoke", now: number) => {
  const data: DelegatedKey = { ...key.data, status: DelegatedKeyMachine.follow(key.data.status, trigger).state }
  return { key: Changes.after(key, data, now), changes: Changes.update(key, data) }
}

const notPending = ({ data }: Stored<"DelegatedKey">): Refusal => ({
  code: "CONFLICT",
  message: "The key is not waiting to be activated.",
  details: { status: data.status },
})

const sourceReplaced: Refusal = {
  code: "CONFLICT",
  message: "The funding source was replaced meanwhile. Begin again.",
  details: { reason: "FUNDING_SOURCE_REPLACED" },
}

/** Activates the key: the service may debit the wallet for the card. */
export const activateKey = (
  key: Stored<"DelegatedKey">,
  facts: DelegationFacts,
  { now, rejections }: DecisionContext,
): Decision<DelegatedKeyResource> => {
  const { account, card } = facts
  const isClaimed = takenClaim(rejections)?.key === delegatedKeyClaim(key.data.fundingSourceId).key
  const refused = DelegationRules.first({ account, card, hasActiveKey: facts.hasActiveKey || isClaimed })
  if (refused !== undefined) return refuse(refused.refusal)
  if (key.data.status !== "PENDING") return refuse(notPending(key))
  // An account that was removed from the card and added again is a new funding source, which the signature does not cover.
  if (bindingOf(facts)?.id !== key.data.fundingSourceId) return refuse(sourceReplaced)
  if (card === undefined || account === undefined) {
    throw new Error("The delegation rules accepted an account that does not fund the card.")
  }
  const active = transition(key, "Activate", now)
  return answer(201, toDelegatedKey(active.key), Changes.combine(active.changes, Changes.guard(card, account)))
}

/** Revokes an active key. */
export const revokeKey = (
  { key }: { readonly key: Stored<"DelegatedKey"> },
  { now }: DecisionContext,
): Decision<null> =>
  key.data.status === "ACTIVE"
    ? answer(204, null, transition(key, "Revoke", now).changes)
    : refuse({
        code: "INVALID_INPUT",
        message: "Only an active key can be revoked.",
        details: { reason: "KEY_NOT_ACTIVE", status: key.data.status },
      })
