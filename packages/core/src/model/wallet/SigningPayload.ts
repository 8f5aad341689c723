/**
 * What is signed of each wallet action: minified JSON with its keys in alphabetical order (but a quote's), or for a code a token.
 * Source: wire contract 4.8; D-144.
 */

import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import type { Owner } from "../record/Record.ts"
import { type Credential, hashOf, isOtp } from "./Credential.ts"
import type { CredentialCreateRequest } from "./CredentialRequest.ts"
import type { OtpType } from "./CredentialType.ts"
import { OidcIssuers } from "./OidcIssuer.ts"

/** Whose wallet it is. The identifiers that clients see here are the service's own. */
export interface Signatory extends Owner {
  readonly accountId: string
}

/** The payload of a request that was issued at a time (ms). */
export type Payload = (issuedAt: number) => string

const userId = ({ customerId, platformId }: Owner): string => customerId ?? platformId

const activity =
  (type: string, organizationId: string, parameters: { readonly [name: string]: CanonicalJson.Json }): Payload =>
  (issuedAt) =>
    CanonicalJson.stringify({
      organizationId,
      parameters,
      timestampMs: String(issuedAt),
      type: `ACTIVITY_TYPE_${type}`,
    })

/** A new e-mail address or telephone number of the person; empty: it goes. */
export const updateContact = (owner: Owner, organizationId: string, type: OtpType, contact: string): Payload =>
  type === "EMAIL_OTP"
    ? activity("UPDATE_USER_EMAIL", organizationId, { userEmail: contact, userId: userId(owner) })
    : activity("UPDATE_USER_PHONE_NUMBER", organizationId, { userId: userId(owner), userPhoneNumber: contact })

/** What a provider is called where its issuer is known. */
export const providerName = (issuer: string): string => OidcIssuers.find(issuer)?.providerName ?? issuer

/** `detail`: the contact of an OTP credential, the issuer of an OAuth one. */
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

/** The refresh of a session, and the digest that a passkey signs. */
export const createSession = (accountId: string, clientPublicKey: string): Payload =>
  activity("CREATE_READ_WRITE_SESSION_V2", accountId, { targetPublicKey: clientPublicKey })

/** What a passkey is challenged with: 64 hex digits, whose own bytes go into WebAuthn. Source: wire contract 4.4. */
export const passkeyChallenge = (accountId: string, clientPublicKey: string, issuedAt: number): string =>
  hashOf(createSession(accountId, clientPublicKey)(issuedAt))

export const exportWallet = (accountId: string, clientPublicKey: string): Payload =>
  activity("EXPORT_WALLET", accountId, { targetPublicKey: clientPublicKey, walletId: accountId })

/** The execution of a quote: the one payload whose keys are in the order of the published sample. */
export const signTransaction =
  (accountId: string, unsignedTransaction: string): Payload =>
  (issuedAt) =>
    JSON.stringify({
      type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
      timestampMs: String(issuedAt),
      organizationId: accountId,
      parameters: { signWith: accountId, unsignedTransaction, type: "TRANSACTION_TYPE_ETHEREUM" },
      generateAppProofs: true,
    })

/** A change that no other activity names: the hash of what is sent, and the record that it changes. */
export const signRaw = (accountId: string, body: CanonicalJson.Json, recordId = accountId): Payload =>
  activity("SIGN_RAW_PAYLOAD_V2", accountId, {
    encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
    hashFunction: "HASH_FUNCTION_NO_OP",
    payload: hashOf(CanonicalJson.stringify(body)),
    signWith: recordId,
  })

/** A key that is to sign in a person's stead. */
export interface Delegate {
  readonly keyId: string
  /** Compressed, hex. */
  readonly publicKey: string
}

/** The first signature of a delegation: the key becomes a user of the wallet, who may do nothing yet. Source: D-261. */
export const createDelegate = (accountId: string, { keyId, publicKey }: Delegate, nickname: string): Payload =>
  activity("CREATE_USERS_V3", accountId, {
    users: [{ apiKeys: [{ apiKeyName: nickname, curveType: "API_KEY_CURVE_P256", publicKey }], userName: keyId }],
  })

/** The second one: it may sign what this card takes from the wallet, and nothing else. */
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
