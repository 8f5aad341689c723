/**
 * Ownership of wallets in the sandbox: signatures are verified as in live mode; a liveness check ends with
 * `POST /sandbox/external-accounts/{externalAccountId}/status`.
 * Source: wire contract 2.6; D-051.
 */
import { Clock, Effect, Layer } from "effect"
import { challengeLifetimeMillis } from "../model/account/OwnershipChallenge.ts"
import { OwnershipChecks, ownershipBySignature } from "../ports/Ownership.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"

/** Provides `OwnershipChecks` whose liveness checks have a page that does not exist. */
export const layer = Layer.succeed(OwnershipChecks, {
  ...ownershipBySignature,
  startLiveness: ({ accountId }) =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      verificationLink: `https://liveness.sandbox.example/${encodeURIComponent(accountId)}`,
      expiresAt: now + challengeLifetimeMillis,
    })),
}).pipe(sandboxOnly("SandboxOwnership"))
