/** Rules of documents: their precedence, and what a submission needs. Wire contract areas 1.2.4 to 1.2.6. */
import { describe, expect, it } from "vitest"
import {
  documentErrors,
  type HeldDocument,
  type SubmittedEvidence,
} from "../../../packages/core/src/model/document/Completeness.ts"
import { DocumentType } from "../../../packages/core/src/model/document/Document.ts"
import { DeleteRules, ReplaceRules, UploadRules } from "../../../packages/core/src/model/document/DocumentRules.ts"
import { fileNameOf } from "../../../packages/core/src/model/document/FileContent.ts"
import { provePrecedence } from "../../../packages/test/src/proof/RulesProof.ts"

provePrecedence(UploadRules, {
  broken: { type: undefined, refusal: "EXPIRED", isFull: true },
  steps: [
    ["CONTENT", { type: "pdf" }],
    ["PROVIDER", { refusal: undefined }],
    ["COUNT", { isFull: false }],
  ],
})

provePrecedence(ReplaceRules, {
  broken: { type: undefined, refusal: "EXPIRED", isInReview: true, status: "RETAINED" },
  steps: [
    ["REVIEW", { isInReview: false }],
    ["STORED", { status: "STORED" }],
    ["CONTENT", { type: "pdf" }],
    ["PROVIDER", { refusal: undefined }],
  ],
})

provePrecedence(DeleteRules, { broken: { status: "SUBMITTED" }, steps: [["STORED", { status: "STORED" }]] })

const held = (
  documentId: string,
  documentType: HeldDocument["document"]["documentType"],
  more: Partial<HeldDocument["document"]> = {},
): HeldDocument => ({
  documentId,
  document: { documentHolder: "person", documentType, documentNumber: "A1", issuingAuthority: "State", ...more },
})

const individual = (...documents: ReadonlyArray<HeldDocument>): SubmittedEvidence => ({
  customerId: "person",
  customer: { customerType: "INDIVIDUAL" },
  owners: [],
  documents,
})

const typesOf = (evidence: SubmittedEvidence) =>
  documentErrors(evidence).map(({ field, resourceId, type }) => [
    type,
    resourceId,
    ...(field === undefined ? [] : [field]),
  ])

describe("the identity document of a person", () => {
  const noNumber = { documentNumber: undefined } as object
  const missing = [["MISSING_IDENTITY_DOCUMENT", "person"]]

  it.each<readonly [string, SubmittedEvidence, ReadonlyArray<ReadonlyArray<string>>]>([
    ["a passport", individual(held("1", "PASSPORT")), []],
    [
      "both sides",
      individual(held("1", "NATIONAL_ID", { side: "FRONT" }), held("2", "NATIONAL_ID", { side: "BACK" })),
      [],
    ],
    ["no document", individual(), missing],
    ["another document", individual(held("1", "UTILITY_BILL"), held("2", "SELFIE")), missing],
    ["another holder's passport", individual(held("1", "PASSPORT", { documentHolder: "other" })), missing],
    ["one side", individual(held("1", "DRIVERS_LICENSE", { side: "BACK" })), [["INCOMPLETE_DOCUMENT", "1"]]],
    ["no side", individual(held("1", "NATIONAL_ID")), [["INCOMPLETE_DOCUMENT", "1"]]],
    [
      "sides of two documents",
      individual(held("1", "NATIONAL_ID", { side: "FRONT" }), held("2", "DRIVERS_LICENSE", { side: "BACK" })),
      [["INCOMPLETE_DOCUMENT", "1"]],
    ],
    [
      "a passport without details",
      individual({ documentId: "1", document: { documentHolder: "person", documentType: "PASSPORT" } }),
      [
        ["MISSING_FIELD", "1", "documentNumber"],
        ["MISSING_FIELD", "1", "issuingAuthority"],
      ],
    ],
    [
      "details on the back",
      individual(held("1", "NATIONAL_ID", { side: "FRONT", ...noNumber }), held("2", "NATIONAL_ID", { side: "BACK" })),
      [],
    ],
    [
      "both sides without a number, which the first one lacks",
      individual(
        held("1", "NATIONAL_ID", { side: "FRONT", ...noNumber }),
        held("2", "NATIONAL_ID", { side: "BACK", ...noNumber }),
      ),
      [["MISSING_FIELD", "1", "documentNumber"]],
    ],
    ["one complete passport of two", individual(held("1", "PASSPORT", noNumber), held("2", "PASSPORT")), []],
  ])("is checked: %s", (_what, evidence, errors) => {
    expect(typesOf(evidence)).toEqual(errors)
  })
})

