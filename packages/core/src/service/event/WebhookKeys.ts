/**
 * The webhook keys of a platform: listed, rotated, and derived for the signatures of its deliveries.
 * Source: wire contract 6.2; D-328 to D-330.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { createKeys, replaceLostKeys, rotateKeys, showSecret } from "../../decision/event/WebhookKeyDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type {
  WebhookKeyListResponse,
  WebhookKeyResource,
  WebhookKeyRotateRequest,
  WebhookSecretResponse,
} from "../../model/event/WebhookKeyResource.ts"
import {
  keyState,
  overlap,
  signingKeys,
  type WebhookKey,
  type WebhookKeyRing,
} from "../../model/event/WebhookKeyRing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { generatedRootId, type PlatformWebhookKey, WebhookSigner } from "../../ports/WebhookSigner.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** The keys that sign a delivery now, newest first. */
export type SigningKeys = readonly [PlatformWebhookKey, ...ReadonlyArray<PlatformWebhookKey>]

/** The key with which a receiver that knows one key only verifies: the oldest that still signs. */
export const specifiedKey = (keys: SigningKeys): PlatformWebhookKey => keys.at(-1) ?? keys[0]

const rootMissing = new ServiceError({
  code: "SERVICE_UNAVAILABLE",
  message: "This process does not have the root of the platform's webhook key.",
  details: { reason: "WEBHOOK_ROOT_MISSING" },
})

const loadRing = Effect.fnUntraced(function* <E>(read: Operation.Read<E>) {
  const { platformId } = yield* CurrentCaller
  const found = yield* read({ records: [{ kind: "WebhookKeyRing", id: platformId }] })
  return { ring: found.record("WebhookKeyRing", platformId) }
})

export class WebhookKeys extends Context.Service<
  WebhookKeys,
  {
    readonly list: Result<WebhookKeyListResponse>
    /** Adds a key. Errors: `CONFLICT` during an overlap. */
    readonly rotate: (
      request: WebhookKeyRotateRequest,
      keyed?: Operation.Keyed,
    ) => Result<Operation.Answered<WebhookKeyListResponse>>
    /** Returns the symmetric secret of a key that signs. Errors: 404. */
    readonly reveal: (keyId: string) => Result<WebhookSecretResponse>
    /** The public key of the specified signature now, as SPKI PEM. */
    readonly publicKey: Result<string>
    /** Derives the keys that sign now. Fails if this process does not have their root. */
    readonly signing: (ring: Stored<"WebhookKeyRing"> | undefined) => Result<SigningKeys>
  }
>()("@countersign/core/WebhookKeys") {
  static readonly layer = Layer.effect(
    WebhookKeys,
    Effect.gen(function* () {
      const store = yield* Store
      const signer = yield* WebhookSigner
      const [rootId] = signer.roots
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const create = Operation.run({ name: "WebhookKeys.create", load: loadRing, decide: createKeys(rootId) })

      const replaceLost = Operation.run({
        name: "WebhookKeys.replaceLost",
        load: loadRing,
        decide: replaceLostKeys(rootId, generatedRootId),
      })

      const derive = Effect.fnUntraced(function* ({ number, rootId: root }: WebhookKey) {
        const { platformId } = yield* CurrentCaller
        return yield* signer.platformKey({ platformId, rootId: root, number })
      })

      /** Returns the ring, in which keys of a generated root that this process does not have are replaced. */
      const usableRing = Effect.fnUntraced(function* (stored: Stored<"WebhookKeyRing"> | undefined) {
        const ring = stored?.data ?? (yield* create).body
        const now = yield* Clock.currentTimeMillis
        const isLost = !signer.roots.includes(generatedRootId)
        return isLost && signingKeys(ring, now).every((key) => key.rootId === generatedRootId)
          ? (yield* replaceLost).body
          : ring
      }, Effect.provideContext(services))

      const signing = Effect.fnUntraced(function* (stored: Stored<"WebhookKeyRing"> | undefined) {
        const ring = yield* usableRing(stored)
        const derived = yield* Effect.forEach(signingKeys(ring, yield* Clock.currentTimeMillis), derive)
        const [first, ...others] = derived.filter((key) => key !== undefined)
        // A missing root would leave out a signature that some receivers need, so that nothing is sent with a part of them.
        return first === undefined || derived.includes(undefined) ? yield* rootMissing : ([first, ...others] as const)
      })

      const ownSigning = Effect.flatMap(loadRing(store.read), ({ ring }) => signing(ring))

      const toResource = Effect.fnUntraced(function* (key: WebhookKey, now: number) {
        const derived = yield* derive(key)
        // The public key of a key without its root cannot be shown any more. It signs nothing here either.
        if (derived === undefined) return []
        const resource: WebhookKeyResource = {
          id: derived.id,
          publicKey: derived.publicKey,
          state: keyState(key, now),
          createdAt: iso(key.createdAt),
          ...(key.retiresAt === undefined ? {} : { retiresAt: iso(key.retiresAt) }),
        }
        return [resource]
      })

      /** The states are those at `now`. */
      const toList = Effect.fnUntraced(function* ({ keys }: WebhookKeyRing, now: number) {
        return { data: (yield* Effect.forEach(keys, (key) => toResource(key, now))).flat() }
      })

      const rotate = Effect.fnUntraced(
        function* ({ overlapSeconds = overlap.defaultSeconds }: WebhookKeyRotateRequest, keyed?: Operation.Keyed) {
          const { body, ...answered } = yield* Operation.run({
            name: "WebhookKeys.rotate",
            keyed,
            load: loadRing,
            decide: rotateKeys(rootId, overlapSeconds),
          })
          // The newest key is that of the rotation: a repeated response shows the states of its time.
          return { ...answered, body: yield* toList(body, body.keys[0]?.createdAt ?? 0) }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const reveal = Effect.fnUntraced(
        function* (keyId: string) {
          const { ring } = yield* loadRing(store.read)
          for (const key of signingKeys(yield* usableRing(ring), yield* Clock.currentTimeMillis)) {
            const derived = yield* derive(key)
            if (derived?.id !== keyId) continue
            // The audit is committed first, so that every secret that was shown has an audit record.
            yield* Operation.run({
              name: "WebhookKeys.reveal",
              load: () => Effect.void,
              decide: showSecret(key),
            })
            return { secret: Redacted.value(derived.secret) }
          }
          return yield* new ServiceError(notFound("webhook key"))
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return WebhookKeys.of({
        list: platformOnly(
          Effect.gen(function* () {
            const { ring } = yield* loadRing(store.read)
            return yield* toList(yield* usableRing(ring), yield* Clock.currentTimeMillis)
          }),
        ),
        rotate,
        reveal,
        publicKey: platformOnly(Effect.map(ownSigning, (keys) => specifiedKey(keys).publicKey)),
        signing,
      })
    }),
  )
}
