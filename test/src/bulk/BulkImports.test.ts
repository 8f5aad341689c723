/**
 * Bulk imports over the wire: what a file may contain, what becomes of each row, and what the job shows.
 * Source: wire contract areas 1.5.
 */
import { MemoryVault } from "@countersign/adapter-memory"
import { DocumentVault } from "@countersign/core/ports"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { sendForm } from "../document/DocumentHarness.ts"
import { csv, header, jobIdOf, jobOf, people, personRow, upload } from "./ImportHarness.ts"

const service = async () => {
  const files = new Map<string, ReadonlyArray<Uint8Array>>()
  const pay = await harness({ ports: Layer.succeed(DocumentVault, MemoryVault.make({ files })), tape: false })
  return { pay, files }
}

const imported = async (pay: Harness, content: string | Uint8Array, name?: string) => {
  const id = jobIdOf(await upload(pay, content, name))
  await pay.settle()
  return jobOf(pay, id)
}

const customersOf = async (pay: Harness, query = "") =>
  (await pay.send("GET", `/customers?limit=100${query}`)).body as {
    readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
    readonly totalCount: number
  }

const businessHeader =
  "country,customerType,platformCustomerId,umaAddress,addressLine1,addressLine2,city,state,postalCode,businessLegalName,businessRegistrationNumber,businessTaxId,platformAccountId,description"

describe("an import", () => {
  it("creates a customer of each row, and says so", async () => {
    const { pay, files } = await service()
    const answer = await upload(pay, people(3))
    expect([answer.status, answer.body]).toEqual([202, { jobId: expect.stringMatching(/^Job:/u), status: "PENDING" }])
    const id = jobIdOf(answer)
    expect(await jobOf(pay, id)).toEqual({
      id,
      status: "PENDING",
      progress: { total: 3, processed: 0, successful: 0, failed: 0 },
    })
    await pay.settle()
    const ended = {
      id,
      status: "COMPLETED",
      progress: { total: 3, processed: 3, successful: 3, failed: 0 },
      errors: [],
      completedAt: "2026-11-21T12:00:00Z",
    }
    expect(await jobOf(pay, id)).toEqual(ended)
    expect((await pay.webhooks.waitFor("BULK_UPLOAD.COMPLETED")).data).toEqual(ended)
    expect(files.size).toBe(0)
    const { data } = await customersOf(pay, "&platformCustomerId=person-2")
    expect(data).toMatchObject([
      {
        fullName: "Person Number 2",
        birthDate: "1990-01-31",
        umaAddress: expect.stringMatching(/^\$person2@/u),
        address: { line1: "1 Main St", city: "Boston", state: "MA", postalCode: "02101", country: "US" },
        kycStatus: "APPROVED",
      },
    ])
    const accounts = await pay.send("GET", `/customers/internal-accounts?customerId=${String(data[0]?.["id"])}`)
    expect((accounts.body as { readonly data: ReadonlyArray<unknown> }).data.length).toBeGreaterThan(0)
    expect(pay.webhooks.received.filter(({ type }) => type === "CUSTOMER.KYC_APPROVED")).toHaveLength(3)
  })

  it("takes the columns in any order and drops those that it does not know", async () => {
    const { pay } = await service()
    const rows = [
      businessHeader,
      'US,BUSINESS,biz-1,acme@DOMAIN,1 Main St,"Suite 2, Floor 3",Boston,MA,02101,"Acme ""Works"" Inc.",REG-1,12-3456789,x,y',
      "DE,BUSINESS,biz-2,$beta@DOMAIN,2 Weg,,Bonn,NW,53111,Beta GmbH",
      "",
      "GB,INDIVIDUAL,person-1,$carol@DOMAIN,3 Road,,Leeds,WY,LS1,,,,,",
    ]
    const job = await imported(pay, `\uFEFF${rows.join("\r\n")}`)
    expect(job.progress).toEqual({ total: 3, processed: 3, successful: 2, failed: 1 })
    expect(job.errors).toEqual([
      {
        correlationId: "person-1",
        code: "MISSING_MANDATORY_USER_INFO",
        message: "The row lacks required cells.",
        details: {
          errors: ["fullName", "birthDate"].map((field) => ({
            field,
            message: "is required",
            constraint: { required: true },
          })),
        },
      },
    ])
    const { data } = await customersOf(pay)
    expect(
      data.toSorted((a, b) => (String(a["platformCustomerId"]) < String(b["platformCustomerId"]) ? -1 : 1)),
    ).toMatchObject([
      {
        customerType: "BUSINESS",
        kybStatus: "UNVERIFIED",
        umaAddress: expect.stringMatching(/^\$acme@/u),
        address: { line2: "Suite 2, Floor 3" },
        businessInfo: { legalName: 'Acme "Works" Inc.', registrationNumber: "REG-1", country: "US" },
      },
      { platformCustomerId: "biz-2", businessInfo: { legalName: "Beta GmbH", country: "DE" } },
    ])
    expect(JSON.stringify(data)).not.toContain("12-3456789")
    expect(data[0]).not.toHaveProperty("description")
  })

  it("keeps cells that a spreadsheet would calculate as they are", async () => {
    const { pay } = await service()
    await imported(pay, [header, personRow(1, { name: "=HYPERLINK(1)" })].join("\n"))
    expect((await customersOf(pay)).data).toMatchObject([{ fullName: "=HYPERLINK(1)" }])
  })

  it("without rows is complete", async () => {
    const { pay } = await service()
    expect(await imported(pay, header)).toMatchObject({
      status: "COMPLETED",
      progress: { total: 0, processed: 0, successful: 0, failed: 0 },
      errors: [],
    })
  })
})

