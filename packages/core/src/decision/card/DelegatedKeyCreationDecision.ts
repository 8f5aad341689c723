/**
 * Decides the three calls that create a delegated key, all with the same body. The first answers 202. The second, signed, registers
 * the key and answers 202 again. The third, signed by the same session, activates the key.
 * Source: wire contract 4.7, 4.8 and 4.11; D-261.
 */
import { Option, Schema } from "effect"
import { unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import type { DelegatedKeyCreateRequest, DelegatedKeyResource } from "../../model/card/DelegatedKey.ts"
import {
  anySessionOf,
  onlySession,
  type SignedRequestChallenge,
  type UntypedOperation,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import type { Decision, DecisionContext } from "../Decision.ts"
import { refuse } from "../Decision.ts"
import { decideSigned, type SigningFacts, signingSession } from "../wallet/SignedDecision.ts"
import { createPendingRequest } from "../wallet/SignedRequestChanges.ts"
import { activateKey, registerKey } from "./DelegatedKeyDecision.ts"

const operation = "POST /auth/delegated-keys"

/** Facts passed from call to call: the key, and from the second call on the session that must sign again. */
const Memo = Schema.Struct({
  keyId: Schema.String,
  publicKey: Schema.String,
  rootId: Schema.optionalKey(Schema.String),
  sessionId: Schema.optionalKey(Schema.String),
})
const decodeMemo = Schema.decodeUnknownOption(Memo)

/** Returns the facts that an earlier call stored with its request. */
export const delegationMemo = (
  request: Stored<"SignedRequest"> | undefined,
): { readonly delegate: SigningPayload.Delegate; readonly sessionId: string | undefined } | undefined => {
  const memo = request?.data.operation === operation ? Option.getOrUndefined(decodeMemo(request.data.memo)) : undefined
  if (memo === undefined) return undefined
  const { sessionId, ...delegate } = memo
  return { delegate, sessionId }
}

export interface DelegatedKeyLoaded {
  readonly card: Stored<"Card">
  readonly account: Stored<"InternalAccount">
  /** Whether an active key exists for this funding source. */
  readonly hasActiveKey: boolean
  /** Pending request that the headers name. */
  readonly pending: Stored<"SignedRequest"> | undefined
  /** Key that the second call registered. */
  readonly key: Stored<"DelegatedKey"> | undefined
}

/** Returns the operation that the next signature covers. */
export const delegationOperation = (
  { account, pending }: DelegatedKeyLoaded,
  delegate: SigningPayload.Delegate,
  request: DelegatedKeyCreateRequest,
  headers: WalletHeaders,
): UntypedOperation => {
  const { cardId, internalAccountId: accountId, nickname } = request
  const sessionId = delegationMemo(pending)?.sessionId
  const step =
    sessionId === undefined
      ? {
          allowedSigner: anySessionOf(accountId),
          payload: SigningPayload.createDelegate(accountId, delegate, nickname),
        }
      : {
          allowedSigner: onlySession(accountId, sessionId),
          payload: SigningPayload.createDelegation(accountId, delegate, cardId),
        }
  return { operation, target: account, body: request, headers, ...step, memo: { ...delegate } }
}

interface Creation extends DelegatedKeyLoaded {
  readonly delegate: SigningPayload.Delegate
  readonly signing: SigningFacts<UntypedOperation>
}

type Answer = DelegatedKeyResource | SignedRequestChallenge

/** Registers the key and asks the same session to sign the key's permission. */
const register = (
  request: DelegatedKeyCreateRequest,
  { delegate, signing, ...facts }: Creation,
  context: DecisionContext,
): Decision<Answer> => {
  const registered = registerKey(request, delegate)(facts, context)
  if (registered._tag === "Refuse") return registered
  const next: UntypedOperation = {
    ...signing.operation,
    payload: SigningPayload.createDelegation(request.internalAccountId, delegate, request.cardId),
    memo: { ...delegate, sessionId: signingSession(signing.signature, context.now)?.id ?? "" },
  }
  const challenge = createPendingRequest({ ...signing, operation: next }, context)
  if (challenge._tag === "Refuse") return challenge
  return { ...challenge, changes: Changes.combine(registered.changes, challenge.changes) }
}

export const decideKeyCreation =
  (request: DelegatedKeyCreateRequest) =>
  (creation: Creation, context: DecisionContext): Decision<Answer> => {
    const { key, pending, signing } = creation
    if (delegationMemo(pending)?.sessionId === undefined) {
      return decideSigned(signing, context, register(request, creation, context))
    }
    // The memo names a key that does not exist, so the request was not issued by a second call.
    if (key === undefined) return refuse(unauthorizedFor("REQUEST_SPENT"))
    return decideSigned(signing, context, activateKey(key, creation, context))
  }
