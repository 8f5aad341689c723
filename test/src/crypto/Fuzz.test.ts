/**
 * Every decoder of the room, given what differs from what was made: it refuses by its own typed failure, and never otherwise.
 * Inputs that cost a key agreement are fewer than those that fail before it; there are thousands of them all the same.
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

/** The tag of the failure; a defect or an answer is told as such. */
const ended = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E, P256 | Hpke>): string =>
  Exit.match(Effect.runSyncExit(node(effect)), {
    onSuccess: () => "accepted",
    onFailure: (cause) => {
      const found = Cause.findErrorOption(cause)
      return found._tag === "Some" ? found.value._tag : "defect"
    },
  })

/** `isSame` tells which texts say the same as the valid one: they are no mutation. */
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

/** Whether a text of JSON has the members of another, in whatever order and letter case. */
const sameMembers = (names: ReadonlyArray<string>, valid: string) => {
  const told = (text: string) => {
    const members: Readonly<Record<string, unknown>> = JSON.parse(text)
    return names.map((name) => String(members[name]).toLowerCase()).join()
  }
  return (text: string) => {
    try {
      return told(text) === told(valid)
    } catch {
      return false
    }
  }
}

const header = now(Stamp.make(client, payload))
const stamp = Buffer.from(header, "base64url").toString()

it("a header", options, async () => {
  const isSame = sameMembers(["publicKey", "scheme", "signature"], stamp)
  await refuses(
    (draw) => (draw(2) === 0 ? mutantText(draw, header) : Buffer.from(mutantText(draw, stamp)).toString("base64url")),
    (text) => Stamp.check(text, payload),
    "StampRefused",
    (text) => isSame(Buffer.from(text, "base64").toString("latin1")),
  )
})

it("a DER signature", options, async () => {
  const signature = bytes(JSON.parse(stamp).signature)
  const p256 = now(P256.use(Effect.succeed))
  await fuzz(
    (draw) => hex(mutantBytes(draw, signature)),
    (mutant) => {
      if (p256.signer(client.publicKey.compressed, payload, mutant) !== undefined) expect.fail(`accepted ${mutant}`)
    },
  )
})

it("a public key", options, async () => {
  const { compressed, uncompressed } = client.publicKey
  await fuzz(
    (draw) => mutantText(draw, draw(2) === 0 ? compressed : uncompressed),
    (mutant) => {
      // Another x may be a point, too, though not this one; another y never is.
      const exit = Effect.runSyncExit(node(P256.use((p256) => p256.publicKey(mutant))))
      if (Exit.isSuccess(exit)) {
        const known = [exit.value.compressed, exit.value.uncompressed]
        expect(known).toContain(mutant.toLowerCase())
        if (mutant.length === 130) expect(mutant.toLowerCase()).toBe(uncompressed)
      } else expect(Cause.hasDies(exit.cause)).toBe(false)
    },
  )
})

it("a session bundle", options, async () => {
  const bundle = now(SessionBundle.seal(client.publicKey, service))
  const inside = Base58Check.decode(bundle) ?? new Uint8Array()
  await refuses(
    (draw) => (draw(20) === 0 ? Base58Check.encode(mutantBytes(draw, inside)) : mutantText(draw, bundle)),
    (text) => SessionBundle.open(client, text),
    "BundleRefused",
    // White space around it is allowed.
    (text) => text.trim() === bundle,
  )
})

it("an OTP bundle", options, async () => {
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

/** Mostly what the bundle says of itself; `data` is long and costs a verification each time, and is changed in every tenth. */
const signedMutant = (bundle: string) => {
  const members = JSON.parse(bundle)
  return (draw: Draw) => {
    if (draw(10) === 0) return JSON.stringify({ ...members, data: hex(mutantBytes(draw, bytes(members.data))) })
    if (draw(10) === 0) return mutantText(draw, bundle)
    const name = ["version", "dataSignature", "enclaveQuorumPublic"][draw(3)] ?? ""
    return JSON.stringify({ ...members, [name]: mutantText(draw, members[name]) })
  }
}

it("an OTP target bundle", options, async () => {
  const bundle = now(OtpBundle.makeTarget(service, client.publicKey, organizationId))
  const opened = (text: string) => OtpBundle.verifyTarget(text, expected)
  await refuses(signedMutant(bundle), opened, "BundleRefused", sameMembers(signedNames, bundle))
})

it("an export bundle", options, async () => {
  const exported = { mnemonic: Redacted.make("legal winner thank year"), organizationId }
  const bundle = now(ExportBundle.seal(service, client.publicKey, exported))
  const opened = (text: string) => ExportBundle.open(client, text, expected)
  await refuses(signedMutant(bundle), opened, "BundleRefused", sameMembers(signedNames, bundle))
})
