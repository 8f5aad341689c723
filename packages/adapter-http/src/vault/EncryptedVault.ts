/**
 * Encrypts what a `DocumentVault` stores with a key for each file, which the deployment's key vault derives: who has the storage alone reads
 * nothing, and changes nothing unnoticed.
 * Source: D-531.
 */
import { DocumentVault, KeyVault, measured, VaultUnavailable } from "@countersign/core/ports"
import { Effect, Layer, Redacted, Stream } from "effect"
import { type NotSealed, open, seal } from "./SealedChunks.ts"

/** `on`: every file is encrypted, and no other is read. `new`: files are encrypted, `off`: they are in clear, and both read either kind. */
export type DocumentEncryption = "off" | "new" | "on"

/** Every value of `DocumentEncryption`, to check an option by. */
export const documentEncryptions: ReadonlyArray<DocumentEncryption> = ["off", "new", "on"]

const reasons: { readonly [reason in NotSealed["reason"]]: string } = {
  IN_CLEAR: "the file was stored without encryption",
  CHANGED: "the bytes of the file were changed, or belong to another key",
}

/** Between the service and its vault. */
const layer = (encryption: DocumentEncryption): Layer.Layer<DocumentVault, never, DocumentVault | KeyVault> =>
  Layer.effect(
    DocumentVault,
    Effect.gen(function* () {
      const inner = yield* DocumentVault
      const keys = yield* KeyVault
      const keyOf = (key: string) => Effect.map(keys.derive("document", key), Redacted.value)
      const refused = ({ reason }: NotSealed) => new VaultUnavailable({ cause: new Error(reasons[reason]) })
      return {
        store: Effect.fnUntraced(function* (key, bytes) {
          if (encryption === "off") return yield* inner.store(key, bytes)
          const passing = measured(bytes)
          yield* inner.store(key, seal(yield* keyOf(key))(passing.bytes))
          return passing.result()
        }),
        read: (key, from = 0) =>
          Stream.unwrap(
            Effect.map(keyOf(key), (fileKey) =>
              open(fileKey)((position) => inner.read(key, position), from).pipe(
                Stream.catchTag("NotSealed", (failure) =>
                  failure.reason === "IN_CLEAR" && encryption !== "on"
                    ? inner.read(key, from)
                    : Stream.fail(refused(failure)),
                ),
              ),
            ),
          ),
        erase: inner.erase,
      } satisfies DocumentVault["Service"]
    }),
  )

export const EncryptedVault = { layer }
