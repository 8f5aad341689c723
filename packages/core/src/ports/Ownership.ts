/**
 * Proof of ownership of external wallets, by signature or by liveness check.
 * Source: wire contract 2.6 and 2.7; D-051, D-052.
 */
import { Context, Effect } from "effect"
import { isSignedByOwner, type SignatureCheck } from "../model/account/WalletSignature.ts"

/** A started liveness check of a provider. */
export interface LivenessSession {
  /** The provider's page for the owner. */
  readonly verificationLink: string
  readonly token?: string
  /** Business time (ms). */
  readonly expiresAt: number
}

/** The two proofs of ownership of an external wallet. Both only read, or start something at a provider. */
export interface OwnershipChecks {
  /** Whether the wallet's owner signed the message. The default checks the key of the address itself. */
  readonly verifySignature: (check: SignatureCheck) => Effect.Effect<boolean>
  /**
   * Starts a liveness check; its result is reported to `Ownership.report`. `undefined`: this deployment has none. It can be started
   * again for the same account.
   */
  readonly startLiveness: (account: {
    readonly accountId: string
    readonly customerId: string | null
  }) => Effect.Effect<LivenessSession | undefined>
}

/** The checks of a deployment without a provider: signatures count, and no liveness check is offered. */
export const ownershipBySignature: OwnershipChecks = {
  verifySignature: (check) => Effect.sync(() => isSignedByOwner(check)),
  startLiveness: () => Effect.undefined,
}

export const OwnershipChecks = Context.Reference<OwnershipChecks>("@countersign/core/OwnershipChecks", {
  defaultValue: () => ownershipBySignature,
})
