/**
 * The operations of `Verifier`.
 * Source: ports/Verifier.ts; wire contract 7.6; D-527.
 */
import {
  AccountInfo,
  BeneficialOwner,
  BeneficiaryVerificationStatus,
  CurrencyCode,
  Customer,
  CustomerType,
  Document,
  KycStatus,
  VerificationError,
} from "@countersign/core/models"
import type {
  BeneficiaryAnswer,
  BeneficiaryCheck,
  BeneficiaryResult,
  CustomerCheck,
  KycLink,
  OwnerCheck,
  VerificationOutcome,
} from "@countersign/core/ports"
import { Schema } from "effect"
import { exactly, Millis, optional, outcome, result, Secret, Text, Unknown } from "./Parts.ts"
import { withoutUnknown, withUnknown } from "./PortOperation.ts"

const Beneficiary = exactly<BeneficiaryCheck>()(
  Schema.Struct({ accountId: optional(Text), currency: CurrencyCode, accountInfo: AccountInfo }),
)

const definite = [
  outcome("Result", {
    status: BeneficiaryVerificationStatus,
    verifiedData: optional(Schema.Struct({ fullName: optional(Text) })),
    account: optional(Schema.Literals(["ACTIVE", "UNDER_REVIEW", "INACTIVE"])),
  }),
  outcome("Invalid", {}),
] as const

export const ReportedBeneficiary = exactly<BeneficiaryAnswer>()(
  Schema.Union(definite).annotate({ identifier: "ReportedBeneficiary" }),
)

const BeneficiaryAnswers = exactly<BeneficiaryResult>()(
  Schema.Union([...definite, outcome("Later", { at: Millis }), Unknown]).annotate({ identifier: "BeneficiaryResult" }),
)

const Person = exactly<CustomerCheck>()(
  Schema.Struct({
    customerId: optional(Text),
    customerType: CustomerType,
    fullName: optional(Text),
    registrationNumber: optional(Text),
    identifier: optional(Secret),
  }),
)

const Owner = exactly<OwnerCheck>()(
  Schema.Struct({ ownerId: Text, customerId: Text, owner: BeneficialOwner, identifier: optional(Secret) }),
)

/** A document with its bytes, which are absent if they were erased. */
const SubmittedDocument = Schema.Struct({
  documentId: Text,
  document: Document,
  content: optional(Text.annotate({ description: "The bytes of the file in base64." })),
})

const Submission = Schema.Struct({
  customerId: Text,
  customer: Customer,
  owners: Schema.Array(Schema.Struct({ ownerId: Text, owner: BeneficialOwner })),
  documents: Schema.Array(SubmittedDocument),
})

export const Verified = exactly<VerificationOutcome>()(
  Schema.Struct({
    status: Schema.Literals(["RESOLVE_ERRORS", "PENDING_MANUAL_REVIEW", "IN_PROGRESS", "APPROVED", "REJECTED"]),
    errors: Schema.Array(VerificationError),
    checkStatus: optional(KycStatus),
    owners: Schema.Array(Schema.Struct({ ownerId: Text, kycStatus: KycStatus })),
  }).annotate({ identifier: "VerificationOutcome" }),
)

const Link = exactly<KycLink>()(
  Schema.Struct({ kycUrl: Text, expiresAt: Millis, provider: Text, token: optional(Text) }).annotate({
    identifier: "KycLink",
  }),
)

export const verifierOperations = {
  verifyBeneficiary: withUnknown({
    path: "/verifier/verify-beneficiary",
    summary: "Compares the name of an account's beneficiary with its holder's.",
    request: Beneficiary,
    answer: BeneficiaryAnswers,
    repetition: "none",
    deadline: "ask",
  }),
  checkCustomer: withoutUnknown({
    path: "/verifier/check-customer",
    summary: "Returns the first status of a new customer's check.",
    request: Person,
    answer: result(KycStatus),
    repetition: "none",
    deadline: "ask",
  }),
  checkOwner: withoutUnknown({
    path: "/verifier/check-owner",
    summary: "Returns the status of an owner's check after its business is decided.",
    request: Owner,
    answer: result(KycStatus),
    repetition: "none",
    deadline: "ask",
  }),
  verifyCustomer: withoutUnknown({
    path: "/verifier/verify-customer",
    summary: "Verifies a customer with its owners and documents.",
    request: Submission,
    answer: result(Verified),
    repetition: "again",
    deadline: "instruct",
  }),
  kycLink: withoutUnknown({
    path: "/verifier/kyc-link",
    summary: "Returns a link to a page on which a person completes the check; it is for one use.",
    request: Schema.Struct({ customerId: Text, redirectUri: optional(Text) }),
    answer: result(Link),
    repetition: "again",
    deadline: "ask",
  }),
}
