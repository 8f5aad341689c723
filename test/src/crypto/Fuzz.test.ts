/**
 * Fuzz tests of the crypto decoders: a mutated input fails with the decoder's own typed failure and never causes a defect.
 * Inputs that reach a key agreement are fewer, because they are slow; there are still thousands of them.
 */
import { Base58Check, ExportBundle, type Hpke, OtpBundle, P256, SessionBundle, Stamp } from "@countersign/core/crypto"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { node } from "./Layers.ts"
import { type Draw, fuzz, fuzzTimeoutMillis, mutantBytes, mutantText } from "./Mutants.ts"
import { bytes, hex } from "./Vectors.ts"

const options = { timeout: fuzzTimeoutMillis }

const now = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>): A => Effect.runSync(node(effect))

const payload = '{"timestampMs":"1746736509954","type":"ACTIVITY_TYPE_EXPORT_WALLET"}'
const organizationId = "org-1"
const [client, service] = now(
  P256.use(({ derive }) =>
    Effect.all([derive(Redacted.make(new Uint8Array(32).fill(1))), derive(Redacted.make(new Uint8Array(32).fill(2)))]),
  ),
)
const expected = { signer: service.publicKey, organizationId }

/** Returns the tag of the failure, "defect" or "accepted". */
const ended = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E, P256 | Hpke>): string =>
  Exit.match(Effect.runSyncExit(node(effect)), {
    onSuccess: () => "accepted",
    onFailure: (cause) => {
      const found = Cause.findErrorOption(cause)
      return found._tag === "Some" ? found.value._tag : "defect"
    },
  })

/** `isSame` recognizes texts with the same meaning as the valid one, which may be accepted. */
const refuses = <A, E extends { readonly _tag: string }>(
  draw: (draw: Draw) => string,
  decode: (input: string) => Effect.Effect<A, E, P256 | Hpke>,
  tag: E["_tag"],
  isSame: (input: string) => boolean = () => false,
) =>
  fuzz(draw, (input) => {
    const end = ended(decode(input))
    if (end === tag || (end === "accepted" && isSame(input))) return
    expect([input, end]).toEqual([input, tag])
  })

/** Returns a predicate for JSON texts that have the same members in any order and letter case. */
const sameMembers = (names: ReadonlyArray<string>, valid: string) => {
  const valuesOf = (text: string) => {
    const members: Readonly<Record<string, unknown>> = JSON.parse(text)
    return names.map((name) => String(members[name]).toLowerCase()).join()
  }
  return (text: string) => {
    try {
      return valuesOf(text) === valuesOf(valid)
    } catch {
      return false
    }
  }
}

const header = now(Stamp.make(client, payload))
const stamp = Buffer.from(header, "base64url").toString()

it("rejects mutated signature headers", options, async () => {
  const isSame = sameMembers(["publicKey", "scheme", "signature"], stamp)
  await refuses(
    (draw) => (draw(2) === 0 ? mutantText(draw, header) : Buffer.from(mutantText(draw, stamp)).toString("base64url")),
    (text) => Stamp.check(text, payload),
    "StampRefused",
    (text) => isSame(Buffer.from(text, "base64").toString("latin1")),
  )
})

it("rejects mutated DER signatures", options, async () => {
  const signature = bytes(JSON.parse(stamp).signature)
  const p256 = now(P256.use(Effect.succeed))
  await fuzz(
    (draw) => hex(mutantBytes(draw, signature)),
    (mutant) => {
      if (p256.signer(client.publicKey.compressed, payload, mutant) !== undefined) expect.fail(`accepted ${mutant}`)
    },
  )
})

it("decodes no mutated public key to the same key", options, async () => {
  const { compressed, uncompressed } = client.publicKey
  await fuzz(
    (draw) => mutantText(draw, draw(2) === 0 ? compressed : uncompressed),
    (mutant) => {
      // A different x may be another point; a different y is never a point.
      const exit = Effect.runSyncExit(node(P256.use((p256) => p256.publicKey(mutant))))
      if (Exit.isSuccess(exit)) {
        const known = [exit.value.compressed, exit.value.uncompressed]
        expect(known).toContain(mutant.toLowerCase())
        if (mutant.length === 130) expect(mutant.toLowerCase()).toBe(uncompressed)
      } else expect(Cause.hasDies(exit.cause)).toBe(false)
    },
  )
})

it("rejects mutated session bundles", options, async () => {
  const bundle = now(SessionBundle.seal(client.publicKey, service))
  const inside = Base58Check.decode(bundle) ?? new Uint8Array()
  await refuses(
    (draw) => (draw(20) === 0 ? Base58Check.encode(mutantBytes(draw, inside)) : mutantText(draw, bundle)),
    (text) => SessionBundle.open(client, text),
    "BundleRefused",
    // Surrounding white space is allowed.
    (text) => text.trim() === bundle,
  )
})

it("rejects mutated OTP bundles", options, async () => {
  const answer = { otpCode: Redacted.make("000000"), publicKey: service.publicKey }
  const bundle = now(OtpBundle.seal(client.publicKey, answer))
  const members = JSON.parse(bundle)
  const isSame = sameMembers(["encappedPublic", "ciphertext"], bundle)
  await refuses(
    (draw) => {
      const name = ["ciphertext", "encappedPublic", "encappedPublic"][draw(20)]
      return name === undefined
        ? mutantText(draw, bundle)
        : JSON.stringify({ ...members, [name]: hex(mutantBytes(draw, bytes(members[name]))) })
    },
    (text) => OtpBundle.open(client, text),
    "BundleRefused",
    isSame,
  )
})

const signedNames = ["version", "data", "dataSignature", "enclaveQuorumPublic"]

/** Mutates the envelope of a signed bundle, and in a tenth of the cases `data`, which costs a verification each time. */
const signedMutant = (bundle: string) => {
  const members = JSON.parse(bundle)
  return (draw: Draw) => {
    if (draw(10) === 0) return JSON.stringify({ ...members, data: hex(mutantBytes(draw, bytes(members.data))) })
    if (draw(10) === 0) return mutantText(draw, bundle)
    const name = ["version", "dataSignature", "enclaveQuorumPublic"][draw(3)] ?? ""
    return JSON.stringify({ ...members, [name]: mutantText(draw, members[name]) })
  }
}

it("rejects mutated OTP target bundles", options, async () => {
  const bundle = now(OtpBundle.makeTarget(service, client.publicKey, organizationId))
  const opened = (text: string) => OtpBundle.verifyTarget(text, expected)
  await refuses(signedMutant(bundle), opened, "BundleRefused", sameMembers(signedNames, bundle))
})

it("rejects mutated export bundles", options, async () => {
  const exported = { mnemonic: Redacted.make("legal winner thank year"), organizationId }
  const bundle = now(ExportBundle.seal(service, client.publicKey, exported))
  const opened = (text: string) => ExportBundle.open(client, text, expected)
  await refuses(signedMutant(bundle), opened, "BundleRefused", sameMembers(signedNames, bundle))
})