describe("a row that creates no customer", () => {
  it("has an error with the reason, in the order of the rows", async () => {
    const { pay } = await service()
    const first = personRow(1)
    const job = await imported(
      pay,
      [
        header,
        first,
        personRow(2, { id: "person-1" }),
        personRow(3, { uma: "$PERSON1@DOMAIN" }),
        personRow(4, { uma: "$person4@elsewhere.example" }),
        personRow(5, { id: "", name: "" }),
        personRow(6, { id: "a\u0000b" }),
        personRow(7, { id: "x".repeat(256) }),
        personRow(8).replace("1990-01-31", "31.1.1990").replace(",US", ",usa").replace("INDIVIDUAL", "PERSON"),
        personRow(9).replace("1990-01-31", "1990-02-30").replace("$person9", "p 9"),
        `${personRow(10)},`,
        personRow(11).replace("INDIVIDUAL", ""),
        personRow(12, { name: "y".repeat(256) }),
      ].join("\n"),
    )
    const fields = (details: unknown) =>
      ((details as { readonly errors?: ReadonlyArray<{ readonly field: string }> } | undefined)?.errors ?? []).map(
        ({ field }) => field,
      )
    expect([job.status, job.progress]).toEqual(["COMPLETED", { total: 12, processed: 12, successful: 1, failed: 11 }])
    expect(job.errors?.map(({ code, correlationId, details }) => [correlationId, code, ...fields(details)])).toEqual([
      ["person-1", "CONFLICT", "platformCustomerId"],
      ["person-3", "UMA_ADDRESS_EXISTS", "umaAddress"],
      ["person-4", "INVALID_UMA_ADDRESS", "umaAddress"],
      ["row_5", "MISSING_MANDATORY_USER_INFO", "platformCustomerId", "fullName"],
      ["row_6", "INVALID_INPUT", "platformCustomerId"],
      ["row_7", "INVALID_INPUT", "platformCustomerId"],
      ["person-8", "INVALID_INPUT", "customerType", "country"],
      ["person-9", "INVALID_INPUT", "umaAddress", "birthDate"],
      ["person-10", "INVALID_INPUT"],
      ["person-11", "MISSING_MANDATORY_USER_INFO", "customerType"],
      ["person-12", "INVALID_INPUT", "fullName"],
    ])
    expect((await customersOf(pay)).totalCount).toBe(1)
  })

  it("shows none of its cells but the platform's id", async () => {
    const { pay } = await service()
    const job = await imported(
      pay,
      [header, personRow(1, { name: "Secret Person".repeat(30) }), personRow(1)].join("\n"),
    )
    expect(JSON.stringify(job)).not.toMatch(/Secret|1990|Main/u)
  })

  it("is kept only among the first 1,000", async () => {
    const { pay } = await service()
    const rows = Array.from({ length: 1003 }, (_, index) => personRow(index + 1).replace("US", "us"))
    const job = await imported(pay, [header, ...rows].join("\n"))
    expect([job.status, job.progress]).toEqual([
      "FAILED",
      { total: 1003, processed: 1003, successful: 0, failed: 1003 },
    ])
    expect(job.errors?.map(({ correlationId }) => correlationId)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `person-${index + 1}`),
    )
  })

  it("makes the second import of a file fail as a whole", async () => {
    const { pay } = await service()
    expect(await imported(pay, people(2))).toMatchObject({ status: "COMPLETED" })
    const job = await imported(pay, people(2))
    expect([job.status, job.errors?.map(({ code }) => code)]).toEqual(["FAILED", ["CONFLICT", "CONFLICT"]])
    expect((await pay.webhooks.waitFor("BULK_UPLOAD.FAILED")).data).toEqual(job)
    expect((await customersOf(pay)).totalCount).toBe(2)
  })
})

