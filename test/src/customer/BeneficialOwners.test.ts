/**
 * Beneficial owners: their endpoints, and their status after the verification of their business.
 * Spec: 4.6 (beneficial owner KYC); wire contract 5.12 and 7.6.
 */
import { Verifications } from "@countersign/core"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { address, at, idOf, newBusiness, newOwner, newPerson, owner, ssn } from "./CustomerRequests.ts"

const submit = (pay: Harness, customerId: string) => pay.send("POST", "/verifications", { body: { customerId } })

describe("a beneficial owner", () => {
  // Proves: SBX-OWNER-001, SBX-OWNER-002, SBX-OWNER-OTHER
  it("is decided with its business by the end of the last name", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    for (const lastName of ["Babbage", "Babbage 001", "Babbage 002"]) await newOwner(pay, customerId, lastName)
    const before = await pay.send("GET", `/customers/${customerId}`)
    const statusesOf = (owners: unknown) =>
      (owners as ReadonlyArray<{ readonly kycStatus: string }>).map(({ kycStatus }) => kycStatus)
    expect(statusesOf(at(before, "beneficialOwners"))).toEqual(["UNVERIFIED", "UNVERIFIED", "UNVERIFIED"])
    await submit(pay, customerId)
    const after = await pay.send("GET", `/customers/${customerId}`)
    expect(statusesOf(at(after, "beneficialOwners"))).toEqual(["APPROVED", "PENDING", "REJECTED"])
    await pay.settle()
    const approved = pay.inbox.ofType("CUSTOMER.KYB_APPROVED")[0]
    expect(statusesOf(approved?.data["beneficialOwners"])).toEqual(["APPROVED", "PENDING", "REJECTED"])
    const listed = await pay.send("GET", "/customers?customerType=BUSINESS")
    expect(at(listed, "data", 0)).toEqual(after.body)
  })

  it("stays unverified until its business is decided", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay, "001")
    const ownerId = await newOwner(pay, customerId, "Babbage 002")
    await submit(pay, customerId)
    const path = `/beneficial-owners/${ownerId}`
    expect((await pay.send("GET", path)).body).toMatchObject({ kycStatus: "UNVERIFIED" })
    const outcome = { status: "APPROVED", errors: [], owners: [{ ownerId, kycStatus: "REJECTED" }] } as const
    await pay.run(Verifications.use((verifications) => verifications.report(customerId, outcome)))
    expect((await pay.send("GET", path)).body).toMatchObject({ kycStatus: "REJECTED" })
  })

  // Proves: SBX-OWNER-001, SBX-OWNER-002, SBX-OWNER-OTHER
  it.each([
    ["Babbage", "APPROVED"],
    ["Babbage 001", "PENDING"],
    ["Babbage 002", "REJECTED"],
  ])("named %s and created after its business was decided is %s at once", async (lastName, kycStatus) => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    await submit(pay, customerId)
    const path = `/beneficial-owners/${await newOwner(pay, customerId, lastName)}`
    expect((await pay.send("GET", path)).body).toMatchObject({ kycStatus })
  })
})

describe("the endpoints of beneficial owners", () => {
  it("store every field and show only the end of the number", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    const created = await pay.send("POST", "/beneficial-owners", { body: { ...owner, customerId } })
    expect(created).toMatchObject({
      status: 201,
      body: {
        ...owner,
        customerId,
        personalInfo: { ...owner.personalInfo, identifier: "****3333" },
        kycStatus: "UNVERIFIED",
      },
    })
    const path = `/beneficial-owners/${idOf(created)}`
    const sent = { ownershipPercentage: 40, personalInfo: { firstName: "Carl", identifier: "****3333" } }
    const changed = await pay.send("PATCH", path, { body: sent })
    expect(changed.body).toMatchObject({
      roles: owner.roles,
      ownershipPercentage: 40,
      personalInfo: { firstName: "Carl", lastName: "Babbage", identifier: "****3333" },
    })
    const other = { personalInfo: { identifier: ssn } }
    expect(at(await pay.send("PATCH", path, { body: other }), "personalInfo", "identifier")).toBe("****6789")
    expect((await pay.send("GET", path)).body).toMatchObject({ personalInfo: { identifier: "****6789" } })
  })

  it("require an existing business and report every problem", async () => {
    await using pay = await harness()
    const individual = await newPerson(pay)
    const wrongType = await pay.send("POST", "/beneficial-owners", { body: { ...owner, customerId: individual } })
    expect(wrongType).toMatchObject({ status: 400, body: { details: { errors: [{ field: "customerId" }] } } })
    const unknown = "Customer:00000000-0000-4000-8000-000000000009"
    expect(await pay.send("POST", "/beneficial-owners", { body: { ...owner, customerId: unknown } })).toMatchObject({
      status: 404,
      body: { code: "USER_NOT_FOUND" },
    })
    const body = {
      customerId: "x",
      roles: [],
      ownershipPercentage: 101,
      personalInfo: { ...owner.personalInfo, birthDate: "x", address: { ...address, country: "x" }, idType: "x" },
    }
    const reply = await pay.send("POST", "/beneficial-owners", { body })
    const errors = at(reply, "details", "errors") as ReadonlyArray<{ readonly field: string }>
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      "customerId",
      "ownershipPercentage",
      "personalInfo.address.country",
      "personalInfo.birthDate",
      "personalInfo.idType",
      "roles",
    ])
    expect((await pay.send("GET", "/beneficial-owners/nobody")).body).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
    expect((await pay.send("PATCH", "/beneficial-owners/nobody", { body: {} })).status).toBe(404)
  })

  it("answer 404 for an owner of a deleted business", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    const path = `/beneficial-owners/${await newOwner(pay, customerId)}`
    expect((await pay.send("DELETE", `/customers/${customerId}`)).status).toBe(200)
    const replies = [await pay.send("GET", path), await pay.send("PATCH", path, { body: { ownershipPercentage: 1 } })]
    for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
  })

  it("list the owners of one customer by page", async () => {
    await using pay = await harness()
    const customerId = await newBusiness(pay)
    await newOwner(pay, customerId)
    await pay.clock.advance("1 second")
    const later = await newOwner(pay, customerId)
    const other = await newBusiness(pay, "777")
    await newOwner(pay, other)
    const first = await pay.send("GET", `/beneficial-owners?customerId=${customerId}&limit=1`)
    expect(first.body).toMatchObject({ data: [{ id: later }], hasMore: true, totalCount: 2 })
    expect(await pay.send("GET", "/beneficial-owners")).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "customerId" }] } },
    })
  })

  it("store all owners that are created concurrently", async () => {
    await using pay = await harness({ interleave: 5 })
    const customerId = await newBusiness(pay)
    await Promise.all([1, 2, 3, 4].map(() => newOwner(pay, customerId)))
    expect(at(await pay.send("GET", `/customers/${customerId}`), "beneficialOwners")).toHaveLength(4)
  })
})
