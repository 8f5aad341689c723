/**
 * The deployment's secret. Every wallet key is derived from it on demand, and none is stored.
 * Source: wire contract 4.9 and 4.10; D-140, D-345.
 */
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted } from "effect"
import { Hex } from "effect/encoding"

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
  /** The key to which the 3-D Secure password of one card is sealed until its issuer has it. */
  | "card-password"

/** 32 bytes. */
export type DerivedKey = Redacted.Redacted<Uint8Array>

export class KeyVault extends Context.Service<
  KeyVault,
  {
    /** Names the secret without revealing it: the same for the same secret, another for any other. */
    readonly rootId: string
    /** Derives the same key for the same purpose and context, and another key for any other. */
    readonly derive: (purpose: KeyPurpose, context: string) => Effect.Effect<DerivedKey>
  }
>()("@countersign/core/KeyVault") {}

/** The shortest secret, in characters. */
export const vaultSecretMin = 32

/** Returns a vault over one secret, which all processes of a deployment share. A shorter secret is a defect. */
export const vaultOf = (secret: Redacted.Redacted): Layer.Layer<KeyVault> =>
  Layer.sync(KeyVault, () => {
    const text = Redacted.value(secret)
    if (text.length < vaultSecretMin)
      throw new RangeError(`The vault's secret has at least ${vaultSecretMin} characters.`)
    const ikm = utf8ToBytes(text)
    const salt = utf8ToBytes("countersign key vault")
    const keyOf = (purpose: string, context: string) =>
      hkdf(sha256, ikm, salt, utf8ToBytes(`${purpose}\u0000${context}`), 32)
    return KeyVault.of({
      // 64 bits tell secrets apart. They do not help to guess one: each guess could be tried on the wallets' public keys, too.
      rootId: Hex.encode(keyOf("root-id", "").slice(0, 8)),
      derive: (purpose, context) =>
        Effect.sync(() => Redacted.make(keyOf(purpose, context), { label: `${purpose} key` })),
    })
  })
