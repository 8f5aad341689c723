/**
 * `SecurityCodes`, `OtpSender` and `ScaProvider` at a provider that answers over HTTP.
 * Source: ports/SecurityCodes.ts, OtpSender.ts, ScaProvider.ts; D-527.
 */
import type { OtpSender, ScaProvider, SecurityCodes } from "@countersign/core/ports"
import { Effect } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import {
  otpSenderOperations,
  scaProviderOperations as sca,
  securityCodesOperations,
} from "../contract/AuthenticationOperations.ts"

/** The optional operations of `ScaProvider` that the provider answers. */
export interface ScaTraits {
  /** Whether the provider names the purposes of a payment's challenges. Default: one challenge suffices. */
  readonly purposes?: boolean
  /** Whether the provider decides which external accounts need a challenge to be trusted. Default: all. */
  readonly challengesTrust?: boolean
}

const resultOf = <A, E>(answer: Effect.Effect<{ readonly result: A }, E>) => Effect.map(answer, ({ result }) => result)

export const securityCodesOverHttp = ({ ask }: PortClient): SecurityCodes["Service"] => ({
  send: (request) => Effect.asVoid(ask(securityCodesOperations.send, request)),
  check: (request, code) => resultOf(ask(securityCodesOperations.check, { ...request, code })),
})

export const otpSenderOverHttp = ({ ask }: PortClient): OtpSender["Service"] => ({
  send: (message) => Effect.asVoid(ask(otpSenderOperations.send, message)),
})

export const scaProviderOverHttp =
  ({ challengesTrust = false, purposes = false }: ScaTraits) =>
  ({ ask }: PortClient): ScaProvider["Service"] => ({
    startEnrollment: (customerId, type) => resultOf(ask(sca.startEnrollment, { customerId, type })),
    confirmEnrollment: (customerId, confirmation) => ask(sca.confirmEnrollment, { customerId, confirmation }),
    challenge: (request) => resultOf(ask(sca.challenge, request)),
    check: (answer) => resultOf(ask(sca.check, answer)),
    startReset: (customerId, resetId, factor) => resultOf(ask(sca.startReset, { customerId, resetId, factor })),
    resetState: (customerId, resetId) => resultOf(ask(sca.resetState, { customerId, resetId })),
    ...(purposes ? { purposes: (payment) => resultOf(ask(sca.purposes, payment)) } : {}),
    ...(challengesTrust ? { challengesTrust: (trusted) => resultOf(ask(sca.challengesTrust, trusted)) } : {}),
  })
