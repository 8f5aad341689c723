/**
 * The decoders of what wallets sign and seal. What they accept must be exactly what a wallet of `node:crypto` accepts, and equal to it; and
 * an input is also sealed and signed as it is, so that what is inside is varied, too.
 */
import { ECDH } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { NodeCrypto } from "@countersign/adapter-http"
import {
  Base58Check,
  ExportBundle,
  type Hpke,
  OtpBundle,
  P256,
  PortableCrypto,
  SessionBundle,
  Stamp,
} from "@countersign/core/crypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { hex, keysOf, type NodeKeys, seal } from "../flows/NodeHpke.ts"
import { signed, stamp } from "../flows/NodeWallet.ts"
import { otpAnswerOf, otpTargetOf, sessionKeyOf, stamperOf, wordsOf } from "./BundleOracle.ts"
import { byteMutator, bytesOf, textOf } from "./ByteMutants.ts"
import { jsonMutator } from "./JsonMutants.ts"
import { acceptedOf } from "./Outcome.ts"
import { base64urlOf, choiceMutator, encodedMutator, joined, partsMutator, partsOf } from "./Parts.ts"
import { holds, type Problem, type Target, type TargetSource } from "./Target.ts"

const client = keysOf("11".repeat(32))
const service = keysOf("22".repeat(32))
const organizationId = "org-1"
const words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

type Run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>) => Effect.Effect<A, E>
const on = (layer: Layer.Layer<P256 | Hpke>): Run => {
  const context = Effect.runSync(Effect.scoped(Layer.build(layer)))
  return (effect) => Effect.provide(effect, context)
}

/** Bundles of the service are opened by clients, in browsers, and those of clients and their signatures by the service. */
const browser = () => on(Layer.provide(PortableCrypto.layer, SecureRandom.layerWebCrypto))
const server = () => on(NodeCrypto.layer())

const pairOf = ({ privateKey }: NodeKeys) => P256.use((p256) => p256.keyPair(Redacted.make(privateKey)))
const publicKeyOf = ({ uncompressed }: NodeKeys) => P256.use((p256) => p256.publicKey(uncompressed))

/** What both accept must be equal, and neither may accept what the other refuses. */
const same = (accepted: unknown, expected: unknown): Problem =>
  holds(accepted === undefined || expected !== undefined, "accepts what node:crypto refuses") ??
  holds(accepted !== undefined || expected === undefined, "refuses what node:crypto accepts") ??
  holds(isDeepStrictEqual(accepted, expected), "another value than with node:crypto")

const sources = (name: string): RegExp =>
  new RegExp(
    `core/src/foundation/crypto/(?:${name}|Sealed|SignedBundle|Hex|JsonObject|Utf8|Portable)|noble/curves|adapter-http/src/crypto`,
    "u",
  )

/** How the second part becomes a bundle. */
type Modes = Readonly<Record<string, (part: string) => string>>

const bundleOf = (modes: Modes, input: string): string => {
  const [mode = "", part = ""] = partsOf(input, 2)
  return modes[mode]?.(part) ?? part
}
const modeMutator = (modes: Modes) => choiceMutator(Object.keys(modes))

const sealedSession = (plain: Uint8Array): string => {
  const { ciphertext, encappedPublic } = seal(hex(client.uncompressed), plain)
  const point = ECDH.convertKey(encappedPublic, "prime256v1", "hex", undefined, "compressed")
  return Base58Check.encode(Buffer.concat([Buffer.from(point), hex(ciphertext)]))
}

const sessionBundles = async (): Promise<Target> => {
  const run = browser()
  const keys = await Effect.runPromise(run(pairOf(client)))
  const valid = await Effect.runPromise(
    run(SessionBundle.seal(keys.publicKey, await Effect.runPromise(run(pairOf(service))))),
  )
  const modes: Modes = {
    sent: (part) => Base58Check.encode(bytesOf(part)),
    text: (part) => part,
    sealed: (part) => sealedSession(bytesOf(part)),
  }
  return {
    name: "session bundles",
    sources: sources("SessionBundle|Base58Check|KeyPair|PublicKey"),
    valid: [
      joined(["sent", textOf(Base58Check.decode(valid) ?? new Uint8Array(0))]),
      joined(["text", ` ${valid}\n`]),
      joined(["sealed", textOf(hex(service.privateKey))]),
    ],
    mutant: partsMutator([modeMutator(modes), byteMutator]),
    check: async (input) => {
      const bundle = bundleOf(modes, input)
      const accepted = await acceptedOf(run(SessionBundle.open(keys, bundle)), "BundleRefused")
      const privateKey = accepted && Buffer.from(Redacted.value(accepted.privateKey)).toString("hex")
      return same(privateKey, sessionKeyOf(client, bundle))
    },
  }
}

