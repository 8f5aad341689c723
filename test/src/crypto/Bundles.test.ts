/** Bundles: format, the check that rejects each invalid bundle, and refusals without secrets. */
import { inspect } from "node:util"
import {
  Base58Check,
  BundleRefused,
  ExportBundle,
  type Hpke,
  type KeyPair,
  OtpBundle,
  P256,
  Sealed,
  SessionBundle,
  SignedBundle,
} from "@countersign/core/crypto"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { layers, node } from "./Layers.ts"
import { bytes, hex } from "./Vectors.ts"

const organizationId = "org-1"
const mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"

const generate = P256.use((p256) => p256.generate)
const refusal = <A>(effect: Effect.Effect<A, BundleRefused, P256 | Hpke>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

/** Returns the bundle with changed members. */
const changed = (bundle: string, change: { readonly [member: string]: unknown }) =>
  JSON.stringify({ ...JSON.parse(bundle), ...change })

describe.each(layers)("on %s", (_, run) => {
  // Proves: SIGN-16, SIGN-17
  it.effect("seals a session bundle of 81 bytes in base58check for one client only", () =>
    run(
      Effect.gen(function* () {
        const [client, session, other] = [yield* generate, yield* generate, yield* generate]
        const bundle = yield* SessionBundle.seal(client.publicKey, session)
        expect(Base58Check.decode(bundle)?.length).toBe(81)
        const opened = yield* SessionBundle.open(client, ` ${bundle}\n`)
        expect(Redacted.value(opened.privateKey)).toEqual(Redacted.value(session.privateKey))
        expect(opened.publicKey).toEqual(session.publicKey)
        expect(yield* refusal(SessionBundle.open(other, bundle))).toBe("NOT_OPENED")
      }),
    ),
  )

  it.effect("treats an invalid session bundle as malformed", () =>
    run(
      Effect.gen(function* () {
        const client = yield* generate
        const bundle = yield* SessionBundle.seal(client.publicKey, yield* generate)
        const payload = Base58Check.decode(bundle) ?? new Uint8Array()
        const notPoint = Uint8Array.of(0x04, ...payload.slice(1))
        for (const wrong of [
          "",
          "0",
          bundle.slice(1),
          `${bundle}1`,
          Base58Check.encode(payload.slice(1)),
          Base58Check.encode(notPoint),
        ]) {
          expect(yield* refusal(SessionBundle.open(client, wrong))).toBe("MALFORMED")
        }
      }),
    ),
  )

  // Proves: SIGN-20
  it.effect("rejects a session bundle without a key", () =>
    run(
      Effect.gen(function* () {
        const client = yield* generate
        const { ciphertext, encapsulated } = yield* Sealed.seal(client.publicKey, new Uint8Array(32))
        const point = (yield* (yield* P256).publicKey(hex(encapsulated))).compressed
        const bundle = Base58Check.encode(Uint8Array.of(...bytes(point), ...ciphertext))
        expect(yield* refusal(SessionBundle.open(client, bundle))).toBe("NOT_OPENED")
      }),
    ),
  )

  // Proves: SIGN-12, SIGN-15
  it.effect("creates a target bundle of four members with signed data", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const [quorum, target] = [yield* generate, yield* generate]
        const bundle = yield* OtpBundle.makeTarget(quorum, target.publicKey, organizationId)
        const { data, dataSignature, ...rest } = JSON.parse(bundle)
        expect(rest).toEqual({ version: "v1.0.0", enclaveQuorumPublic: quorum.publicKey.uncompressed })
        expect(JSON.parse(Buffer.from(data, "hex").toString())).toEqual({
          targetPublic: target.publicKey.uncompressed,
          organizationId,
        })
        expect(yield* p256.verify(quorum.publicKey, bytes(data), dataSignature)).toBe(true)
        expect(yield* OtpBundle.verifyTarget(bundle)).toEqual(target.publicKey)
      }),
    ),
  )

  it.effect("rejects each invalid target bundle with the reason of the failed check", () =>
    run(
      Effect.gen(function* () {
        const [quorum, other, target] = [yield* generate, yield* generate, yield* generate]
        const bundle = yield* OtpBundle.makeTarget(quorum, target.publicKey, organizationId)
        const { data, dataSignature } = JSON.parse(bundle)
        const expected = { signer: quorum.publicKey, organizationId }
        const verify = (text: string) => OtpBundle.verifyTarget(text, expected)
        const signed = (members: { readonly [member: string]: string }) => SignedBundle.make(quorum, members)
        const cases: ReadonlyArray<readonly [string, BundleRefused["reason"]]> = [
          ["'{}'", "MALFORMED"],
          ["[]", "MALFORMED"],
          [changed(bundle, { version: "v2.0.0" }), "MALFORMED"],
          [changed(bundle, { data: "xx" }), "MALFORMED"],
          [changed(bundle, { data: "" }), "MALFORMED"],
          [changed(bundle, { dataSignature: "" }), "MALFORMED"],
          [changed(bundle, { enclaveQuorumPublic: "04" }), "MALFORMED"],
          [changed(bundle, { enclaveQuorumPublic: null }), "MALFORMED"],
          [changed(bundle, { enclaveQuorumPublic: other.publicKey.uncompressed }), "UNTRUSTED_SIGNER"],
          [changed(bundle, { data: `${data}20` }), "INVALID_SIGNATURE"],
          [changed(bundle, { dataSignature: `${dataSignature}00` }), "INVALID_SIGNATURE"],
          [yield* OtpBundle.makeTarget(other, target.publicKey, organizationId), "UNTRUSTED_SIGNER"],
          [yield* OtpBundle.makeTarget(quorum, target.publicKey, "org-2"), "ORGANIZATION_MISMATCH"],
          [yield* signed({ organizationId }), "MALFORMED"],
          [yield* signed({ organizationId, targetPublic: "04" }), "MALFORMED"],
        ]
        for (const [text, reason] of cases) expect([text, yield* refusal(verify(text))]).toEqual([text, reason])
        // Without a pinned key, the signature must be of the key that the bundle names.
        const renamed = changed(bundle, { enclaveQuorumPublic: other.publicKey.uncompressed })
        expect(yield* refusal(OtpBundle.verifyTarget(renamed))).toBe("INVALID_SIGNATURE")
      }),
    ),
  )

  // Proves: SIGN-13
  it.effect("opens an OTP bundle with either form of the key and surrounding white space", () =>
    run(
      Effect.gen(function* () {
        const [client, target] = [yield* generate, yield* generate]
        for (const key of [
          client.publicKey.compressed,
          client.publicKey.uncompressed,
          client.publicKey.compressed.toUpperCase(),
        ]) {
          const plaintext = Buffer.from(JSON.stringify({ otp_code: "000000", public_key: key }))
          const bundle = JSON.stringify(Sealed.toText(yield* Sealed.seal(target.publicKey, plaintext)))
          expect(yield* OtpBundle.open(target, ` ${bundle} `)).toMatchObject({ publicKey: client.publicKey })
        }
      }),
    ),
  )

  it.effect("rejects every invalid OTP bundle with the same reason", () =>
    run(
      Effect.gen(function* () {
        const [client, target, other] = [yield* generate, yield* generate, yield* generate]
        const sealed = (plaintext: string, to: KeyPair = target) =>
          Effect.map(Sealed.seal(to.publicKey, Buffer.from(plaintext)), (one) => JSON.stringify(Sealed.toText(one)))
        const key = client.publicKey.compressed
        const right = JSON.stringify({ otp_code: "000000", public_key: key })
        const bundle = yield* sealed(right)
        const { ciphertext, encappedPublic } = JSON.parse(bundle)
        const cases = [
          "",
          "null",
          `'${bundle}'`,
          JSON.stringify(bundle),
          changed(bundle, { ciphertext: "" }),
          changed(bundle, { ciphertext: `${ciphertext}00` }),
          changed(bundle, { ciphertext: ciphertext.slice(0, 30) }),
          changed(bundle, { encappedPublic: client.publicKey.uncompressed }),
          changed(bundle, { encappedPublic: encappedPublic.slice(0, 128) }),
          changed(bundle, { encappedPublic: `06${encappedPublic.slice(2)}` }),
          changed(bundle, { encappedPublic: `04${"00".repeat(64)}` }),
          yield* sealed(right, other),
          yield* sealed("no JSON"),
          yield* sealed(JSON.stringify({ otp_code: "000000" })),
          yield* sealed(JSON.stringify({ otp_code: 0, public_key: key })),
          yield* sealed(JSON.stringify({ otp_code: "000000", public_key: `${key}00` })),
          yield* sealed(JSON.stringify({ otpCode: "000000", publicKey: key })),
        ]
        for (const text of cases)
          expect([text, yield* refusal(OtpBundle.open(target, text))]).toEqual([text, "NOT_OPENED"])
        expect(Redacted.value((yield* OtpBundle.open(target, bundle)).otpCode)).toBe("000000")
      }),
    ),
  )

  it.effect("signs an export bundle, which opens for its client and organization only", () =>
    run(
      Effect.gen(function* () {
        const [quorum, client, other] = [yield* generate, yield* generate, yield* generate]
        const exported = { mnemonic: Redacted.make(mnemonic), organizationId }
        const bundle = yield* ExportBundle.seal(quorum, client.publicKey, exported)
        const { data, ...rest } = JSON.parse(bundle)
        expect(rest).toMatchObject({ version: "v1.0.0", enclaveQuorumPublic: quorum.publicKey.uncompressed })
        expect(Object.keys(JSON.parse(Buffer.from(data, "hex").toString())).toSorted()).toEqual([
          "ciphertext",
          "encappedPublic",
          "organizationId",
        ])
        const expected = { signer: quorum.publicKey, organizationId }
        expect(Redacted.value(yield* ExportBundle.open(client, bundle, expected))).toBe(mnemonic)
        expect(yield* refusal(ExportBundle.open(other, bundle, expected))).toBe("NOT_OPENED")
        const elsewhere = { ...expected, organizationId: "org-2" }
        expect(yield* refusal(ExportBundle.open(client, bundle, elsewhere))).toBe("ORGANIZATION_MISMATCH")
        const stranger = { ...expected, signer: other.publicKey }
        expect(yield* refusal(ExportBundle.open(client, bundle, stranger))).toBe("UNTRUSTED_SIGNER")
        const notSealed = yield* SignedBundle.make(quorum, { organizationId })
        expect(yield* refusal(ExportBundle.open(client, notSealed, expected))).toBe("MALFORMED")
      }),
    ),
  )

  it.effect("seals the same content to a different bundle each time", () =>
    run(
      Effect.gen(function* () {
        const [client, session] = [yield* generate, yield* generate]
        const bundles = yield* Effect.replicateEffect(SessionBundle.seal(client.publicKey, session), 20)
        expect(new Set(bundles).size).toBe(20)
      }),
    ),
  )

  it.effect("reveals no key, code or mnemonic in a value, a failure or a defect", () =>
    run(
      Effect.gen(function* () {
        const p256 = yield* P256
        const [client, session, quorum] = [yield* generate, yield* generate, yield* generate]
        const otpCode = Redacted.make("418293")
        const answer = { otpCode, publicKey: client.publicKey }
        const exported = { mnemonic: Redacted.make(mnemonic), organizationId }
        const wallet = yield* ExportBundle.seal(quorum, client.publicKey, exported)
        const otp = yield* OtpBundle.seal(client.publicKey, answer)
        const shown: ReadonlyArray<unknown> = [
          client,
          session,
          yield* SessionBundle.open(client, yield* SessionBundle.seal(client.publicKey, session)),
          yield* OtpBundle.open(client, otp),
          yield* ExportBundle.open(client, wallet),
          yield* Effect.exit(SessionBundle.open(session, yield* SessionBundle.seal(client.publicKey, session))),
          yield* Effect.exit(OtpBundle.open(session, otp)),
          yield* Effect.exit(ExportBundle.open(session, wallet)),
          yield* Effect.exit(p256.keyPair(Redacted.make(`${mnemonic} 418293`))),
          yield* Effect.exit(p256.derive(Redacted.make(Buffer.from(mnemonic.slice(0, 31))))),
        ]
        const output = shown
          .map((one) => {
            const failure = Exit.isExit(one) && Exit.isFailure(one) ? Cause.pretty(one.cause) : ""
            return `${inspect(one, { depth: 9 })} ${JSON.stringify(one)} ${String(one)} ${failure}`
          })
          .join("\n")
        const secrets = [client, session].map(({ privateKey }) => Redacted.value(privateKey))
        for (const secret of [
          ...secrets.map(hex),
          ...secrets.map((key) => key.join(",")),
          mnemonic,
          "legal winner",
          "418293",
        ]) {
          expect(output).not.toContain(secret)
        }
        expect(inspect(secrets[0])).not.toBe("")
      }),
    ),
  )
})

it.effect("a refusal has the message of its reason", () =>
  node(
    Effect.gen(function* () {
      const error = yield* Effect.flip(SessionBundle.open(yield* generate, "0"))
      expect(error).toBeInstanceOf(BundleRefused)
      expect(error.message).toBe("The bundle cannot be read.")
    }),
  ),
)
