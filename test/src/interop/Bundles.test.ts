/**
 * Interoperability with an independent, published client library of the same wire formats: each side opens what the other seals.
 * Source: wire contract 4.9.
 */
import { ExportBundle, OtpBundle, P256, privateHex, Sealed, SessionBundle, Stamp } from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { layers } from "../crypto/Layers.ts"
import { bytes, hex } from "../crypto/Vectors.ts"
import { client as foreign } from "./Foreign.ts"

const mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"
const organizationId = "org-1"

/** Key pair that the foreign client generated. */
const foreignKeys = Effect.gen(function* () {
  const p256 = yield* P256
  const drawn = foreign.generateP256KeyPair()
  const pair = yield* p256.keyPair(Redacted.make(drawn.privateKey))
  // Both sides encode the public key in the same two forms.
  expect(pair.publicKey).toEqual({ compressed: drawn.publicKey, uncompressed: drawn.publicKeyUncompressed })
  return { ...drawn, pair }
})

describe.each(layers)("%s", (_, run) => {
  // Proves: SIGN-16, SIGN-17, SIGN-18, SIGN-19, SIGN-20
  it.effect("seals a session key that the foreign client opens", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const client = yield* foreignKeys
        const session = yield* p256.generate
        const bundle = yield* SessionBundle.seal(client.pair.publicKey, session)
        expect(foreign.decryptCredentialBundle(bundle, client.privateKey)).toBe(Redacted.value(privateHex(session)))
        // 81 bytes in base 58
        expect(bundle.length).toBeGreaterThan(112)
        expect(bundle.length).toBeLessThan(118)
      }),
    ),
  )

  // Proves: SIGN-13, SIGN-18
  it.effect("opens the one-time code that the foreign client sealed to our target", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const quorum = yield* p256.generate
        const target = yield* p256.generate
        const client = yield* foreignKeys
        const bundle = yield* OtpBundle.makeTarget(quorum, target.publicKey, organizationId)
        const sealed = yield* Effect.promise(() =>
          foreign.encryptOtpCodeToBundle("000000", bundle, client.publicKey, quorum.publicKey.uncompressed),
        )
        const { otpCode, publicKey } = yield* OtpBundle.open(target, sealed)
        expect(Redacted.value(otpCode)).toBe("000000")
        expect(publicKey).toEqual(client.pair.publicKey)
      }),
    ),
  )

  it.effect("signs its target so that the foreign client rejects another signer", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const [quorum, other, target] = [yield* p256.generate, yield* p256.generate, yield* p256.generate]
        const client = yield* foreignKeys
        const bundle = yield* OtpBundle.makeTarget(other, target.publicKey, organizationId)
        const refused = foreign.encryptOtpCodeToBundle("1", bundle, client.publicKey, quorum.publicKey.uncompressed)
        yield* Effect.promise(() => expect(refused).rejects.toThrow("signer key"))
      }),
    ),
  )

  it.effect("exports a wallet that the foreign client opens", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const quorum = yield* p256.generate
        const client = yield* foreignKeys
        const exported = { mnemonic: Redacted.make(mnemonic), organizationId }
        const exportBundle = yield* ExportBundle.seal(quorum, client.pair.publicKey, exported)
        const opened = yield* Effect.promise(() =>
          foreign.decryptExportBundle({
            exportBundle,
            embeddedKey: client.privateKey,
            organizationId,
            dangerouslyOverrideSignerPublicKey: quorum.publicKey.uncompressed,
            returnMnemonic: true,
          }),
        )
        expect(opened).toBe(mnemonic)
      }),
    ),
  )

  it.effect("seals and opens messages compatibly with the foreign client", () =>
    run(
      Effect.gen(function* () {
        const client = yield* foreignKeys
        for (const length of [0, 1, 32, 1000]) {
          const plaintext = new Uint8Array(length).fill(length)
          const ours = yield* Sealed.seal(client.pair.publicKey, plaintext)
          const opened = foreign.hpkeDecrypt({
            ciphertextBuf: ours.ciphertext,
            encappedKeyBuf: ours.encapsulated,
            receiverPriv: client.privateKey,
          })
          expect(hex(opened)).toBe(hex(plaintext))
          const targetKeyBuf = bytes(client.publicKeyUncompressed)
          const theirs = Sealed.fromText(
            JSON.parse(foreign.formatHpkeBuf(foreign.hpkeEncrypt({ plainTextBuf: plaintext, targetKeyBuf }))),
          )
          if (theirs === undefined) throw new Error("not read")
          expect(hex(yield* Sealed.open(client.pair, theirs))).toBe(hex(plaintext))
        }
      }),
    ),
  )

  it.effect("creates stamps that the foreign client verifies", () =>
    run(
      Effect.gen(function* () {
        const key = yield* (yield* P256).generate
        const payload = '{"żółć":"€"}'
        const { publicKey, signature } = JSON.parse(
          Buffer.from(yield* Stamp.make(key, payload), "base64url").toString(),
        )
        expect(yield* Effect.promise(() => foreign.verifyStampSignature(publicKey, signature, payload))).toBe(true)
        expect(yield* Effect.promise(() => foreign.verifyStampSignature(publicKey, signature, `${payload} `))).toBe(
          false,
        )
      }),
    ),
  )
})
