/** The client's wallet cryptography with keys from a seed, the same on each run. Not for production. Source: D-272. */
import { createHash } from "node:crypto"
import { type WalletCrypto, walletCrypto } from "@countersign/client"
import { PortableCrypto } from "@countersign/core/crypto"
import { Layer } from "effect"
import * as SeededRandom from "./SeededRandom.ts"

/** Hashes a seed to a uniformly distributed 32-bit number. */
export const numberOf = (seed: string): number => createHash("sha256").update(seed).digest().readUInt32BE()

export const seededWallet = (seed: string): WalletCrypto =>
  walletCrypto(Layer.provide(PortableCrypto.layer, SeededRandom.layer(numberOf(seed))))
