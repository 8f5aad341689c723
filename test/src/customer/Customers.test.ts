/**
 * Customers over HTTP: creation, uniqueness, terms and the status of checks.
 * Source: wire contract 5.8, 5.11.
 */
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import {
  at,
  businessInfo,
  createCustomer,
  deliveredEventTypes,
  idOf,
  newBusiness,
  newPerson,
  person,
  ssn,
  withUmaDomain,
} from "./CustomerRequests.ts"

describe("an individual", () => {
  it("is stored with every field except the number of the authority", async () => {
    await using pay = await withUmaDomain(harness())
    const sent = { ...person, identifier: ssn, unknownField: "x" }
    const created = await createCustomer(pay, sent)
    expect(created.status).toBe(201)
    const { id, ...rest } = created.body as { readonly id: string }
    expect(rest).toEqual({
      ...person,
      kycStatus: "APPROVED",
      isDeleted: false,
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:00Z",
    })
    expect((await pay.send("GET", `/customers/${id}`)).body).toEqual(created.body)
    await pay.settle()
    expect(JSON.stringify(pay.inbox.received)).not.toContain(ssn)
  })

  it("requires only its type and takes ids and currencies from the platform", async () => {
    await using pay = await harness()
    const created = await createCustomer(pay, { customerType: "INDIVIDUAL" })
    const id = idOf(created)
    const name = id.slice("Customer:".length)
    const config = await pay.send("GET", "/config")
    expect(created.body).toMatchObject({
      platformCustomerId: name,
      umaAddress: `$${name}@${at(config, "umaDomain")}`,
      currencies: ["USD", "EUR", "GBP", "MXN", "BRL", "INR", "USDC", "BTC", "USDB"],
    })
    expect(created.body).not.toHaveProperty("beneficialOwners")
  })

  it.each([
    ["Ada Lovelace", "APPROVED", ["CUSTOMER.KYC_APPROVED"]],
    ["Ada 001", "PENDING", ["CUSTOMER.KYC_PENDING"]],
    ["Ada 002", "REJECTED", ["CUSTOMER.KYC_REJECTED"]],
    ["Ada 003", "UNVERIFIED", []],
  ])("named %s starts as %s and emits its event", async (fullName, kycStatus, events) => {
    await using pay = await harness()
    const created = await createCustomer(pay, { customerType: "INDIVIDUAL", fullName })
    expect(created.body).toMatchObject({ kycStatus })
    await pay.settle()
    expect(pay.inbox.received.map(({ type }) => type)).toEqual(events)
    for (const { data } of pay.inbox.received) expect(data).toEqual(created.body)
  })
})

describe("a business", () => {
  it("is stored with every field and shows only the end of the tax number", async () => {
    await using pay = await harness()
    const created = await createCustomer(pay, { customerType: "BUSINESS", businessInfo })
    expect(created.body).toMatchObject({
      kybStatus: "UNVERIFIED",
      businessInfo: { ...businessInfo, taxId: "****4321" },
      beneficialOwners: [],
    })
    expect(created.body).not.toHaveProperty("kycStatus")
    expect(await deliveredEventTypes(pay)).toEqual([])
  })

  it.each([
    ["1", "****"],
    ["1234567", "****"],
    ["12345678", "****5678"],
    ["12-3456789", "****6789"],
  ])("with the tax number %s shows %s", async (taxId, shown) => {
    await using pay = await harness()
    const created = await createCustomer(pay, { customerType: "BUSINESS", businessInfo: { ...businessInfo, taxId } })
    expect(at(created, "businessInfo", "taxId")).toBe(shown)
  })

  it("can be updated with its own mask, which keeps the stored number", async () => {
    await using pay = await harness()
    const id = await newBusiness(pay)
    const read = await pay.send("GET", `/customers/${id}`)
    const sent = { customerType: "BUSINESS", businessInfo: at(read, "businessInfo") }
    expect(at(await pay.send("PATCH", `/customers/${id}`, { body: sent }), "businessInfo", "taxId")).toBe("****4321")
    const other = { customerType: "BUSINESS", businessInfo: { taxId: "111222333" } }
    const changed = await pay.send("PATCH", `/customers/${id}`, { body: other })
    expect(changed.body).toMatchObject({ businessInfo: { legalName: "Engines Ltd", taxId: "****2333" } })
  })
})

describe("an invalid request", () => {
  it("is answered with every problem", async () => {
    await using pay = await harness()
    const body = {
      ...person,
      email: "nobody",
      phoneNumber: "123",
      birthDate: "1985-02-30",
      nationality: "gb",
      address: { line1: "", postalCode: "1", country: "England" },
      idType: "PASSPORT",
      pepStatus: "MAYBE",
      currencies: ["usd"],
      umaAddress: "ada",
    }
    const reply = await createCustomer(pay, body)
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    const errors = at(reply, "details", "errors") as ReadonlyArray<{ readonly field: string }>
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      "address.country",
      "address.line1",
      "birthDate",
      "currencies.0",
      "email",
      "idType",
      "nationality",
      "pepStatus",
      "phoneNumber",
      "umaAddress",
    ])
  })

  it("is answered with the problems that depend on the platform's configuration", async () => {
    await using pay = await harness()
    const reply = await createCustomer(pay, { customerType: "INDIVIDUAL", currencies: ["USD", "PKR", "USD"] })
    expect(at(reply, "details", "errors")).toMatchObject([{ field: "currencies.1" }, { field: "currencies.2" }])
  })

  it("is answered with every missing field of a business", async () => {
    await using pay = await harness()
    const reply = await createCustomer(pay, { customerType: "BUSINESS", businessInfo: { legalName: "x" } })
    const errors = at(reply, "details", "errors") as ReadonlyArray<{ readonly field: string }>
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      "businessInfo.country",
      "businessInfo.incorporatedOn",
      "businessInfo.taxId",
    ])
  })
})

