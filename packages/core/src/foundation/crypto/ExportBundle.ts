/**
 * Exports a wallet's mnemonic to its owner: `encryptedWalletCredentials`.
 * Source: wire contract 4.9, 4.10; always signed.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import { refused } from "./BundleRefused.ts"
import type { KeyPair } from "./KeyPair.ts"
import type { PublicKey } from "./PublicKey.ts"
import * as Sealed from "./Sealed.ts"
import * as SignedBundle from "./SignedBundle.ts"
import { textOf } from "./Utf8.ts"

/** What an owner gets of a wallet. */
export interface Exported {
  /** BIP-39 words, ASCII. */
  readonly mnemonic: Redacted.Redacted
  /** The wallet's account, as the protocol names it. */
  readonly organizationId: string
}

/** Seals the mnemonic to the client's key and signs the sealed message. */
export const seal = Effect.fn("ExportBundle.seal")(function* (quorum: KeyPair, client: PublicKey, exported: Exported) {
  const sealed = yield* Sealed.seal(client, utf8ToBytes(Redacted.value(exported.mnemonic)))
  return yield* SignedBundle.make(quorum, { ...Sealed.toText(sealed), organizationId: exported.organizationId })
})

/** Verifies a bundle's signature and opens it with the client's key. Returns the mnemonic. */
export const open = Effect.fn("ExportBundle.open")(function* (
  client: KeyPair,
  bundle: string,
  expected: SignedBundle.Expected = {},
) {
  const sealed = Sealed.fromText(yield* SignedBundle.verify(bundle, expected))
  if (sealed === undefined) return yield* refused("MALFORMED")
  const plaintext = yield* Effect.mapError(Sealed.open(client, sealed), () => refused("NOT_OPENED"))
  return Redacted.make(textOf(plaintext), { label: "mnemonic" })
})
