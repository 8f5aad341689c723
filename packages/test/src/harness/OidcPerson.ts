/**
 * A person with an account at an OIDC provider, and the person's tokens: valid, or with one named fault.
 * Spec: Sandbox authentication behavior (3); wire contract 4.12, 11.25.
 */
import { createHash } from "node:crypto"
import type { UnauthorizedReasons } from "@countersign/core/models"
import type { OidcIdentity } from "@countersign/core/ports"

type Reason = keyof typeof UnauthorizedReasons.rows

export interface OidcClaims {
  readonly [claim: string]: unknown
}

/** A fault: it changes valid claims to invalid ones. `reason` is that of the error that it causes. */
interface Fault {
  readonly reason: Reason
  readonly apply: (claims: OidcClaims, nowSeconds: number) => OidcClaims
}

const without = (claim: string) => (claims: OidcClaims) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim))
const having = (more: OidcClaims) => (claims: OidcClaims) => ({ ...claims, ...more })
const at = (claim: string, seconds: number) => (claims: OidcClaims, now: number) => ({
  ...claims,
  [claim]: now + seconds,
})

/** The faults of a token's claims. */
export const claimFaults = {
  issuer: { reason: "UNSUPPORTED_ISSUER", apply: having({ iss: "https://elsewhere.example" }) },
  noIssuer: { reason: "UNSUPPORTED_ISSUER", apply: without("iss") },
  issuerList: { reason: "UNSUPPORTED_ISSUER", apply: having({ iss: ["https://accounts.google.com"] }) },
  noAudience: { reason: "INVALID_AUDIENCE", apply: without("aud") },
  emptyAudience: { reason: "INVALID_AUDIENCE", apply: having({ aud: "" }) },
  emptyAudienceList: { reason: "INVALID_AUDIENCE", apply: having({ aud: [] }) },
  twoAudiences: { reason: "INVALID_AUDIENCE", apply: having({ aud: ["wallet", "other"] }) },
  audienceOfNoText: { reason: "INVALID_AUDIENCE", apply: having({ aud: [["wallet"]] }) },
  noSubject: { reason: "INVALID_SUBJECT", apply: without("sub") },
  emptySubject: { reason: "INVALID_SUBJECT", apply: having({ sub: "" }) },
  subjectOfNoText: { reason: "INVALID_SUBJECT", apply: having({ sub: 1 }) },
  noIssueTime: { reason: "INVALID_ISSUE_TIME", apply: without("iat") },
  issueTimeAsText: { reason: "INVALID_ISSUE_TIME", apply: having({ iat: "1" }) },
  noExpiry: { reason: "INVALID_EXPIRY", apply: without("exp") },
  expiryAsText: { reason: "INVALID_EXPIRY", apply: having({ exp: "9999999999" }) },
  future: { reason: "TOKEN_IN_FUTURE", apply: at("iat", 5.001) },
  tooOld: { reason: "TOKEN_TOO_OLD", apply: at("iat", -65.001) },
  expired: { reason: "TOKEN_EXPIRED", apply: at("exp", 0) },
} as const satisfies Readonly<Record<string, Fault>>

/** The faults that only a sign-in detects, because it compares the token with the registered identity and the key. */
export const verificationFaults = {
  otherIssuer: { reason: "IDENTITY_MISMATCH", apply: having({ iss: "https://appleid.apple.com" }) },
  otherAudience: { reason: "IDENTITY_MISMATCH", apply: having({ aud: "other" }) },
  otherSubject: { reason: "IDENTITY_MISMATCH", apply: having({ sub: "other" }) },
  noNonce: { reason: "NONCE_MISMATCH", apply: without("nonce") },
  nonceOfNoText: { reason: "NONCE_MISMATCH", apply: having({ nonce: 1 }) },
  nonceOfAnotherKey: { reason: "NONCE_MISMATCH", apply: having({ nonce: "00".repeat(32) }) },
} as const satisfies Readonly<Record<string, Fault>>

/** Strings that are not tokens. */
export const malformedTokens: ReadonlyArray<string> = [
  "",
  "sandbox-valid-oidc-token",
  "a.b",
  "a.b.c",
  "e30.e30",
  "e30.W10.sig",
  "W10.e30.sig",
  "e30.e30.sig.more",
  "e30.e30.si g",
  "bm8.e30.sig",
]

export type ClaimFault = keyof typeof claimFaults
/** A fault of a token, of its claims or of their match with the credential: a key of `oidcFaults`, which names the error. */
export type OidcFault = ClaimFault | keyof typeof verificationFaults
export const oidcFaults: Readonly<Record<OidcFault, Fault>> = { ...claimFaults, ...verificationFaults }

/** Returns the nonce that binds a token to a client public key: the hash of the exact text that is sent. */
export const nonceOf = (clientPublicKey: string): string => createHash("sha256").update(clientPublicKey).digest("hex")

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Encodes a token with a placeholder signature, which the sandbox accepts. */
export const unsigned = (claims: OidcClaims): string => `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}.dummy`

export interface OidcPerson {
  readonly identity: OidcIdentity
  readonly claims: (nowMillis: number, options?: TokenOptions) => OidcClaims
  /** Returns a token with a placeholder signature. */
  readonly token: (nowMillis: number, options?: TokenOptions) => string
}

/** What a token is made for, and its fault; without them, a valid token for a registration. */
export interface TokenOptions {
  /** The key whose hash becomes the nonce. */
  readonly clientPublicKey?: string
  readonly wrong?: OidcFault
}

export const oidcPerson = (options: Partial<OidcIdentity & { readonly email: string }> = {}): OidcPerson => {
  const {
    audience = "wallet",
    email = "ada@example.com",
    issuer = "https://accounts.google.com",
    subject = "1234567890",
  } = options
  const claims: OidcPerson["claims"] = (nowMillis, { clientPublicKey, wrong } = {}) => {
    const now = nowMillis / 1000
    const valid = {
      iss: issuer,
      aud: audience,
      sub: subject,
      email,
      iat: now,
      exp: now + 3600,
      ...(clientPublicKey === undefined ? {} : { nonce: nonceOf(clientPublicKey) }),
    }
    return wrong === undefined ? valid : oidcFaults[wrong].apply(valid, now)
  }
  return {
    identity: { issuer, audience, subject },
    claims,
    token: (nowMillis, options) => unsigned(claims(nowMillis, options)),
  }
}
