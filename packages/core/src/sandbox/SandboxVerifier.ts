/**
 * The verifier of the sandbox: checks of names and customers that answer by magic suffix.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.11, 5.12 and 7.6.
 */
import { Clock, Effect, Layer } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import * as Suffix from "../foundation/kit/Suffix.ts"
import { mainIdentifier } from "../model/account/MainIdentifier.ts"
import type { Customer } from "../model/customer/Customer.ts"
import type { VerificationError } from "../model/customer/Verification.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import {
  type BeneficiaryResult,
  type VerificationCheck,
  type VerificationOutcome,
  Verifier,
} from "../ports/Verifier.ts"
import {
  beneficiaryVerification,
  businessVerification,
  individualCheck,
  ownerCheck,
  personVerification,
} from "./VerificationSuffixes.ts"

/** The lifetime of a link. */
const linkMillis = 60 * 60 * 1000

const answer = (suffix: string): BeneficiaryResult => {
  const status = beneficiaryVerification(suffix)
  return status === "INVALID_ACCOUNT" ? { _tag: "Invalid" } : { _tag: "Result", status }
}

/** The required fields of a person's verification. */
const requiredFields = ["fullName", "birthDate", "nationality", "address", "idType", "identifier"] as const

const missingOf = (customerId: string, customer: Customer): ReadonlyArray<VerificationError> =>
  requiredFields
    .filter((field) => customer[field] === undefined)
    .map((field) => ({ resourceId: customerId, type: "MISSING_FIELD", field, reason: `${field} is required.` }))

const ofPerson = ({ customer, customerId }: VerificationCheck): VerificationOutcome => {
  const status = personVerification(Suffix.of(customer.fullName ?? ""))
  const poor: VerificationError = {
    resourceId: customerId,
    type: "POOR_QUALITY_DOCUMENT",
    acceptedDocumentTypes: ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"],
    reason: "The identity document cannot be read.",
  }
  if (status === "RESOLVE_ERRORS") return { status, errors: [poor], owners: [] }
  const missing = status === "PENDING_MANUAL_REVIEW" ? missingOf(customerId, customer) : []
  return { status: missing.length > 0 ? "RESOLVE_ERRORS" : status, errors: missing, owners: [] }
}

const ofBusiness = ({ customer, owners }: VerificationCheck): VerificationOutcome => ({
  status: businessVerification(Suffix.of(customer.businessInfo?.registrationNumber ?? "")),
  errors: [],
  owners: owners.map(({ owner, ownerId }) => ({
    ownerId,
    kycStatus: ownerCheck(owner.personalInfo.lastName.slice(-3)),
  })),
})

export const layer: Layer.Layer<Verifier> = Layer.succeed(Verifier, {
  verifyBeneficiary: ({ accountInfo }) => Effect.succeed(answer(Suffix.of(mainIdentifier(accountInfo) ?? ""))),
  // A later verification decides about a business.
  checkCustomer: ({ customerType, fullName }) =>
    Effect.succeed(customerType === "BUSINESS" ? "UNVERIFIED" : individualCheck(Suffix.of(fullName ?? ""))),
  checkOwner: ({ owner }) => Effect.succeed(ownerCheck(owner.personalInfo.lastName.slice(-3))),
  verifyCustomer: (check) =>
    Effect.succeed(check.customer.customerType === "BUSINESS" ? ofBusiness(check) : ofPerson(check)),
  kycLink: Effect.fnUntraced(function* ({ customerId, redirectUri }) {
    const now = yield* Clock.currentTimeMillis
    const name = Secrets.hash(`${customerId} ${now}`).slice(0, 32)
    const back = redirectUri === undefined ? "" : `?redirectUri=${encodeURIComponent(redirectUri)}`
    return {
      kycUrl: `https://verify.sandbox.example/kyc/${name}${back}`,
      expiresAt: now + linkMillis,
      provider: "SUMSUB",
    }
  }),
}).pipe(sandboxOnly("SandboxVerifier"))
