/**
 * `countersign rotate webhook-key`: a new webhook key of a platform, derived from the root that its servers have.
 * Source: D-328, D-330, D-357.
 */
import { CurrentCaller, WebhookKeys } from "@countersign/core"
import { generatedRootId } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, Option, type Redacted } from "effect"
import { asOperator } from "./AsOperator.ts"
import { unsafeError, usageError } from "./CommandError.ts"
import { type OverlapOptions, overlapOf } from "./RotateSecrets.ts"
import { ServerStore } from "./ServerStore.ts"
import * as TextTable from "./TextTable.ts"
import * as WebhookKey from "./WebhookKey.ts"

export interface WebhookKeyOptions extends OverlapOptions {
  readonly webhookKey: Option.Option<Redacted.Redacted>
}

/** The signer with the root that the servers have: one that this process generated would sign nothing there. */
const signerOf = ({ webhookKey }: WebhookKeyOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { location } = yield* ServerStore
      if (location._tag === "Server" && Option.isNone(webhookKey)) {
        return yield* usageError("a store on a server needs --webhook-key, the same as its processes have")
      }
      return yield* Layer.build(WebhookKey.layer(webhookKey)).pipe(
        Effect.mapError(({ message }) => unsafeError(message)),
      )
    }),
  )

/** Fails if servers sign with a root that they generated, or with one that the option does not contain. */
const checkRoot = Effect.gen(function* () {
  const { platformId } = yield* CurrentCaller
  const found = yield* Store.use((store) => store.read({ records: [{ kind: "WebhookKeyRing", id: platformId }] }))
  const keys = found.record("WebhookKeyRing", platformId)?.data.keys ?? []
  if (keys.some(({ retiresAt, rootId }) => retiresAt === undefined && rootId === generatedRootId)) {
    return yield* unsafeError(
      "the servers of this store run without --webhook-key: rotate over the API, with POST /webhooks/keys/rotate",
    )
  }
  yield* WebhookKeys.use((webhookKeys) => webhookKeys.publicKey)
})

export const webhookKey = asOperator<WebhookKeys, WebhookKeyOptions>((options) =>
  WebhookKeys.layer.pipe(Layer.provide(signerOf(options))),
)(
  (options) =>
    Effect.andThen(
      checkRoot,
      WebhookKeys.use((keys) => Effect.map(keys.rotate(overlapOf(options)), ({ body }) => body)),
    ),
  {
    lines: ({ data }) =>
      TextTable.make(
        ["key", "state", "created", "signs"],
        data.map(({ createdAt, id, retiresAt, state }) => [
          id,
          state,
          createdAt,
          retiresAt === undefined ? "until the next rotation" : `until ${retiresAt}`,
        ]),
        4,
      ),
  },
)
