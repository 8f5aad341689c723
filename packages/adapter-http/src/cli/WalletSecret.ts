/**
 * The secret from which the keys of wallets are derived: given; kept in a file beside the database of a folder; or drawn for this
 * process.
 * Source: D-140. The database never holds it.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { type KeyVault, vaultOf, vaultSecretMin } from "@countersign/core"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Keeping } from "./Keeping.ts"
import { keptSecret } from "./KeptSecret.ts"
import type { ServeOptions } from "./ServeFlags.ts"

const fileName = "wallet-secret"

export class WalletSecretUnusable extends Data.TaggedError("WalletSecretUnusable")<{ readonly message: string }> {}

const draw = (): string => randomBytes(32).toString("hex")

const usable = (secret: string, where: string) =>
  secret.trim().length < vaultSecretMin
    ? Effect.fail(new WalletSecretUnusable({ message: `${where} must have at least ${vaultSecretMin} characters` }))
    : Effect.succeed(Redacted.make(secret.trim()))

const inFolder = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, fileName)
  const secret = yield* Effect.tryPromise({
    try: () => keptSecret(path, draw),
    catch: (cause) =>
      new WalletSecretUnusable({
        message: `${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      }),
  })
  return yield* usable(secret, path)
})

/** The vault of this process. It waits for the store, whose folder is locked by then. */
export const layer = ({
  mode,
  walletSecret,
}: Pick<ServeOptions, "mode" | "walletSecret">): Layer.Layer<KeyVault, WalletSecretUnusable, Keeping> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { place } = yield* Keeping
      if (Option.isSome(walletSecret)) {
        return vaultOf(yield* usable(Redacted.value(walletSecret.value), "--wallet-secret"))
      }
      if (place._tag === "Folder") return vaultOf(yield* inFolder(place.folder))
      if (place._tag === "Server" && mode === "live") {
        return yield* new WalletSecretUnusable({
          message:
            "live mode on a server needs --wallet-secret: the words of wallets come from it, in every process and at every start",
        })
      }
      return vaultOf(Redacted.make(draw()))
    }),
  )
