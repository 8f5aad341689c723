/**
 * `OidcChecks`: the core's rules check the claims, and the given check verifies the signature.
 * Spec: Sandbox authentication behavior (3); wire contract 4.12, 11.25; D-164, D-165.
 */

import { Secrets } from "@countersign/core"
import { UnauthorizedReasons } from "@countersign/core/models"
import {
  identityOf,
  OidcChecks,
  OidcClaimRules,
  type OidcFacts,
  type OidcIdentity,
  OidcIssuers,
  OidcRefused,
  type OidcUnavailable,
} from "@countersign/core/ports"
import { Effect } from "effect"
import { claimsOf } from "./OidcToken.ts"

/** Whether an issuer signed a token. Called for supported issuers only. */
export type SignatureCheck = (token: string, address: string) => Effect.Effect<boolean, OidcUnavailable>

export interface OidcOptions {
  /** Supported issuers in addition to `OidcIssuers`. Each is an `https` address, or `http` on a loopback host. */
  readonly issuers?: ReadonlyArray<string> | undefined
}

const malformed = () => new OidcRefused({ reason: "Malformed token", malformed: true })

const isLoopback = ({ hostname }: URL) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname)

/** Whether keys may be loaded from an address. */
export const isTrustworthy = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)))
}

/** The address of each supported issuer. Throws for a configured issuer that is not a valid address. */
const addressesOf = ({ issuers = [] }: OidcOptions): ReadonlyMap<string, string> => {
  const invalid = issuers.find((issuer) => !isTrustworthy(issuer))
  if (invalid !== undefined) throw new RangeError(`An issuer must be an https address: ${invalid}`)
  const known = OidcIssuers.entries.map(([issuer, { address }]) => [issuer, address] as const)
  return new Map([...known, ...issuers.map((issuer) => [issuer, issuer] as const)])
}

const nonceCheck = (clientPublicKey: string) => {
  const expected = Secrets.hash(clientPublicKey)
  return (nonce: string) => Secrets.equal(nonce, expected)
}

const expectedOf = (expected: { readonly identity: OidcIdentity; readonly clientPublicKey: string } | undefined) =>
  expected === undefined
    ? {}
    : { expected: { identity: expected.identity, hasNonce: nonceCheck(expected.clientPublicKey) } }

export const make = (options: OidcOptions, isSigned: SignatureCheck): OidcChecks["Service"] => {
  const addresses = addressesOf(options)
  const check = Effect.fn("OidcTokens.check")(function* (
    token: string,
    nowMillis: number,
    expected?: { readonly identity: OidcIdentity; readonly clientPublicKey: string },
  ) {
    const claims = claimsOf(token)
    if (claims === undefined) return yield* malformed()
    const facts: OidcFacts = {
      claims,
      isSupported: (issuer) => addresses.has(issuer),
      isSigned: false,
      nowMillis,
      ...expectedOf(expected),
    }
    // Keys are loaded only after every earlier rule has passed, so only for supported issuers.
    const refusalBeforeSignature = OidcClaimRules.first(facts)?.refusal
    const address = addresses.get(String(claims["iss"])) ?? ""
    const refusal =
      refusalBeforeSignature === "INVALID_TOKEN_SIGNATURE"
        ? OidcClaimRules.first({ ...facts, isSigned: yield* isSigned(token, address) })?.refusal
        : refusalBeforeSignature
    const identity = identityOf(claims)
    if (refusal !== undefined || identity === undefined) {
      const reason = UnauthorizedReasons.rows[refusal ?? "IDENTITY_MISMATCH"]
      return yield* new OidcRefused({ reason, malformed: false })
    }
    const { email } = claims
    return typeof email === "string" && email !== "" ? { ...identity, email } : identity
  })
  return OidcChecks.of({ check })
}
