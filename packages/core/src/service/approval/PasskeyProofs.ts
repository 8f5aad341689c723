/**
 * The checks of a passkey that an approver uses on the console, at a sign-in and at a vote: the page, the person and the relying party.
 * Source: D-352, D-532.
 */
import { Effect, Result as EffectResult, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import type { ProofResult } from "../../decision/approval/ConsoleSessionDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import type { RegisteredPasskey } from "../../model/wallet/Credential.ts"
import { type PasskeyAssertion, type PasskeyAttestation, PasskeyChecks } from "../../ports/PasskeyChecks.ts"

const Text = Schema.String.check(Schema.isMaxLength(16_384))

/** What a browser returns for a challenge: a new passkey, or the use of a registered one. Texts are base64url. */
export const UsedPasskey = Schema.Struct({
  credentialId: Text,
  clientDataJson: Text,
  attestationObject: Schema.optionalKey(Text),
  authenticatorData: Schema.optionalKey(Text),
  signature: Schema.optionalKey(Text),
})
export type UsedPasskey = typeof UsedPasskey.Type

const { rows: reasons } = UnauthorizedReasons

/** The origin of the page in which the browser used the passkey; `undefined` if it cannot be read. */
const originOf = ({ clientDataJson }: UsedPasskey): unknown => {
  const text = Base64Url.decodeString(clientDataJson)
  const data = EffectResult.flatMap(text, (json) => EffectResult.try((): unknown => JSON.parse(json)))
  const value = EffectResult.getOrUndefined(data)
  return typeof value === "object" && value !== null && "origin" in value ? value.origin : undefined
}

/** The host of an origin, which is the relying party of its passkeys. */
const hostOf = (origin: string): string => origin.replace(/^\w+:\/\/|:\d+$/gu, "")

/** What was asked, and of whom. */
export interface AskedPasskey {
  readonly challenge: string
  /** The page that asked. */
  readonly askedBy: string
  /** The page that answers. */
  readonly origin: string
  /** Absent: the passkey is registered. */
  readonly known: RegisteredPasskey | undefined
}

const checked = Effect.fnUntraced(function* (input: UsedPasskey, { challenge, known }: AskedPasskey) {
  const passkeys = yield* PasskeyChecks
  const { attestationObject, authenticatorData = "", signature = "", ...rest } = input
  if (known !== undefined) {
    const assertion: PasskeyAssertion = { ...rest, authenticatorData, signature }
    return yield* passkeys.assert(assertion, challenge, known).pipe(
      Effect.map(({ signatureCount, userVerified }) => ({ ...known, signatureCount, userVerified })),
      Effect.catch(({ reason }) => Effect.succeed(reason)),
    )
  }
  const attestation: PasskeyAttestation = { ...rest, attestationObject: attestationObject ?? "" }
  return yield* passkeys
    .register(attestation, Base64Url.encode(challenge))
    .pipe(Effect.catch(({ reason }) => Effect.succeed(reason)))
})

/** Checks the passkey against the page that asked, whose origin a registered passkey must have, and requires a verified user. */
export const proofOf = Effect.fnUntraced(function* (input: UsedPasskey, asked: AskedPasskey) {
  const refused = (reason: string): ProofResult => ({ _tag: "Refused", reason })
  const { askedBy, origin } = asked
  if (askedBy !== origin || originOf(input) !== origin) return refused(reasons.ORIGIN_MISMATCH)
  const found = yield* checked(input, asked)
  if (typeof found === "string") return refused(found)
  // A passkey of a parent domain, or of an earlier address, is another relying party's.
  if (found.relyingPartyHash !== Secrets.hash(hostOf(origin))) return refused(reasons.RELYING_PARTY_MISMATCH)
  if (!found.userVerified) return refused(reasons.USER_VERIFICATION_MISSING)
  const proof: ProofResult = { _tag: "Proven", passkey: found }
  return proof
})
