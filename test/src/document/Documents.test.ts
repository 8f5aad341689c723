/**
 * Documents over the wire: upload, list, replacement, deletion, their effect on verifications, and what happens to their bytes.
 * Source: wire contract areas 1.2, 2.7, 3.11.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault } from "@countersign/core/ports"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import {
  business,
  idOf,
  jpeg,
  owner,
  passport,
  pdfFile,
  pdfText,
  person,
  png,
  sendForm,
  upload,
} from "./DocumentHarness.ts"

/** A service whose vault can be looked at. */
const service = async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const pay = await harness({ ports: Layer.succeed(DocumentVault, MemoryVault.make({ files })), tape: false })
  const stored = () => [...files.values()].map((pieces) => Buffer.concat([...pieces]).toString("latin1"))
  return { pay, files, stored }
}

const unknown = (type: string) => `${type}:00000000-0000-4000-8000-00000000dead`
const minutes = (count: number) => ({ minutes: count })
const submit = (pay: Harness, customerId: string) => pay.send("POST", "/verifications", { body: { customerId } })
const fieldsOf = (body: unknown) =>
  (body as { readonly details: { readonly errors: ReadonlyArray<{ readonly field: string }> } }).details.errors.map(
    ({ field }) => field,
  )

describe("an upload", () => {
  it("answers the document, which is then read and listed", async () => {
    const { pay, stored } = await service()
    const holder = await person(pay)
    const answer = await upload(pay, passport(holder, { side: "FRONT" }))
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^Document:/u),
      documentHolder: holder,
      documentType: "PASSPORT",
      side: "FRONT",
      country: "US",
      documentNumber: "A12345678",
      issuingAuthority: "U.S. Department of State",
      fileName: "passport_scan.pdf",
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:00Z",
    })
    expect((await pay.send("GET", `/documents/${idOf(answer)}`)).body).toEqual(answer.body)
    expect((await pay.send("GET", "/documents")).body).toEqual({ data: [answer.body], hasMore: false, totalCount: 1 })
    expect(stored()).toEqual([pdfText])
  })

  it.each([
    ["a PDF", pdfText, "document.pdf"],
    ["a JPEG", jpeg, "document.jpeg"],
    ["a PNG", png, "document.png"],
  ])("takes the type of %s from its first bytes", async (_what, content, fileName) => {
    const { pay } = await service()
    const file = new File([content], "...", { type: "text/html" })
    const answer = await upload(pay, passport(await person(pay), { file }))
    expect([answer.status, answer.body]).toMatchObject([201, { fileName }])
  })

  it.each([
    ["HTML named and declared as PDF", "<!DOCTYPE html>"],
    ["a PDF that begins with another byte", ` ${pdfText}`],
    ["a GIF with a PDF inside", `GIF89a\n${pdfText}`],
    ["the beginning of a PNG only", png.slice(0, 7)],
    ["one byte", "%"],
  ])("is refused for %s, and its bytes are not stored", async (_what, content) => {
    const { files, pay } = await service()
    const file = new File([content], "scan.pdf", { type: "application/pdf" })
    const answer = await upload(pay, passport(await person(pay), { file }))
    expect([answer.status, answer.body]).toMatchObject([400, { code: "UNSUITABLE_DOCUMENT" }])
    expect(files.size).toBe(0)
    expect((await pay.send("GET", "/documents")).body).toMatchObject({ data: [] })
  })

  it.each([
    ["C:\\scans\\passport.pdf", "passport.pdf"],
    ["../../etc/passwd", "passwd"],
    [`${"x".repeat(300)}.pdf`, "x".repeat(255)],
    [`${"x".repeat(254)}😀.pdf`, "x".repeat(254)],
    ["dir/", "document.pdf"],
  ])("keeps of the file name %j only what is safe", async (name, fileName) => {
    const { pay } = await service()
    const answer = await upload(pay, passport(await person(pay), { file: pdfFile(name) }))
    expect(answer.body).toMatchObject({ fileName })
  })

  it("lists all problems of its parts in one answer, and stores nothing", async () => {
    const { files, pay } = await service()
    const answer = await upload(pay, {
      file: pdfFile("empty.pdf", ""),
      documentHolder: "Agent:1",
      documentType: "PHOTO",
      country: "usa",
      side: "LEFT",
      documentNumber: "",
      issuingAuthority: "x".repeat(256),
    })
    expect([answer.status, answer.body]).toMatchObject([400, { code: "INVALID_INPUT" }])
    expect(fieldsOf(answer.body).toSorted()).toEqual([
      "country",
      "documentHolder",
      "documentNumber",
      "documentType",
      "file",
      "issuingAuthority",
      "side",
    ])
    const missing = await upload(pay, {})
    expect(missing.body).toMatchObject({ code: expect.stringMatching(/INVALID_(?:INPUT|REQUEST_FORMAT)/u) })
    const nul = await upload(pay, passport(await person(pay), { documentNumber: "a\u0000b" }))
    expect([nul.status, fieldsOf(nul.body)]).toEqual([400, ["documentNumber"]])
    await pay.settle()
    expect(files.size).toBe(0)
  })

  it("needs an existing holder", async () => {
    const { files, pay } = await service()
    const customer = await upload(pay, passport(unknown("Customer")))
    expect([customer.status, customer.body]).toMatchObject([404, { code: "USER_NOT_FOUND" }])
    const ofOwner = await upload(pay, passport(unknown("BeneficialOwner")))
    const message = "No such beneficial owner."
    expect([ofOwner.status, ofOwner.body]).toMatchObject([404, { code: "REFERENCE_NOT_FOUND", message }])
    await pay.settle()
    expect(files.size).toBe(0)
  })

  it("reads no byte of a caller without credentials or permission", async () => {
    const { pay } = await service()
    let pulled = 0
    const pull = () => {
      pulled += 1
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const request = { method: "POST", headers: { "content-type": "multipart/form-data; boundary=x" }, body }
    const response = await pay.fetch(`${pay.baseUrl}/documents`, { ...request, duplex: "half" })
    expect([response.status, pulled]).toEqual([401, 0])
  })

  it("replays a repeated key, and refuses it with other parts", async () => {
    const { pay, stored } = await service()
    const holder = await person(pay)
    const key = { "idempotency-key": "upload-1" }
    const first = await upload(pay, passport(holder), key)
    const again = await upload(pay, passport(holder), key)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    for (const changed of [
      passport(holder, { file: pdfFile("passport_scan.pdf", "%PDF-1.7 another") }),
      passport(holder, { file: pdfFile("other.pdf") }),
      passport(holder, { documentNumber: "B1" }),
      passport(holder, { unknown: "part" }),
    ]) {
      const other = await upload(pay, changed, key)
      expect([other.status, other.body]).toMatchObject([409, { details: { reason: "IDEMPOTENCY_KEY_REUSED" } }])
    }
    await pay.settle()
    expect(stored()).toEqual([pdfText])
    expect((await pay.send("GET", "/documents")).body).toMatchObject({ totalCount: 1 })
  })

  // Proves: ERR-LOW_QUALITY, ERR-DATA_MISMATCH, ERR-EXPIRED, ERR-SUSPECTED_FRAUD, ERR-UNSUITABLE_DOCUMENT, ERR-INCOMPLETE
  it.each([
    ["201", "LOW_QUALITY"],
    ["202", "DATA_MISMATCH"],
    ["203", "EXPIRED"],
    ["204", "SUSPECTED_FRAUD"],
    ["205", "UNSUITABLE_DOCUMENT"],
    ["206", "INCOMPLETE"],
  ])("with a number that ends in %s is refused by the sandbox's provider as %s", async (suffix, code) => {
    const { files, pay } = await service()
    const holder = await person(pay)
    const answer = await upload(pay, passport(holder, { documentNumber: `A12345${suffix}` }))
    expect([answer.status, answer.body]).toMatchObject([400, { code }])
    const stored = await upload(pay, passport(holder))
    const replaced = await sendForm(
      pay,
      "PUT",
      `/documents/${idOf(stored)}`,
      passport(holder, { documentNumber: `A12345${suffix}` }),
    )
    expect([replaced.status, replaced.body]).toMatchObject([400, { code }])
    await pay.settle()
    expect(files.size).toBe(1)
    expect((await pay.send("GET", `/documents/${idOf(stored)}`)).body).toEqual(stored.body)
  })

  it("is audited with its size and digest, and without names and numbers", async () => {
    const { pay } = await service()
    const answer = await upload(pay, passport(await person(pay)))
    const { body } = await pay.send("GET", `/audit-records?target=${idOf(answer)}`)
    expect(body).toMatchObject({
      data: [{ operation: "DOCUMENT_UPLOAD", details: { documentType: "PASSPORT", size: pdfText.length } }],
    })
    expect(JSON.stringify(body)).not.toMatch(/passport_scan|A12345678|Department/u)
  })
})

