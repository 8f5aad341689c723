/**
 * The random roots from which a deployment derives the keys of its wallets, sealed to its wallet secret. Another secret means other
 * seals around the same roots.
 * Source: D-345, D-346.
 */
import { Schema } from "effect"

/** A sealed root. */
export const SealedRoot = Schema.Struct({
  /** Names the root, and reveals nothing else of it. */
  rootId: Schema.String,
  encappedPublic: Schema.String,
  ciphertext: Schema.String,
})
export type SealedRoot = typeof SealedRoot.Type

export const WalletRoot = Schema.Struct({
  /** Names the secret that opens the roots, and reveals nothing else of it. */
  secretId: Schema.String,
  /** Oldest first. */
  roots: Schema.NonEmptyArray(SealedRoot),
})
export type WalletRoot = typeof WalletRoot.Type
