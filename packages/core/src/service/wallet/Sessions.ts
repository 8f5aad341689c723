/**
 * Sessions of embedded wallets: listed while they are active, refreshed by themselves, revoked by any session of their account.
 * Spec: 4.5, States and transitions (Session); wire contract 4.1, 4.6 and 4.7.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as SessionChanges from "../../decision/wallet/SessionChanges.ts"
import { decideSigned } from "../../decision/wallet/SignedDecision.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { notFound, ServiceError, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import type { SessionRefreshRequest } from "../../model/wallet/CredentialRequest.ts"
import { type AuthSession, type SessionResource, toSession } from "../../model/wallet/CredentialResource.ts"
import { isActive } from "../../model/wallet/Session.ts"
import {
  type AuthSignedRequestChallenge,
  anySessionOf,
  onlySession,
  type SignedRequestChallenge,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import { listAll } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { sessionKeyFor } from "./SessionKey.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { activeAt } from "./WalletReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const noSession = notFound("session")

const readSession = Effect.fnUntraced(function* (read: Operation.Read, sessionId: string) {
  const found = (yield* read({ records: [{ kind: "Session", id: sessionId }] })).record("Session", sessionId)
  return found ?? (yield* new ServiceError(noSession))
})

const signatoryOf = ({ customerId, data, platformId }: Stored<"Session">): SigningPayload.Signatory => ({
  platformId,
  customerId,
  accountId: data.accountId,
})

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The active ones; of an unknown account none. */
    readonly list: (accountId: string) => Result<{ readonly data: ReadonlyArray<SessionResource> }>
    /** 202, then 204. Errors: those of signed requests, 404 where it is not active. */
    readonly revoke: (
      sessionId: string,
      headers: WalletHeaders,
    ) => Result<Operation.Answered<AuthSignedRequestChallenge | null>>
    /** 202, then 201 with the key that the client asked for. Errors: those of signed requests, 401 where it is not active. */
    readonly refresh: (
      sessionId: string,
      request: SessionRefreshRequest,
      headers: WalletHeaders,
    ) => Result<Operation.Answered<AuthSession | SignedRequestChallenge>>
  }
>()("@countersign/core/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const requests = yield* SignedRequests
      const lifetime = yield* SessionLifetime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()

      const loadRevocation = Effect.fnUntraced(function* (
        read: Operation.Read,
        sessionId: string,
        headers: WalletHeaders,
      ) {
        const session = yield* readSession(read, sessionId)
        const signing = yield* requests.load(read, {
          operation: "DELETE /auth/sessions/{id}",
          target: session,
          headers,
          admits: anySessionOf(session.data.accountId),
          payload: SigningPayload.revokeSession(signatoryOf(session), session.id),
          type: session.data.type,
        })
        return { session, signing }
      })

      const revoke = Effect.fnUntraced(
        function* (sessionId: string, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Sessions.revoke",
            load: (read) => loadRevocation(read, sessionId, headers),
            decide: ({ session, signing }, context) =>
              decideSigned(signing, context, () =>
                isActive(session.data, context.now)
                  ? Operation.answer(204, null, SessionChanges.revoke(session))
                  : Operation.refuse(noSession),
              ),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadRefresh = Effect.fnUntraced(function* (
        read: Operation.Read,
        sessionId: string,
        request: SessionRefreshRequest,
        headers: WalletHeaders,
      ) {
        const session = yield* readSession(read, sessionId)
        const { accountId, type } = session.data
        // Made before the decision, since a decision draws nothing; the key of a refused request is forgotten.
        const key = yield* sessionKeyFor(request.clientPublicKey, type)
        const signing = yield* requests.load(read, {
          operation: "POST /auth/sessions/{id}/refresh",
          target: session,
          body: request,
          headers,
          admits: onlySession(accountId, session.id),
          payload: SigningPayload.createSession(accountId, request.clientPublicKey),
        })
        return { session, signing, key }
      })

      const refresh = Effect.fnUntraced(
        function* (sessionId: string, request: SessionRefreshRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Sessions.refresh",
            load: (read) => loadRefresh(read, sessionId, request, headers),
            decide: ({ key, session, signing }, context) =>
              decideSigned(signing, context, () => {
                if (!isActive(session.data, context.now)) {
                  return Operation.refuse(unauthorizedFor("SESSION_NOT_ACTIVE"))
                }
                const { answer, changes } = SessionChanges.refresh(context.now, session, key, lifetime)
                return Operation.answer(201, answer, changes)
              }),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const list = Effect.fnUntraced(
        function* (accountId: string) {
          const filters = { accountId: { eq: accountId }, ...activeAt(yield* Clock.currentTimeMillis) }
          return { data: (yield* listAll("Session", filters)).map(toSession) }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Sessions.of({ list, revoke, refresh })
    }),
  )
}