const otpBundles = async (): Promise<Target> => {
  const run = server()
  const keys = await Effect.runPromise(run(pairOf(service)))
  const answer = {
    otpCode: Redacted.make("000000"),
    publicKey: (await Effect.runPromise(run(pairOf(client)))).publicKey,
  }
  const valid = await Effect.runPromise(run(OtpBundle.seal(keys.publicKey, answer)))
  const modes: Modes = { sent: (part) => part, sealed: (part) => JSON.stringify(seal(hex(service.uncompressed), part)) }
  return {
    name: "OTP bundles",
    sources: sources("OtpBundle|PublicKey"),
    valid: [
      joined(["sent", valid]),
      joined(["sealed", JSON.stringify({ otp_code: "000000", public_key: client.compressed })]),
      joined(["sealed", JSON.stringify({ otp_code: "", public_key: client.uncompressed })]),
    ],
    mutant: partsMutator([modeMutator(modes), jsonMutator]),
    check: async (input) => {
      const bundle = bundleOf(modes, input)
      const accepted = await acceptedOf(run(OtpBundle.open(keys, bundle)), "BundleRefused")
      const found = accepted && [Redacted.value(accepted.otpCode), accepted.publicKey.uncompressed]
      return same(found, otpAnswerOf(service, bundle))
    },
  }
}

/** Signs members as the service does. */
const signedBundle = (data: string): string =>
  JSON.stringify({
    version: "v1.0.0",
    data: Buffer.from(data).toString("hex"),
    dataSignature: signed(service, Buffer.from(data)).toString("hex"),
    enclaveQuorumPublic: service.uncompressed,
  })

const otpTargets = async (): Promise<Target> => {
  const run = browser()
  const signer = await Effect.runPromise(run(publicKeyOf(service)))
  const quorum = await Effect.runPromise(run(pairOf(service)))
  const target = await Effect.runPromise(run(publicKeyOf(client)))
  const valid = await Effect.runPromise(run(OtpBundle.makeTarget(quorum, target, organizationId)))
  const modes: Modes = { sent: (part) => part, signed: signedBundle }
  return {
    name: "OTP target bundles",
    sources: sources("OtpBundle|PublicKey"),
    valid: [
      joined(["sent", valid]),
      joined(["signed", JSON.stringify({ targetPublic: client.uncompressed, organizationId })]),
      joined(["signed", JSON.stringify({ targetPublic: client.compressed, organizationId })]),
    ],
    mutant: partsMutator([modeMutator(modes), jsonMutator]),
    check: async (input) => {
      const bundle = bundleOf(modes, input)
      const accepted = await acceptedOf(
        run(OtpBundle.verifyTarget(bundle, { signer, organizationId })),
        "BundleRefused",
      )
      return same(accepted?.uncompressed, otpTargetOf(service, organizationId, bundle))
    },
  }
}

const exportBundles = async (): Promise<Target> => {
  const run = browser()
  const signer = await Effect.runPromise(run(publicKeyOf(service)))
  const quorum = await Effect.runPromise(run(pairOf(service)))
  const keys = await Effect.runPromise(run(pairOf(client)))
  const exported = { mnemonic: Redacted.make(words), organizationId }
  const valid = await Effect.runPromise(run(ExportBundle.seal(quorum, keys.publicKey, exported)))
  const sealed = (plain: string) => JSON.stringify({ ...seal(hex(client.uncompressed), plain), organizationId })
  const modes: Modes = { sent: (part) => part, signed: signedBundle, sealed: (part) => signedBundle(sealed(part)) }
  return {
    name: "export bundles",
    sources: sources("ExportBundle|PublicKey"),
    valid: [joined(["sent", valid]), joined(["signed", sealed(words)]), joined(["sealed", words])],
    mutant: partsMutator([modeMutator(modes), jsonMutator]),
    check: async (input) => {
      const bundle = bundleOf(modes, input)
      const accepted = await acceptedOf(
        run(ExportBundle.open(keys, bundle, { signer, organizationId })),
        "BundleRefused",
      )
      return same(accepted && Redacted.value(accepted), wordsOf(service, client, organizationId, bundle))
    },
  }
}

const payload = '{"timestampMs":"1746736509954","type":"ACTIVITY_TYPE_EXPORT_WALLET"}'

const stamps = (): Target => {
  const run = server()
  const envelope = Buffer.from(stamp(client, payload), "base64url").toString()
  return {
    name: "stamps",
    sources: sources("Stamp|P256"),
    valid: [joined([payload, envelope])],
    mutant: partsMutator([jsonMutator, encodedMutator(base64urlOf, jsonMutator)]),
    check: async (input) => {
      const [signedPayload = "", part = ""] = partsOf(input, 2)
      const header = base64urlOf(part)
      const accepted = await acceptedOf(run(Stamp.check(header, signedPayload)), "StampRefused")
      return same(accepted?.compressed, stamperOf(header, signedPayload))
    },
  }
}

export const bundleTargets: ReadonlyArray<TargetSource> = [
  { name: "session bundles", cost: 80, make: sessionBundles },
  { name: "OTP bundles", cost: 20, make: otpBundles },
  { name: "OTP target bundles", cost: 80, make: otpTargets },
  { name: "export bundles", cost: 80, make: exportBundles },
  { name: "stamps", cost: 10, make: stamps },
]
