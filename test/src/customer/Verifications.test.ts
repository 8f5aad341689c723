/**
 * Verifications by magic suffix, with their webhooks in order, and later reports of a provider.
 * Spec: 4.6 (KYB); wire contract 5.12 and 7.6.
 */

import { Verifications } from "@countersign/core"
import type { VerificationOutcome } from "@countersign/core/ports"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { passport, upload } from "../document/DocumentHarness.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import { address, at, deliveredEventTypes, idOf, newBusiness, newPerson, ssn } from "./CustomerRequests.ts"

const submit = (pay: Harness, customerId: string) => pay.send("POST", "/verifications", { body: { customerId } })
const report = (pay: Harness, customerId: string, outcome: VerificationOutcome) =>
  pay.run(Verifications.use((verifications) => verifications.report(customerId, outcome)))

describe("a business", () => {
  // Proves: SBX-KYB-001, SBX-KYB-002, SBX-KYB-OTHER
  it.each([
    ["001", "PENDING_MANUAL_REVIEW", "PENDING", ["VERIFICATION.PENDING_MANUAL_REVIEW", "CUSTOMER.KYB_PENDING"]],
    ["002", "REJECTED", "REJECTED", ["VERIFICATION.REJECTED", "CUSTOMER.KYB_REJECTED"]],
    ["003", "APPROVED", "APPROVED", ["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"]],
    ["523", "APPROVED", "APPROVED", ["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"]],
  ])(
    "with a registration number that ends in %s has the verification %s",
    async (suffix, verificationStatus, kybStatus, events) => {
      await using pay = await harness()
      const customerId = await newBusiness(pay, suffix)
      const verification = await submit(pay, customerId)
      expect(verification).toMatchObject({ status: 200, body: { customerId, verificationStatus, errors: [] } })
      const customer = await pay.send("GET", `/customers/${customerId}`)
      expect(customer.body).toMatchObject({ kybStatus })
      await pay.settle()
      expect(pay.inbox.received.map(({ data, type }) => [type, data])).toEqual([
        ["VERIFICATION.IN_PROGRESS", { ...Object(verification.body), verificationStatus: "IN_PROGRESS" }],
        [events[0], verification.body],
        [events[1], customer.body],
      ])
      expect((await pay.send("GET", `/verifications/${idOf(verification)}`)).body).toEqual(verification.body)
    },
  )

  it("without a registration number is approved", async () => {
    await using pay = await harness()
    const info = { legalName: "x", country: "US", taxId: "1", incorporatedOn: "2020-01-01" }
    const created = await pay.send("POST", "/customers", { body: { customerType: "BUSINESS", businessInfo: info } })
    expect((await submit(pay, idOf(created))).body).toMatchObject({ verificationStatus: "APPROVED" })
  })
})

