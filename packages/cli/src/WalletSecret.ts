/**
 * The secret that opens the roots of wallet keys: an option, a file beside the database of a folder, or generated for this process.
 * Source: D-140, D-345, D-346. The database never contains it.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { type DamagedWalletRoot, type OtherWalletSecret, type ServiceError, walletVault } from "@countersign/core"
import { vaultOf, vaultSecretMin } from "@countersign/core/ports"
import type { StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Option, Redacted } from "effect"
import { storeError, unsafeError } from "./CommandError.ts"
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

/** The options of wallet secrets. */
export interface Secrets {
  readonly walletSecret: Option.Option<Redacted.Redacted>
  readonly previousWalletSecret: Option.Option<Redacted.Redacted>
}

/** Explains why a secret opens no store. */
export const asCommandError = (error: OtherWalletSecret | DamagedWalletRoot | ServiceError | StoreUnavailable) => {
  if (error._tag === "OtherWalletSecret") return unsafeError(`${error.message}: start with the store's secret`)
  return error._tag === "DamagedWalletRoot" ? unsafeError(error.message) : storeError("the store does not answer")
}

/** The wallet secret of the store: the option, or the folder's file; `undefined`: neither is given. */
export const givenSecret = Effect.fnUntraced(function* (option: Option.Option<Redacted.Redacted>) {
  const { location } = yield* ServerStore
  if (Option.isSome(option) || location._tag !== "Folder") return Option.getOrUndefined(option)
  return Redacted.make(yield* inFolder(location.folder))
})

/** The key vault of this process. It needs the store first, which locks the folder. */
export const layer = ({ previousWalletSecret, walletSecret }: Secrets) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const own = yield* givenSecret(walletSecret)
      // A secret that is generated for this process only opens no store: its wallets end with the process.
      if (own === undefined) return vaultOf(Redacted.make(generate()))
      const vault = Effect.mapError(
        Layer.build(walletVault([own, ...Option.toArray(previousWalletSecret)])),
        asCommandError,
      )
      return Layer.effectContext(vault)
    }),
  )
