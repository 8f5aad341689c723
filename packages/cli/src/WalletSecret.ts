/**
 * The secret from which the keys of wallets are derived: given; kept in a file beside the database of a folder; or drawn for this
 * process.
 * Source: D-140. The database never holds it.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { type KeyVault, vaultOf, vaultSecretMin } from "@countersign/core/ports"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Keeping } from "./Keeping.ts"
import { keptSecret } from "./KeptSecret.ts"

const fileName = "wallet-secret"

export class WalletSecretUnusable extends Data.TaggedError("WalletSecretUnusable")<{ readonly message: string }> {}

const draw = (): string => randomBytes(32).toString("hex")

const inFolder = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, fileName)
  const unusable = (why: string) => new WalletSecretUnusable({ message: `${path} cannot be used: ${why}` })
  const secret = yield* Effect.tryPromise({
    try: () => keptSecret(path, draw),
    catch: (cause) => unusable(cause instanceof Error ? cause.message : String(cause)),
  })
  return secret.length < vaultSecretMin ? yield* unusable(`it has fewer than ${vaultSecretMin} characters`) : secret
})

/** The vault of this process. It waits for the store, whose folder is locked by then. */
export const layer = (given: Option.Option<Redacted.Redacted>): Layer.Layer<KeyVault, WalletSecretUnusable, Keeping> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { place } = yield* Keeping
      if (Option.isSome(given)) return vaultOf(given.value)
      return vaultOf(Redacted.make(place._tag === "Folder" ? yield* inFolder(place.folder) : draw()))
    }),
  )
