/**
 * Decides the registration and the revocation of a credential.
 * Spec: 4.5; wire contract 4.1 to 4.3 and 4.7.
 */
import { Result } from "effect"
import { invalidInput, notFound, type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { type Credential, isOtp, type OtpCredential } from "../../model/wallet/Credential.ts"
import {
  type AuthMethodResponse,
  type CredentialResource,
  toCredential,
} from "../../model/wallet/CredentialResource.ts"
import { additionRefusal, missingContact, RevocationRules } from "../../model/wallet/CredentialRules.ts"
import type { CredentialType, OtpType } from "../../model/wallet/CredentialType.ts"
import type { OtpChallenge } from "../../model/wallet/OtpChallenge.ts"
import { newChallenge } from "../../model/wallet/OtpRules.ts"
import type { AuthSignedRequestChallenge, TypedOperation } from "../../model/wallet/SignedRequest.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { addCredential, removeCredential, sendOf } from "./CredentialChanges.ts"
import { issuedSessionsCounter, revokeSession } from "./SessionChanges.ts"
import { decideSigned, type SigningFacts } from "./SignedDecision.ts"

type Challenged<A> = Decision<A | AuthSignedRequestChallenge>

/** Code that is sent after the commit: what is stored of it, and the bundle that the client seals its answer to. */
export interface IssuedChallenge {
  readonly stored: Omit<OtpChallenge, "isAnswered" | "wrongCodes" | "wrongAt">
  /** `otpEncryptionTargetBundle`. */
  readonly bundle: string
}

export interface RegistrationLoaded {
  readonly account: Stored<"InternalAccount">
  readonly customer: Stored<"Customer"> | undefined
  /** `undefined` if the account never had a credential. */
  readonly wallet: Stored<"Wallet"> | undefined
  readonly credentials: ReadonlyArray<Stored<"Credential">>
  /** The root of the keys of a new wallet. */
  readonly rootId: string | undefined
}

export interface RegistrationFacts {
  /** The credential, or the refusal of its check; `undefined` on a retry of a request that stored no credential. */
  readonly credential: Result.Result<Credential | undefined, Refusal>
  /** Code of an added OTP credential. */
  readonly issued: IssuedChallenge | undefined
  /** `undefined` for the first credential, which needs no signature. */
  readonly signing: SigningFacts<TypedOperation> | undefined
}

/** Returns the contact of the customer that codes of a type are sent to. */
const contactOf = ({ customer }: RegistrationLoaded, type: OtpType): string | undefined =>
  type === "EMAIL_OTP" ? customer?.data.email : customer?.data.phoneNumber

/** Returns the refusal of an account or a contact for which no credential can be registered. */
const registrationRefusal = (loaded: RegistrationLoaded, type: CredentialType): Refusal | undefined => {
  const { account, customer } = loaded
  if (account.data.type !== "EMBEDDED_WALLET" || account.customerId === null) {
    return invalidInput([{ field: "accountId", message: "must be an embedded wallet" }])
  }
  if (customer === undefined || customer.data.isDeleted) return notFound("internal account")
  const isOtpType = type === "EMAIL_OTP" || type === "SMS_OTP"
  return isOtpType && contactOf(loaded, type) === undefined ? missingContact(type) : undefined
}

/** Returns the OTP credential of the customer's contact, or the refusal of its registration. */
export const otpCredential = (loaded: RegistrationLoaded, type: OtpType): Result.Result<OtpCredential, Refusal> => {
  const refusal = registrationRefusal(loaded, type)
  const contact = contactOf(loaded, type)
  return refusal !== undefined || contact === undefined
    ? Result.fail(refusal ?? missingContact(type))
    : Result.succeed({ type, accountId: loaded.account.id, contact, nickname: contact, isRevoked: false })
}

/** Whether the account can have a credential of this type, so that its check is worth asking for. */
export const isRegistrable = (loaded: RegistrationLoaded, type: CredentialType): boolean =>
  registrationRefusal(loaded, type) === undefined

const register = (
  { account, credentials, customer, rootId, wallet }: RegistrationLoaded,
  credential: Credential | undefined,
  issued: IssuedChallenge | undefined,
  { ids, now, rejections }: DecisionContext,
): Decision<AuthMethodResponse> => {
  if (credential === undefined) return refuse(unauthorizedFor("REQUEST_SPENT"))
  const others = credentials.map(({ data }) => data)
  const refusal = additionRefusal({ credential, others, taken: takenClaim(rejections) })
  if (refusal !== undefined) return refuse(refusal)
  const id = ids("AuthMethod")
  const resource: CredentialResource = toCredential(Changes.insertedRecord("Credential", id, account, credential, now))
  return answer<AuthMethodResponse>(
    201,
    { ...resource, ...(issued === undefined ? {} : { otpEncryptionTargetBundle: issued.bundle }) },
    Changes.combine(
      addCredential(id, account, wallet ?? { rootId }, credential),
      issued && Changes.insert("OtpChallenge", id, account, newChallenge(undefined, issued.stored, now)),
      issued && isOtp(credential) ? sendOf(account, credential) : undefined,
      Changes.guard(account, ...(customer === undefined ? [] : [customer])),
    ),
  )
}

/** The first credential of a wallet is registered at once, a further one after a signature. */
export const decideRegistration =
  (type: CredentialType) =>
  (
    { credential, issued, signing, ...loaded }: RegistrationLoaded & RegistrationFacts,
    context: DecisionContext,
  ): Challenged<AuthMethodResponse> => {
    const refusal = registrationRefusal(loaded, type)
    if (refusal !== undefined) return refuse(refusal)
    if (Result.isFailure(credential)) return refuse(credential.failure)
    const decision = register(loaded, credential.success, issued, context)
    return signing === undefined ? decision : decideSigned(signing, context, decision)
  }

export interface CredentialRevocationLoaded {
  readonly credential: Stored<"Credential">
  readonly wallet: Stored<"Wallet"> | undefined
  /** Active sessions that the credential issued. */
  readonly sessions: ReadonlyArray<Stored<"Session">>
  /** Number of sessions that the credential had issued when `sessions` were listed. */
  readonly issuedSessions: number
}

const revoke = ({ credential, issuedSessions, sessions, wallet }: CredentialRevocationLoaded): Decision<null> => {
  const failed = RevocationRules.first({ credentials: wallet?.data.credentialIds.length ?? 0 })
  if (failed !== undefined || wallet === undefined) {
    return refuse(failed?.refusal ?? unauthorizedFor("SESSION_NOT_ACTIVE"))
  }
  const key = issuedSessionsCounter(credential.id)
  return answer(
    204,
    null,
    Changes.combine(removeCredential(wallet, credential), ...sessions.map(revokeSession), {
      counters: [{ key, customerId: credential.customerId, delta: 0, expected: issuedSessions }],
    }),
  )
}

/** Revokes the credential and its sessions. A session issued meanwhile makes the commit a conflict. */
export const decideCredentialRevocation = (
  { signing, ...loaded }: CredentialRevocationLoaded & { readonly signing: SigningFacts<TypedOperation> },
  context: DecisionContext,
): Challenged<null> => decideSigned(signing, context, revoke(loaded))
