/**
 * Codes that a customer gets by e-mail or text message and sends back: the provider draws, sends and checks them, so that the
 * service never has one to keep.
 * Source: wire contract 5.12 (contact verification, strong customer authentication) and 7.6.
 */
import { Context, type Effect, type Redacted } from "effect"

export type SecurityCodePurpose = "email" | "phone" | "sca"

export interface SecurityCodeRequest {
  readonly customerId: string
  readonly purpose: SecurityCodePurpose
  /** Where the code goes: an e-mail address or a telephone number. */
  readonly address: string
}

export class SecurityCodes extends Context.Service<
  SecurityCodes,
  {
    readonly send: (request: SecurityCodeRequest) => Effect.Effect<void>
    /** Whether this is the code that was sent last, and still valid. */
    readonly check: (request: SecurityCodeRequest, code: Redacted.Redacted) => Effect.Effect<boolean>
  }
>()("@countersign/core/SecurityCodes") {}
