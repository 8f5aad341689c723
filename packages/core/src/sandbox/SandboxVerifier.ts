/**
 * Checks of names and customers that answer by magic suffix.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.11 and 7.6.
 */
import { Effect, Layer } from "effect"
import { mainIdentifier } from "../account/AccountReach.ts"
import * as Suffix from "../kit/Suffix.ts"
import { type BeneficiaryResult, Verifier } from "../ports/Verifier.ts"
import { beneficiaryVerification, individualCheck } from "./VerificationSuffixes.ts"

const answer = (suffix: string): BeneficiaryResult => {
  const status = beneficiaryVerification(suffix)
  return status === "INVALID_ACCOUNT" ? { _tag: "Invalid" } : { _tag: "Result", status }
}

export const layer: Layer.Layer<Verifier> = Layer.succeed(Verifier, {
  verifyBeneficiary: ({ accountInfo }) => Effect.succeed(answer(Suffix.of(mainIdentifier(accountInfo) ?? ""))),
  // A business is decided by a verification of its own, later.
  checkCustomer: ({ customerType, fullName }) =>
    Effect.succeed(customerType === "BUSINESS" ? "UNVERIFIED" : individualCheck(Suffix.of(fullName ?? ""))),
})