describe("the list of documents", () => {
  it("is filtered by holder: a customer's id does not include its owners' documents", async () => {
    const { pay } = await service()
    const customer = await business(pay)
    const holder = await owner(pay, customer)
    const ofCustomer = await upload(pay, passport(customer, { documentType: "UTILITY_BILL" }))
    // Records of the same millisecond are ordered by random identifier.
    await pay.clock.advance(minutes(1))
    const ofOwner = await upload(pay, passport(holder))
    const listed = async (query: string) =>
      ((await pay.send("GET", `/documents${query}`)).body as { readonly data: ReadonlyArray<unknown> }).data
    expect(await listed(`?documentHolder=${customer}`)).toEqual([ofCustomer.body])
    expect(await listed(`?documentHolder=${holder}`)).toEqual([ofOwner.body])
    expect(await listed("")).toEqual([ofOwner.body, ofCustomer.body])
    expect(await listed(`?documentHolder=${unknown("Customer")}`)).toEqual([])
    const malformed = await pay.send("GET", "/documents?documentHolder=Customer:1")
    expect([malformed.status, malformed.body]).toMatchObject([400, { code: "INVALID_INPUT" }])
  })
})

describe("a replacement", () => {
  it("replaces everything but id and holder, clears what it omits, and erases the old bytes", async () => {
    const { pay, stored } = await service()
    const holder = await person(pay)
    const first = await upload(pay, passport(holder, { side: "FRONT" }))
    await pay.clock.advance(minutes(1))
    const answer = await sendForm(pay, "PUT", `/documents/${idOf(first)}`, {
      documentHolder: unknown("Customer"),
      documentType: "NATIONAL_ID",
      country: "DE",
      file: new File([png], "id.png"),
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: idOf(first),
        documentHolder: holder,
        documentType: "NATIONAL_ID",
        country: "DE",
        fileName: "id.png",
        createdAt: "2026-11-21T12:00:00Z",
        updatedAt: "2026-11-21T12:01:00Z",
      },
    ])
    await pay.settle()
    expect(stored()).toEqual([Buffer.from(png).toString("latin1")])
  })

  it("needs a document of the platform", async () => {
    const { files, pay } = await service()
    const answer = await sendForm(pay, "PUT", `/documents/${unknown("Document")}`, passport(unknown("Customer")))
    expect([answer.status, answer.body]).toMatchObject([404, { code: "REFERENCE_NOT_FOUND" }])
    await pay.settle()
    expect(files.size).toBe(0)
  })
})

