/**
 * Rules that permit adding and revoking a credential.
 * Spec: Errors (duplicates); wire contract 4.1, 4.2 and 4.3.
 */
import type { ErrorCode } from "../../foundation/errors/ErrorCodes.ts"
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { Claim } from "../record/Record.ts"
import { type Credential, credentialClaims, isChallengeClaim } from "./Credential.ts"
import type { CredentialType, OtpType } from "./CredentialType.ts"
import { RegistrationReasons, registrationRefusal } from "./RegistrationReason.ts"

/** Refusal of a duplicate credential, by type. */
const duplicates: { readonly [T in CredentialType]: Refusal } = (() => {
  const refusal = (code: ErrorCode, message: string): Refusal => ({ code, message })
  return {
    EMAIL_OTP: refusal("EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS", "The wallet has an EMAIL_OTP credential already."),
    SMS_OTP: refusal("SMS_OTP_CREDENTIAL_ALREADY_EXISTS", "The wallet has an SMS_OTP credential already."),
    PASSKEY: refusal("PASSKEY_CREDENTIAL_ALREADY_EXISTS", "This passkey is registered on the wallet already."),
    OAUTH: invalidInput([{ field: "oidcToken", message: "must name a person whom the wallet does not know yet" }]),
  }
})()

export interface AdditionFacts {
  readonly credential: Credential
  /** Credentials of the wallet that are not revoked. */
  readonly others: ReadonlyArray<Credential>
  /** Unique key that an earlier commit attempt found taken. */
  readonly taken: Claim | undefined
}

const conflictingClaim = ({ credential, others, taken }: AdditionFacts): Claim | undefined =>
  taken ??
  credentialClaims(credential).find(({ key }) =>
    others.some((other) => credentialClaims(other).some((claim) => claim.key === key)),
  )

/** Returns the refusal of a duplicate credential or a used registration challenge. */
export const additionRefusal = (facts: AdditionFacts): Refusal | undefined => {
  const claim = conflictingClaim(facts)
  if (claim === undefined) return undefined
  return isChallengeClaim(claim)
    ? registrationRefusal(RegistrationReasons.rows.CHALLENGE_SPENT.reason)
    : duplicates[facts.credential.type]
}

/** Refusal of an OTP credential for a customer without the contact that codes are sent to. */
export const missingContact = (type: OtpType): Refusal =>
  invalidInput([
    {
      field: "type",
      message:
        type === "EMAIL_OTP" ? "needs a customer with an e-mail address" : "needs a customer with a telephone number",
    },
  ])

/** Refusal of a request whose type differs from the credential's. */
export const typeMismatch = (type: CredentialType): Refusal =>
  invalidInput([{ field: "type", message: `must be ${type}, as the credential's`, constraint: { enum: [type] } }])

export const RevocationRules = Rules.make<{ readonly credentials: number }, Refusal>("Revocation", [
  [
    "ANOTHER_STAYS",
    ({ credentials }) =>
      credentials > 1
        ? undefined
        : {
            code: "INVALID_INPUT",
            message: "The only credential of a wallet cannot be revoked.",
            details: { reason: "LAST_CREDENTIAL" },
          },
  ],
])
