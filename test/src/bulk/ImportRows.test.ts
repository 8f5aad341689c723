/** What a header and a row of an imported file become: a request, or what is wrong with each cell. Source: wire contract areas 1.5.2, 1.5.4. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { isReadable } from "../../../packages/core/src/model/bulk/BulkImport.ts"
import { ImportColumns } from "../../../packages/core/src/model/bulk/ImportColumns.ts"
import { emptyFile, headerOf, noHeader, problemOf } from "../../../packages/core/src/model/bulk/ImportHeader.ts"
import { importRowOf } from "../../../packages/core/src/model/bulk/ImportRow.ts"

const names: ReadonlyArray<string> = ImportColumns.keys
const columns = Object.fromEntries(names.map((name, index) => [name, index]))
const header = { columns, width: names.length }

const person = {
  umaAddress: "$ada@example.com",
  platformCustomerId: "ada",
  customerType: "INDIVIDUAL",
  fullName: "Ada Lovelace",
  birthDate: "1990-12-10",
  addressLine1: "1 Main Street",
  city: "Springfield",
  state: "IL",
  postalCode: "12345",
  country: "US",
}
const always = ["umaAddress", "platformCustomerId", "addressLine1", "city", "state", "postalCode", "country"]
const { birthDate: _birthDate, fullName: _fullName, ...common } = person
const business = { ...common, customerType: "BUSINESS", businessLegalName: "Engines Ltd" }

const rowOf = (cells: Readonly<Record<string, string>>, number = 7) =>
  importRowOf({ cells: names.map((name) => cells[name] ?? ""), end: 99 }, number, header)
const refusalOf = (cells: Readonly<Record<string, string>>) => {
  const { customer } = rowOf(cells)
  return Result.isFailure(customer) ? customer.failure : undefined
}
const errorsOf = (cells: Readonly<Record<string, string>>) => refusalOf(cells)?.details?.["errors"]

describe("a header", () => {
  it("gives the place of each known column, and the number of all", () => {
    expect(headerOf(["x", ...names, "x"])).toEqual({
      columns: Object.fromEntries(names.map((name, index) => [name, index + 1])),
      width: names.length + 2,
    })
    expect(noHeader).toEqual({ columns: {}, width: 0 })
  })

  it("needs the columns that every customer has, and each of them once", () => {
    const needed = names.filter((name) => "problem" in headerOf(names.filter((other) => other !== name)))
    expect(needed.toSorted()).toEqual([...always, "customerType"].toSorted())
    expect(headerOf(needed)).toMatchObject({ width: needed.length })
    expect(headerOf([...names, "email"])).toEqual({ problem: problemOf("DUPLICATE_COLUMN", "email") })
    expect(headerOf([])).toEqual({ problem: problemOf("MISSING_REQUIRED_COLUMN", "umaAddress") })
  })

  it.each([
    ["MISSING_REQUIRED_COLUMN", "The header lacks a required column."],
    ["DUPLICATE_COLUMN", "The header names a column twice."],
    ["NOT_UTF8", "The file is not UTF-8."],
    ["NOT_CSV", "The file is no CSV: a quote is within a cell without quotes, or is never closed."],
    ["ROW_TOO_LONG", "A row is too long."],
    ["TOO_MANY_ROWS", "The file has more than 100000 rows."],
  ] as const)("and its file say of %s what is wrong", (reason, message) => {
    const problem = { code: "INVALID_REQUEST_FORMAT", message, details: { reason } }
    expect(problemOf(reason)).toEqual(problem)
    expect(problemOf(reason, "city")).toEqual({ ...problem, details: { reason, column: "city" } })
  })

  it("is not looked for in an empty file", () => {
    expect(emptyFile).toEqual({
      code: "INVALID_REQUEST_FORMAT",
      message: "The body must have a part `file` of 1 to 104857600 bytes.",
      details: { field: "file" },
    })
  })
})

describe("a row", () => {
  it("of a person becomes a request with what its cells have", () => {
    const { addressLine1: line1, city, country, postalCode, state, ...others } = person
    const request = { ...others, address: { line1, city, state, postalCode, country } }
    expect(rowOf(person)).toEqual({ number: 7, end: 99, correlationId: "ada", customer: Result.succeed(request) })
    const more = { addressLine2: "2nd", email: "ada@example.com", businessTaxId: "dropped" }
    expect(rowOf({ ...person, ...more }).customer).toEqual(
      Result.succeed({
        ...request,
        email: "ada@example.com",
        address: { ...request.address, line2: "2nd" },
      }),
    )
  })

  it("of a business becomes a request with its legal data", () => {
    const more = { businessRegistrationNumber: "R1", businessTaxId: "T1", email: "dropped" }
    const { customer } = rowOf({ ...business, ...more })
    const businessInfo = { country: "US", legalName: "Engines Ltd" }
    expect(Result.getOrThrow(rowOf(business).customer)).toMatchObject({ customerType: "BUSINESS", businessInfo })
    expect(Result.getOrThrow(customer)).toEqual({
      customerType: "BUSINESS",
      umaAddress: "$ada@example.com",
      platformCustomerId: "ada",
      address: { line1: "1 Main Street", city: "Springfield", state: "IL", postalCode: "12345", country: "US" },
      businessInfo: { ...businessInfo, registrationNumber: "R1", taxId: "T1" },
    })
  })

  it("may leave out the first character of its UMA address", () => {
    const { customer } = rowOf({ ...person, umaAddress: "ada@example.com" })
    expect(Result.getOrThrow(customer)).toMatchObject({ umaAddress: "$ada@example.com" })
  })

  it("may be shorter than the header, and not longer", () => {
    const filled: Readonly<Record<string, string>> = business
    const cells = names.map((name) => filled[name] ?? "")
    expect(Result.isSuccess(importRowOf({ cells: cells.slice(0, -2), end: 1 }, 1, header).customer)).toBe(true)
    expect(importRowOf({ cells: [...cells, ""], end: 1 }, 1, header).customer).toEqual(
      Result.fail({
        code: "INVALID_INPUT",
        message: `The row has more than the ${names.length} cells of the header.`,
        details: { reason: "TOO_MANY_CELLS", limitCells: names.length },
      }),
    )
  })

  it("lists the cells that it lacks, by its type", () => {
    const lacking = (cells: Readonly<Record<string, string>>) =>
      (errorsOf(cells) as ReadonlyArray<{ readonly field: string }>).map(({ field }) => field)
    expect(lacking({ customerType: "INDIVIDUAL" }).toSorted()).toEqual([...always, "fullName", "birthDate"].toSorted())
    expect(lacking({ customerType: "BUSINESS" }).toSorted()).toEqual([...always, "businessLegalName"].toSorted())
    expect(lacking({}).toSorted()).toEqual([...always, "customerType"].toSorted())
    expect(refusalOf({})).toMatchObject({
      code: "MISSING_MANDATORY_USER_INFO",
      message: "The row lacks required cells.",
    })
    expect(errorsOf({ ...person, city: "", email: "x" })).toEqual([
      { field: "city", message: "is required", constraint: { required: true } },
      { field: "email", message: "must be an e-mail address", constraint: { format: "email" } },
    ])
  })

  const long = (max: number) =>
    [
      `a text of at most ${max} characters without U+0000`,
      { maxLength: max },
      ["x".repeat(max + 1), "a\u0000b"],
    ] as const
  it.each<[string, string, object, ReadonlyArray<string>]>([
    ["umaAddress", "a UMA address such as $name@example.com", { format: "uma-address" }, ["$", "$a b@c"]],
    ["platformCustomerId", ...long(255)],
    ["customerType", "INDIVIDUAL or BUSINESS", { enum: ["INDIVIDUAL", "BUSINESS"] }, ["PERSON"]],
    ["fullName", ...long(255)],
    ["birthDate", "a date of the form YYYY-MM-DD", { format: "date" }, ["10.12.1990", "1990-13-01"]],
    ["addressLine1", ...long(255)],
    ["addressLine2", ...long(255)],
    ["city", ...long(255)],
    ["state", ...long(255)],
    ["country", "an ISO 3166-1 alpha-2 country code, such as US", { format: "iso-3166-1-alpha-2" }, ["us", "USA"]],
    ["email", "an e-mail address", { format: "email" }, ["ada"]],
  ])("says what its %s must be", (field, expected, constraint, wrong) => {
    for (const cell of wrong)
      expect([cell, refusalOf({ ...person, [field]: cell })]).toEqual([
        cell,
        {
          code: "INVALID_INPUT",
          message: "The row has invalid cells.",
          details: { errors: [{ field, message: `must be ${expected}`, constraint }] },
        },
      ])
  })

  it.each(["businessLegalName", "businessRegistrationNumber", "businessTaxId"])(
    "takes a %s of 255 characters",
    (name) => {
      expect(refusalOf({ ...business, [name]: "x".repeat(255) })).toBeUndefined()
      expect(refusalOf({ ...business, [name]: "x".repeat(256) })).toMatchObject({
        details: { errors: [{ field: name, constraint: { maxLength: 255 } }] },
      })
    },
  )

  it("is named by its number if the platform's own id is missing or malformed", () => {
    expect(rowOf({ ...person, platformCustomerId: "" }).correlationId).toBe("row_7")
    expect(rowOf({ ...person, platformCustomerId: "x".repeat(256) }, 8).correlationId).toBe("row_8")
    expect(rowOf({ ...person, city: "" }).correlationId).toBe("ada")
  })
})

it("an import can be read until 30 days after its end", () => {
  const running = {
    status: "PROCESSING",
    fileId: "StoredFile:1",
    ...header,
    position: 0,
    total: 0,
    processed: 0,
    successful: 0,
  } as const
  const kept = 30 * 24 * 60 * 60 * 1000
  expect(isReadable(running, kept)).toBe(true)
  expect(isReadable({ ...running, endedAt: 5 }, 5 + kept - 1)).toBe(true)
  expect(isReadable({ ...running, endedAt: 5 }, 5 + kept)).toBe(false)
})
