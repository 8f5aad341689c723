/**
 * Verifies an OIDC token and returns the identity that it names.
 * Spec: Sandbox authentication behavior (3); wire contract 4.12, 11.25.
 */
import { Context, Data, type Effect } from "effect"
import type { OidcIdentity } from "../model/wallet/Credential.ts"

/** The identity of a valid token, and the person's e-mail address. */
export interface OidcPerson extends OidcIdentity {
  /** The claim `email`, if the token has one. */
  readonly email?: string
}

/** The issuer's keys are not available, so that the token cannot be verified. The same call may succeed later. */
export class OidcUnavailable extends Data.TaggedError("OidcUnavailable") {}

/** The token is not valid. `malformed`: it is not a token, which is 400 and not a failed authentication. Never contains the token. */
export class OidcRefused extends Data.TaggedError("OidcRefused")<{
  readonly reason: string
  readonly malformed: boolean
}> {}

export class OidcChecks extends Context.Service<
  OidcChecks,
  {
    /**
     * `expected`: for a verification, the identity of the credential and the exact `clientPublicKey` text as sent, whose SHA-256 must
     * be the token's nonce; absent for a registration. `nowMillis` is business time.
     */
    readonly check: (
      token: string,
      nowMillis: number,
      expected?: { readonly identity: OidcIdentity; readonly clientPublicKey: string },
    ) => Effect.Effect<OidcPerson, OidcRefused | OidcUnavailable>
  }
>()("@countersign/core/OidcChecks") {}
