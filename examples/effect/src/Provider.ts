/** A verifier of your own: it trusts whoever has a name, and has every business looked at by a person. */
import { Verifier } from "@countersign/core/ports"
import { Clock, Effect, Layer } from "effect"

export const layer = Layer.succeed(Verifier, {
  verifyBeneficiary: () => Effect.succeed({ _tag: "Result", status: "MATCHED" }),
  checkCustomer: ({ customerType, fullName }) =>
    Effect.succeed(customerType === "INDIVIDUAL" && fullName !== undefined ? "APPROVED" : "PENDING"),
  checkOwner: () => Effect.succeed("PENDING"),
  verifyCustomer: () => Effect.succeed({ status: "IN_PROGRESS", errors: [], owners: [] }),
  kycLink: ({ customerId }) =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      kycUrl: `https://provider.example/check?who=${customerId}`,
      expiresAt: now + 3_600_000,
      provider: "OTHER",
    })),
})
