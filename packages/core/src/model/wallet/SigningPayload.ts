/**
 * Payloads that wallet actions sign: minified JSON with keys in alphabetical order (except a quote's), or the token of a code.
 * Source: wire contract 4.8; D-144.
 */
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { Owner } from "../record/Record.ts"
import { type Credential, isOtp, sha256Hex } from "./Credential.ts"
import type { CredentialCreateRequest } from "./CredentialRequest.ts"
import type { OtpType } from "./CredentialType.ts"
import { OidcIssuers } from "./OidcIssuer.ts"

/** Owner and account of a wallet. Payloads show the service's own identifiers. */
export interface Signatory extends Owner {
  readonly accountId: string
}

/** What is signed, without the time of the request. */
export type Payload =
  | {
      readonly _tag: "Activity"
      readonly type: string
      readonly organizationId: string
      readonly parameters: { readonly [name: string]: CanonicalJson.Json }
    }
  | { readonly _tag: "Text"; readonly text: string }

/** Returns the text to sign of a request that was issued at a time (ms). */
export const payloadText = (payload: Payload, issuedAt: number): string =>
  payload._tag === "Text"
    ? payload.text
    : CanonicalJson.stringify({
        organizationId: payload.organizationId,
        parameters: payload.parameters,
        timestampMs: String(issuedAt),
        type: `ACTIVITY_TYPE_${payload.type}`,
      })

/** A payload that does not depend on the time of the request. */
export const fixedText = (text: string): Payload => ({ _tag: "Text", text })

const userId = ({ customerId, platformId }: Owner): string => customerId ?? platformId

const activity = (
  type: string,
  organizationId: string,
  parameters: { readonly [name: string]: CanonicalJson.Json },
): Payload => ({ _tag: "Activity", type, organizationId, parameters })

/** Changes the owner's e-mail address or telephone number. An empty contact removes it. */
export const updateContact = (owner: Owner, organizationId: string, type: OtpType, contact: string): Payload =>
  type === "EMAIL_OTP"
    ? activity("UPDATE_USER_EMAIL", organizationId, { userEmail: contact, userId: userId(owner) })
    : activity("UPDATE_USER_PHONE_NUMBER", organizationId, { userId: userId(owner), userPhoneNumber: contact })

/** Returns the provider's name, or the issuer of an unknown provider. */
export const providerName = (issuer: string): string => OidcIssuers.find(issuer)?.providerName ?? issuer

/** `detail` is the contact of an OTP credential or the issuer of an OAuth credential. */
export const addCredential = (signatory: Signatory, request: CredentialCreateRequest, detail: string): Payload => {
  const { accountId } = signatory
  const user = { userId: userId(signatory) }
  if (request.type === "OAUTH") {
    const oauthProviders = [{ oidcToken: request.oidcToken, providerName: providerName(detail) }]
    return activity("CREATE_OAUTH_PROVIDERS", accountId, { ...user, oauthProviders })
  }
  if (request.type === "PASSKEY") {
    const { attestation, challenge, nickname } = request
    const { attestationObject, clientDataJson, credentialId, transports = [] } = attestation
    const authenticator = {
      attestation: { attestationObject, clientDataJson, credentialId },
      authenticatorName: nickname.trim(),
      challenge,
      transports: [...transports],
    }
    return activity("CREATE_AUTHENTICATORS_V2", accountId, { ...user, authenticators: [authenticator] })
  }
  return updateContact(signatory, accountId, request.type, detail)
}

export const revokeCredential = (signatory: Signatory, id: string, credential: Credential): Payload => {
  const { accountId } = signatory
  if (isOtp(credential)) return updateContact(signatory, accountId, credential.type, "")
  const user = { userId: userId(signatory) }
  return credential.type === "PASSKEY"
    ? activity("DELETE_AUTHENTICATORS", accountId, { ...user, authenticatorIds: [id] })
    : activity("DELETE_OAUTH_PROVIDERS", accountId, { ...user, providerIds: [id] })
}

export const revokeSession = (signatory: Signatory, sessionId: string): Payload =>
  activity("DELETE_API_KEYS", signatory.accountId, { apiKeyIds: [sessionId], userId: userId(signatory) })

/** Refreshes a session. Its hash is the challenge of a passkey. */
export const createSession = (accountId: string, clientPublicKey: string): Payload =>
  activity("CREATE_READ_WRITE_SESSION_V2", accountId, { targetPublicKey: clientPublicKey })

/** Returns the challenge of a passkey: 64 hex digits, whose bytes are the WebAuthn challenge. Source: wire contract 4.4. */
export const passkeyChallenge = (accountId: string, clientPublicKey: string, issuedAt: number): string =>
  sha256Hex(payloadText(createSession(accountId, clientPublicKey), issuedAt))

export const exportWallet = (accountId: string, clientPublicKey: string): Payload =>
  activity("EXPORT_WALLET", accountId, { targetPublicKey: clientPublicKey, walletId: accountId })

/** Returns the text that executes a quote. Its keys are in the order of the published sample, not sorted. */
export const signTransaction = (accountId: string, unsignedTransaction: string, issuedAt: number): string =>
  JSON.stringify({
    type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
    timestampMs: String(issuedAt),
    organizationId: accountId,
    parameters: { signWith: accountId, unsignedTransaction, type: "TRANSACTION_TYPE_ETHEREUM" },
    generateAppProofs: true,
  })

/** Signs a change that has no activity of its own: the hash of the body, and the record that it changes. */
export const signRaw = (accountId: string, body: CanonicalJson.Json, recordId = accountId): Payload =>
  activity("SIGN_RAW_PAYLOAD_V2", accountId, {
    encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
    hashFunction: "HASH_FUNCTION_NO_OP",
    payload: sha256Hex(CanonicalJson.stringify(body)),
    signWith: recordId,
  })

/** Key that signs on behalf of the wallet's owner. */
export interface Delegate {
  readonly keyId: string
  /** Compressed, hex. */
  readonly publicKey: string
  /** The root that the key comes from; absent: the store's first root. */
  readonly rootId?: string
}

/** First signature of a delegation: adds the key as a user of the wallet without permissions. Source: D-261. */
export const createDelegate = (accountId: string, { keyId, publicKey }: Delegate, nickname: string): Payload =>
  activity("CREATE_USERS_V3", accountId, {
    users: [{ apiKeys: [{ apiKeyName: nickname, curveType: "API_KEY_CURVE_P256", publicKey }], userName: keyId }],
  })

/** Second signature of a delegation: permits the key to sign the debits of this card only. */
export const createDelegation = (accountId: string, { keyId }: Delegate, cardId: string): Payload =>
  activity("CREATE_POLICIES", accountId, {
    policies: [
      {
        condition: `card.id == '${cardId}'`,
        consensus: `approvers.any(user, user.name == '${keyId}')`,
        effect: "EFFECT_ALLOW",
        policyName: keyId,
      },
    ],
  })
