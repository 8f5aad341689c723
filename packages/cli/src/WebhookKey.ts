/**
 * The key that signs webhooks: an option, a file beside the database of a folder, or generated for this process.
 * Source: wire contract 6.2. The database never contains it.
 */
import { generateKeyPairSync } from "node:crypto"
import { join } from "node:path"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { CurrentCaller, tenant, WebhookKeys } from "@countersign/core"
import type { WebhookSigner } from "@countersign/core/ports"
import { clientClaim, Store } from "@countersign/core/store"
import { Effect, Layer, Option, Redacted } from "effect"
import { storeError, unsafeError } from "./CommandError.ts"
import { readOrCreateSecret } from "./SecretFile.ts"
import { ServerStore } from "./ServerStore.ts"
import type { StoreLocation } from "./StoreLocation.ts"

const fileName = "webhook-key.pem"

const generate = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

type SignerLayer = Layer.Layer<WebhookSigner, NodeWebhookSigner.InvalidWebhookKey>

const unusable = (path: string, reason: string) =>
  new NodeWebhookSigner.InvalidWebhookKey({ message: `${path} cannot be used: ${reason}` })

const signerOfFile = (path: string): SignerLayer =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pem = yield* Effect.tryPromise({
        try: () => readOrCreateSecret(path, generate),
        catch: (cause) => unusable(path, cause instanceof Error ? cause.message : String(cause)),
      })
      const signer = Layer.build(NodeWebhookSigner.layer({ privateKeyPem: Redacted.make(pem) }))
      return yield* Effect.mapError(signer, ({ message }) => unusable(path, message))
    }),
  )

const signerWithoutOption = (location: StoreLocation): SignerLayer =>
  location._tag === "Folder" ? signerOfFile(join(location.folder, fileName)) : NodeWebhookSigner.layer()

/** The signer of this process. It needs the store first, which locks the folder. */
export const layer = (
  option: Option.Option<Redacted.Redacted>,
): Layer.Layer<WebhookSigner, NodeWebhookSigner.InvalidWebhookKey, ServerStore> =>
  Layer.unwrap(
    ServerStore.use(({ location }) =>
      Effect.succeed(
        Option.isSome(option)
          ? NodeWebhookSigner.layer({ privateKeyPem: option.value })
          : signerWithoutOption(location),
      ),
    ),
  )

/** The webhook key of a platform. A process that does not have its root would deliver nothing, so it must not start. */
export const publicKeyOf = Effect.fnUntraced(
  function* (clientId: string) {
    const owner = yield* Store.use((store) => store.resolve(clientClaim(clientId)))
    const caller = tenant(owner?.platformId ?? "")
    return yield* WebhookKeys.use(({ publicKey }) => publicKey).pipe(Effect.provideService(CurrentCaller, caller))
  },
  Effect.mapError((error) =>
    error._tag === "ServiceError"
      ? unsafeError(
          "the webhook keys of this store are derived from another --webhook-key: add that key after the new one",
        )
      : storeError("the store does not answer"),
  ),
)
