/**
 * Customers over HTTP: creation, reads, lists and updates.
 * Source: wire contract 5.8, 5.11.
 */

import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import {
  at,
  businessInfo,
  deliveredEventTypes,
  idOf,
  newBusiness,
  newPerson,
  person,
  ssn,
  withUmaDomain,
} from "./CustomerRequests.ts"

const create = (pay: Awaited<ReturnType<typeof harness>>, body: object) => pay.send("POST", "/customers", { body })

describe("an individual", () => {
  it("is stored with every field except the number of the authority", async () => {
    await using pay = await withUmaDomain(harness())
    const sent = { ...person, identifier: ssn, unknownField: "x" }
    const created = await create(pay, sent)
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
    const created = await create(pay, { customerType: "INDIVIDUAL" })
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
    const created = await create(pay, { customerType: "INDIVIDUAL", fullName })
    expect(created.body).toMatchObject({ kycStatus })
    await pay.settle()
    expect(pay.inbox.received.map(({ type }) => type)).toEqual(events)
    for (const { data } of pay.inbox.received) expect(data).toEqual(created.body)
  })
})

describe("a business", () => {
  it("is stored with every field and shows only the end of the tax number", async () => {
    await using pay = await harness()
    const created = await create(pay, { customerType: "BUSINESS", businessInfo })
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
    const created = await create(pay, { customerType: "BUSINESS", businessInfo: { ...businessInfo, taxId } })
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
    const reply = await create(pay, body)
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
    const reply = await create(pay, { customerType: "INDIVIDUAL", currencies: ["USD", "PKR", "USD"] })
    expect(at(reply, "details", "errors")).toMatchObject([{ field: "currencies.1" }, { field: "currencies.2" }])
  })

  it("is answered with every missing field of a business", async () => {
    await using pay = await harness()
    const reply = await create(pay, { customerType: "BUSINESS", businessInfo: { legalName: "x" } })
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
    await create(pay, person)
    const sameId = await create(pay, { customerType: "INDIVIDUAL", platformCustomerId: "ada" })
    expect(sameId).toMatchObject({ status: 409, body: { code: "CONFLICT", details: { field: "platformCustomerId" } } })
    const sameUma = await create(pay, { customerType: "INDIVIDUAL", umaAddress: "$ADA@pay.example.com" })
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
      [1, 2, 3, 4].map(() => create(pay, { customerType: "INDIVIDUAL", platformCustomerId: "ada" })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})

describe("the list of customers", () => {
  it("filters, pages, and counts", async () => {
    await using pay = await withUmaDomain(harness())
    const ids: Array<string> = []
    for (const body of [
      { platformCustomerId: "a", region: "GB", currencies: ["USD"] },
      { platformCustomerId: "b", region: "US", currencies: ["USD", "EUR"], umaAddress: "$b@pay.example.com" },
      { platformCustomerId: "c", region: "GB", currencies: ["EUR"] },
    ]) {
      ids.push(await newPerson(pay, body))
      await pay.clock.advance("1 minute")
    }
    const business = await newBusiness(pay)
    const [a = "", b = "", c = ""] = ids
    const found = async (query: string) => {
      const reply = await pay.send("GET", `/customers?${query}`)
      expect(reply.status).toBe(200)
      const data = at(reply, "data") as ReadonlyArray<{ readonly id: string }>
      expect(at(reply, "totalCount")).toBe(data.length)
      return data.map(({ id }) => id)
    }
    expect(await found("")).toEqual([business, c, b, a])
    expect(await found("customerType=BUSINESS")).toEqual([business])
    expect(await found("platformCustomerId=b")).toEqual([b])
    expect(await found("platformCustomerId=B")).toEqual([])
    expect(await found("region=GB")).toEqual([c, a])
    expect(await found("currency=EUR&customerType=INDIVIDUAL")).toEqual([c, b])
    expect(await found("currency=PKR")).toEqual([])
    expect(await found("umaAddress=%24b%40pay.example.com")).toEqual([b])
    expect(await found("createdAfter=2026-11-21T12:01:00Z&createdBefore=2026-11-21T12:02:00Z")).toEqual([c, b])
    await pay.send("PATCH", `/customers/${a}`, { body: { customerType: "INDIVIDUAL", fullName: "Later" } })
    expect(await found("updatedAfter=2026-11-21T12:03:00Z")).toEqual([business, a])
    expect(await found("updatedBefore=2026-11-21T12:01:30Z")).toEqual([b])
    await pay.send("DELETE", `/customers/${c}`)
    expect(await found("region=GB")).toEqual([a])
    expect(await found("region=GB&isIncludingDeleted=true")).toEqual([c, a])

    const first = await pay.send("GET", "/customers?limit=2")
    expect(first.body).toMatchObject({ hasMore: true, totalCount: 3 })
    const cursor = encodeURIComponent(String(at(first, "nextCursor")))
    const second = await pay.send("GET", `/customers?limit=2&cursor=${cursor}`)
    expect(second.body).toMatchObject({ hasMore: false, data: [{ id: a }] })
    expect((await pay.send("GET", `/customers?limit=2&region=GB&cursor=${cursor}`)).status).toBe(400)
    expect((await pay.send("GET", "/customers?limit=0&customerType=x&currency=usd")).body).toMatchObject({
      details: { errors: [{ field: "customerType" }, { field: "currency" }, { field: "limit" }] },
    })
  })
})

describe("an update", () => {
  it("keeps the fields that it does not name", async () => {
    await using pay = await withUmaDomain(harness())
    const { id } = (await create(pay, person)).body as { readonly id: string }
    await pay.clock.advance("1 hour")
    const body = { customerType: "INDIVIDUAL", fullName: "Ada King", currencies: ["GBP"], isDeleted: true, id: "x" }
    const changed = await pay.send("PATCH", `/customers/${id}`, { body })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      id,
      ...person,
      fullName: "Ada King",
      currencies: ["GBP"],
      kycStatus: "APPROVED",
      isDeleted: false,
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T13:00:00Z",
    })
  })

  it("reports a wrong type, unsupported currencies and a change of both contacts", async () => {
    await using pay = await harness()
    const id = await newPerson(pay)
    const wrongType = { customerType: "BUSINESS", currencies: ["PKR"] }
    expect(at(await pay.send("PATCH", `/customers/${id}`, { body: wrongType }), "details", "errors")).toMatchObject([
      { field: "customerType", constraint: { enum: ["INDIVIDUAL"] } },
      { field: "currencies.0" },
    ])
    const both = { customerType: "INDIVIDUAL", email: "a@example.com", phoneNumber: "+14155550123", region: "" }
    expect(at(await pay.send("PATCH", `/customers/${id}`, { body: both }), "details", "errors")).toMatchObject([
      { field: "region" },
      { field: "email" },
      { field: "phoneNumber" },
    ])
    expect((await pay.send("PATCH", `/customers/${id}`, { body: {} })).status).toBe(400)
  })

  // Proves: ERR-USER_NOT_FOUND
  it("answers 404 for an unknown customer", async () => {
    await using pay = await harness()
    for (const id of ["Customer:00000000-0000-4000-8000-000000000009", "nobody"]) {
      const body = { customerType: "INDIVIDUAL" }
      for (const [method, sent] of [
        ["GET", {}],
        ["PATCH", { body }],
        ["DELETE", {}],
      ] as const) {
        expect(await pay.send(method, `/customers/${id}`, sent)).toMatchObject({
          status: 404,
          body: { code: "USER_NOT_FOUND" },
        })
      }
    }
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
    const accepted = await create(pay, { customerType: "INDIVIDUAL", endUserTermsConsent: consent })
    expect(accepted.body).toMatchObject({ endUserTermsConsent: consent })
    const unknown = { ...consent, termsVersion: "1999" }
    expect(await create(pay, { customerType: "INDIVIDUAL", endUserTermsConsent: unknown })).toMatchObject({
      status: 400,
      body: { code: "END_USER_TERMS_VERSION_NOT_FOUND" },
    })
  })
})
