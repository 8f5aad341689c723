/**
 * Updates of customers over HTTP: what they keep and refuse, and customers that do not exist.
 * Source: wire contract 5.8, 5.11.
 */
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, createCustomer, newPerson, person, withUmaDomain } from "./CustomerRequests.ts"

describe("an update", () => {
  it("keeps the fields that it does not name", async () => {
    await using pay = await withUmaDomain(harness())
    const { id } = (await createCustomer(pay, person)).body as { readonly id: string }
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
