/**
 * The named faults that a device can inject, each with the error that it causes. The faults of passkeys and OIDC tokens
 * are in `PasskeyDevice.ts` and `OidcPerson.ts`.
 * Source: wire contract 4.5, 4.7 and 4.12; D-142, D-272.
 */
import type { ErrorCode, UnauthorizedReasons } from "@countersign/core/models"
import type { ClaimFault, OidcFault } from "./OidcPerson.ts"
import type { AssertionFault, AttestationFault } from "./PasskeyDevice.ts"

interface ExpectedError {
  readonly code: ErrorCode
  readonly reason?: keyof typeof UnauthorizedReasons.rows
}

/** Faults of a sign-in by one-time code. */
export const otpFaults = {
  code: { code: "UNAUTHORIZED", reason: "INVALID_OTP_CODE" },
  bundle: { code: "UNAUTHORIZED", reason: "INVALID_OTP_CODE" },
  signer: { code: "WALLET_SIGNATURE_INVALID", reason: "INVALID_WALLET_SIGNATURE" },
} as const satisfies Readonly<Record<string, ExpectedError>>

export type OtpFault = keyof typeof otpFaults

/** Faults of a signed request. */
export const signedFaults = {
  noRequestId: { code: "REQUEST_ID_MISSING" },
  noSignature: { code: "WALLET_SIGNATURE_MISSING" },
  malformed: { code: "WALLET_SIGNATURE_MALFORMED" },
  unknownRequest: { code: "UNAUTHORIZED", reason: "REQUEST_SPENT" },
  otherRequest: { code: "WALLET_SIGNATURE_BODY_MISMATCH" },
  otherPayload: { code: "WALLET_SIGNATURE_INVALID", reason: "INVALID_WALLET_SIGNATURE" },
  otherKey: { code: "WALLET_SIGNATURE_INVALID", reason: "SESSION_NOT_ACTIVE" },
} as const satisfies Readonly<Record<string, ExpectedError>>

export type SignedFault = keyof typeof signedFaults

/** The faults of a registration, by type of credential. */
export interface RegistrationFaults {
  readonly EMAIL_OTP: never
  readonly SMS_OTP: never
  readonly PASSKEY: AttestationFault
  readonly OAUTH: ClaimFault
}

/** The faults of a sign-in, by type of credential. */
export interface SignInFaults {
  readonly EMAIL_OTP: OtpFault
  readonly SMS_OTP: OtpFault
  readonly PASSKEY: AssertionFault
  readonly OAUTH: OidcFault
}
