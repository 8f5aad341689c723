/**
 * Why a passkey cannot be registered, and which field of the request says so: a 400, since nobody tried to sign in. The texts are those
 * of the 401 reasons where the same check fails at a use.
 * Source: wire contract 4.1 (`POST /auth/credentials`), 4.12; D-160, D-270.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Table from "../../foundation/kit/Table.ts"

const of = UnauthorizedReasons.rows

export const RegistrationReasons = Table.make("RegistrationReasons", {
  INVALID_ATTESTATION: { reason: "Invalid attestation", field: "attestation" },
  CHALLENGE_MISMATCH: { reason: of.CHALLENGE_MISMATCH, field: "challenge" },
  CHALLENGE_SPENT: { reason: of.PASSKEY_CHALLENGE_SPENT, field: "challenge" },
  USER_PRESENCE_MISSING: { reason: of.USER_PRESENCE_MISSING, field: "attestation.attestationObject" },
  CREDENTIAL_ID_MISMATCH: { reason: of.CREDENTIAL_ID_MISMATCH, field: "attestation.credentialId" },
})

/** The refusal for a reason; one that is not in the table is a deployment's own, and of the attestation as a whole. */
export const registrationRefusal = (reason: string): Refusal => {
  const known = RegistrationReasons.entries.find(([, row]) => row.reason === reason)
  const refusal = invalidInput([{ field: known?.[1].field ?? "attestation", message: reason }])
  return { ...refusal, details: { ...refusal.details, reason } }
}
