/**
 * The signed retry, as any operation loads it: `load` finds out what `decideSigned` decides on. An operation with a pending request
 * calls `load`; one whose payload was shown before (a quote) calls `loadPayload`, and decides by `decidePayload`.
 * Spec: 4.5 (signed-retry pattern), Wallet action signing; wire contract 4.7; D-141.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { Signature, Signing } from "../../decision/wallet/SignedDecision.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { Admission, SignedOperation, SignedPayload } from "../../model/wallet/SignedRequest.ts"
import { listAll } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import { SignatureChecks } from "../../ports/SignatureChecks.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { activeAt } from "./WalletReads.ts"

type Loaded<A, E = never> = Effect.Effect<A, StoreUnavailable | E, CurrentCaller>

export class SignedRequests extends Context.Service<
  SignedRequests,
  {
    /** For `decideSigned`. */
    readonly load: <Signed extends SignedOperation>(
      read: Operation.Read,
      operation: Signed,
    ) => Loaded<Signing<Signed>, Operation.AlreadyAnswered>
    /** For `decidePayload`. */
    readonly loadPayload: (signed: SignedPayload) => Loaded<Signature>
    /** The pending request that a header names, where its memo says who may sign. */
    readonly pending: (
      read: Operation.Read,
      requestId: string | undefined,
    ) => Loaded<Stored<"SignedRequest"> | undefined, Operation.AlreadyAnswered>
  }
>()("@countersign/core/SignedRequests") {
  static readonly layer = Layer.effect(
    SignedRequests,
    Effect.gen(function* () {
      const store = yield* Store
      const checks = yield* SignatureChecks
      const crypto = yield* Effect.context<P256>()
      const bodyKey = Redacted.value(yield* (yield* KeyVault).derive("request-body", ""))

      /** Keyed, because a body may hold what is easily guessed, such as an authority's number. */
      const markOf = (body: unknown): string =>
        Hex.encode(hmac(sha256, bodyKey, utf8ToBytes(CanonicalJson.stringify(body ?? {}))))

      const sessionsOf = Effect.fnUntraced(function* (admits: Admission, publicKey: string | undefined) {
        if (admits._tag === "Key" || admits.accountIds.length === 0) return []
        const filters = {
          ...activeAt(yield* Clock.currentTimeMillis),
          accountId: { in: admits.accountIds },
          ...(publicKey === undefined ? {} : { publicKey: { eq: publicKey } }),
        }
        return yield* listAll("Session", filters).pipe(Effect.provideService(Store, store))
      })

      /** What the header names, and whose keys could be meant by it. */
      const readHeader = Effect.fnUntraced(function* ({ admits, headers }: Omit<SignedPayload, "payload">) {
        const read = headers.signature === undefined ? undefined : yield* checks.read(headers.signature)
        return {
          admits,
          hasSignature: headers.signature !== undefined,
          read,
          sessions: read === undefined ? [] : yield* sessionsOf(admits, read.publicKey),
        }
      })

      /** Whether the header signs a payload; without one there is nothing that it could sign. */
      const verified = Effect.fnUntraced(function* (
        { admits, hasSignature, read, sessions }: Effect.Success<ReturnType<typeof readHeader>>,
        payload: string | undefined,
      ) {
        const isOf =
          read !== undefined && payload !== undefined && (yield* Effect.provideContext(read.isOf(payload), crypto))
        const isTheKey = admits._tag !== "Key" || (read?.publicKey ?? admits.publicKey) === admits.publicKey
        const signature: Signature = {
          admits,
          hasSignature,
          isReadable: read !== undefined,
          isSigned: isOf && isTheKey,
          sessions,
        }
        return signature
      })

      const loadPayload = (signed: SignedPayload) =>
        Effect.flatMap(readHeader(signed), (header) => verified(header, signed.payload))

      const pending = Effect.fnUntraced(function* (read: Operation.Read, requestId: string | undefined) {
        if (requestId === undefined || !isId("Request", requestId)) return undefined
        const found = yield* read({ records: [{ kind: "SignedRequest", id: requestId }] })
        return found.record("SignedRequest", requestId)
      })

      const load = Effect.fnUntraced(function* <Signed extends SignedOperation>(
        read: Operation.Read,
        operation: Signed,
      ) {
        const { body, headers, payload } = operation
        const header = yield* readHeader(operation)
        // The request last: who lost a race reads that it was used, and not only what its use has changed.
        const request = yield* pending(read, headers.requestId)
        const signature = yield* verified(header, request && payload(request.createdAt))
        return { operation, bodyMark: markOf(body), signature, request } satisfies Signing<Signed>
      })

      return SignedRequests.of({ load, loadPayload, pending })
    }),
  )
}
