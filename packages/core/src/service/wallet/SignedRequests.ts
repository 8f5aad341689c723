/**
 * Finds the facts of a signature: the pending request, the sessions whose key may have signed, and whether the signature verifies.
 * `verify` serves `decideSigned`; `verifyPayload` serves `decidePayload`, for a payload that was shown earlier (a quote).
 * Spec: 4.5 (signed-retry pattern), Wallet action signing; wire contract 4.7; D-141.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { SignatureFacts, SigningFacts } from "../../decision/wallet/SignedDecision.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { AllowedSigner, SignedOperation, SignedPayload } from "../../model/wallet/SignedRequest.ts"
import { payloadText } from "../../model/wallet/SigningPayload.ts"
import { listAll } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import { SignatureChecks } from "../../ports/SignatureChecks.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { activeAt } from "./WalletReads.ts"

type Asked<A, E = never> = Effect.Effect<A, StoreUnavailable | E, CurrentCaller>

export class SignedRequests extends Context.Service<
  SignedRequests,
  {
    /** Returns the facts for `decideSigned`. */
    readonly verify: <Signed extends SignedOperation>(
      read: Operation.Read,
      operation: Signed,
    ) => Asked<SigningFacts<Signed>, Operation.ReadFailure>
    /** Returns the facts for `decidePayload`. */
    readonly verifyPayload: (signed: SignedPayload) => Asked<SignatureFacts>
    /** Reads the pending request that a header names, for an operation whose first call stored facts with it. */
    readonly findPending: <E>(
      read: Operation.Read<E>,
      requestId: string | undefined,
    ) => Asked<Stored<"SignedRequest"> | undefined, E>
  }
>()("@countersign/core/SignedRequests") {
  static readonly layer = Layer.effect(
    SignedRequests,
    Effect.gen(function* () {
      const store = yield* Store
      const checks = yield* SignatureChecks
      const crypto = yield* Effect.context<P256>()
      const bodyKey = Redacted.value(yield* (yield* KeyVault).derive("request-body", ""))

      /** Keyed, because a body may contain a value that can be guessed, such as a tax number. */
      const markOf = (body: unknown): string =>
        Hex.encode(hmac(sha256, bodyKey, utf8ToBytes(CanonicalJson.stringify(body ?? {}))))

      const listSessions = Effect.fnUntraced(function* (signer: AllowedSigner, publicKey: string | undefined) {
        if (signer._tag === "Key" || signer.accountIds.length === 0) return []
        const filters = {
          ...activeAt(yield* Clock.currentTimeMillis),
          accountId: { in: signer.accountIds },
          ...(publicKey === undefined ? {} : { publicKey: { eq: publicKey } }),
        }
        return yield* listAll("Session", filters).pipe(Effect.provideService(Store, store))
      })

      /** Parses the header and lists the sessions that it may refer to. */
      const readHeader = Effect.fnUntraced(function* ({ allowedSigner, headers }: Omit<SignedPayload, "payload">) {
        const header = headers.signature === undefined ? undefined : yield* checks.read(headers.signature)
        return {
          allowedSigner,
          hasSignature: headers.signature !== undefined,
          header,
          sessions: header === undefined ? [] : yield* listSessions(allowedSigner, header.publicKey),
        }
      })

      /** Verifies the header over a payload. Without a payload no signature is valid. */
      const verifyHeader = Effect.fnUntraced(function* (
        { allowedSigner, hasSignature, header, sessions }: Effect.Success<ReturnType<typeof readHeader>>,
        payload: string | undefined,
      ) {
        const verifies =
          header !== undefined &&
          payload !== undefined &&
          (yield* Effect.provideContext(header.verifies(payload), crypto))
        const isAllowedKey =
          allowedSigner._tag !== "Key" || (header?.publicKey ?? allowedSigner.publicKey) === allowedSigner.publicKey
        const signature: SignatureFacts = {
          allowedSigner,
          hasSignature,
          isReadable: header !== undefined,
          isSigned: verifies && isAllowedKey,
          sessions,
        }
        return signature
      })

      const verifyPayload = (signed: SignedPayload) =>
        Effect.flatMap(readHeader(signed), (header) => verifyHeader(header, signed.payload))

      const findPending = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, requestId: string | undefined) {
        if (requestId === undefined || !isId("Request", requestId)) return undefined
        const found = yield* read({ records: [{ kind: "SignedRequest", id: requestId }] })
        return found.record("SignedRequest", requestId)
      })

      const verify = Effect.fnUntraced(function* <Signed extends SignedOperation>(
        read: Operation.Read,
        operation: Signed,
      ) {
        const { body, headers, payload } = operation
        const header = yield* readHeader(operation)
        // The request is read last, so that the loser of a race sees its use and not only what that use has changed.
        const request = yield* findPending(read, headers.requestId)
        const signature = yield* verifyHeader(header, request && payloadText(payload, request.createdAt))
        return { operation, bodyMark: markOf(body), signature, request } satisfies SigningFacts<Signed>
      })

      return SignedRequests.of({ verify, verifyPayload, findPending })
    }),
  )
}
