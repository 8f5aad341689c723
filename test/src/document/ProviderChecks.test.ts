/**
 * What the provider's check of a document receives, when it is not asked, and the problems of a form that reaches no check.
 * Source: wire contract areas 1.2.2, 1.2.4; D-378.
 */
import { createHash } from "node:crypto"
import { type DocumentCheck, DocumentChecks, type DocumentRefusal } from "@countersign/core/ports"
import { Effect, Layer, Stream } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import {
  business,
  completion,
  idOf,
  owner,
  passport,
  pdfFile,
  pdfText,
  person,
  png,
  sendForm,
  upload,
} from "./DocumentHarness.ts"

/** A service whose provider notes what it is asked, with the bytes, and refuses what `refuse` was called with. */
const service = async () => {
  const asked: Array<readonly [Omit<DocumentCheck, "read">, bytes: string]> = []
  let refusal: DocumentRefusal | undefined
  const ports = Layer.effect(
    DocumentChecks,
    Effect.map(DocumentChecks, (checks) => ({
      ...checks,
      check: ({ read, ...check }: DocumentCheck) =>
        Effect.map(Effect.orDie(Stream.runCollect(read())), (pieces) => {
          asked.push([check, Buffer.concat([...pieces]).toString("latin1")])
          return refusal
        }),
    })),
  )
  const refuse = (code: DocumentRefusal | undefined) => {
    refusal = code
  }
  return { pay: await harness({ ports, tape: false }), asked, refuse }
}

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const ofPassport = {
  documentType: "PASSPORT",
  country: "US",
  documentNumber: "A12345678",
  issuingAuthority: "U.S. Department of State",
}

it("an upload is checked with its customer, its texts, its size and digest, its type and its bytes", async () => {
  const { asked, pay } = await service()
  const customerId = await business(pay)
  const holder = await owner(pay, customerId)
  expect((await upload(pay, passport(holder))).status).toBe(201)
  const document = { ...ofPassport, documentHolder: holder, size: pdfText.length, sha256: sha256(pdfText) }
  expect(asked).toEqual([[{ customerId, document, fileType: "pdf" }, pdfText]])
})

it("a replacement is checked with the holder of the document, and a refusal changes nothing", async () => {
  const { asked, pay, refuse } = await service()
  const customerId = await person(pay)
  const first = await upload(pay, passport(customerId))
  asked.length = 0
  refuse("LOW_QUALITY")
  const file = new File([png], "id.png")
  const replacement = passport(customerId, { documentHolder: undefined, file, side: "BACK" })
  const replace = () => sendForm(pay, "PUT", `/documents/${idOf(first)}`, replacement)
  expect(await replace()).toMatchObject({ status: 400, body: { code: "LOW_QUALITY" } })
  const document = { ...ofPassport, documentHolder: customerId, side: "BACK", size: png.length, sha256: sha256(png) }
  expect(asked).toEqual([[{ customerId, document, fileType: "png" }, Buffer.from(png).toString("latin1")]])
  expect((await pay.send("GET", `/documents/${idOf(first)}`)).body).toEqual(first.body)
})

it("a verification submits the documents that are left, not those that were deleted", async () => {
  const submitted: Array<ReadonlyArray<string>> = []
  const ports = Layer.effect(
    DocumentChecks,
    Effect.map(DocumentChecks, (checks) => ({
      ...checks,
      missing: (submission: Parameters<typeof checks.missing>[0]) => {
        submitted.push(submission.documents.map(({ documentId }) => documentId))
        return checks.missing(submission)
      },
    })),
  )
  await using pay = await harness({ ports })
  const customerId = await person(pay, "Jane Doe 001", completion)
  const gone = idOf(await upload(pay, passport(customerId)))
  const left = idOf(await upload(pay, passport(customerId)))
  expect((await pay.send("DELETE", `/documents/${gone}`)).status).toBe(204)
  await pay.send("POST", "/verifications", { body: { customerId } })
  expect(submitted).toEqual([[left]])
})

it("nothing is checked that is no document, or that cannot be replaced", async () => {
  const { asked, pay, refuse } = await service()
  const customerId = await person(pay, "Jane Doe 001", completion)
  const document = idOf(await upload(pay, passport(customerId)))
  asked.length = 0
  refuse("EXPIRED")
  const html = pdfFile("a.pdf", "<!DOCTYPE html>")
  expect(await upload(pay, passport(customerId, { file: html }))).toMatchObject({
    status: 400,
    body: { code: "UNSUITABLE_DOCUMENT", message: "`file` must be a PDF, JPEG or PNG." },
  })
  const replace = () => sendForm(pay, "PUT", `/documents/${document}`, passport(customerId))
  await pay.send("POST", "/verifications", { body: { customerId } })
  expect(await replace()).toMatchObject({ status: 400, body: { details: { reason: "DOCUMENT_IN_REVIEW" } } })
  expect(asked).toEqual([])
})

it("a form without a file, or with an empty one, says what its file must be", async () => {
  const { asked, pay } = await service()
  const customerId = await person(pay)
  const errorsOf = async (file: File | undefined) => {
    const { body, status } = await upload(pay, passport(customerId, { file, country: "usa" }))
    expect([status, body]).toMatchObject([400, { code: "INVALID_INPUT" }])
    return Object(body)["details"]["errors"]
  }
  const country = expect.objectContaining({ field: "country" })
  expect(await errorsOf(pdfFile("empty.pdf", ""))).toEqual([
    country,
    { field: "file", message: "must not be empty", constraint: { minLength: 1 } },
  ])
  expect(await errorsOf(undefined)).toEqual([
    country,
    { field: "file", message: "is required", constraint: { required: true } },
  ])
  expect(asked).toEqual([])
})
