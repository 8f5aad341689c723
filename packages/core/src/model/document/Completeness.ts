/**
 * The documents that a submission to verification needs, and the errors of one that lacks some.
 * Source: wire contract areas 1.2.6; D-379.
 */
import type { BeneficialOwner } from "../customer/BeneficialOwner.ts"
import type { CustomerType } from "../customer/Customer.ts"
import type { VerificationError, VerificationErrorType } from "../customer/Verification.ts"
import type { Document, DocumentType } from "./Document.ts"

export interface HeldDocument {
  readonly documentId: string
  readonly document: Pick<Document, "documentHolder" | "documentType" | "side" | "documentNumber" | "issuingAuthority">
}

export interface SubmittedEvidence {
  readonly customerId: string
  readonly customer: { readonly customerType: CustomerType }
  readonly owners: ReadonlyArray<{
    readonly ownerId: string
    readonly owner: Pick<BeneficialOwner, "roles" | "ownershipPercentage">
  }>
  readonly documents: ReadonlyArray<HeldDocument>
}

export const identityTypes: ReadonlyArray<DocumentType> = ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"]
const twoSided: ReadonlyArray<DocumentType> = ["DRIVERS_LICENSE", "NATIONAL_ID"]

type Requirement = readonly [
  type: typeof VerificationErrorType.Type,
  what: string,
  accepted: ReadonlyArray<DocumentType>,
]

/** What the documents of a business must show. One trust agreement shows control and ownership. */
const businessRequirements: ReadonlyArray<Requirement> = [
  [
    "MISSING_LEGAL_PRESENCE_DOCUMENT",
    "the legal presence",
    ["CERTIFICATE_OF_INCORPORATION", "ARTICLES_OF_INCORPORATION", "ARTICLES_OF_ASSOCIATION", "STATE_REGISTRY_EXCERPT"],
  ],
  [
    "MISSING_CONTROL_STRUCTURE_DOCUMENT",
    "the control structure",
    ["DIRECTOR_REGISTRY", "TRUST_AGREEMENT", "STATE_COMPANY_REGISTRY", "PARTNERSHIP_CONTROL_AGREEMENT"],
  ],
  [
    "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
    "the ownership structure",
    ["SHAREHOLDER_REGISTER", "TRUST_AGREEMENT", "PARTNERSHIP_AGREEMENT"],
  ],
  [
    "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
    "the address",
    ["UTILITY_BILL", "RENT_OR_LEASE_AGREEMENT", "ELECTRICITY_BILL", "BANK_STATEMENT", "TAX_RETURN", "PROOF_OF_ADDRESS"],
  ],
]

/** The share of a business from which a person is one of its owners. */
const ownerPercentMin = 25

const heldBy = (documents: ReadonlyArray<HeldDocument>, holder: string) =>
  documents.filter(({ document }) => document.documentHolder === holder)

/** The images that together are one identity document: a passport, or both sides of a card. */
const identitySets = (held: ReadonlyArray<HeldDocument>): ReadonlyArray<ReadonlyArray<HeldDocument>> => [
  ...held.filter(({ document }) => document.documentType === "PASSPORT").map((passport) => [passport]),
  ...twoSided.flatMap((type) => {
    const sideOf = (side: "FRONT" | "BACK") =>
      held.find(({ document }) => document.documentType === type && document.side === side)
    const [front, back] = [sideOf("FRONT"), sideOf("BACK")]
    return front === undefined || back === undefined ? [] : [[front, back]]
  }),
]

/** The details that no image of a set has. */
const missingDetails = (set: ReadonlyArray<HeldDocument>): ReadonlyArray<VerificationError> => {
  const [first] = set
  return (["documentNumber", "issuingAuthority"] as const).flatMap((field) =>
    first === undefined || set.some(({ document }) => document[field] !== undefined)
      ? []
      : [{ resourceId: first.documentId, type: "MISSING_FIELD" as const, field, reason: `${field} is required.` }],
  )
}

const identityErrors = (documents: ReadonlyArray<HeldDocument>, holder: string): ReadonlyArray<VerificationError> => {
  const held = heldBy(documents, holder)
  const sets = identitySets(held)
  const [fewest] = sets.map(missingDetails).toSorted((a, b) => a.length - b.length)
  if (fewest !== undefined) return fewest
  const half = held.find(({ document }) => twoSided.includes(document.documentType))
  if (half !== undefined) {
    const reason = "Both sides of the document are required."
    return [{ resourceId: half.documentId, type: "INCOMPLETE_DOCUMENT", reason }]
  }
  return [
    {
      resourceId: holder,
      type: "MISSING_IDENTITY_DOCUMENT",
      acceptedDocumentTypes: identityTypes,
      reason: "An identity document is required.",
    },
  ]
}

/** Whether a person may own 25 % or more without being registered. The registered owners show it only if none of them owns as much. */
const mayLackOwner = (owners: ReadonlyArray<Pick<BeneficialOwner, "ownershipPercentage">>): boolean => {
  const shares = owners.map(({ ownershipPercentage }) => ownershipPercentage)
  const rest = shares.reduce((left, share) => left - share, 100)
  return rest >= ownerPercentMin && !shares.some((share) => share >= ownerPercentMin)
}

const personErrors = ({ customerId, owners }: SubmittedEvidence): ReadonlyArray<VerificationError> => {
  const all = owners.map(({ owner }) => owner)
  return [
    ...(all.some(({ roles }) => roles.includes("CONTROL_PERSON"))
      ? []
      : [
          {
            resourceId: customerId,
            type: "MISSING_CONTROL_PERSON" as const,
            reason: "A person who controls the business is required.",
          },
        ]),
    ...(mayLackOwner(all)
      ? [
          {
            resourceId: customerId,
            type: "MISSING_BENEFICIAL_OWNER" as const,
            reason: `Every owner of ${ownerPercentMin} % or more is required.`,
          },
        ]
      : []),
  ]
}

/** Returns what the documents of a submission lack. */
export const documentErrors = (evidence: SubmittedEvidence): ReadonlyArray<VerificationError> => {
  const { customer, customerId, documents, owners } = evidence
  if (customer.customerType === "INDIVIDUAL") return identityErrors(documents, customerId)
  const held = heldBy(documents, customerId)
  return [
    ...businessRequirements.flatMap(([type, what, accepted]) =>
      held.some(({ document }) => accepted.includes(document.documentType))
        ? []
        : [
            {
              resourceId: customerId,
              type,
              acceptedDocumentTypes: accepted,
              reason: `A document that shows ${what} is required.`,
            },
          ],
    ),
    ...personErrors(evidence),
    ...owners.flatMap(({ ownerId }) => identityErrors(documents, ownerId)),
  ]
}
