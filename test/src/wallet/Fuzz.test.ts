/** Fuzz tests of the decoders of passkeys and tokens: a mutated input is refused and never causes a defect. */
import { WalletChecks } from "@countersign/adapter-http"
import {
  OidcChecks,
  type OidcIdentity,
  type PasskeyAssertion,
  type PasskeyAttestation,
  PasskeyChecks,
  type RegisteredPasskey,
} from "@countersign/core/ports"
import { Cause, Effect, Exit, type Layer } from "effect"
import { expect, it } from "vitest"
import { oidcPerson } from "../../../packages/test/src/harness/OidcPerson.ts"
import { oidcProvider } from "../../../packages/test/src/harness/OidcProvider.ts"
import { type PasskeyDevice, passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { type Draw, fuzz, fuzzTimeoutMillis, mutantBytes, mutantText } from "../crypto/Mutants.ts"

const options = { timeout: fuzzTimeoutMillis }

const passkeys = Effect.runSync(Effect.provide(PasskeyChecks.use(Effect.succeed), WalletChecks.layer()))
const registrationChallenge = "Y2hhbGxlbmdl"
const challenge = "5d41402abc4b2a76b9719d911017c592".repeat(2)

/** Returns the answer, or `undefined` for a refusal. A defect throws. */
const ended = async <A>(effect: Effect.Effect<A, { readonly _tag: string }>): Promise<A | undefined> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasDies(exit.cause)) throw Cause.squash(exit.cause)
  return undefined
}

const decoded = (text: string) => new Uint8Array(Buffer.from(text, "base64url"))
const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url")
const unpadded = (text: string) => text.replace(/={1,2}$/u, "")

type Texts = { readonly [member: string]: string }

/** Mutates one member: mostly its bytes, otherwise its text. */
const mutantOf = (draw: Draw, whole: Texts, names: ReadonlyArray<string>): Texts => {
  const name = names[draw(names.length)] ?? ""
  const text = whole[name] ?? ""
  return { ...whole, [name]: draw(4) === 0 ? mutantText(draw, text) : encoded(mutantBytes(draw, decoded(text))) }
}

/** Whether all members are equal, ignoring base64 padding. */
const isSame = (one: Texts, other: Texts): boolean =>
  Object.entries(one).every(([name, text]) => unpadded(text) === unpadded(other[name] ?? ""))

const algorithms = ["ES256", "EdDSA", "RS256"] as const

it("refuses mutated assertions", options, async () => {
  const made = await Promise.all(
    algorithms.map(async (algorithm) => {
      const device = passkeyDevice({ algorithm })
      const registered = passkeys.register(device.register(registrationChallenge), registrationChallenge)
      return { valid: { ...device.assert(challenge) }, passkey: await Effect.runPromise(registered) }
    }),
  )
  const check = (assertion: Texts, passkey: RegisteredPasskey) =>
    ended(passkeys.assert(assertion as Texts & PasskeyAssertion, challenge, passkey))
  for (const { passkey, valid } of made) expect(await check(valid, passkey)).toBeDefined()
  await fuzz(
    (draw) => {
      const { passkey, valid } = made[draw(made.length)] ?? expect.fail("nothing was made")
      // Signatures are the slowest to check, so they are mutated least often.
      const names = draw(10) === 0 ? ["signature"] : ["credentialId", "clientDataJson", "authenticatorData"]
      return { passkey, valid, mutant: mutantOf(draw, valid, names) }
    },
    async ({ mutant, passkey, valid }) => {
      const answer = await check(mutant, passkey)
      if (answer !== undefined && !isSame(mutant, valid)) expect.fail(`accepted ${JSON.stringify(mutant)}`)
    },
  )
})

const attestationOf = (device: PasskeyDevice): Texts => {
  const { attestationObject, clientDataJson, credentialId } = device.register(registrationChallenge)
  return { attestationObject, clientDataJson, credentialId }
}

const register = (attestation: Texts) =>
  ended(passkeys.register(attestation as Texts & PasskeyAttestation, registrationChallenge))

