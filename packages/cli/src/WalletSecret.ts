/**
 * The secret from which wallet keys are derived: an option, a file beside the database of a folder, or generated for this process.
 * Source: D-140. The database never contains it.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { type KeyVault, vaultOf, vaultSecretMin } from "@countersign/core/ports"
import { Effect, Layer, Option, Redacted } from "effect"
import { type CommandError, storeError, unsafeError } from "./CommandError.ts"
import { readOrCreateSecret } from "./SecretFile.ts"
import { ServerStore } from "./ServerStore.ts"

const fileName = "wallet-secret"

const generate = (): string => randomBytes(32).toString("hex")

const inFolder = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, fileName)
  const secret = yield* Effect.tryPromise({
    try: () => readOrCreateSecret(path, generate),
    catch: (cause) => storeError(`${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`),
  })
  if (secret.length >= vaultSecretMin) return secret
  return yield* unsafeError(`${path} cannot be used: it has fewer than ${vaultSecretMin} characters`)
})

/** The key vault of this process. It needs the store first, which locks the folder. */
export const layer = (option: Option.Option<Redacted.Redacted>): Layer.Layer<KeyVault, CommandError, ServerStore> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { location } = yield* ServerStore
      if (Option.isSome(option)) return vaultOf(option.value)
      return vaultOf(Redacted.make(location._tag === "Folder" ? yield* inFolder(location.folder) : generate()))
    }),
  )
