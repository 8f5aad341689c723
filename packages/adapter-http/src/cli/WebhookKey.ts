/**
 * The key that signs webhooks: given; kept in a file beside the database of a folder; or drawn for this process.
 * Source: wire contract 6.2. The database never holds it.
 */
import { generateKeyPairSync } from "node:crypto"
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import * as NodeWebhookSigner from "../server/NodeWebhookSigner.ts"
import { Keeping } from "./Keeping.ts"

export const fileName = "webhook-key.pem"

const draw = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

/** The folder's key, drawn where there is none yet. Whoever calls holds the folder's lock. */
const kept = async (path: string): Promise<string> => {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
  }
  const pem = draw()
  // Whole or not at all, and for nobody else to read.
  await writeFile(`${path}.new`, pem, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return pem
}

const keptSigner = (path: string) =>
  Layer.unwrap(
    Effect.tryPromise({
      try: () => kept(path),
      catch: (cause) =>
        new NodeWebhookSigner.InvalidWebhookKey({
          message: `${path} cannot be used: ${cause instanceof Error ? cause.message : ""}`,
        }),
    }).pipe(Effect.map((pem) => NodeWebhookSigner.layer({ privateKeyPem: Redacted.make(pem) }))),
  ).pipe(
    Layer.catchTag("InvalidWebhookKey", ({ message }) =>
      Layer.unwrap(
        Effect.fail(
          new NodeWebhookSigner.InvalidWebhookKey({ message: message.includes(path) ? message : `${path}: ${message}` }),
        ),
      ),
    ),
  )

/** The signer of this process. */
export const layer = (given: Option.Option<Redacted.Redacted>) =>
  Layer.unwrap(
    Keeping.use(({ place }) =>
      Effect.succeed(
        Option.match(given, {
          onSome: (privateKeyPem) => NodeWebhookSigner.layer({ privateKeyPem }),
          onNone: () =>
            place._tag === "Folder" ? keptSigner(join(place.folder, fileName)) : NodeWebhookSigner.layer(),
        }),
      ),
    ),
  )
