/**
 * What the use of a passkey has to show, in the order in which it is judged.
 * Spec: Sandbox authentication behavior (2); wire contract 11.26 to 11.28.
 */
import type { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { RegisteredPasskey } from "./Credential.ts"

/** The members of a browser's client data that are judged. */
export interface ClientData {
  readonly type: string
  /** Base64url without padding. */
  readonly challenge: string
  readonly origin: string
}

/** What an authenticator says of itself. */
export interface AuthenticatorState {
  /** SHA-256 of the relying party's id, hex. */
  readonly relyingPartyHash: string
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly signatureCount: number
}

export interface PasskeyFacts {
  readonly credentialId: string
  /** Undefined where they cannot be read. */
  readonly client: ClientData | undefined
  readonly authenticator: AuthenticatorState | undefined
  /** The challenge as the client data has to carry it. */
  readonly challenge: string
  readonly passkey: RegisteredPasskey
  /** Accepted beside what was seen at registration. */
  readonly origins: ReadonlyArray<string>
  readonly relyingPartyHashes: ReadonlyArray<string>
  readonly isSigned: boolean
}

type Reason = keyof typeof UnauthorizedReasons.rows
type Test = (facts: PasskeyFacts) => Reason | undefined

const refuse = (reason: Reason, holds: (facts: PasskeyFacts) => boolean): readonly [Reason, Test] => [
  reason,
  (facts) => (holds(facts) ? undefined : reason),
]

/** Whether a counter grew; authenticators without one always say 0. */
const hasGrown = (last: number, next: number): boolean => last === 0 || next > last

export const PasskeyRules = Rules.make<PasskeyFacts, Reason>("Passkey assertion", [
  refuse("CREDENTIAL_ID_MISMATCH", ({ credentialId, passkey }) => credentialId === passkey.credentialId),
  refuse(
    "CHALLENGE_MISMATCH",
    ({ challenge, client }) => client?.type === "webauthn.get" && client.challenge === challenge,
  ),
  refuse(
    "ORIGIN_MISMATCH",
    ({ client, origins, passkey }) => client !== undefined && [passkey.origin, ...origins].includes(client.origin),
  ),
  refuse(
    "RELYING_PARTY_MISMATCH",
    ({ authenticator, passkey, relyingPartyHashes }) =>
      authenticator !== undefined &&
      [passkey.relyingPartyHash, ...relyingPartyHashes].includes(authenticator.relyingPartyHash),
  ),
  refuse("USER_PRESENCE_MISSING", ({ authenticator }) => authenticator?.userPresent === true),
  refuse("INVALID_ASSERTION_SIGNATURE", ({ isSigned }) => isSigned),
  refuse(
    "SIGNATURE_COUNTER_STALE",
    ({ authenticator, passkey }) =>
      authenticator !== undefined && hasGrown(passkey.signatureCount, authenticator.signatureCount),
  ),
])
