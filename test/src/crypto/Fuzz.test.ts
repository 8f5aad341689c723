/**
 * Every decoder of the room, given what differs from what was made: it refuses by its own typed failure, and never otherwise.
 * `COUNTERSIGN_FUZZ=100000` asks for more inputs than every run can wait for.
 */
import {
  Base58Check,
  type BundleRefused,
  ExportBundle,
  type Hpke,
  OtpBundle,
  P256,
  SessionBundle,
  Stamp,
} from "@countersign/core/crypto"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import * as fc from "fast-check"
import { node } from "./Layers.ts"
import { mutatedBytes, mutatedText } from "./Mutations.ts"
import { bytes, hex } from "./Vectors.ts"

const numRuns = Number(process.env["COUNTERSIGN_FUZZ"] ?? 1000)
const timeoutMillis = 10_000 + numRuns * 2

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

const refuses = <I, A, E extends { readonly _tag: string }>(
  mutated: fc.Arbitrary<I>,
  decode: (input: I) => Effect.Effect<A, E, P256 | Hpke>,
  tag: E["_tag"],
) => {
  fc.assert(
    fc.property(mutated, (input) => {
      expect(ended(decode(input))).toBe(tag)
    }),
    { numRuns },
  )
}

const header = now(Stamp.make(client, payload))
const stamp = Buffer.from(header, "base64url").toString()

it("a header", { timeout: timeoutMillis }, () => {
  // Of two texts that stand for the same bytes or members, both are read: they are no mutation.
  const told = (text: string) => JSON.stringify(Object.entries(JSON.parse(text)).toSorted()).toLowerCase()
  const isSame = (text: string) => {
    try {
      return told(text) === told(stamp)
    } catch {
      return false
    }
  }
  const texts = mutatedText(stamp).filter((text) => !isSame(text))
  const raw = mutatedText(header).filter((text) => !isSame(Buffer.from(text, "base64").toString()))
  const mutated = fc.oneof(
    raw,
    texts.map((text) => Buffer.from(text).toString("base64url")),
  )
  refuses(mutated, (text) => Stamp.check(text, payload), "StampRefused")
})

it("a DER signature", { timeout: timeoutMillis }, () => {
  const { signature } = JSON.parse(stamp)
  fc.assert(
    fc.property(mutatedBytes(bytes(signature)), (mutated) => {
      expect(now(P256.use((p256) => p256.verify(client.publicKey, payload, hex(mutated))))).toBe(false)
    }),
    { numRuns },
  )
})

it("a session bundle", { timeout: timeoutMillis }, () => {
  const bundle = now(SessionBundle.seal(client.publicKey, service))
  const inside = mutatedBytes(Base58Check.decode(bundle) ?? new Uint8Array()).map(Base58Check.encode)
  // White space around it is allowed.
  const mutated = fc.oneof(mutatedText(bundle), inside).filter((text) => text.trim() !== bundle)
  refuses(mutated, (text) => SessionBundle.open(client, text), "BundleRefused")
})

it("an OTP bundle", { timeout: timeoutMillis }, () => {
  const answer = { otpCode: Redacted.make("000000"), publicKey: service.publicKey }
  const bundle = now(OtpBundle.seal(client.publicKey, answer))
  const members = JSON.parse(bundle)
  const ciphertexts = mutatedBytes(bytes(members.ciphertext)).map((one) =>
    JSON.stringify({ ...members, ciphertext: hex(one) }),
  )
  const points = mutatedBytes(bytes(members.encappedPublic)).map((one) =>
    JSON.stringify({ ...members, encappedPublic: hex(one) }),
  )
  refuses(fc.oneof(ciphertexts, points), (text) => OtpBundle.open(client, text), "BundleRefused")
})

it("signed bundles", { timeout: timeoutMillis }, () => {
  const target = now(OtpBundle.makeTarget(service, client.publicKey, organizationId))
  const exported = { mnemonic: Redacted.make("legal winner thank year"), organizationId }
  const wallet = now(ExportBundle.seal(service, client.publicKey, exported))
  const cases: ReadonlyArray<readonly [string, (text: string) => Effect.Effect<unknown, BundleRefused, P256 | Hpke>]> =
    [
      [target, (text) => OtpBundle.verifyTarget(text, expected)],
      [wallet, (text) => ExportBundle.open(client, text, expected)],
    ]
  for (const [bundle, opened] of cases) {
    const members = JSON.parse(bundle)
    const isSame = (text: string) => {
      try {
        const { data, dataSignature, enclaveQuorumPublic, version } = JSON.parse(text)
        const told = [version, data, dataSignature, enclaveQuorumPublic].join().toLowerCase()
        return (
          told ===
          [members.version, members.data, members.dataSignature, members.enclaveQuorumPublic].join().toLowerCase()
        )
      } catch {
        return false
      }
    }
    const data = mutatedBytes(bytes(members.data)).map((one) => JSON.stringify({ ...members, data: hex(one) }))
    const mutated = fc.oneof(
      mutatedText(bundle).filter((text) => !isSame(text)),
      data,
    )
    refuses(mutated, opened, "BundleRefused")
  }
})
