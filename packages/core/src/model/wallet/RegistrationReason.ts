/**
 * Reasons to refuse a passkey registration, and the request field of each. A registration answers 400, because it is no sign-in.
 * The texts are those of the 401 reasons of the same checks at a sign-in.
 * Source: wire contract 4.1 (`POST /auth/credentials`), 4.12; D-160, D-270.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Table from "../../foundation/kit/Table.ts"

const reasons = UnauthorizedReasons.rows

/** Each reason with its text, and with the field of the request that the 400 names. */
export const RegistrationReasons = Table.make("RegistrationReasons", {
  INVALID_ATTESTATION: { reason: "Invalid attestation", field: "attestation" },
  CHALLENGE_MISMATCH: { reason: reasons.CHALLENGE_MISMATCH, field: "challenge" },
  CHALLENGE_SPENT: { reason: reasons.PASSKEY_CHALLENGE_SPENT, field: "challenge" },
  USER_PRESENCE_MISSING: { reason: reasons.USER_PRESENCE_MISSING, field: "attestation.attestationObject" },
  CREDENTIAL_ID_MISMATCH: { reason: reasons.CREDENTIAL_ID_MISMATCH, field: "attestation.credentialId" },
})

/** Returns the refusal for a reason. A reason of the deployment's own check applies to the attestation as a whole. */
export const registrationRefusal = (reason: string): Refusal => {
  const known = RegistrationReasons.entries.find(([, row]) => row.reason === reason)
  const refusal = invalidInput([{ field: known?.[1].field ?? "attestation", message: reason }])
  return { ...refusal, details: { ...refusal.details, reason } }
}
