/**
 * What the outcome of a verification writes of the verification, the customer, the owners and their documents, and what an owner writes.
 * Spec: 4.6; wire contract 5.12, 6.1 and 7.6; wire contract areas 1.2.5; D-083.
 */
import type { BeneficialOwner, Document } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  createOwner,
  updatedOwner,
  updateOwner,
} from "../../../packages/core/src/decision/customer/BeneficialOwnerDecision.ts"
import { applyOutcome } from "../../../packages/core/src/decision/customer/VerificationChanges.ts"
import type { Customer, KycStatus } from "../../../packages/core/src/model/customer/Customer.ts"
import type { ReachedStatus } from "../../../packages/core/src/model/customer/VerificationMachine.ts"
import { changesOf, contextOf, writtenTo } from "../card/StoredCards.ts"
import { ada } from "./SampleCustomer.ts"

const dated = { platformId: "PlatformConfig:1", customerId: "Customer:1", version: 1, createdAt: 0, updatedAt: 0 }
const business: Customer = { ...ada, customerType: "BUSINESS", checkStatus: "UNVERIFIED" }
const customerWith = (data: Partial<Customer> = {}): Stored<"Customer"> => ({
  ...dated,
  kind: "Customer",
  id: "Customer:1",
  data: { ...business, ...data },
})
const person: BeneficialOwner = {
  roles: ["UBO"],
  ownershipPercentage: 40,
  personalInfo: {
    firstName: "Ada",
    lastName: "Byron",
    birthDate: "1980-01-01",
    nationality: "GB",
    address: { line1: "1 Street", postalCode: "1", country: "GB" },
    idType: "SSN",
    identifier: "***4321",
  },
  kycStatus: "PENDING",
}
const ownerWith = (kycStatus: KycStatus, id = "BeneficialOwner:1"): Stored<"BeneficialOwner"> => ({
  ...dated,
  kind: "BeneficialOwner",
  id,
  data: { ...person, kycStatus },
})
const verificationIn = (verificationStatus: ReachedStatus | undefined): Stored<"Verification"> | undefined =>
  verificationStatus && {
    ...dated,
    kind: "Verification",
    id: "Verification:1",
    data: { verificationStatus, errors: [error] },
  }
const error = { resourceId: "Customer:1", type: "MISSING_FIELD", reason: "is missing" } as const
const documentIn = (status: Document["status"]) =>
  ({ ...dated, kind: "Document", id: `Document:${status}`, data: { status } }) as Stored<"Document">

const applied = (
  open: ReachedStatus | undefined,
  status: ReachedStatus,
  isSubmission: boolean,
  {
    checkStatus,
    documents = [],
    named = [],
    owners = [],
    stored = {},
  }: {
    readonly checkStatus?: KycStatus
    readonly documents?: ReadonlyArray<Stored<"Document">>
    readonly named?: ReadonlyArray<{ readonly ownerId: string; readonly kycStatus: KycStatus }>
    readonly owners?: ReadonlyArray<Stored<"BeneficialOwner">>
    readonly stored?: Partial<Customer>
  } = {},
) =>
  applyOutcome(
    { customer: customerWith(stored), owners, open: verificationIn(open), documents },
    { status, errors: [error], owners: named, ...(checkStatus && { checkStatus }) },
    isSubmission,
    contextOf(),
  )
const typesOf = ({ changes }: ReturnType<typeof applied>) => (changes.events ?? []).map(({ type }) => type)