describe("a unique field", () => {
  it("is platformCustomerId within the platform and umaAddress in any letter case", async () => {
    await using pay = await withUmaDomain(harness())
    await createCustomer(pay, person)
    const sameId = await createCustomer(pay, { customerType: "INDIVIDUAL", platformCustomerId: "ada" })
    expect(sameId).toMatchObject({ status: 409, body: { code: "CONFLICT", details: { field: "platformCustomerId" } } })
    const sameUma = await createCustomer(pay, { customerType: "INDIVIDUAL", umaAddress: "$ADA@pay.example.com" })
    expect(sameUma).toMatchObject({ status: 409, body: { code: "UMA_ADDRESS_EXISTS" } })
    const other = await newPerson(pay)
    const body = { customerType: "INDIVIDUAL", umaAddress: "$ada@pay.example.com" }
    expect(await pay.send("PATCH", `/customers/${other}`, { body })).toMatchObject({
      status: 409,
      body: { code: "UMA_ADDRESS_EXISTS" },
    })
  })

  it("is taken by one of several concurrent creations", async () => {
    await using pay = await harness({ interleave: 3 })
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => createCustomer(pay, { customerType: "INDIVIDUAL", platformCustomerId: "ada" })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})

describe("the end user terms", () => {
  const consent = {
    acceptedAt: "2026-11-20T10:00:00Z",
    ipAddress: "203.0.113.7",
    termsVersion: "2025-10-13",
    acceptanceMethod: "CHECKBOX",
  }

  it("are shown, and can be accepted only in a known version", async () => {
    await using pay = await harness()
    const terms = await pay.send("GET", "/customers/end-user-terms")
    expect(terms).toMatchObject({ status: 200, body: { version: consent.termsVersion } })
    const accepted = await createCustomer(pay, { customerType: "INDIVIDUAL", endUserTermsConsent: consent })
    expect(accepted.body).toMatchObject({ endUserTermsConsent: consent })
    const unknown = { ...consent, termsVersion: "1999" }
    expect(await createCustomer(pay, { customerType: "INDIVIDUAL", endUserTermsConsent: unknown })).toMatchObject({
      status: 400,
      body: {
        code: "END_USER_TERMS_VERSION_NOT_FOUND",
        details: { errors: [{ field: "endUserTermsConsent.termsVersion" }], version: consent.termsVersion },
      },
    })
  })
})

describe("the status of a check in a request", () => {
  // Source: wire contract areas 2.10.
  it("is accepted and ignored", async () => {
    await using pay = await harness()
    const { kycStatus: _shown, ...sent } = { ...person, kycStatus: "APPROVED" }
    for (const kycStatus of ["UNVERIFIED", "PENDING", "APPROVED", "REJECTED", "HOLD"]) {
      const body = { ...sent, platformCustomerId: kycStatus, umaAddress: undefined, kycStatus }
      const created = await createCustomer(pay, body)
      expect(created).toMatchObject({ status: 201, body: { kycStatus: "APPROVED" } })
      const change = { customerType: "INDIVIDUAL", kycStatus }
      const path = `/customers/${idOf(created)}`
      expect(await pay.send("PATCH", path, { body: change })).toMatchObject({
        status: 200,
        body: { kycStatus: "APPROVED" },
      })
    }
    const business = await createCustomer(pay, { customerType: "BUSINESS", businessInfo, kybStatus: "APPROVED" })
    expect(business).toMatchObject({ status: 201, body: { kybStatus: "UNVERIFIED" } })
    const change = { customerType: "BUSINESS", kybStatus: "APPROVED" }
    expect(await pay.send("PATCH", `/customers/${idOf(business)}`, { body: change })).toMatchObject({
      status: 200,
      body: { kybStatus: "UNVERIFIED" },
    })
  })

  it("must be a known one", async () => {
    await using pay = await harness()
    const id = await newPerson(pay)
    for (const [method, path, body, field] of [
      ["POST", "/customers", { customerType: "INDIVIDUAL", kycStatus: "FINE" }, "kycStatus"],
      ["POST", "/customers", { customerType: "BUSINESS", businessInfo, kybStatus: "FINE" }, "kybStatus"],
      ["PATCH", `/customers/${id}`, { customerType: "INDIVIDUAL", kycStatus: 1 }, "kycStatus"],
      ["PATCH", `/customers/${id}`, { customerType: "BUSINESS", kybStatus: null }, "kybStatus"],
    ] as const) {
      const reply = await pay.send(method, path, { body })
      expect(reply.status).toBe(400)
      expect(at(reply, "details", "errors")).toMatchObject([{ field }])
    }
  })
})

it("answers 405 to a method that /customers does not have", async () => {
  await using pay = await harness()
  for (const method of ["PUT", "DELETE"]) {
    expect(await pay.send(method, "/customers")).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } })
  }
})
