/**
 * Rules that accept a passkey assertion, in order of precedence.
 * Spec: Sandbox authentication behavior (2); wire contract 11.26 to 11.28.
 */
import type { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { RegisteredPasskey } from "./Credential.ts"

/** Members of the browser's client data that the rules check. */
export interface ClientData {
  readonly type: string
  /** Base64url without padding. */
  readonly challenge: string
  readonly origin: string
}

/** Authenticator data of an assertion. */
export interface AuthenticatorState {
  /** SHA-256 of the relying party id, hex. */
  readonly relyingPartyHash: string
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly signatureCount: number
}

/** What the rules check a sign-in by: what the authenticator returned, and what is known of the passkey. */
export interface PasskeyFacts {
  /** The id that the assertion names. */
  readonly credentialId: string
  /** `undefined` if the client data cannot be parsed. */
  readonly client: ClientData | undefined
  /** `undefined` if the authenticator data cannot be parsed. */
  readonly authenticator: AuthenticatorState | undefined
  /** Expected challenge of the client data. */
  readonly challenge: string
  /** The passkey as it was registered, with the signature count of its last use. */
  readonly passkey: RegisteredPasskey
  /** Accepted in addition to the origin seen at registration. */
  readonly origins: ReadonlyArray<string>
  /** Accepted in addition to the relying party of the registration: SHA-256 of each id, hex. */
  readonly relyingPartyHashes: ReadonlyArray<string>
  /** Whether the passkey's key verifies the signature. */
  readonly isSigned: boolean
}

type Reason = keyof typeof UnauthorizedReasons.rows
type Test = (facts: PasskeyFacts) => Reason | undefined

const passkeyRule = (reason: Reason, holds: (facts: PasskeyFacts) => boolean): readonly [Reason, Test] => [
  reason,
  (facts) => (holds(facts) ? undefined : reason),
]

/** Whether the signature counter increased. An authenticator without a counter always sends 0. */
const counterIncreased = (last: number, next: number): boolean => last === 0 || next > last

export const PasskeyRules = Rules.make<PasskeyFacts, Reason>("Passkey assertion", [
  passkeyRule("CREDENTIAL_ID_MISMATCH", ({ credentialId, passkey }) => credentialId === passkey.credentialId),
  passkeyRule(
    "CHALLENGE_MISMATCH",
    ({ challenge, client }) => client?.type === "webauthn.get" && client.challenge === challenge,
  ),
  passkeyRule(
    "ORIGIN_MISMATCH",
    ({ client, origins, passkey }) => client !== undefined && [passkey.origin, ...origins].includes(client.origin),
  ),
  passkeyRule(
    "RELYING_PARTY_MISMATCH",
    ({ authenticator, passkey, relyingPartyHashes }) =>
      authenticator !== undefined &&
      [passkey.relyingPartyHash, ...relyingPartyHashes].includes(authenticator.relyingPartyHash),
  ),
  passkeyRule("USER_PRESENCE_MISSING", ({ authenticator }) => authenticator?.userPresent === true),
  passkeyRule("INVALID_ASSERTION_SIGNATURE", ({ isSigned }) => isSigned),
  passkeyRule(
    "SIGNATURE_COUNTER_STALE",
    ({ authenticator, passkey }) =>
      authenticator !== undefined && counterIncreased(passkey.signatureCount, authenticator.signatureCount),
  ),
])
