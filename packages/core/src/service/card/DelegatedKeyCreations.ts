/**
 * The three calls that make a delegated key, all with the same body: 202; signed, the key is registered and 202 again; signed by the
 * same session, 201 with the key.
 * Source: wire contract 4.7, 4.8 and 4.11; D-261.
 */
import { Effect, Option, Schema } from "effect"
import { activateKey, registerKey } from "../../decision/card/DelegatedKeyDecision.ts"
import { decideSigned, pend, type Signed, type Signing } from "../../decision/wallet/SignedDecision.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import { notFound, ServiceError, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { DelegatedKeyCreateRequest, DelegatedKeyResource } from "../../model/card/DelegatedKey.ts"
import { bindingOf, type DelegationFacts } from "../../model/card/DelegationRules.ts"
import {
  anySessionOf,
  onlySession,
  type SignedOperation,
  type SignedRequestChallenge,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import { where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { Store } from "../../store/Store.ts"
import { SignedRequests } from "../wallet/SignedRequests.ts"
import { readCard } from "./CardReads.ts"

const operation = "POST /auth/delegated-keys"

/** What goes from call to call: the key that is made, and from the second on the session that has to sign again. */
const Memo = Schema.Struct({
  keyId: Schema.String,
  publicKey: Schema.String,
  sessionId: Schema.optionalKey(Schema.String),
})
const decodeMemo = Schema.decodeUnknownOption(Memo)

const memoOf = (request: Stored<"SignedRequest"> | undefined) =>
  request?.data.operation === operation ? Option.getOrUndefined(decodeMemo(request.data.memo)) : undefined

interface Creation {
  readonly facts: DelegationFacts
  readonly signing: Signing
  readonly delegate: SigningPayload.Delegate
  /** The key that the second call registered; absent: this is not the third. */
  readonly key: Stored<"DelegatedKey"> | undefined
}

type Answer = DelegatedKeyResource | SignedRequestChallenge

/** The second call was signed: the key is registered, and the same session is asked to sign what the key may do. */
const register = (
  request: DelegatedKeyCreateRequest,
  { delegate, facts, signing }: Creation,
  context: Operation.DecisionContext,
  signed: Signed | undefined,
): Operation.Decision<Answer> => {
  const registered = registerKey(request, delegate)(facts, context)
  if (registered._tag === "Refuse") return registered
  const next: SignedOperation = {
    ...signing.operation,
    payload: SigningPayload.createDelegation(request.internalAccountId, delegate, request.cardId),
    memo: { ...delegate, sessionId: signed?.session?.id ?? "" },
  }
  const challenge = pend({ ...signing, operation: next }, context)
  if (challenge._tag === "Refuse") return challenge
  return { ...challenge, changes: Changes.combine(registered.changes, challenge.changes) }
}

const decide =
  (request: DelegatedKeyCreateRequest) =>
  (loaded: Creation, context: Operation.DecisionContext): Operation.Decision<Answer> =>
    decideSigned(
      loaded.signing,
      context,
      (signed): Operation.Decision<Answer> =>
        loaded.key === undefined
          ? register(request, loaded, context, signed)
          : activateKey(loaded.key, loaded.facts, context),
    )

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const requests = yield* SignedRequests
  const p256 = yield* P256

  /** A key of its own for each delegation, derived from the deployment's secret by its id. */
  const draw = Effect.gen(function* () {
    const keyId = (yield* IdPool.make(1)).source()("DelegatedKey")
    const { publicKey } = yield* p256.derive(yield* vault.derive("delegated-key", keyId))
    return { keyId, publicKey: publicKey.compressed }
  })

  const loadFacts = Effect.fnUntraced(function* (
    read: Operation.Read,
    { cardId, internalAccountId: id }: DelegatedKeyCreateRequest,
  ) {
    const card = yield* readCard(read, cardId)
    const account = (yield* read({ records: [{ kind: "InternalAccount", id }] })).record("InternalAccount", id)
    if (account === undefined) return yield* new ServiceError(notFound("internal account"))
    const binding = bindingOf({ account, card })
    const active = { fundingSourceId: binding?.id, status: "ACTIVE" }
    const isTaken =
      binding !== undefined &&
      (yield* store.list("DelegatedKey", where(active), { limit: 1, order: "desc" })).data.length > 0
    return { account, card, isTaken }
  })

  const load = Effect.fnUntraced(function* (
    read: Operation.Read,
    request: DelegatedKeyCreateRequest,
    headers: WalletHeaders,
  ) {
    const facts = yield* loadFacts(read, request)
    const { internalAccountId: accountId, nickname } = request
    const memo = memoOf(yield* requests.pending(read, headers.requestId))
    const { keyId, publicKey } = memo ?? (yield* draw)
    const delegate = { keyId, publicKey }
    const sessionId = memo?.sessionId
    const signing = yield* requests.load(read, {
      operation,
      target: facts.account,
      body: request,
      headers,
      admits: sessionId === undefined ? anySessionOf(accountId) : onlySession(accountId, sessionId),
      payload:
        sessionId === undefined
          ? SigningPayload.createDelegate(accountId, delegate, nickname)
          : SigningPayload.createDelegation(accountId, delegate, request.cardId),
      memo: delegate,
    })
    if (sessionId === undefined) return { facts, signing, delegate, key: undefined } satisfies Creation
    const key = (yield* read({ records: [{ kind: "DelegatedKey", id: keyId }] })).record("DelegatedKey", keyId)
    // The card's wallet signed for a key that is not there: then the request is none of this kind.
    if (key === undefined) return yield* new ServiceError(unauthorizedFor("REQUEST_SPENT"))
    return { facts, signing, delegate, key } satisfies Creation
  })

  /** 202, 202 and 201. */
  return (request: DelegatedKeyCreateRequest, headers: WalletHeaders) =>
    Operation.run({
      name: "DelegatedKeys.create",
      load: (read) => load(read, request, headers),
      decide: decide(request),
    })
})
