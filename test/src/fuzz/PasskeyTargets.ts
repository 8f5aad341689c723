/** The decoders of passkeys: CBOR of attestations, authenticator data, registrations and assertions. */
import { createHash, createPrivateKey, sign } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { WalletChecks } from "@countersign/adapter-http"
import { PasskeyChecks, type RegisteredPasskey } from "@countersign/core/ports"
import { Effect } from "effect"
import { attestedOf, authenticatorOf } from "../../../packages/adapter-http/src/wallet/PasskeyParts.ts"
import { type PasskeyDevice, passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import * as SeededKey from "../../../packages/test/src/harness/SeededKey.ts"
import { byteMutator, bytesOf, textOf } from "./ByteMutants.ts"
import { authenticatorDataMutator, cborMutator } from "./CborMutants.ts"
import { jsonMutator } from "./JsonMutants.ts"
import { acceptedOf } from "./Outcome.ts"
import { base64urlOf, choiceMutator, encodedMutator, joined, partsMutator, partsOf } from "./Parts.ts"
import { isKey, isSignedBy, readAttestation, readAuthenticator } from "./PasskeyOracle.ts"
import { holds, type Problem, type Target, type TargetSource } from "./Target.ts"

const registrationChallenge = "Y2hhbGxlbmdl"
const challenge = "5d41402abc4b2a76b9719d911017c592".repeat(2)
const seed = "fuzzed passkey"
const sources = /adapter-http\/src\/wallet\/(?:Passkey|CoseKey|Base64Url)|@simplewebauthn\/server|tiny-cbor/u

/** The bytes of base64url as an input has them. */
const decoded = (text: string): string => textOf(Buffer.from(text, "base64url"))
const bytesOfText = (text: string): Uint8Array => Buffer.from(text, "base64url")

const devices = (): ReadonlyArray<PasskeyDevice> => [
  passkeyDevice({ seed }),
  passkeyDevice({ seed, algorithm: "EdDSA" }),
  passkeyDevice({ algorithm: "RS256" }),
]
const attesting = (): ReadonlyArray<PasskeyDevice> => [
  ...devices(),
  passkeyDevice({ seed, attestation: "packed" }),
  passkeyDevice({ seed, attestation: "packed", algorithm: "EdDSA" }),
]

const nonEmpty = ([first = "", ...rest]: ReadonlyArray<string>): Target["valid"] => [first, ...rest]

const attestationObjects = (): Target => ({
  name: "attestation objects",
  sources,
  valid: nonEmpty(attesting().map((device) => decoded(device.register(registrationChallenge).attestationObject))),
  mutant: cborMutator,
  check: (input) => {
    const bytes = bytesOf(input)
    const accepted = attestedOf(Buffer.from(bytes).toString("base64url"))
    if (accepted === undefined) return undefined
    const read = readAttestation(bytes)
    return (
      holds(read !== undefined, "an object that is not well-formed") ??
      holds(sameAuthenticator(accepted, read?.authenticator), "other members than the bytes have")
    )
  },
})

/** Whether both have the same members; bytes of one may be buffers of the other. */
const sameAuthenticator = (one: object, other: object = {}): boolean => {
  const plain = (value: object) =>
    Object.entries(value)
      .map(([name, member]) => [name, member instanceof Uint8Array ? Buffer.from(member).toString("hex") : member])
      .toSorted()
  return isDeepStrictEqual(plain(one), plain(other))
}

const authenticatorData = (): Target => ({
  name: "authenticator data",
  sources,
  valid: nonEmpty([
    ...devices().map((device) => decoded(device.assert(challenge).authenticatorData)),
    ...attesting().map((device) =>
      textOf(
        readAttestation(bytesOfText(device.register(registrationChallenge).attestationObject))?.data ??
          new Uint8Array(0),
      ),
    ),
  ]),
  mutant: authenticatorDataMutator,
  check: (input) => {
    const bytes = bytesOf(input)
    const before = Buffer.from(bytes)
    const accepted = authenticatorOf(bytes)
    if (accepted === undefined) return undefined
    return (
      holds(before.equals(bytes), "the bytes are changed") ??
      holds(sameAuthenticator(accepted, readAuthenticator(before)), "other members than the bytes have")
    )
  },
})

/** Returns what client data says, read on its own. */
const clientOf = (part: string): { readonly type?: unknown; readonly challenge?: unknown; readonly origin?: unknown } =>
  JSON.parse(Buffer.from(bytesOfText(base64urlOf(part))).toString())

const encodedPart = (mutant: Target["mutant"] = byteMutator) => encodedMutator(base64urlOf, mutant)

const service = () => Effect.runSync(Effect.provide(PasskeyChecks.use(Effect.succeed), WalletChecks.layer()))

const registrations = (): Target => {
  const checks = service()
  return {
    name: "passkey registrations",
    sources,
    valid: nonEmpty(
      attesting().map((device) => {
        const { attestationObject, clientDataJson, credentialId } = device.register(registrationChallenge)
        return joined([credentialId, clientDataJson, attestationObject].map(decoded))
      }),
    ),
    mutant: partsMutator([encodedPart(), encodedPart(jsonMutator), encodedPart(cborMutator)]),
    check: async (input) => {
      const [id = "", client = "", object = ""] = partsOf(input, 3)
      const [credentialId = "", clientDataJson = "", attestationObject = ""] = [id, client, object].map(base64urlOf)
      const attestation = { credentialId, clientDataJson, attestationObject }
      const accepted = await acceptedOf(checks.register(attestation, registrationChallenge), "PasskeyRefused")
      return accepted && problemOfRegistration(accepted, attestation)
    },
  }
}

const problemOfRegistration = (
  accepted: RegisteredPasskey,
  { attestationObject, clientDataJson, credentialId }: { readonly [member: string]: string } = {},
): Problem => {
  const clientBytes = bytesOfText(clientDataJson ?? "")
  const { challenge: sent, origin, type } = JSON.parse(Buffer.from(clientBytes).toString())
  const read = readAttestation(bytesOfText(attestationObject ?? ""))
  const { credentialId: id, publicKey } = read?.authenticator ?? {}
  if (read === undefined || id === undefined || publicKey === undefined) return "an attestation that is not well-formed"
  const signature = () => read.statement.items?.find(({ major }) => major === 2)?.bytes ?? new Uint8Array(0)
  return (
    holds(type === "webauthn.create" && sent === registrationChallenge, "another ceremony") ??
    holds(accepted.origin === origin, "another origin") ??
    holds(id.toString("base64url") === credentialId?.replace(/=+$/u, ""), "another credential") ??
    holds(id.toString("base64url") === accepted.credentialId, "another credential than the bytes have") ??
    holds(
      publicKey.toString("base64url") === accepted.publicKey && isKey(publicKey),
      "another key than the bytes have",
    ) ??
    holds(read.authenticator.userPresent, "nobody was present") ??
    holds(read.authenticator.relyingPartyHash === accepted.relyingPartyHash, "another relying party") ??
    holds(read.authenticator.signatureCount === accepted.signatureCount, "another count") ??
    holds(
      read.format === "none" ||
        (read.format === "packed" && isSignedBy(publicKey, read.data, clientBytes, signature())),
      "a statement that is not signed",
    )
  )
}

/** Instead of a signature: the device signs what the input says. */
const resigned = "signed"

const assertions = async (): Promise<Target> => {
  const checks = service()
  const made = devices()
  const passkeys = await Promise.all(
    made.map((device) =>
      Effect.runPromise(checks.register(device.register(registrationChallenge), registrationChallenge)),
    ),
  )
  const key = createPrivateKey(SeededKey.pem(seed))
  const signatureOf = (data: string, client: string): string => {
    const hash = createHash("sha256").update(bytesOfText(client)).digest()
    return sign("sha256", Buffer.concat([bytesOfText(data), hash]), key).toString("base64url")
  }
  const valid = made.flatMap((device, index) => {
    const { authenticatorData, clientDataJson, credentialId, signature } = device.assert(challenge)
    const parts = [credentialId, clientDataJson, authenticatorData].map(decoded)
    const all = [joined([String(index), ...parts, decoded(signature)])]
    return index === 0 ? [...all, joined([String(index), ...parts, resigned])] : all
  })
  return {
    name: "passkey assertions",
    sources,
    valid: nonEmpty(valid),
    mutant: partsMutator([
      choiceMutator(["0", "1", "2"]),
      encodedPart(),
      encodedPart(jsonMutator),
      encodedPart(authenticatorDataMutator),
      (draw, part) => (part === resigned ? part : encodedPart()(draw, part)),
    ]),
    check: async (input) => {
      const [index, id = "", client = "", data = "", signature = ""] = partsOf(input, 5)
      const passkey = passkeys[Number(index)]
      if (passkey === undefined) return undefined
      const [credentialId = "", clientDataJson = "", authenticatorData = ""] = [id, client, data].map(base64urlOf)
      const assertion = {
        credentialId,
        clientDataJson,
        authenticatorData,
        signature: signature === resigned ? signatureOf(authenticatorData, clientDataJson) : base64urlOf(signature),
      }
      const accepted = await acceptedOf(checks.assert(assertion, challenge, passkey), "PasskeyRefused")
      if (accepted === undefined) return undefined
      const { challenge: sent, origin, type } = clientOf(client)
      const read = readAuthenticator(bytesOfText(authenticatorData))
      const [bytes, clientBytes] = [authenticatorData, clientDataJson].map(bytesOfText)
      return (
        holds(credentialId.replace(/=+$/u, "") === passkey.credentialId, "another credential") ??
        holds(type === "webauthn.get" && sent === Buffer.from(challenge).toString("base64url"), "another ceremony") ??
        holds(origin === passkey.origin, "another origin") ??
        holds(read?.relyingPartyHash === passkey.relyingPartyHash, "another relying party") ??
        holds(read?.userPresent === true, "nobody was present") ??
        holds(read?.signatureCount === accepted.signatureCount, "another count than the bytes have") ??
        holds(
          passkey.signatureCount === 0 || accepted.signatureCount > passkey.signatureCount,
          "a count that is stale",
        ) ??
        holds(read?.userVerified === accepted.userVerified, "another verification than the bytes have") ??
        holds(
          isSignedBy(
            bytesOfText(passkey.publicKey),
            bytes ?? new Uint8Array(0),
            clientBytes ?? new Uint8Array(0),
            bytesOfText(assertion.signature),
          ),
          "a signature that does not verify",
        )
      )
    },
  }
}

export const passkeyTargets: ReadonlyArray<TargetSource> = [
  { name: "attestation objects", cost: 2, make: attestationObjects },
  { name: "authenticator data", cost: 2, make: authenticatorData },
  { name: "passkey registrations", cost: 10, make: registrations },
  { name: "passkey assertions", cost: 10, make: assertions },
]