describe("the outcome of a verification", () => {
  /** Whether it passes IN_PROGRESS first, for a submission: what is with the provider already does not, nor what it cannot decide. */
  const decided = ["APPROVED", "REJECTED", "PENDING_MANUAL_REVIEW"] as const
  const kyb = { APPROVED: "APPROVED", REJECTED: "REJECTED", PENDING_MANUAL_REVIEW: "PENDING", IN_PROGRESS: "PENDING" }

  it.each(
    ([undefined, "RESOLVE_ERRORS", "IN_PROGRESS", "PENDING_MANUAL_REVIEW"] as const).flatMap((open) =>
      decided.flatMap((status) => [true, false].map((isSubmission) => [open, status, isSubmission] as const)),
    ),
  )("%s, then %s, as a submission: %s", (open, status, isSubmission) => {
    const result = applied(open, status, isSubmission)
    const isFirst = open === undefined || open === "RESOLVE_ERRORS"
    const passed = isFirst && isSubmission ? ["VERIFICATION.IN_PROGRESS"] : []
    const reached = open === status ? [] : [`VERIFICATION.${status}`]
    expect(typesOf(result)).toEqual([...passed, ...reached, `CUSTOMER.KYB_${kyb[status]}`])
    const errors = status === "APPROVED" ? [] : [error]
    expect(result.verification.data).toEqual({ verificationStatus: status, errors })
    expect(writtenTo(result.changes, "Verification")).toEqual([{ verificationStatus: status, errors }])
    expect(writtenTo(result.changes, "Customer")).toEqual([{ ...business, checkStatus: kyb[status] }])
  })

  it("shows in each event what was true of it", () => {
    const { changes } = applied(undefined, "REJECTED", true)
    const bodies = (changes.events ?? []).map(({ data }) => data.body)
    expect(bodies).toMatchObject([
      { id: expect.stringContaining("Verification:"), verificationStatus: "IN_PROGRESS", errors: [] },
      { verificationStatus: "REJECTED", errors: [error] },
      { id: "Customer:1", kybStatus: "REJECTED" },
    ])
  })

  it.each([undefined, "RESOLVE_ERRORS", "IN_PROGRESS"] as const)(
    "with errors, after %s, does not reach the provider",
    (open) => {
      const result = applied(open, "RESOLVE_ERRORS", true)
      expect(typesOf(result)).toEqual(open === "RESOLVE_ERRORS" ? [] : ["VERIFICATION.RESOLVE_ERRORS"])
      expect(result.verification.data).toEqual({ verificationStatus: "RESOLVE_ERRORS", errors: [error] })
      // A customer whose first verification this is takes a new version, so that of two at once one decides again.
      expect(writtenTo(result.changes, "Customer")).toEqual(open === undefined ? [business] : [])
      expect(result.changes.guards ?? []).toEqual(
        open === undefined ? [] : [{ kind: "Customer", id: "Customer:1", version: 1 }],
      )
    },
  )

  it("that waits is begun once", () => {
    const result = applied(undefined, "IN_PROGRESS", true)
    expect(typesOf(result)).toEqual(["VERIFICATION.IN_PROGRESS", "CUSTOMER.KYB_PENDING"])
    expect(result.verification.data).toEqual({ verificationStatus: "IN_PROGRESS", errors: [] })
    expect(typesOf(applied("IN_PROGRESS", "IN_PROGRESS", false, { stored: { checkStatus: "PENDING" } }))).toEqual([])
  })

  it("may give the customer another status than its own", () => {
    expect(writtenTo(applied(undefined, "APPROVED", false, { checkStatus: "HOLD" }).changes, "Customer")).toMatchObject(
      [{ checkStatus: "HOLD" }],
    )
    // An approved customer is not pending again.
    const kept = applied("RESOLVE_ERRORS", "PENDING_MANUAL_REVIEW", false, { stored: { checkStatus: "APPROVED" } })
    expect(writtenTo(kept.changes, "Customer")).toEqual([])
  })

  it("takes owners along once it is decided, and guards those that stay", () => {
    const owners = [
      ownerWith("PENDING"),
      ownerWith("PENDING", "BeneficialOwner:2"),
      ownerWith("APPROVED", "BeneficialOwner:3"),
    ]
    const named = [
      { ownerId: "BeneficialOwner:1", kycStatus: "APPROVED" },
      { ownerId: "BeneficialOwner:3", kycStatus: "PENDING" },
      { ownerId: "BeneficialOwner:9", kycStatus: "REJECTED" },
    ] as const
    const { changes } = applied(undefined, "APPROVED", false, { owners, named })
    expect(writtenTo(changes, "BeneficialOwner")).toEqual([{ ...person, kycStatus: "APPROVED" }])
    expect(changes.guards?.map(({ id }) => id)).toEqual(["BeneficialOwner:2", "BeneficialOwner:3"])
    expect((changes.events ?? []).at(-1)?.data.body).toMatchObject({
      beneficialOwners: [{ kycStatus: "APPROVED" }, { kycStatus: "PENDING" }, { kycStatus: "APPROVED" }],
    })
    const waiting = applied(undefined, "IN_PROGRESS", false, { owners, named })
    expect(writtenTo(waiting.changes, "BeneficialOwner")).toEqual([])
    expect(waiting.changes.guards ?? []).toEqual([])
  })

  it.each<[ReachedStatus, boolean, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["APPROVED", true, ["RETAINED", "RETAINED"], ["Document:RETAINED"]],
    ["APPROVED", false, ["RETAINED"], []],
    ["REJECTED", false, ["RETAINED"], []],
    ["IN_PROGRESS", true, ["SUBMITTED"], ["Document:SUBMITTED", "Document:RETAINED"]],
    ["IN_PROGRESS", false, [], []],
    ["RESOLVE_ERRORS", true, ["STORED"], ["Document:STORED", "Document:RETAINED"]],
  ])("%s, as a submission %s, changes its documents to %j and guards %j", (status, isSubmission, written, guarded) => {
    const documents = [documentIn("STORED"), documentIn("SUBMITTED"), documentIn("RETAINED")]
    const { changes } = applied("IN_PROGRESS", status, isSubmission, { documents })
    expect(writtenTo(changes, "Document").map((data) => "status" in data && data.status)).toEqual(written)
    expect((changes.guards ?? []).map(({ id }) => id).filter((id) => id.startsWith("Document"))).toEqual(guarded)
  })
})

