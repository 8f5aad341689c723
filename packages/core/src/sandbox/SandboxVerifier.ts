/**
 * The verifier of the sandbox: checks of names and customers that answer by magic suffix.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.11, 5.12 and 7.6.
 */
import { Clock, Effect, Layer } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import * as Suffix from "../foundation/kit/Suffix.ts"
import { mainIdentifier } from "../model/account/MainIdentifier.ts"
import type { VerificationError } from "../model/customer/Verification.ts"
import { identityTypes } from "../model/document/Completeness.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import {
  type BeneficiaryResult,
  type VerificationCheck,
  type VerificationOutcome,
  Verifier,
} from "../ports/Verifier.ts"
import { magicErrors } from "./SandboxDocuments.ts"
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

/** The document that the provider could not read: the newest identity document of the person. */
const poorDocument = ({ customerId, documents }: VerificationCheck): VerificationError => ({
  resourceId: documents.find(({ document }) => identityTypes.includes(document.documentType))?.documentId ?? customerId,
  type: "POOR_QUALITY_DOCUMENT",
  reason: "The identity document cannot be read.",
})

const ofPerson = (check: VerificationCheck): VerificationOutcome => {
  const magic = magicErrors(check)
  if (magic.length > 0) return { status: "RESOLVE_ERRORS", errors: magic, owners: [] }
  const status = personVerification(Suffix.of(check.customer.fullName ?? ""))
  return { status, errors: status === "RESOLVE_ERRORS" ? [poorDocument(check)] : [], owners: [] }
}

const ofBusiness = ({ customer, owners }: VerificationCheck): VerificationOutcome => ({
  status: businessVerification(Suffix.of(customer.businessInfo?.registrationNumber ?? "")),
  errors: [],
  owners: owners.map(({ owner, ownerId }) => ({
    ownerId,
    kycStatus: ownerCheck(owner.personalInfo.lastName.slice(-3)),
  })),
})

/** Provides a `Verifier` whose results follow from magic suffixes. */
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
