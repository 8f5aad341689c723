/**
 * Lists, refreshes and revokes sessions of embedded wallets. A session refreshes itself; any session of the account may revoke it.
 * Spec: 4.5, States and transitions (Session); wire contract 4.1, 4.6 and 4.7.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideSessionRefresh, decideSessionRevocation } from "../../decision/wallet/SessionDecision.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { notFound, type ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { SessionRefreshRequest } from "../../model/wallet/CredentialRequest.ts"
import { type AuthSession, type SessionResource, toSession } from "../../model/wallet/CredentialResource.ts"
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
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { makeSessionKey } from "./SessionKeys.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { activeAt } from "./WalletReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const load = Effect.fnUntraced(function* (read: Operation.Read, sessionId: string) {
  return { session: yield* readExisting(read, "Session", sessionId, notFound("session")) }
})

const signatoryOf = ({ customerId, data, platformId }: Stored<"Session">): SigningPayload.Signatory => ({
  platformId,
  customerId,
  accountId: data.accountId,
})

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Lists the active sessions. The list of an unknown account is empty. */
    readonly list: (accountId: string) => Reply<{ readonly data: ReadonlyArray<SessionResource> }>
    /** 202, then 204. Errors: those of signed requests, 404 for an inactive session. */
    readonly revoke: (
      sessionId: string,
      headers: WalletHeaders,
    ) => Reply<Operation.Answered<AuthSignedRequestChallenge | null>>
    /** 202, then 201 with the requested key. Errors: those of signed requests, 401 for an inactive session. */
    readonly refresh: (
      sessionId: string,
      request: SessionRefreshRequest,
      headers: WalletHeaders,
    ) => Reply<Operation.Answered<AuthSession | SignedRequestChallenge>>
  }
>()("@countersign/core/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const requests = yield* SignedRequests
      const lifetimeMillis = yield* SessionLifetime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()

      const askRevocation = Effect.fnUntraced(function* (
        read: Operation.Read,
        session: Stored<"Session">,
        headers: WalletHeaders,
      ) {
        const signing = yield* requests.verify(read, {
          operation: "DELETE /auth/sessions/{id}",
          target: session,
          headers,
          allowedSigner: anySessionOf(session.data.accountId),
          payload: SigningPayload.revokeSession(signatoryOf(session), session.id),
          type: session.data.type,
        })
        return { signing }
      })

      const revoke = Effect.fnUntraced(
        function* (sessionId: string, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Sessions.revoke",
            load: (read) => load(read, sessionId),
            ask: ({ session }, read) => askRevocation(read, session, headers),
            decide: decideSessionRevocation,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const askRefresh = Effect.fnUntraced(function* (
        read: Operation.Read,
        session: Stored<"Session">,
        request: SessionRefreshRequest,
        headers: WalletHeaders,
      ) {
        const { accountId, type } = session.data
        // Generated before the decision, because a decision draws no randomness. The key of a refused request is discarded.
        const key = yield* makeSessionKey(request.clientPublicKey, type)
        if (Result.isFailure(key)) return { key, signing: undefined }
        const signing = yield* requests.verify(read, {
          operation: "POST /auth/sessions/{id}/refresh",
          target: session,
          body: request,
          headers,
          allowedSigner: onlySession(accountId, session.id),
          payload: SigningPayload.createSession(accountId, request.clientPublicKey),
        })
        return { key, signing }
      })

      const refresh = Effect.fnUntraced(
        function* (sessionId: string, request: SessionRefreshRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "Sessions.refresh",
            load: (read) => load(read, sessionId),
            ask: ({ session }, read) => askRefresh(read, session, request, headers),
            decide: decideSessionRefresh(lifetimeMillis),
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