describe("a deletion", () => {
  it("removes the document and its bytes, and is audited without its number", async () => {
    const { files, pay } = await service()
    const document = idOf(await upload(pay, passport(await person(pay))))
    const answer = await pay.send("DELETE", `/documents/${document}`)
    expect([answer.status, answer.body]).toEqual([204, undefined])
    for (const method of ["GET", "DELETE"]) {
      const gone = await pay.send(method, `/documents/${document}`)
      expect([gone.status, gone.body]).toMatchObject([404, { code: "REFERENCE_NOT_FOUND" }])
    }
    const put = await sendForm(pay, "PUT", `/documents/${document}`, passport("ignored"))
    expect(put.status).toBe(404)
    expect((await pay.send("GET", "/documents")).body).toMatchObject({ data: [], totalCount: 0 })
    await pay.settle()
    expect(files.size).toBe(0)
    expect(JSON.stringify(await pay.snapshot())).not.toContain("A12345678")
  })
})

describe("the deletion of a customer", () => {
  it("ends its documents and those of its owners, and erases their bytes", async () => {
    const { files, pay } = await service()
    const customer = await business(pay)
    const holder = await owner(pay, customer)
    const documents = [
      idOf(await upload(pay, passport(customer, { documentType: "UTILITY_BILL" }))),
      idOf(await upload(pay, passport(holder))),
    ]
    const other = idOf(await upload(pay, passport(await person(pay))))
    await submit(pay, customer)
    expect((await pay.send("DELETE", `/customers/${customer}`)).status).toBe(200)
    for (const document of documents) expect((await pay.send("GET", `/documents/${document}`)).status).toBe(404)
    expect((await pay.send("GET", `/documents/${other}`)).status).toBe(200)
    await pay.settle()
    expect(files.size).toBe(1)
    for (const gone of [customer, holder]) expect((await upload(pay, passport(gone))).status).toBe(404)
  })
})
