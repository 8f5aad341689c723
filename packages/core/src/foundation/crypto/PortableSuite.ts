/**
 * The cipher suite of the portable layer: @hpke/core on Web Cryptography.
 * Source: wire contract 4.9.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core"
import { hexToBytes } from "@noble/hashes/utils.js"
import { Effect, Redacted } from "effect"
import { type HpkePrimitives, NotOpened } from "./Hpke.ts"
import type { KeyPair } from "./KeyPair.ts"
import type { PublicKey } from "./PublicKey.ts"

/** The key encapsulation. `agree` exposes its key agreement, which has test vectors of its own. */
class Kem extends DhkemP256HkdfSha256 {
  readonly agree = async (key: KeyPair, peer: PublicKey): Promise<ArrayBuffer> =>
    this._prim.dh(await privateKeyOf(key), await publicKeyOf(peer))
}

export const kem = new Kem()
const kdf = new HkdfSha256()
const aead = new Aes256Gcm()
export const suite = new CipherSuite({ kem, kdf, aead })

export const publicKeyOf = (key: PublicKey) => kem.deserializePublicKey(hexToBytes(key.uncompressed))
const privateKeyOf = (key: KeyPair) => kem.deserializePrivateKey(Redacted.value(key.privateKey))

export const keyPairOf = async (key: KeyPair) => ({
  privateKey: await privateKeyOf(key),
  publicKey: await publicKeyOf(key.publicKey),
})

const bytes = (run: () => Promise<ArrayBuffer>) => Effect.promise(async () => new Uint8Array(await run()))

export const primitives: HpkePrimitives = {
  sharedSecret: (key, peer) =>
    Effect.map(
      bytes(() => kem.agree(key, peer)),
      Redacted.make,
    ),
  hkdf: (ikm, salt, info, lengthBytes) => bytes(() => kdf.extractAndExpand(salt, ikm, info, lengthBytes)),
  aeadSeal: (key, nonce, plaintext, aad) => bytes(() => aead.createEncryptionContext(key).seal(nonce, plaintext, aad)),
  aeadOpen: (key, nonce, ciphertext, aad) =>
    Effect.tryPromise({
      try: async () => new Uint8Array(await aead.createEncryptionContext(key).open(nonce, ciphertext, aad)),
      catch: () => new NotOpened(),
    }),
}
