/**
 * Credential types.
 * Spec: Credentials, sessions and signing payloads.
 */
import { Schema } from "effect"

/** A credential type whose owner signs in with a one-time code. */
export const OtpType = Schema.Literals(["EMAIL_OTP", "SMS_OTP"])
export type OtpType = typeof OtpType.Type

export const CredentialType = Schema.Literals(["OAUTH", "EMAIL_OTP", "SMS_OTP", "PASSKEY"]).annotate({
  identifier: "AuthMethodType",
})
export type CredentialType = typeof CredentialType.Type
