/**
 * Changes a customer's e-mail address or telephone number together with the OTP credentials that follow it.
 * Spec: 4.5 (`PATCH /customers/{id}`); wire contract 5.11, 8.2 and 11 (23).
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isOtp } from "../../model/wallet/Credential.ts"
import type { OtpType } from "../../model/wallet/CredentialType.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type Decision, refuse } from "../Decision.ts"

/** Change of a contact that credentials follow. */
export interface ContactChange {
  readonly type: OtpType
  /** The new contact. */
  readonly contact: string
  /** Credentials that follow the contact; at least one. */
  readonly credentials: ReadonlyArray<Stored<"Credential">>
  /** Whether a credential of another customer has the new contact. */
  readonly isTaken: boolean
}

/** Stored at the first call: the credentials that the signature covers. */
export const contactMemo = ({ credentials }: ContactChange): Json => credentials.map(({ id }) => id).toSorted()

/** Returns the refusal of a taken contact or a changed credential set. `memo` is that of the first call, if this is a retry. */
const contactRefusal = (change: ContactChange, memo: Json | undefined): Refusal | undefined => {
  if (change.isTaken) {
    return {
      code: "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
      message: "Another customer signs in by this address or number.",
      details: { field: change.type === "EMAIL_OTP" ? "email" : "phoneNumber" },
    }
  }
  return memo === undefined || JSON.stringify(memo) === JSON.stringify(contactMemo(change))
    ? undefined
    : {
        code: "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
        message: "The credentials tied to this contact have changed since the request was made: make it again.",
      }
}

/** Updates the credentials. Their sessions stay valid; a code sent to the old contact becomes invalid. */
const contactChanges = ({ contact, credentials }: ContactChange): Changes.Changes =>
  Changes.combine(
    ...credentials.map((credential) =>
      isOtp(credential.data) ? Changes.update(credential, { ...credential.data, contact, nickname: contact }) : {},
    ),
  )

/** Adds the change of the credentials to a decided customer update. */
export const decideContactChange = <A>(
  updated: Decision<A>,
  change: ContactChange,
  memo: Json | undefined,
): Decision<A> => {
  if (updated._tag === "Refuse") return updated
  const refusal = contactRefusal(change, memo)
  if (refusal !== undefined) return refuse(refusal)
  return { ...updated, changes: Changes.combine(updated.changes, contactChanges(change)) }
}
