/**
 * The key that signs webhooks: given; kept in a file beside the database of a folder; or drawn for this process.
 * Source: wire contract 6.2. The database never holds it.
 */
import { generateKeyPairSync } from "node:crypto"
import { join } from "node:path"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import type { WebhookSigner } from "@countersign/core/ports"
import { Effect, Layer, Option, Redacted } from "effect"
import { Keeping } from "./Keeping.ts"
import { keptSecret } from "./KeptSecret.ts"
import type { StorePlace } from "./StorePlace.ts"

const fileName = "webhook-key.pem"

const draw = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

type SignerLayer = Layer.Layer<WebhookSigner, NodeWebhookSigner.InvalidWebhookKey>

const unusable = (path: string, why: string) =>
  new NodeWebhookSigner.InvalidWebhookKey({ message: `${path} cannot be used: ${why}` })

const keptSigner = (path: string): SignerLayer =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pem = yield* Effect.tryPromise({
        try: () => keptSecret(path, draw),
        catch: (cause) => unusable(path, cause instanceof Error ? cause.message : String(cause)),
      })
      const signer = Layer.build(NodeWebhookSigner.layer({ privateKeyPem: Redacted.make(pem) }))
      return yield* Effect.mapError(signer, ({ message }) => unusable(path, message))
    }),
  )

const unlessGiven = (place: StorePlace): SignerLayer =>
  place._tag === "Folder" ? keptSigner(join(place.folder, fileName)) : NodeWebhookSigner.layer()

/** The signer of this process. It waits for the store, whose folder is locked by then. */
export const layer = (
  given: Option.Option<Redacted.Redacted>,
): Layer.Layer<WebhookSigner, NodeWebhookSigner.InvalidWebhookKey, Keeping> =>
  Layer.unwrap(
    Keeping.use(({ place }) =>
      Effect.succeed(
        Option.isSome(given) ? NodeWebhookSigner.layer({ privateKeyPem: given.value }) : unlessGiven(place),
      ),
    ),
  )
