/**
 * Codes that confirm a customer's contact. The provider generates, sends and checks them, so that the service never stores one.
 * Source: wire contract 5.12 (contact verification, strong customer authentication) and 7.6.
 */
import { Context, type Effect, type Redacted } from "effect"

/** What a code confirms: a contact of the customer (`email`, `phone`), or an action that needs strong customer authentication (`sca`). */
export type SecurityCodePurpose = "email" | "phone" | "sca"

/** Whom a code is sent to, and for what. A code for one purpose confirms no other. */
export interface SecurityCodeRequest {
  readonly customerId: string
  readonly purpose: SecurityCodePurpose
  /** The e-mail address or telephone number that receives the code. */
  readonly address: string
}

export class SecurityCodes extends Context.Service<
  SecurityCodes,
  {
    /** Sends a new code, in place of the last one of the same request. */
    readonly send: (request: SecurityCodeRequest) => Effect.Effect<void>
    /** Whether this is the last code sent and still valid. A request asks once, so a right code may be used up by it (D-322). */
    readonly check: (request: SecurityCodeRequest, code: Redacted.Redacted) => Effect.Effect<boolean>
  }
>()("@countersign/core/SecurityCodes") {}