describe("an individual", () => {
  const complete = { birthDate: "1985-12-10", nationality: "GB", address, idType: "SSN", identifier: ssn }

  const missing = (field: string) => ({ type: "MISSING_FIELD", field })
  const noDocument = { type: "MISSING_IDENTITY_DOCUMENT" }

  it.each([
    ["001 with complete data and no document", "Ada 001", complete, [noDocument]],
    [
      "001 with incomplete data",
      "Ada 001",
      { nationality: "GB" },
      [...["birthDate", "address", "idType", "identifier"].map(missing), noDocument],
    ],
    ["003 without a document", "Ada 003", complete, [noDocument]],
  ])("is asked for what it lacks: %s", async (_what, fullName, profile, errors) => {
    await using pay = await harness()
    const customerId = await newPerson(pay, { fullName, ...profile })
    const { kycStatus } = (await pay.send("GET", `/customers/${customerId}`)).body as { readonly kycStatus: string }
    await deliveredEventTypes(pay)
    const reply = await submit(pay, customerId)
    expect(reply).toMatchObject({
      status: 200,
      body: {
        verificationStatus: "RESOLVE_ERRORS",
        errors: errors.map((error) => ({ ...error, resourceId: customerId })),
      },
    })
    expect(at(reply, "errors")).toHaveLength(errors.length)
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kycStatus })
    expect(await deliveredEventTypes(pay)).toEqual(["VERIFICATION.RESOLVE_ERRORS"])
  })

  it.each([
    ["Ada 001", "PENDING_MANUAL_REVIEW", ["VERIFICATION.IN_PROGRESS", "VERIFICATION.PENDING_MANUAL_REVIEW"]],
    ["Ada 003", "RESOLVE_ERRORS", ["VERIFICATION.RESOLVE_ERRORS"]],
  ])("with complete data and a passport is verified by the end of the name: %s", async (fullName, status, events) => {
    await using pay = await harness()
    const customerId = await newPerson(pay, { fullName, ...complete })
    const document = idOf(await upload(pay, passport(customerId)))
    await deliveredEventTypes(pay)
    const reply = await submit(pay, customerId)
    expect(reply.body).toMatchObject({
      verificationStatus: status,
      errors: status === "RESOLVE_ERRORS" ? [{ type: "POOR_QUALITY_DOCUMENT", resourceId: document }] : [],
    })
    expect(await deliveredEventTypes(pay)).toEqual(events)
  })

  it.each([
    ["Ada 002", "REJECTED", "REJECTED"],
    ["Ada", "APPROVED", "APPROVED"],
  ])("renamed to %s before the decision is %s", async (fullName, verificationStatus, kycStatus) => {
    await using pay = await harness()
    const customerId = await newPerson(pay, { fullName: "Ada 003" })
    await pay.send("PATCH", `/customers/${customerId}`, { body: { customerType: "INDIVIDUAL", fullName } })
    await deliveredEventTypes(pay)
    expect((await submit(pay, customerId)).body).toMatchObject({ verificationStatus, errors: [] })
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kycStatus })
    expect(await deliveredEventTypes(pay)).toEqual([
      "VERIFICATION.IN_PROGRESS",
      `VERIFICATION.${verificationStatus}`,
      `CUSTOMER.KYC_${kycStatus}`,
    ])
  })

  it("that corrects its errors continues the open verification", async () => {
    await using pay = await harness()
    const customerId = await newPerson(pay, { fullName: "Ada 003" })
    const first = await submit(pay, customerId)
    expect(idOf(await submit(pay, customerId))).toBe(idOf(first))
    await pay.send("PATCH", `/customers/${customerId}`, { body: { customerType: "INDIVIDUAL", fullName: "Ada" } })
    const second = await submit(pay, customerId)
    expect(second.body).toMatchObject({ id: idOf(first), verificationStatus: "APPROVED", errors: [] })
    expect(await deliveredEventTypes(pay)).toEqual([
      "VERIFICATION.RESOLVE_ERRORS",
      "VERIFICATION.IN_PROGRESS",
      "VERIFICATION.APPROVED",
      "CUSTOMER.KYC_APPROVED",
    ])
  })
})

describe("a verification", () => {
  it("is rejected for a decided customer and for an unknown one", async () => {
    await using pay = await harness()
    for (const customerId of [await newPerson(pay), await newPerson(pay, { fullName: "Ada 002" })]) {
      expect(await submit(pay, customerId)).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "customerId" }] } },
      })
    }
    expect(await submit(pay, "Customer:00000000-0000-4000-8000-000000000009")).toMatchObject({
      status: 404,
      body: { code: "USER_NOT_FOUND" },
    })
    expect((await pay.send("GET", "/verifications/nobody")).body).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
  })

  it("is created once by concurrent submissions", async () => {
    await using pay = await harness({ interleave: 2 })
    const customerId = await newBusiness(pay, "001")
    await Promise.all([1, 2, 3].map(() => submit(pay, customerId)))
    const listed = await pay.send("GET", `/verifications?customerId=${customerId}`)
    expect(listed.body).toMatchObject({ totalCount: 1 })
    expect(await deliveredEventTypes(pay)).toEqual([
      "VERIFICATION.IN_PROGRESS",
      "VERIFICATION.PENDING_MANUAL_REVIEW",
      "CUSTOMER.KYB_PENDING",
    ])
  })

  it("can be listed by customer and status", async () => {
    await using pay = await harness()
    const [a, b] = [await newBusiness(pay, "001"), await newBusiness(pay, "002")]
    await submit(pay, a)
    // Records of the same millisecond are ordered by random identifier.
    await pay.clock.advance("1 second")
    await submit(pay, b)
    const of = async (query: string) => {
      const { body } = await pay.send("GET", `/verifications?${query}`)
      return (body as { readonly data: ReadonlyArray<{ readonly customerId: string }> }).data.map((v) => v.customerId)
    }
    expect(await of("")).toEqual([b, a])
    expect(await of("verificationStatus=REJECTED")).toEqual([b])
    expect(await of("verificationStatus=READY_FOR_VERIFICATION")).toEqual([])
    expect(await of(`customerId=${a}`)).toEqual([a])
    expect((await pay.send("GET", "/verifications?verificationStatus=x&customerId=y")).body).toMatchObject({
      details: { errors: [{ field: "customerId" }, { field: "verificationStatus" }] },
    })
  })
})