const reason = (code: string, column?: string) => ({ reason: code, ...(column === undefined ? {} : { column }) })

describe("a file that cannot be imported", () => {
  it.each<[string, string | Uint8Array, object]>([
    ["lacks a column", people(1).replace("postalCode", "zip"), reason("MISSING_REQUIRED_COLUMN", "postalCode")],
    ["names a column in another case", people(1).replace("city", "City"), reason("MISSING_REQUIRED_COLUMN", "city")],
    ["names a column twice", people(1).replace("fullName", "city"), reason("DUPLICATE_COLUMN", "city")],
    ["has no header", "\n\n", reason("MISSING_REQUIRED_COLUMN", "umaAddress")],
    ["closes no quote", `${people(2)}\n"never`, reason("NOT_CSV")],
    [
      "is not UTF-8 in its middle",
      Buffer.concat([Buffer.from(`${people(2)}\n`), Buffer.from([0xff]), Buffer.from(people(1))]),
      reason("NOT_UTF8"),
    ],
    ["is one line of two megabytes", "x".repeat(2 * 1024 * 1024), reason("ROW_TOO_LONG")],
    ["has 100,001 rows", `${header}\n${"x\n".repeat(100_001)}`, reason("TOO_MANY_ROWS")],
    [
      "has 10,000 columns, none of which is known",
      `${"c,".repeat(9_999)}c\n`,
      reason("MISSING_REQUIRED_COLUMN", "umaAddress"),
    ],
  ])("and %s fails without a customer", async (_what, content, details) => {
    const { pay, files } = await service()
    const job = await imported(pay, content)
    expect(job).toEqual({
      id: job.id,
      status: "FAILED",
      progress: { total: 0, processed: 0, successful: 0, failed: 0 },
      errors: [{ correlationId: "row_0", code: "INVALID_REQUEST_FORMAT", message: expect.any(String), details }],
      completedAt: "2026-11-21T12:00:00Z",
    })
    expect((await pay.webhooks.waitFor("BULK_UPLOAD.FAILED")).data).toEqual(job)
    expect([files.size, (await customersOf(pay)).totalCount]).toEqual([0, 0])
  })

  it("but that has unknown columns in any number, twice too, is imported", async () => {
    const { pay } = await service()
    const more = ",x".repeat(10_000)
    expect(await imported(pay, `${header}${more}\n${personRow(1)}${more}`)).toMatchObject({ status: "COMPLETED" })
  })
})

