/**
 * A module of `--ports`, with rates and codes of the sandbox. Its bank cannot pull from accounts whose number ends in 8, and reports
 * those ending in 9 as empty. Its provider reviews every customer except Ada Lovelace.
 */
import { Verifier } from "@countersign/core/ports"
import { SandboxCodes, SandboxIssuer, SandboxOtp, SandboxRates, SandboxSca } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"
import { ownLayer } from "./OwnLayer.ts"

const bank = SuccessfulRails.layer({
  inspectPull: ({ accountInfo }) => {
    const number = String(accountInfo["accountNumber"])
    return Effect.succeed({
      pullable: !number.endsWith("8"),
      funds: number.endsWith("9") ? ("insufficient" as const) : ("unknown" as const),
    })
  },
})

const provider = Layer.succeed(Verifier, {
  verifyBeneficiary: () => Effect.succeed({ _tag: "Result", status: "MATCHED" }),
  checkCustomer: ({ customerType, fullName }) => {
    if (customerType === "BUSINESS") return Effect.succeed("UNVERIFIED")
    return Effect.succeed(fullName === "Ada Lovelace" ? "APPROVED" : "PENDING")
  },
  checkOwner: () => Effect.succeed("PENDING"),
  verifyCustomer: () => Effect.succeed({ status: "IN_PROGRESS", errors: [], owners: [] }),
  kycLink: () => Effect.succeed({ kycUrl: "https://provider.example/check", expiresAt: 0, provider: "OTHER" }),
})

export default ownLayer(
  Layer.mergeAll(
    bank,
    SandboxRates.layer,
    provider,
    SandboxCodes.layer,
    SandboxSca.layer,
    SandboxOtp.layer,
    SandboxIssuer.layer,
  ),
)
