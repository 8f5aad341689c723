/**
 * Delegated keys, decided: registered by the second of the three calls, active by the third, revoked without a signature. The
 * signed retry that leads from call to call is the wallets'.
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
import { delegatedKeyClaim } from "../../store/Kinds.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"

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
      status: DelegatedKeyMachine.follow(null, "Register").state,
    }
    const key = Changes.insertedRecord("DelegatedKey", keyId, account, data, now)
    return answer(
      201,
      toDelegatedKey(key),
      Changes.combine(Changes.insert("DelegatedKey", key.id, account, data), Changes.guard(card, account)),
    )
  }

const moved = (key: Stored<"DelegatedKey">, on: "Activate" | "Revoke", now: number) => {
  const data: DelegatedKey = { ...key.data, status: DelegatedKeyMachine.follow(key.data.status, on).state }
  return { key: Changes.after(key, data, now), changes: Changes.update(key, data) }
}

/** The third call was signed: the service may draw on the wallet for the card. */
export const activateKey = (
  key: Stored<"DelegatedKey">,
  facts: DelegationFacts,
  { now, rejections }: DecisionContext,
): Decision<DelegatedKeyResource> => {
  const claim = delegatedKeyClaim(key.data.fundingSourceId).key
  const refused = DelegationRules.first({ ...facts, isTaken: facts.isTaken || takenClaim(rejections)?.key === claim })
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
