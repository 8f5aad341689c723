/** Whether the wallet secret is that of the store, and whether a document can be stored, read and erased as the service does. Source: D-534. */
import { randomBytes, randomUUID } from "node:crypto"
import { EncryptedVault, NodeCrypto } from "@countersign/adapter-http"
import { hasWalletRoots } from "@countersign/core"
import { DocumentVault, vaultOf, WallTime } from "@countersign/core/ports"
import { Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { documentsLocation } from "../../DocumentsLocation.ts"
import * as DocumentsVault from "../../DocumentsVault.ts"
import type { ServeOptions } from "../../ServeFlags.ts"
import * as Keeping from "../../ServerStore.ts"
import type { StoreLocation } from "../../StoreLocation.ts"
import * as WalletSecret from "../../WalletSecret.ts"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"

/** More than one piece of an encrypted file. */
const probeBytes = 100_000

/** Stores random bytes, compares what is read, and erases them. */
const probe = Effect.gen(function* () {
  const vault = yield* DocumentVault
  const key = `doctor-${randomUUID()}`
  const bytes = randomBytes(probeBytes)
  const read = Effect.gen(function* () {
    yield* vault.store(key, Stream.succeed(new Uint8Array(bytes)))
    return Buffer.concat(yield* Stream.runCollect(vault.read(key)))
  }).pipe(Effect.ensuring(Effect.ignore(vault.erase(key))))
  if (!(yield* read).equals(bytes)) {
    return problem("documents", "a probe was read with other bytes than were stored", "check the storage")
  }
  const left = yield* Effect.result(Stream.runDrain(vault.read(key)))
  return left._tag === "Failure" && left.failure._tag === "BytesMissing"
    ? ok("documents", "a probe was stored, read and erased")
    : problem("documents", "a probe is still there after it was erased", "permit the service to delete")
}).pipe(
  Effect.catch((failure) =>
    Effect.succeed(
      problem(
        "documents",
        failure._tag === "BytesMissing" ? "a probe that was stored is missing" : "a probe could not be stored and read",
        "check the storage of --documents, and the permissions to write, read and delete",
      ),
    ),
  ),
)

const asMessage = (error: { readonly message: string }) => error.message

const checks = Effect.fnUntraced(function* (options: ServeOptions, location: StoreLocation) {
  const { walletSecret } = options
  if (Option.isNone(walletSecret)) return [skipped("documents", "the wallet secret is missing")]
  const documents = yield* documentsLocation(options.documents, options.store)
  const store = yield* Layer.build(Keeping.layer(location, "check"))
  return yield* Effect.gen(function* () {
    const isStarted = yield* hasWalletRoots
    // A store without roots gets them from its first start, and not from here.
    const keys = isStarted
      ? yield* Effect.result(Layer.build(WalletSecret.layer(options)))
      : yield* Effect.result(Layer.build(vaultOf(walletSecret.value)))
    if (keys._tag === "Failure") {
      return [problem("wallet secret", keys.failure.message, "set the secret with which the store was started")]
    }
    const mode = DocumentsVault.encryptionOf(options)
    const vault = EncryptedVault.layer(mode).pipe(
      Layer.provide(DocumentsVault.layer(documents, options)),
      Layer.provide(Layer.succeedContext(keys.success)),
    )
    const stored = yield* Effect.result(Effect.provide(probe, vault))
    return [
      isStarted
        ? ok("wallet secret", "it opens the wallets of the store")
        : ok("wallet secret", "the first start takes it for the store"),
      stored._tag === "Success"
        ? stored.success
        : problem("documents", stored.failure.message, "correct --documents and its options"),
      ...(mode === "on"
        ? []
        : [warning("documents", "they may be stored in clear", "set COUNTERSIGN_DOCUMENTS_ENCRYPTION=on")]),
    ]
  }).pipe(Effect.provideContext(store))
})

export const checkVault = Effect.fnUntraced(function* (
  options: ServeOptions,
  location: StoreLocation | undefined,
): Effect.fn.Return<ReadonlyArray<Finding>> {
  if (location === undefined || location._tag === "Memory") return []
  return yield* checks(options, location).pipe(
    Effect.scoped,
    Effect.provide([NodeCrypto.layer(), SecureRandom.layerWebCrypto, WallTime.layerClock]),
    Effect.catch((error) => Effect.succeed([skipped("documents", `the store comes first: ${asMessage(error)}`)])),
  )
})
