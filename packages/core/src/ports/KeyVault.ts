/**
 * The deployment's roots. Every key is derived from one of them on demand, and none is stored. `WalletRoots` opens them with the wallet
 * secret.
 * Source: wire contract 4.9 and 4.10; D-140, D-345, D-346, D-364.
 */
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { WalletRoot } from "../model/wallet/WalletRoot.ts"

/** The purposes of keys. Keys of different purposes are independent. */
export type KeyPurpose =
  /** Signs the bundles of the deployment; clients pin its public key. */
  | "quorum"
  /** The key to which one code is sealed. */
  | "otp-target"
  /** Hashes one-time codes, so that the store contains none in clear. */
  | "otp-code"
  /** Hashes the bodies of signed requests. */
  | "request-body"
  /** The mnemonic of one wallet. */
  | "wallet"
  /** The delegated key of a wallet: the service signs with it on behalf of the owner. */
  | "delegated-key"
  /** The key to which the client secret of one provider account is sealed. */
  | "provider-secret"
  /** Hashes client secrets of provider accounts, so that repeated requests are compared without them. */
  | "provider-secret-mark"
  /** The key to which the 3-D Secure password of one card is sealed until its issuer has it. */
  | "card-password"
  /** Encrypts the bytes of one file of the document vault. */
  | "document"

/** The purposes whose keys belong to a wallet: they come from its root. All other keys are the service's own. */
export type WalletPurpose = Extract<KeyPurpose, "wallet" | "delegated-key">

/** 32 bytes. */
export type DerivedKey = Redacted.Redacted<Uint8Array>

export class KeyVault extends Context.Service<
  KeyVault,
  {
    /**
     * Derives the same key for the same purpose, context and root, and another key for any other. `rootId` names the root of a wallet;
     * absent: the store's first root. A root that is not open is a defect.
     */
    readonly derive: (purpose: KeyPurpose, context: string, rootId?: string) => Effect.Effect<DerivedKey>
    /** The roots of wallets that a store keeps. Absent: the root is this process's own, and no store knows it. */
    readonly stored?: {
      readonly isOpen: (rootId: string) => boolean
      /** Opens the roots of a record that are not open yet. Those that are sealed to the secret of other processes stay closed. */
      readonly open: (record: WalletRoot) => Effect.Effect<void>
    }
  }
>()("@countersign/core/KeyVault") {}

/** The shortest secret, in characters. */
export const vaultSecretMin = 32

const salt = utf8ToBytes("countersign key vault")

/** A key of 32 bytes for this purpose and context. */
const keyOf = (root: Uint8Array, purpose: string, context = "") =>
  hkdf(sha256, root, salt, utf8ToBytes(`${purpose}\u0000${context}`), 32)

/** Names a root or a secret without revealing it. 64 bits tell two apart; they help to guess none that is not weak. */
export const rootIdOf = (root: Redacted.Redacted<Uint8Array>): string =>
  Hex.encode(keyOf(Redacted.value(root), "root-id").slice(0, 8))

/** The seed of the key pair to which a secret seals the roots of its store. */
export const sealSeedOf = (secret: Redacted.Redacted<Uint8Array>): DerivedKey =>
  Redacted.make(keyOf(Redacted.value(secret), "root-seal"), { label: "root-seal key" })

/** The bytes of a secret. A shorter secret is a defect. */
export const secretBytes = (secret: Redacted.Redacted): Redacted.Redacted<Uint8Array> => {
  const text = Redacted.value(secret)
  if (text.length < vaultSecretMin)
    throw new RangeError(`The vault's secret has at least ${vaultSecretMin} characters.`)
  return Redacted.make(utf8ToBytes(text), { label: "wallet secret" })
}

/** The key of a root for this purpose and context. */
export const deriveFrom = (root: Redacted.Redacted<Uint8Array>, purpose: KeyPurpose, context: string): DerivedKey =>
  Redacted.make(keyOf(Redacted.value(root), purpose, context), { label: `${purpose} key` })

/** Returns a vault over one root that no store knows. */
const vaultOfRoot = (root: Redacted.Redacted<Uint8Array>): KeyVault["Service"] => ({
  derive: (purpose, context, rootId) =>
    rootId === undefined
      ? Effect.sync(() => deriveFrom(root, purpose, context))
      : Effect.die(new Error(`This process has no wallet root ${rootId}.`)),
})

/** Returns a vault whose root is the secret itself, for a process that shares it with no other. A shorter secret is a defect. */
export const vaultOf = (secret: Redacted.Redacted): Layer.Layer<KeyVault> =>
  Layer.sync(KeyVault, () => vaultOfRoot(secretBytes(secret)))
