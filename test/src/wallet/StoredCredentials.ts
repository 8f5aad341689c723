/** Stored credentials, sessions and requests for tests of wallet decisions, and the facts of a signature. */
import { tenant } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import type { Decision, DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import type { SignatureFacts, SigningFacts } from "../../../packages/core/src/decision/wallet/SignedDecision.ts"
import type { Credential, PasskeyCredential } from "../../../packages/core/src/model/wallet/Credential.ts"
import type { OtpChallenge } from "../../../packages/core/src/model/wallet/OtpChallenge.ts"
import type { Session } from "../../../packages/core/src/model/wallet/Session.ts"
import type { SignedRequest, TypedOperation } from "../../../packages/core/src/model/wallet/SignedRequest.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

export const now = Date.parse("2026-03-02T08:00:00Z")
export const minute = 60_000
export const owner = { platformId: "PlatformConfig:1", customerId: "Customer:1" }
export const accountId = "InternalAccount:1"
const dated = { ...owner, version: 3, createdAt: now - minute, updatedAt: now - minute }

export const contextOf = (more: Partial<DecisionContext> = {}): DecisionContext => ({
  now,
  ids: (type) => `${type}:new`,
  caller: tenant(owner.platformId),
  requestId: "Request:call",
  rejections: [],
  ...more,
})

const common = { accountId, nickname: "Phone", isRevoked: false }
export const passkey: PasskeyCredential = {
  ...common,
  type: "PASSKEY",
  challengeHash: "hash",
  passkey: {
    credentialId: "cred",
    publicKey: "key",
    signatureCount: 1,
    origin: "https://platform.example",
    relyingPartyHash: "rp",
    userVerified: false,
  },
}
export const email: Credential = { ...common, type: "EMAIL_OTP", contact: "ada@example.com" }
export const sms: Credential = { ...common, type: "SMS_OTP", contact: "+15550001" }
export const oauth: Credential = { ...common, type: "OAUTH", identity: { issuer: "i", audience: "a", subject: "s" } }

export const credentialOf = (data: Credential = email, id = "AuthMethod:1"): Stored<"Credential"> => ({
  ...dated,
  kind: "Credential",
  id,
  data,
})
export const sessionOf = (data: Partial<Session> = {}, id = "Session:1"): Stored<"Session"> => ({
  ...dated,
  kind: "Session",
  id,
  data: {
    accountId,
    authMethodId: "AuthMethod:1",
    type: "EMAIL_OTP",
    nickname: "Phone",
    publicKey: "02aa",
    status: "ACTIVE",
    expiresAt: now + minute,
    ...data,
  },
})
export const requestOf = (data: Partial<SignedRequest> = {}): Stored<"SignedRequest"> => ({
  ...dated,
  kind: "SignedRequest",
  id: "Request:1",
  data: {
    operation: "DELETE /auth/sessions/{id}",
    target: "Session:1",
    bodyMark: "mark",
    expiresAt: now + minute,
    ...data,
  },
})
export const challengeOf = (data: Partial<OtpChallenge> = {}): Stored<"OtpChallenge"> => ({
  ...dated,
  kind: "OtpChallenge",
  id: "AuthMethod:1",
  data: {
    challengeId: "c",
    contact: "ada@example.com",
    codeMark: "m",
    expiresAt: now + minute,
    isAnswered: false,
    wrongCodes: 0,
    wrongAt: [],
    ...data,
  },
})
export const walletOf = (credentialIds: ReadonlyArray<string>): Stored<"Wallet"> => ({
  ...dated,
  kind: "Wallet",
  id: accountId,
  data: { credentialIds, rootId: "root" },
})
export const internalOf = (
  type: "EMBEDDED_WALLET" | "INTERNAL_CRYPTO" = "EMBEDDED_WALLET",
): Stored<"InternalAccount"> => ({
  ...dated,
  kind: "InternalAccount",
  id: accountId,
  data: { type, status: "ACTIVE", currency: "USDB" },
})

const retryHeaders = { requestId: "Request:1", signature: "stamp" }
export const signed: SignatureFacts = {
  allowedSigner: { _tag: "Sessions", accountIds: [accountId] },
  hasSignature: true,
  isReadable: true,
  isSigned: true,
  sessions: [sessionOf()],
}
export const signingOf = (
  operation: Partial<TypedOperation> = {},
  more: Partial<Omit<SigningFacts, "operation">> = {},
): SigningFacts<TypedOperation> => ({
  operation: {
    operation: "DELETE /auth/sessions/{id}",
    target: { ...owner, id: "Session:1" },
    headers: retryHeaders,
    allowedSigner: signed.allowedSigner,
    payload: { _tag: "Text", text: "text to sign" },
    type: "EMAIL_OTP",
    ...operation,
  },
  bodyMark: "mark",
  signature: signed,
  request: requestOf(),
  ...more,
})

export const changesOf = (decision: Decision<unknown>): Changes => decision.changes ?? {}
/** The data of the records of a kind that a decision inserts or updates. */
export const writtenTo = (decision: Decision<unknown>, kind: string) => {
  const { inserts = [], updates = [] } = changesOf(decision)
  return [...inserts, ...updates].filter((record) => record.kind === kind).map(({ data }) => data)
}
