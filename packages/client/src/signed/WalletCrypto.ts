/**
 * What a wallet's client does with keys, as promises: makes them, seals a code, opens what was sealed for it, signs. For a browser, and
 * on a server with another layer of the crypto room.
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

/** What a client knows beforehand of who signs bundles. Without `signer` a bundle only has to be whole. */
export interface ExpectedBundle {
  /** The deployment's quorum key, hex. */
  readonly signer?: string
  readonly organizationId?: string
}

export interface WalletCrypto {
  /** A fresh pair, for each authentication, refresh and export: `keys.publicKey.uncompressed` goes out as `clientPublicKey`. */
  readonly makeKeys: () => Promise<KeyPair>
  /** The private key as hex, to be kept where nobody else reads it, and the pair of it. */
  readonly exportKeys: (keys: KeyPair) => string
  readonly importKeys: (privateKey: string) => Promise<KeyPair>
  /** `encryptedOtpBundle`: the code, for the target of a challenge, with the key that will be the session's. */
  readonly sealOtp: (
    otpEncryptionTargetBundle: string,
    code: string,
    keys: KeyPair,
    expected?: ExpectedBundle,
  ) => Promise<string>
  /** The session's own keys, out of `encryptedSessionSigningKey`. */
  readonly openSession: (keys: KeyPair, encryptedSessionSigningKey: string) => Promise<KeyPair>
  /** The mnemonic, out of `encryptedWalletCredentials`. */
  readonly openExport: (keys: KeyPair, encryptedWalletCredentials: string, expected?: ExpectedBundle) => Promise<string>
  /** The signature header of a payload, which is signed as it is, byte for byte. */
  readonly stamp: (keys: KeyPair, payloadToSign: string) => Promise<string>
  /** The nonce that an OIDC token has to carry for this `clientPublicKey`. */
  readonly oidcNonce: (clientPublicKey: string) => Promise<string>
}

const portable = Layer.provide(PortableCrypto.layer, SecureRandom.layerWebCrypto)

const expectedOf = Effect.fnUntraced(function* ({ organizationId, signer }: ExpectedBundle) {
  const expected: SignedBundle.Expected = organizationId === undefined ? {} : { organizationId }
  return signer === undefined ? expected : { ...expected, signer: yield* P256.use((p256) => p256.publicKey(signer)) }
})

/** The helpers on a layer of the crypto room; on a server, `NodeCrypto.layer()` is faster. */
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
