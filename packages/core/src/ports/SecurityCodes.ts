/**
 * Codes that confirm a customer's contact. The provider generates, sends and checks them, so that the service never stores one.
 * Source: wire contract 5.12 (contact verification, strong customer authentication) and 7.6.
 */
import { Context, type Effect, type Redacted } from "effect"

export type SecurityCodePurpose = "email" | "phone" | "sca"

export interface SecurityCodeRequest {
  readonly customerId: string
  readonly purpose: SecurityCodePurpose
  /** The e-mail address or telephone number that receives the code. */
  readonly address: string
}

export class SecurityCodes extends Context.Service<
  SecurityCodes,
  {
    readonly send: (request: SecurityCodeRequest) => Effect.Effect<void>
    /** Whether this is the last code sent and still valid. A request asks once, so a right code may be used up by it (D-322). */
    readonly check: (request: SecurityCodeRequest, code: Redacted.Redacted) => Effect.Effect<boolean>
  }
>()("@countersign/core/SecurityCodes") {}