it("refuses mutated self-signed attestations", options, async () => {
  const made = algorithms.map((algorithm) => attestationOf(passkeyDevice({ algorithm, attestation: "packed" })))
  for (const valid of made) expect(await register(valid)).toBeDefined()
  await fuzz(
    (draw) => {
      const valid = made[draw(made.length)] ?? expect.fail("nothing was made")
      // The object is the slowest to check. The next test mutates nothing else.
      const names = draw(5) === 0 ? ["attestationObject"] : ["clientDataJson", "credentialId"]
      return { valid, mutant: mutantOf(draw, valid, names) }
    },
    async ({ mutant, valid }) => {
      if ((await register(mutant)) !== undefined && !isSame(mutant, valid)) {
        expect.fail(`accepted ${JSON.stringify({ mutant, valid })}`)
      }
    },
  )
})

it("accepts a mutated unsigned attestation only with its own credential id", options, async () => {
  const made = algorithms.map((algorithm) => attestationOf(passkeyDevice({ algorithm })))
  for (const valid of made) expect(await register(valid)).toBeDefined()
  await fuzz(
    (draw) => {
      const valid = made[draw(made.length)] ?? expect.fail("nothing was made")
      return mutantOf(draw, valid, ["attestationObject"])
    },
    async (mutant) => {
      const registered = await register(mutant)
      if (registered !== undefined) expect(registered.credentialId).toBe(mutant["credentialId"])
    },
  )
})

const nowMillis = Date.UTC(2026, 10, 21, 12)
const clientPublicKey = `04${"ab".repeat(64)}`

/** Mutates one part of a token: its JSON or its text. */
const mutantToken = (draw: Draw, token: string): string => {
  const parts = token.split(".")
  const at = draw(5)
  const part = parts[at]
  if (part === undefined) return mutantText(draw, token)
  const mutant =
    draw(2) === 0
      ? encoded(mutantBytes(draw, decoded(part)))
      : Buffer.from(mutantText(draw, Buffer.from(part, "base64url").toString())).toString("base64url")
  return parts.with(at, mutant).join(".")
}

const check = (layer: Layer.Layer<OidcChecks>, identity: OidcIdentity) => {
  const checks = Effect.runSync(Effect.provide(OidcChecks.use(Effect.succeed), layer))
  return (token: string) => ended(checks.check(token, nowMillis, { identity, clientPublicKey }))
}

it("refuses mutated tokens that the issuer signed", options, async () => {
  await using provider = await oidcProvider()
  const person = oidcPerson({ issuer: provider.issuer })
  const layer = WalletChecks.layer({ issuers: [provider.issuer], cooldownMillis: Number.POSITIVE_INFINITY })
  const checked = check(layer, person.identity)
  const valid = provider.token(person.claims(nowMillis, { clientPublicKey }))
  expect(await checked(valid)).toBeDefined()
  await fuzz(
    (draw) => mutantToken(draw, valid),
    async (mutant) => {
      if ((await checked(mutant)) !== undefined && mutant !== valid) expect.fail(`accepted ${mutant}`)
    },
  )
})

it("checks the claims of mutated sandbox tokens", options, async () => {
  const person = oidcPerson()
  const checked = check(WalletChecks.sandboxLayer(), person.identity)
  const valid = person.token(nowMillis, { clientPublicKey })
  expect(await checked(valid)).toBeDefined()
  const claims = person.claims(nowMillis, { clientPublicKey })
  await fuzz(
    (draw) => mutantToken(draw, valid),
    async (mutant) => {
      if ((await checked(mutant)) === undefined) return
      const [, part = "", ...rest] = mutant.split(".")
      const { aud, iat, iss, nonce, sub }: typeof claims = JSON.parse(Buffer.from(part, "base64url").toString())
      expect(rest.length).toBe(1)
      const identity = { iss, aud: Array.isArray(aud) ? aud[0] : aud, sub, nonce }
      const { aud: audience, iss: issuer, nonce: expected, sub: subject } = claims
      expect(identity).toEqual({ iss: issuer, aud: audience, sub: subject, nonce: expected })
      expect(Math.abs(Number(iat) - nowMillis / 1000)).toBeLessThanOrEqual(65)
    },
  )
})
