/**
 * The secret from which wallet keys are derived: an option, a file beside the database of a folder, or generated for this process.
 * Source: D-140. The database never contains it.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { type KeyVault, vaultOf, vaultSecretMin } from "@countersign/core/ports"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { readOrCreateSecret } from "./SecretFile.ts"
import { ServerStore } from "./ServerStore.ts"

const fileName = "wallet-secret"

export class WalletSecretUnusable extends Data.TaggedError("WalletSecretUnusable")<{ readonly message: string }> {}

const generate = (): string => randomBytes(32).toString("hex")

const inFolder = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, fileName)
  const unusable = (reason: string) => new WalletSecretUnusable({ message: `${path} cannot be used: ${reason}` })
  const secret = yield* Effect.tryPromise({
    try: () => readOrCreateSecret(path, generate),
    catch: (cause) => unusable(cause instanceof Error ? cause.message : String(cause)),
  })
  return secret.length < vaultSecretMin ? yield* unusable(`it has fewer than ${vaultSecretMin} characters`) : secret
})

/** The key vault of this process. It needs the store first, which locks the folder. */
export const layer = (
  option: Option.Option<Redacted.Redacted>,
): Layer.Layer<KeyVault, WalletSecretUnusable, ServerStore> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { location } = yield* ServerStore
      if (Option.isSome(option)) return vaultOf(option.value)
      return vaultOf(Redacted.make(location._tag === "Folder" ? yield* inFolder(location.folder) : generate()))
    }),
  )
