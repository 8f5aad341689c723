/**
 * One row of an imported file: the request to create its customer, or what is wrong with it. No cell is shown, except the platform's own
 * id of the customer.
 * Source: wire contract areas 1.5.2, 1.5.4.
 */
import { Result, Schema } from "effect"
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { CustomerCreation } from "../customer/CustomerRequest.ts"
import { columnOf, type ImportColumnName, ImportColumns } from "./ImportColumns.ts"
import type { ImportHeader } from "./ImportHeader.ts"

export interface ImportRow {
  /** The first row has number 1. */
  readonly number: number
  /** The position (bytes) in the file after the row. */
  readonly end: number
  readonly correlationId: string
  readonly customer: Result.Result<CustomerCreation, Refusal>
}

type Cells = Partial<Record<ImportColumnName, string>>

const decoders = new Map(
  ImportColumns.keys.map((name) => [name, Schema.decodeUnknownResult(columnOf(name).schema)] as const),
)

const isValid = (name: ImportColumnName, cell: string): boolean => {
  const decode = decoders.get(name)
  return Outside.isStorableText(cell) && decode !== undefined && Result.isSuccess(decode(cell))
}

/** Returns the cells that are not empty, by column. The leading `$` of an UMA address may be left out. */
const cellsOf = (cells: ReadonlyArray<string>, { columns }: ImportHeader): Cells => {
  const named: Cells = {}
  for (const name of ImportColumns.keys) {
    const cell = cells[columns[name] ?? Number.POSITIVE_INFINITY]
    if (cell === undefined || cell === "") continue
    named[name] = name === "umaAddress" && !cell.startsWith("$") ? `$${cell}` : cell
  }
  return named
}

/** Whether the rows of this type have the column. Of a row without a valid type only the common columns count. */
const hasColumn = (name: ImportColumnName, customerType: string | undefined): boolean => {
  const { onlyFor } = columnOf(name)
  return onlyFor === undefined || onlyFor === customerType
}

const problemsOf = (cells: Cells) => {
  const missing: Array<FieldProblem> = []
  const malformed: Array<FieldProblem> = []
  for (const name of ImportColumns.keys) {
    const { constraint, expected, neededBy } = columnOf(name)
    if (!hasColumn(name, cells.customerType)) continue
    const cell = cells[name]
    if (cell !== undefined) {
      if (!isValid(name, cell)) malformed.push({ field: name, message: `must be ${expected}`, constraint })
    } else if (neededBy === "ALL" || (neededBy !== undefined && neededBy === cells.customerType)) {
      missing.push({ field: name, message: "is required", constraint: { required: true } })
    }
  }
  return { missing, malformed }
}

const refusalOf = (cells: Cells): Refusal | undefined => {
  const { malformed, missing } = problemsOf(cells)
  const errors = [...missing, ...malformed].map((problem) => ({ ...problem }))
  if (missing.length > 0) {
    return { code: "MISSING_MANDATORY_USER_INFO", message: "The row lacks required cells.", details: { errors } }
  }
  return malformed.length === 0
    ? undefined
    : { code: "INVALID_INPUT", message: "The row has invalid cells.", details: { errors } }
}

const tooManyCells = (width: number): Refusal => ({
  code: "INVALID_INPUT",
  message: `The row has more than the ${width} cells of the header.`,
  details: { reason: "TOO_MANY_CELLS", limitCells: width },
})

/** Returns the request of a row without problems. */
const requestOf = (cells: Cells): CustomerCreation => {
  const { addressLine1 = "", country = "", postalCode = "" } = cells
  const address = {
    line1: addressLine1,
    ...present("line2", cells.addressLine2),
    ...present("city", cells.city),
    ...present("state", cells.state),
    postalCode,
    country,
  }
  const common = {
    ...present("umaAddress", cells.umaAddress),
    ...present("platformCustomerId", cells.platformCustomerId),
    address,
  }
  if (cells.customerType === "BUSINESS") {
    return {
      customerType: "BUSINESS",
      ...common,
      businessInfo: {
        country,
        ...present("legalName", cells.businessLegalName),
        ...present("registrationNumber", cells.businessRegistrationNumber),
        ...present("taxId", cells.businessTaxId),
      },
    }
  }
  return {
    customerType: "INDIVIDUAL",
    ...common,
    ...present("fullName", cells.fullName),
    ...present("birthDate", cells.birthDate),
    ...present("email", cells.email),
  }
}

const present = <K extends string>(name: K, value: string | undefined): { readonly [N in K]?: string } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [N in K]?: string })

/** Reads one row. A short one has empty cells at its end. */
export const importRowOf = (
  { cells, end }: { readonly cells: ReadonlyArray<string>; readonly end: number },
  number: number,
  header: ImportHeader,
): ImportRow => {
  const named = cellsOf(cells, header)
  const { platformCustomerId } = named
  const isNamed = platformCustomerId !== undefined && isValid("platformCustomerId", platformCustomerId)
  const refusal = cells.length > header.width ? tooManyCells(header.width) : refusalOf(named)
  return {
    number,
    end,
    correlationId: isNamed ? platformCustomerId : `row_${number}`,
    customer: refusal === undefined ? Result.succeed(requestOf(named)) : Result.fail(refusal),
  }
}
