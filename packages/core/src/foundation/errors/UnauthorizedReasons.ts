/**
 * The table of reasons that a 401 carries in `reason` and `details.reason`.
 * Spec: Errors, other rules (2); wire contract 4.12.
 */
import * as Table from "../kit/Table.ts"

export const UnauthorizedReasons = Table.make("UnauthorizedReasons", {
  MISSING_CREDENTIALS: "Missing credentials",
  MALFORMED_CREDENTIALS: "Malformed credentials",
  INVALID_CREDENTIALS: "Invalid credentials",
  INVALID_AGENT_TOKEN: "Invalid agent token",
  TOKEN_IN_FUTURE: "Token issued in the future",
  INVALID_OTP_CODE: "Invalid OTP code",
  OTP_EXPIRED: "OTP expired",
  OTP_NOT_PENDING: "No pending OTP for this credential",
  PASSKEY_CHALLENGE_SPENT: "Passkey challenge expired or already used",
  CREDENTIAL_ID_MISMATCH: "Credential id mismatch",
  CHALLENGE_MISMATCH: "Challenge mismatch",
  ORIGIN_MISMATCH: "Origin mismatch",
  RELYING_PARTY_MISMATCH: "Relying party mismatch",
  USER_PRESENCE_MISSING: "User presence missing",
  INVALID_ASSERTION_SIGNATURE: "Invalid assertion signature",
  SIGNATURE_COUNTER_STALE: "Signature counter did not increase",
  INVALID_TOKEN_SIGNATURE: "Invalid token signature",
  INVALID_AUDIENCE: "Invalid audience",
  INVALID_SUBJECT: "Invalid subject",
  INVALID_ISSUE_TIME: "Invalid issue time",
  INVALID_EXPIRY: "Invalid expiry",
  TOKEN_EXPIRED: "Token expired",
  TOKEN_TOO_OLD: "Token too old",
  UNSUPPORTED_ISSUER: "Unsupported issuer",
  IDENTITY_MISMATCH: "Identity mismatch",
  NONCE_MISMATCH: "Nonce mismatch",
  REQUEST_SPENT: "Request id unknown, expired or already used",
  INVALID_WALLET_SIGNATURE: "Invalid wallet signature",
  SESSION_NOT_ACTIVE: "Session not active",
  SESSION_NOT_ADMITTED: "Session not admitted",
  USER_VERIFICATION_MISSING: "User verification missing",
  CONSOLE_SESSION_ENDED: "Console session expired or ended",
})

/** The text of `reason` in a 401, such as `Invalid OTP code`. */
export type UnauthorizedReason = (typeof UnauthorizedReasons.rows)[(typeof UnauthorizedReasons.keys)[number]]
