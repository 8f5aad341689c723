/**
 * The random roots from which a deployment derives the keys of its wallets, and the one of its own keys, sealed to its wallet secret.
 * Another secret means other seals around the same roots.
 * Source: D-345, D-346, D-364.
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
  /** The root of the service's own keys, which is never retired; absent: the first root of wallets, which is then never retired. */
  service: Schema.optionalKey(SealedRoot),
  /** The root of wallets whose record names none; absent: the oldest root. */
  firstRootId: Schema.optionalKey(Schema.String),
  /** Business time (ms) since which new wallets use the newest root; absent: since the first start. */
  newestSince: Schema.optionalKey(Schema.Finite),
  /** The roots of wallets, oldest first. */
  roots: Schema.NonEmptyArray(SealedRoot),
})
export type WalletRoot = typeof WalletRoot.Type

/** The id of the root of wallets whose record names none. */
export const firstRootId = (record: WalletRoot): string => record.firstRootId ?? record.roots[0].rootId

/** The most roots of a store. */
export const walletRootsMax = 16

/** How long the newest root must have been the newest before an earlier one may be retired: longer than any operation lasts. */
export const retirementDelayMillis = 24 * 60 * 60 * 1000
