/**
 * What the claims of an OIDC token have to say, in the order in which they are judged. The skew is for `iat` alone.
 * Spec: Sandbox authentication behavior (3); wire contract 4.12, 11.25; D-165.
 */
import type { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { OidcIdentity } from "./Credential.ts"

export interface Claims {
  readonly [claim: string]: unknown
}

export interface OidcFacts {
  readonly claims: Claims
  readonly isSupported: (issuer: string) => boolean
  /** Whether the issuer signed the token, as far as that is asked. */
  readonly isSigned: boolean
  readonly nowMillis: number
  /** At a verification: whom the credential names, and the nonce that the token has to carry. */
  readonly expected?: { readonly identity: OidcIdentity; readonly hasNonce: (nonce: string) => boolean }
}

type Reason = keyof typeof UnauthorizedReasons.rows

const ageMillisMax = 60_000
const skewMillis = 5_000

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** A time of a token, in seconds, as milliseconds; NaN where it is none, which is neither early nor late. */
const millisOf = (value: unknown): number => (Number.isFinite(value) ? Number(value) * 1000 : NaN)

/** A text, or the one text of a list; undefined where there is none, or more than one. */
const audienceOf = ({ aud }: Claims): string | undefined => {
  const one: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  return isText(one) ? one : undefined
}

/** Whom the claims name; undefined where one of the three is missing. */
export const identityOf = (claims: Claims): OidcIdentity | undefined => {
  const { iss, sub } = claims
  const audience = audienceOf(claims)
  return isText(iss) && isText(sub) && audience !== undefined ? { issuer: iss, audience, subject: sub } : undefined
}

const isSame = (a: OidcIdentity | undefined, b: OidcIdentity) =>
  a?.issuer === b.issuer && a.audience === b.audience && a.subject === b.subject

const refuse = (reason: Reason, holds: (facts: OidcFacts) => boolean): readonly [Reason, Test] => [
  reason,
  (facts) => (holds(facts) ? undefined : reason),
]
type Test = (facts: OidcFacts) => Reason | undefined

export const OidcClaimRules = Rules.make<OidcFacts, Reason>("OIDC claims", [
  refuse("UNSUPPORTED_ISSUER", ({ claims, isSupported }) => isText(claims["iss"]) && isSupported(claims["iss"])),
  refuse("INVALID_TOKEN_SIGNATURE", ({ isSigned }) => isSigned),
  refuse("INVALID_AUDIENCE", ({ claims }) => audienceOf(claims) !== undefined),
  refuse("INVALID_SUBJECT", ({ claims }) => isText(claims["sub"])),
  refuse("INVALID_ISSUE_TIME", ({ claims }) => !Number.isNaN(millisOf(claims["iat"]))),
  refuse("INVALID_EXPIRY", ({ claims }) => !Number.isNaN(millisOf(claims["exp"]))),
  refuse("TOKEN_IN_FUTURE", ({ claims, nowMillis }) => !(millisOf(claims["iat"]) > nowMillis + skewMillis)),
  refuse(
    "TOKEN_TOO_OLD",
    ({ claims, nowMillis }) => !(millisOf(claims["iat"]) < nowMillis - ageMillisMax - skewMillis),
  ),
  refuse("TOKEN_EXPIRED", ({ claims, nowMillis }) => !(millisOf(claims["exp"]) <= nowMillis)),
  refuse("IDENTITY_MISMATCH", ({ claims, expected }) =>
    expected === undefined ? true : isSame(identityOf(claims), expected.identity),
  ),
  refuse("NONCE_MISMATCH", ({ claims, expected }) => {
    const { nonce } = claims
    return expected === undefined || (isText(nonce) && expected.hasNonce(nonce))
  }),
])
