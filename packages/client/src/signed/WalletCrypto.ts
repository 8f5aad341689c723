/**
 * The cryptography of a wallet's client, as promises: generates keys, seals codes, opens sealed bundles and signs. It runs in browsers;
 * a server may pass a faster crypto layer.
 * Spec: Wallet action signing; wire contract 4.4 to 4.10; D-167.
 */
import {
  ExportBundle,
  type Hpke,
  type KeyPair,
  OtpBundle,
  P256,
  PortableCrypto,
  privateHex,
  SessionBundle,
  type SignedBundle,
  Stamp,
} from "@countersign/core/crypto"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"

/** The expected signer of bundles. Without `signer`, only the integrity of a bundle is checked. */
export interface ExpectedBundle {
  /** The deployment's quorum key, hex. */
  readonly signer?: string
  readonly organizationId?: string
}

export interface WalletCrypto {
  /** Generates a key pair for one authentication, refresh or export; send `keys.publicKey.uncompressed` as `clientPublicKey`. */
  readonly makeKeys: () => Promise<KeyPair>
  /** Returns the private key as hex. Store it where no other program can read it. */
  readonly exportKeys: (keys: KeyPair) => string
  /** Returns the key pair of an exported private key. */
  readonly importKeys: (privateKey: string) => Promise<KeyPair>
  /** Returns the `encryptedOtpBundle`: the code and the session's public key, sealed for the target of a challenge. */
  readonly sealOtp: (
    otpEncryptionTargetBundle: string,
    code: string,
    keys: KeyPair,
    expected?: ExpectedBundle,
  ) => Promise<string>
  /** Returns the session's keys from `encryptedSessionSigningKey`. */
  readonly openSession: (keys: KeyPair, encryptedSessionSigningKey: string) => Promise<KeyPair>
  /** Returns the mnemonic from `encryptedWalletCredentials`. */
  readonly openExport: (keys: KeyPair, encryptedWalletCredentials: string, expected?: ExpectedBundle) => Promise<string>
  /** Returns the signature header of a payload, which is signed byte for byte. */
  readonly stamp: (keys: KeyPair, payloadToSign: string) => Promise<string>
  /** Returns the nonce that an OIDC token must contain for this `clientPublicKey`. */
  readonly oidcNonce: (clientPublicKey: string) => Promise<string>
}

const portable = Layer.provide(PortableCrypto.layer, SecureRandom.layerWebCrypto)

const expectedOf = Effect.fnUntraced(function* ({ organizationId, signer }: ExpectedBundle) {
  const expected: SignedBundle.Expected = organizationId === undefined ? {} : { organizationId }
  return signer === undefined ? expected : { ...expected, signer: yield* P256.use((p256) => p256.publicKey(signer)) }
})

/** Makes the functions on a crypto layer; on a server, `NodeCrypto.layer()` is faster. */
export const walletCrypto = (layer: Layer.Layer<P256 | Hpke> = portable): WalletCrypto => {
  const runtime = ManagedRuntime.make(layer)
  const run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>): Promise<A> => runtime.runPromise(effect)
  return {
    makeKeys: () => run(P256.use((p256) => p256.generate)),
    exportKeys: (keys) => Redacted.value(privateHex(keys)),
    importKeys: (privateKey) => run(P256.use((p256) => p256.keyPair(Redacted.make(privateKey)))),
    sealOtp: (bundle, code, keys, expected = {}) =>
      run(
        Effect.gen(function* () {
          const target = yield* OtpBundle.verifyTarget(bundle, yield* expectedOf(expected))
          return yield* OtpBundle.seal(target, { otpCode: Redacted.make(code), publicKey: keys.publicKey })
        }),
      ),
    openSession: (keys, bundle) => run(SessionBundle.open(keys, bundle)),
    openExport: (keys, bundle, expected = {}) =>
      run(
        Effect.gen(function* () {
          return Redacted.value(yield* ExportBundle.open(keys, bundle, yield* expectedOf(expected)))
        }),
      ),
    stamp: (keys, payload) => run(Stamp.make(keys, payload)),
    oidcNonce: async (clientPublicKey) => {
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(clientPublicKey))
      return Hex.encode(new Uint8Array(hash))
    },
  }
}