describe("an upload", () => {
  it.each([
    ["no file", { other: "x" }],
    ["an empty file", csv("")],
    ["a text in the place of the file", { file: "" }],
  ])("with %s is refused", async (_what, parts) => {
    const { pay, files } = await service()
    const answer = await sendForm(pay, "POST", "/customers/bulk/csv", parts)
    expect([answer.status, answer.body]).toMatchObject([400, { code: "INVALID_REQUEST_FORMAT" }])
    expect(files.size).toBe(0)
  })

  it("that is no form is refused", async () => {
    const { pay } = await service()
    const answer = await pay.send("POST", "/customers/bulk/csv", { body: { file: "x" } })
    expect([answer.status, answer.body]).toMatchObject([400, { code: "INVALID_REQUEST_FORMAT" }])
  })

  it("with a repeated key answers the first job and stores no second file", async () => {
    const { pay, files } = await service()
    const key = { "idempotency-key": "import-1" }
    const first = await upload(pay, people(1), "a.csv", key)
    const again = await upload(pay, people(1), "a.csv", key)
    const other = await upload(pay, people(2), "a.csv", key)
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(other.status).toBe(409)
    await pay.settle()
    expect(files.size).toBe(0)
    expect(await jobOf(pay, jobIdOf(first))).toMatchObject({ status: "COMPLETED" })
    expect((await customersOf(pay)).totalCount).toBe(1)
  })

  it("and its end are in the audit, with numbers and digests only", async () => {
    const { pay } = await service()
    const { id } = await imported(pay, `${people(1)}\n${personRow(1)}`, "confidential.csv")
    const { data } = (await pay.send("GET", `/audit-records?target=${id}`)).body as {
      readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
    }
    expect(data.map(({ details, operation, outcome }) => [operation, outcome, details])).toEqual(
      expect.arrayContaining([
        ["BULK_IMPORT_END", "DONE", { total: 2, successful: 1, failed: 1 }],
        [
          "BULK_IMPORT_UPLOAD",
          "DONE",
          { size: expect.any(Number), sha256: expect.stringMatching(/^[\da-f]{64}$/u), rows: 2 },
        ],
      ]),
    )
    expect(JSON.stringify(data)).not.toContain("confidential")
  })
})

describe("the imports of a platform", () => {
  it("run one after another, also behind one that starts later by its name", async () => {
    const { pay } = await service()
    const late = jobIdOf(await upload(pay, people(1), "customers-001.csv"))
    const next = jobIdOf(await upload(pay, `${header}\n${personRow(2)}`, "b.csv"))
    await pay.settle()
    await pay.clock.advance({ seconds: 29 })
    expect([(await jobOf(pay, late)).status, (await jobOf(pay, next)).status]).toEqual(["PENDING", "PENDING"])
    await pay.clock.advance({ seconds: 1 })
    await pay.settle()
    expect([(await jobOf(pay, late)).status, (await jobOf(pay, next)).status]).toEqual(["COMPLETED", "COMPLETED"])
  })

  it("fail by their name", async () => {
    const { pay } = await service()
    const job = await imported(pay, people(2), "002.csv")
    expect(job).toMatchObject({
      status: "FAILED",
      progress: { processed: 0, successful: 0, failed: 0 },
      errors: [{ correlationId: "row_0", code: "INTERNAL_ERROR" }],
    })
    expect((await customersOf(pay)).totalCount).toBe(0)
  })

  // Proves: ERR-BULK_UPLOAD_JOB_NOT_FOUND
  it("are read until 30 days after their end, when their errors are erased", async () => {
    const { pay } = await service()
    const { id } = await imported(pay, `${header}\n${personRow(1, { name: "" })}`)
    await pay.clock.advance({ days: 30, seconds: -1 })
    expect((await jobOf(pay, id)).errors).toHaveLength(1)
    await pay.clock.advance({ seconds: 1 })
    await pay.settle()
    const answer = await pay.send("GET", `/customers/bulk/jobs/${id}`)
    expect([answer.status, answer.body]).toMatchObject([404, { code: "BULK_UPLOAD_JOB_NOT_FOUND" }])
    expect(JSON.stringify((await pay.snapshot()).store)).not.toContain("MISSING_MANDATORY_USER_INFO")
  })

  it("keep their counts when a customer is deleted", async () => {
    const { pay } = await service()
    const before = await imported(pay, people(1))
    const [customer] = (await customersOf(pay)).data
    expect((await pay.send("DELETE", `/customers/${String(customer?.["id"])}`)).status).toBe(200)
    expect(await jobOf(pay, before.id)).toEqual(before)
  })

  it("are unknown under another id", async () => {
    const { pay } = await service()
    const answer = await pay.send("GET", "/customers/bulk/jobs/Job:00000000-0000-4000-8000-00000000dead")
    expect([answer.status, answer.body]).toMatchObject([404, { code: "BULK_UPLOAD_JOB_NOT_FOUND" }])
  })
})
