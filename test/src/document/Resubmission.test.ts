/** The loop of a submission, its errors, the document that mends them, and the next submission. Wire contract areas 2.7, 3.11. */
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { completion, idOf, passport, person, sendForm, upload } from "./DocumentHarness.ts"

const submit = (pay: Harness, customerId: string) => pay.send("POST", "/verifications", { body: { customerId } })
const errorsOf = (body: unknown) =>
  (body as { readonly errors: ReadonlyArray<Readonly<Record<string, unknown>>> }).errors.map(
    ({ field, resourceId, type }) => [type, resourceId, ...(field === undefined ? [] : [field])],
  )
const typesOf = (pay: Harness) => pay.webhooks.received.map(({ type }) => type)

describe("the fix-and-resubmit loop", () => {
  it("asks for data and document, accepts both, and then keeps the document", async () => {
    await using pay = await harness()
    const customer = await person(pay)
    const first = await submit(pay, customer)
    expect([first.status, first.body]).toMatchObject([200, { verificationStatus: "RESOLVE_ERRORS" }])
    expect(errorsOf(first.body)).toEqual([
      ["MISSING_FIELD", customer, "address"],
      ["MISSING_FIELD", customer, "idType"],
      ["MISSING_FIELD", customer, "identifier"],
      ["MISSING_IDENTITY_DOCUMENT", customer],
    ])
    expect(first.body).toMatchObject({
      errors: [{}, {}, {}, { acceptedDocumentTypes: ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"] }],
    })
    const patched = await pay.send("PATCH", `/customers/${customer}`, {
      body: { customerType: "INDIVIDUAL", ...completion },
    })
    expect(patched.status).toBe(200)
    const document = idOf(await upload(pay, passport(customer)))
    const second = await submit(pay, customer)
    expect(second.body).toMatchObject({
      id: idOf(first),
      verificationStatus: "PENDING_MANUAL_REVIEW",
      errors: [],
    })
    await pay.settle()
    expect(typesOf(pay).filter((type) => type.startsWith("VERIFICATION."))).toEqual([
      "VERIFICATION.RESOLVE_ERRORS",
      "VERIFICATION.IN_PROGRESS",
      "VERIFICATION.PENDING_MANUAL_REVIEW",
    ])
    const deletion = await pay.send("DELETE", `/documents/${document}`)
    expect([deletion.status, deletion.body]).toMatchObject([
      409,
      { code: "CONFLICT", details: { reason: "DOCUMENT_SUBMITTED" } },
    ])
    const replacement = await sendForm(pay, "PUT", `/documents/${document}`, passport(customer))
    expect([replacement.status, replacement.body]).toMatchObject([
      400,
      { code: "INVALID_INPUT", details: { reason: "DOCUMENT_IN_REVIEW" } },
    ])
  })

  it.each([
    ["301", "POOR_QUALITY_DOCUMENT"],
    ["302", "EXPIRED_DOCUMENT"],
    ["303", "SUSPECTED_FRAUD_DOCUMENT"],
    ["304", "WRONG_DOCUMENT_TYPE"],
    ["305", "INCOMPLETE_DOCUMENT"],
    ["306", "UNREADABLE_DOCUMENT"],
    ["307", "DOCUMENT_VERIFICATION_FAILED"],
  ])("finds a document whose number ends in %s, which may then be deleted: %s", async (suffix, type) => {
    await using pay = await harness()
    const customer = await person(pay, "Jane Doe 001", completion)
    const document = idOf(await upload(pay, passport(customer, { documentNumber: `A${suffix}` })))
    const { body } = await submit(pay, customer)
    expect(body).toMatchObject({ verificationStatus: "RESOLVE_ERRORS", errors: [{ resourceId: document, type }] })
    expect((await pay.send("DELETE", `/documents/${document}`)).status).toBe(204)
  })

  it.each([
    ["UTILITY_BILL", ["UTILITY_BILL"]],
    ["PASSPORT", ["PASSPORT", "DRIVERS_LICENSE", "NATIONAL_ID"]],
  ])("accepts for an expired document of the type %s one of %j", async (documentType, acceptedDocumentTypes) => {
    await using pay = await harness()
    const customer = await person(pay, "Jane Doe 001", completion)
    await upload(pay, passport(customer))
    await upload(pay, passport(customer, { documentNumber: "A302", documentType }))
    expect((await submit(pay, customer)).body).toMatchObject({ errors: [{ acceptedDocumentTypes }] })
  })
})
