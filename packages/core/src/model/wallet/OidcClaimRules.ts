/**
 * Rules for the claims of an OIDC token, in order of precedence. The clock skew applies to `iat` only.
 * Spec: Sandbox authentication behavior (3); wire contract 4.12, 11.25; D-165.
 */
import type { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { OidcIdentity } from "./Credential.ts"

/** The claims of a token as they were decoded, of any type: the rules check each. */
export interface Claims {
  readonly [claim: string]: unknown
}

/** What the rules check a token by. */
export interface OidcFacts {
  readonly claims: Claims
  /** Whether an issuer, named by the claim `iss`, is one of the deployment's. */
  readonly isSupported: (issuer: string) => boolean
  /** Whether the issuer's signature verifies; always true where signatures are not checked. */
  readonly isSigned: boolean
  /** Business time, to which the times of the claims are compared. */
  readonly nowMillis: number
  /** At a sign-in: the credential's identity, and the check of the token's nonce. */
  readonly expected?: { readonly identity: OidcIdentity; readonly hasNonce: (nonce: string) => boolean }
}

type Reason = keyof typeof UnauthorizedReasons.rows

const ageMillisMax = 60_000
const skewMillis = 5_000

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Converts a time claim from seconds to milliseconds. Returns NaN for another type, which no comparison refuses. */
const millisOf = (value: unknown): number => (Number.isFinite(value) ? Number(value) * 1000 : NaN)

/** Returns the audience: a string, or the only string of a list. */
const audienceOf = ({ aud }: Claims): string | undefined => {
  const audience: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  return isText(audience) ? audience : undefined
}

/** Returns the identity of the claims, or `undefined` if issuer, audience or subject is missing. */
export const identityOf = (claims: Claims): OidcIdentity | undefined => {
  const { iss, sub } = claims
  const audience = audienceOf(claims)
  return isText(iss) && isText(sub) && audience !== undefined ? { issuer: iss, audience, subject: sub } : undefined
}

const isSame = (a: OidcIdentity | undefined, b: OidcIdentity) =>
  a?.issuer === b.issuer && a.audience === b.audience && a.subject === b.subject

const claimRule = (reason: Reason, holds: (facts: OidcFacts) => boolean): readonly [Reason, Test] => [
  reason,
  (facts) => (holds(facts) ? undefined : reason),
]
type Test = (facts: OidcFacts) => Reason | undefined

export const OidcClaimRules = Rules.make<OidcFacts, Reason>("OIDC claims", [
  claimRule("UNSUPPORTED_ISSUER", ({ claims, isSupported }) => isText(claims["iss"]) && isSupported(claims["iss"])),
  claimRule("INVALID_TOKEN_SIGNATURE", ({ isSigned }) => isSigned),
  claimRule("INVALID_AUDIENCE", ({ claims }) => audienceOf(claims) !== undefined),
  claimRule("INVALID_SUBJECT", ({ claims }) => isText(claims["sub"])),
  claimRule("INVALID_ISSUE_TIME", ({ claims }) => !Number.isNaN(millisOf(claims["iat"]))),
  claimRule("INVALID_EXPIRY", ({ claims }) => !Number.isNaN(millisOf(claims["exp"]))),
  claimRule("TOKEN_IN_FUTURE", ({ claims, nowMillis }) => !(millisOf(claims["iat"]) > nowMillis + skewMillis)),
  claimRule(
    "TOKEN_TOO_OLD",
    ({ claims, nowMillis }) => !(millisOf(claims["iat"]) < nowMillis - ageMillisMax - skewMillis),
  ),
  claimRule("TOKEN_EXPIRED", ({ claims, nowMillis }) => !(millisOf(claims["exp"]) <= nowMillis)),
  claimRule("IDENTITY_MISMATCH", ({ claims, expected }) =>
    expected === undefined ? true : isSame(identityOf(claims), expected.identity),
  ),
  claimRule("NONCE_MISMATCH", ({ claims, expected }) => {
    const { nonce } = claims
    return expected === undefined || (isText(nonce) && expected.hasNonce(nonce))
  }),
])
