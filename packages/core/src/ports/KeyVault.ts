/**
 * Where the deployment's secret is: every key that wallets need is derived from it when it is needed, and none is stored.
 * Source: wire contract 4.9 and 4.10; D-140.
 */
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted } from "effect"

/** What a key is for: keys of two purposes have nothing in common. */
export type KeyPurpose =
  /** Signs the bundles of the deployment; clients pin its public half. */
  | "quorum"
  /** The key to which one code is sealed. */
  | "otp-target"
  /** Marks codes, so that none stands in the store in clear. */
  | "otp-code"
  /** Marks the bodies of signed requests. */
  | "request-body"
  /** The words of one wallet. */
  | "wallet"
  /** The key to which the person of a wallet delegates: signs for the service in that person's stead. */
  | "delegated-key"
  /** The key to which the 3-D Secure password of one card is sealed until its issuer has it. */
  | "card-password"

/** 32 bytes. */
export type DerivedKey = Redacted.Redacted<Uint8Array>

export class KeyVault extends Context.Service<
  KeyVault,
  {
    /** The same key each time for one purpose and one context; another one for any other. */
    readonly derive: (purpose: KeyPurpose, context: string) => Effect.Effect<DerivedKey>
  }
>()("@countersign/core/KeyVault") {}

/** The shortest secret, in characters. */
export const vaultSecretMin = 32

/** A vault over one secret that all processes of a deployment share. A shorter one is a defect. */
export const vaultOf = (secret: Redacted.Redacted): Layer.Layer<KeyVault> =>
  Layer.sync(KeyVault, () => {
    const text = Redacted.value(secret)
    if (text.length < vaultSecretMin)
      throw new RangeError(`The vault's secret has at least ${vaultSecretMin} characters.`)
    const ikm = utf8ToBytes(text)
    const salt = utf8ToBytes("countersign key vault")
    return KeyVault.of({
      derive: (purpose, context) =>
        Effect.sync(() => {
          const key = hkdf(sha256, ikm, salt, utf8ToBytes(`${purpose}\u0000${context}`), 32)
          return Redacted.make(key, { label: `${purpose} key` })
        }),
    })
  })