describe("an owner of a business", () => {
  const created = (data: Partial<Customer>) =>
    createOwner("BeneficialOwner:7", person)({ customer: customerWith(data), status: "APPROVED" }, contextOf())

  it.each<[KycStatus, KycStatus]>([
    ["UNVERIFIED", "UNVERIFIED"],
    ["PENDING", "UNVERIFIED"],
    ["HOLD", "UNVERIFIED"],
    ["APPROVED", "APPROVED"],
    ["REJECTED", "APPROVED"],
  ])("of a business that is %s is %s at first", (checkStatus, kycStatus) => {
    const decision = created({ checkStatus })
    expect(decision).toMatchObject({
      status: 201,
      body: { id: "BeneficialOwner:7", kycStatus, customerId: "Customer:1" },
    })
    expect(writtenTo(changesOf(decision), "BeneficialOwner")).toEqual([{ ...person, kycStatus }])
  })

  it("is listed by its business, after the earlier ones", () => {
    for (const before of [undefined, ["BeneficialOwner:1", "BeneficialOwner:2"]]) {
      const decision = created(before === undefined ? {} : { beneficialOwnerIds: before })
      expect(writtenTo(changesOf(decision), "Customer")).toEqual([
        { ...business, beneficialOwnerIds: [...(before ?? []), "BeneficialOwner:7"] },
      ])
    }
  })

  it("is refused for a person, and beyond a hundred", () => {
    const ids = Array.from({ length: 100 }, (_, n) => `BeneficialOwner:${n}`)
    const refusal = { code: "INVALID_INPUT", details: { errors: [{ field: "customerId" }] } }
    for (const data of [{ customerType: "INDIVIDUAL" }, { beneficialOwnerIds: ids }] as const) {
      expect(created(data)).toMatchObject({ _tag: "Refuse", refusal, changes: {} })
    }
    expect(created({ beneficialOwnerIds: ids.slice(1) })).toMatchObject({ _tag: "Answer" })
  })

  it("keeps what an update leaves out, and masks a new number", () => {
    expect(updatedOwner(person, {})).toEqual(person)
    expect(updatedOwner(person, { roles: ["DIRECTOR"], ownershipPercentage: 0 })).toEqual({
      ...person,
      roles: ["DIRECTOR"],
      ownershipPercentage: 0,
    })
    const renamed = updatedOwner(person, { personalInfo: { lastName: "Lovelace", identifier: "987-65-4329" } })
    expect(renamed.personalInfo).toEqual({
      ...person.personalInfo,
      lastName: "Lovelace",
      identifier: expect.any(String),
    })
    expect(renamed.personalInfo.identifier).not.toContain("987-65-4329")
    expect(renamed.personalInfo.identifier).toMatch(/4329$/u)
    expect(updatedOwner(person, { personalInfo: { identifier: "***4321" } })).toEqual(person)
  })

  it("is shown after its update, which depends on its business", () => {
    const decision = updateOwner({ ownershipPercentage: 1 })(
      { customer: customerWith(), owner: ownerWith("APPROVED") },
      contextOf(),
    )
    expect(decision).toMatchObject({
      status: 200,
      body: { ownershipPercentage: 1, updatedAt: "2026-03-02T08:00:00Z" },
    })
    expect(changesOf(decision).guards).toEqual([{ kind: "Customer", id: "Customer:1", version: 1 }])
  })
})