describe("the documents of a business", () => {
  const owner = { ownerId: "owner", owner: { roles: ["CONTROL_PERSON" as const], ownershipPercentage: 25 } }
  const ofOwner = held("p", "PASSPORT", { documentHolder: "owner" })
  const evidence = (documents: ReadonlyArray<HeldDocument>, owners = [owner]): SubmittedEvidence => ({
    customerId: "person",
    customer: { customerType: "BUSINESS" },
    owners,
    documents,
  })
  const trust = held("t", "TRUST_AGREEMENT")
  const rest = [held("1", "CERTIFICATE_OF_INCORPORATION"), held("2", "PROOF_OF_ADDRESS")]

  it("are complete with one trust agreement for control and ownership", () => {
    expect(typesOf(evidence([...rest, trust, ofOwner]))).toEqual([])
  })

  it("are all named when they are missing, with those that are accepted", () => {
    const errors = documentErrors(evidence([], []))
    expect(errors.map(({ type }) => type)).toEqual([
      "MISSING_LEGAL_PRESENCE_DOCUMENT",
      "MISSING_CONTROL_STRUCTURE_DOCUMENT",
      "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
      "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
      "MISSING_CONTROL_PERSON",
      "MISSING_BENEFICIAL_OWNER",
    ])
    expect(errors.map(({ acceptedDocumentTypes }) => acceptedDocumentTypes !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(errors.map(({ reason }) => reason)).toEqual([
      "A document that shows the legal presence is required.",
      "A document that shows the control structure is required.",
      "A document that shows the ownership structure is required.",
      "A document that shows the address is required.",
      "A person who controls the business is required.",
      "Every owner of 25 % or more is required.",
    ])
  })

  it.each(["FRONT", "BACK"] as const)("do not include an identity document with its %s alone", (side) => {
    const half = held("h", "DRIVERS_LICENSE", { documentHolder: "owner", side })
    expect(documentErrors(evidence([...rest, trust, half]))).toEqual([
      { resourceId: "h", type: "INCOMPLETE_DOCUMENT", reason: "Both sides of the document are required." },
    ])
  })

  it("show each requirement by the documents that its error names, and by no other", () => {
    const errors = documentErrors(evidence([])).filter(({ resourceId }) => resourceId === "person")
    expect(errors.map(({ acceptedDocumentTypes }) => acceptedDocumentTypes)).toEqual([
      [
        "CERTIFICATE_OF_INCORPORATION",
        "ARTICLES_OF_INCORPORATION",
        "ARTICLES_OF_ASSOCIATION",
        "STATE_REGISTRY_EXCERPT",
      ],
      ["DIRECTOR_REGISTRY", "TRUST_AGREEMENT", "STATE_COMPANY_REGISTRY", "PARTNERSHIP_CONTROL_AGREEMENT"],
      ["SHAREHOLDER_REGISTER", "TRUST_AGREEMENT", "PARTNERSHIP_AGREEMENT"],
      [
        "UTILITY_BILL",
        "RENT_OR_LEASE_AGREEMENT",
        "ELECTRICITY_BILL",
        "BANK_STATEMENT",
        "TAX_RETURN",
        "PROOF_OF_ADDRESS",
      ],
    ])
    for (const documentType of DocumentType.literals) {
      const left = typesOf(evidence([held("1", documentType), ofOwner])).map(([missing]) => missing)
      const expected = errors.filter(({ acceptedDocumentTypes = [] }) => !acceptedDocumentTypes.includes(documentType))
      expect([documentType, left]).toEqual([documentType, expected.map(({ type }) => type)])
    }
  })

  it.each([
    [[25], true],
    [[24.9], false],
    [[], false],
    [[19, 19, 19, 18], false],
    [[19, 19, 19, 19], true],
    [[20, 20, 20, 20, 20], true],
    [[10, 60], true],
  ])("of owners of %j % are complete: %s", (shares, areComplete) => {
    const owners = shares.map((ownershipPercentage) => ({ ...owner, owner: { ...owner.owner, ownershipPercentage } }))
    const control = { ownerId: "owner", owner: { roles: ["CONTROL_PERSON" as const], ownershipPercentage: 0 } }
    const errors = typesOf(evidence([...rest, trust, ofOwner], [control, ...owners]))
    expect(errors).toEqual(areComplete ? [] : [["MISSING_BENEFICIAL_OWNER", "person"]])
  })

  it("name a detail that their identity document lacks", () => {
    const bare = held("p", "PASSPORT", { documentHolder: "owner", documentNumber: undefined } as object)
    expect(documentErrors(evidence([...rest, trust, bare]))).toEqual([
      { resourceId: "p", type: "MISSING_FIELD", field: "documentNumber", reason: "documentNumber is required." },
    ])
  })

  it("include the identity of every owner, and an owner of 25 %", () => {
    expect(typesOf(evidence([...rest, trust]))).toEqual([["MISSING_IDENTITY_DOCUMENT", "owner"]])
    const small = { ...owner, owner: { ...owner.owner, ownershipPercentage: 24 } }
    expect(typesOf(evidence([...rest, trust, ofOwner], [small]))).toEqual([["MISSING_BENEFICIAL_OWNER", "person"]])
  })
})

it("a file name has no control characters and no path", () => {
  expect(fileNameOf("a\u0000b\u0085\u001f.pdf", "pdf")).toBe("ab.pdf")
  expect(fileNameOf(undefined, "png")).toBe("document.png")
  expect(fileNameOf("..", "jpeg")).toBe("document.jpeg")
})
