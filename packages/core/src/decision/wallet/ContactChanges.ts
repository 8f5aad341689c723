/**
 * A customer's e-mail address or telephone number that OTP credentials are tied to: both change together, or not at all.
 * Spec: 4.5 (`PATCH /customers/{id}`); wire contract 5.11, 8.2 and 11 (23).
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isOtp } from "../../model/wallet/Credential.ts"
import type { OtpType } from "../../model/wallet/CredentialType.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"

/** A contact that changes, with what is tied to it. */
export interface ContactChange {
  readonly type: OtpType
  readonly contact: string
  /** At least one. */
  readonly tied: ReadonlyArray<Stored<"Credential">>
  /** Whether another customer's credential of the type has the new contact. */
  readonly isTaken: boolean
}

/** What the first call keeps: the set that is changed. */
export const memoOf = ({ tied }: ContactChange): Json => tied.map(({ id }) => id).toSorted()

/** Why it cannot be done. `memo` is what the first call kept; undefined: this is the first call. */
export const contactRefusal = (change: ContactChange, memo: Json | undefined): Refusal | undefined => {
  if (change.isTaken) {
    return {
      code: "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
      message: "Another customer signs in by this address or number.",
      details: { field: change.type === "EMAIL_OTP" ? "email" : "phoneNumber" },
    }
  }
  return memo === undefined || JSON.stringify(memo) === JSON.stringify(memoOf(change))
    ? undefined
    : {
        code: "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
        message: "The credentials tied to this contact have changed since the request was made: make it again.",
      }
}

/** The credentials with their new contact. Their sessions stay; a code that went to the old contact is dead. */
export const withContact = ({ contact, tied }: ContactChange): Changes.Changes =>
  Changes.combine(
    ...tied.map((credential) =>
      isOtp(credential.data) ? Changes.update(credential, { ...credential.data, contact, nickname: contact }) : {},
    ),
  )