describe("a later report of the provider", () => {
  const outcomeOf = (status: VerificationOutcome["status"]): VerificationOutcome => ({ status, errors: [], owners: [] })

  it("is applied once", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay, "001")
    await submit(pay, customerId)
    await deliveredEventTypes(pay)
    await report(pay, customerId, outcomeOf("APPROVED"))
    await report(pay, customerId, outcomeOf("APPROVED"))
    expect(await deliveredEventTypes(pay)).toEqual(["VERIFICATION.APPROVED", "CUSTOMER.KYB_APPROVED"])
    expect((await pay.send("GET", `/verifications?customerId=${customerId}`)).body).toMatchObject({ totalCount: 1 })
  })

  it("can put an approved customer on hold and approve it again", async () => {
    await using pay = await harness()
    const customerId = await newPerson(pay)
    await deliveredEventTypes(pay)
    await report(pay, customerId, { ...outcomeOf("PENDING_MANUAL_REVIEW"), checkStatus: "HOLD" })
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kycStatus: "HOLD" })
    await report(pay, customerId, outcomeOf("APPROVED"))
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kycStatus: "APPROVED" })
    expect(await deliveredEventTypes(pay)).toEqual([
      "VERIFICATION.PENDING_MANUAL_REVIEW",
      "VERIFICATION.APPROVED",
      "CUSTOMER.KYC_APPROVED",
    ])
  })

  it.each([1, 2, 3])(
    "that the customer cannot take is recorded once when its repetitions overlap (%d)",
    async (seed) => {
      await using pay = await harness({ interleave: seed })
      const customerId = await newPerson(pay)
      await deliveredEventTypes(pay)
      await Promise.all([1, 2, 3].map(() => report(pay, customerId, outcomeOf("REJECTED"))))
      expect((await pay.send("GET", `/verifications?customerId=${customerId}`)).body).toMatchObject({ totalCount: 1 })
      expect(await deliveredEventTypes(pay)).toEqual(["VERIFICATION.REJECTED"])
    },
  )

  it.each(["IN_PROGRESS", "RESOLVE_ERRORS", "PENDING_MANUAL_REVIEW"] as const)(
    "that is not final (%s) leaves one open verification when reports and submissions overlap",
    async (status) => {
      for (const newCustomer of [newPerson, (pay: Harness) => newBusiness(pay, "001")]) {
        await using pay = await harness({ interleave: 5 })
        const customerId = await newCustomer(pay)
        await Promise.all([
          ...[1, 2, 3].map(() => report(pay, customerId, outcomeOf(status))),
          ...[1, 2].map(() => submit(pay, customerId)),
        ])
        const { body } = await pay.send("GET", `/verifications?customerId=${customerId}`)
        expect(body).toMatchObject({ totalCount: 1 })
      }
    },
  )

  it.each([
    ["without an open verification", false],
    ["with an open verification", true],
  ])("that the customer cannot take is recorded once whenever its repetition arrives, %s", async (_name, isOpen) => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await harness({ around })
      const customerId = await newPerson(pay)
      if (isOpen) await report(pay, customerId, outcomeOf("RESOLVE_ERRORS"))
      const rejected = () => report(pay, customerId, outcomeOf("REJECTED"))
      const isOverlapped = await overlap(rejected, rejected)
      expect((await pay.send("GET", `/verifications?customerId=${customerId}`)).body).toMatchObject({ totalCount: 1 })
      return isOverlapped
    })
  })

  it("that the customer cannot take is recorded once", async () => {
    await using pay = await harness()
    const customerId = await newPerson(pay)
    await deliveredEventTypes(pay)
    for (let times = 0; times < 3; times++) await report(pay, customerId, outcomeOf("REJECTED"))
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kycStatus: "APPROVED" })
    expect((await pay.send("GET", `/verifications?customerId=${customerId}`)).body).toMatchObject({ totalCount: 1 })
    expect(await deliveredEventTypes(pay)).toEqual(["VERIFICATION.REJECTED"])
  })

  it("that the customer cannot take is recorded beside a verification of another status", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    await submit(pay, customerId)
    for (let times = 0; times < 2; times++) await report(pay, customerId, outcomeOf("REJECTED"))
    expect((await pay.send("GET", `/verifications?customerId=${customerId}&sortOrder=asc`)).body).toMatchObject({
      data: [{ verificationStatus: "APPROVED" }, { verificationStatus: "REJECTED" }],
      totalCount: 2,
    })
  })

  it("can approve again a customer that was put on hold after its approval", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    await submit(pay, customerId)
    await report(pay, customerId, { ...outcomeOf("APPROVED"), checkStatus: "HOLD" })
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kybStatus: "HOLD" })
    await report(pay, customerId, outcomeOf("APPROVED"))
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kybStatus: "APPROVED" })
  })

  it("cannot revoke a rejection", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay, "002")
    await submit(pay, customerId)
    await report(pay, customerId, outcomeOf("APPROVED"))
    expect((await pay.send("GET", `/customers/${customerId}`)).body).toMatchObject({ kybStatus: "REJECTED" })
  })
})
