/** TO WRITE: who verifies your customers, and the names of beneficiaries. Without it no customer and no account is created. */
import { Verifier, withPortChecks } from "@countersign/core/ports"
import { Layer } from "effect"
import { notWritten, notWrittenCheck } from "./NotWritten.ts"

export const verification = Layer.sync(Verifier, () =>
  withPortChecks<Verifier["Service"]>(
    {
      /** The first status of a new customer: "APPROVED", "REJECTED", or "PENDING" until you report the result. */
      checkCustomer: notWritten("Verifier.checkCustomer"),
      checkOwner: notWritten("Verifier.checkOwner"),
      verifyCustomer: notWritten("Verifier.verifyCustomer"),
      kycLink: notWritten("Verifier.kycLink"),
      /** Compares names: { _tag: "Result", status: "MATCHED" }, or { _tag: "Invalid" } for an account that does not exist. */
      verifyBeneficiary: notWritten("Verifier.verifyBeneficiary"),
    },
    [notWrittenCheck("verification", "ports/Verification.ts")],
  ),
)
