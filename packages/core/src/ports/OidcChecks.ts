/**
 * Whether an OIDC token may stand for its bearer, and whom it names.
 * Spec: Sandbox authentication behavior (3); wire contract 4.12, 11.25.
 */
import { Context, Data, type Effect } from "effect"
import type { OidcIdentity } from "../model/wallet/Credential.ts"

export interface OidcPerson extends OidcIdentity {
  /** The claim `email`, where there is one. */
  readonly email?: string
}

/** The issuer's keys cannot be had: nothing is said of the token. The same call may succeed later. */
export class OidcUnavailable extends Data.TaggedError("OidcUnavailable") {}

/** `malformed`: not a token at all, which is 400 and no failed authentication. Never carries the token. */
export class OidcRefused extends Data.TaggedError("OidcRefused")<{
  readonly reason: string
  readonly malformed: boolean
}> {}

export class OidcChecks extends Context.Service<
  OidcChecks,
  {
    /**
     * `expected`: at a verification, the identity that the credential keeps and the exact `clientPublicKey` text as sent, whose
     * SHA-256 must be the token's nonce; absent at a registration. `nowMillis` is business time.
     */
    readonly check: (
      token: string,
      nowMillis: number,
      expected?: { readonly identity: OidcIdentity; readonly clientPublicKey: string },
    ) => Effect.Effect<OidcPerson, OidcRefused | OidcUnavailable>
  }
>()("@countersign/core/OidcChecks") {}
