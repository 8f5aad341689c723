/**
 * The columns of a batch. The set-based commit takes the rows of each part of all change sets column by column: a column is one
 * argument, an array with a value for each row, so that neither side builds or parses a document.
 * Source: `commit/Batch.ts`, which fills them; `sql/functions/commit_group.sql`, which reads them.
 */

type ColumnType = "int" | "bigint" | "boolean" | "text"

/**
 * The parts with their columns, in the order of the function's arguments; the argument of a column is `part__column`.
 * `set_number` is the number of the row's change set, from 1. Amounts and times are integers, bodies are JSON as text.
 */
const parts = {
  /** The change sets. `owner` and `receipt_expires_at` belong to the receipt. */
  set: {
    platform: "text",
    agent_customer: "text",
    operation: "text",
    owner: "text",
    decided_at: "bigint",
    receipt_expires_at: "bigint",
  },
  lock: { name: "text", exclusive: "boolean" },
  guard: { set_number: "int", id: "text", version: "int" },
  updated: { set_number: "int", id: "text", version: "int", fields: "text", data: "text" },
  inserted: { set_number: "int", id: "text", customer: "text", fields: "text", data: "text" },
  /** The number of the last row of each kind in the parts above, whose rows are sorted by kind. */
  guard_range: { kind: "int", last: "int" },
  updated_range: { kind: "int", last: "int" },
  inserted_range: { kind: "int", last: "int" },
  finished: { set_number: "int", id: "text", attempt: "int" },
  claim: { set_number: "int", key: "text", scope: "text", kind: "text", id: "text", customer: "text" },
  /** The ledger accounts that move, in the order of their names, with the total of the batch on each. */
  account: {
    platform: "text",
    id: "text",
    total: "bigint",
    decrease: "bigint",
    increase: "bigint",
    entry_count: "int",
    currency: "text",
    customer: "text",
  },
  /** The ledger accounts that are only observed; their numbers follow those of the accounts that move. */
  observed: { platform: "text", id: "text" },
  /** `later_total` and `later_count`: sum and number of the later entries of the batch on the same account. */
  entry: {
    set_number: "int",
    account: "int",
    amount: "bigint",
    later_total: "bigint",
    later_count: "int",
    reference: "text",
    transfer: "int",
  },
  counter: {
    platform: "text",
    key: "text",
    customer: "text",
    total: "bigint",
    decrease: "bigint",
    increase: "bigint",
    upper_bound: "bigint",
  },
  /** The sums that a set stores, in their order: of an account, or of a counter if `later_count` is null. */
  stored_sum: { set_number: "int", number: "int", later_total: "bigint", later_count: "int" },
  job: {
    set_number: "int",
    id: "text",
    queue: "text",
    kind: "text",
    customer: "text",
    lane: "text",
    lane_hold_millis: "bigint",
    due_at: "bigint",
    payload: "text",
    opens_lane: "boolean",
    is_first: "boolean",
  },
  event: {
    set_number: "int",
    id: "text",
    type: "text",
    customer: "text",
    subject: "text",
    data: "text",
    shown: "text",
  },
  /** At most one of an event. */
  attempt: { set_number: "int", event: "text", data: "text" },
  replay: {
    set_number: "int",
    key: "text",
    fingerprint: "text",
    status: "int",
    answer: "text",
    expires_at: "bigint",
    shown: "text",
  },
  /** The sets without an idempotency key: their receipt is the operation itself. */
  receipt: { set_number: "int" },
} as const satisfies { readonly [part: string]: { readonly [column: string]: ColumnType } }

type Parts = typeof parts
export type Part = keyof Parts

interface Values {
  readonly int: number
  readonly bigint: number
  readonly boolean: boolean
  readonly text: string
}

export type RowOf<P extends Part> = {
  readonly [C in keyof Parts[P]]: (Parts[P][C] extends keyof Values ? Values[Parts[P][C]] : never) | null
}

const partNames = Object.keys(parts) as ReadonlyArray<Part>
const columnsOf = new Map<Part, ReadonlyArray<readonly [column: string, type: ColumnType]>>(
  partNames.map((part) => [part, Object.entries(parts[part])]),
)
const columns = [...columnsOf].flatMap(([part, own]) => own.map(([name, type]) => ({ part, name, type })))

/** The declarations of the function's arguments for the columns, in their order. */
export const argumentDeclarations: ReadonlyArray<string> = columns.map(
  ({ name, part, type }) => `${part}__${name} ${type}[]`,
)

/** The columns as parameters of a statement, from the parameter `first` on. */
export const parameterList = (first: number): string =>
  columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(", ")

type Cell = string | number | boolean | null

/** Throws for a lone surrogate: the driver would replace it, and two different names could become one. */
const wellFormedText = (cell: Cell): string | null => {
  if (cell === null) return null
  const text = String(cell)
  if (!text.isWellFormed()) throw new TypeError("a text has a lone surrogate, which is not valid Unicode")
  return text
}

class Column {
  readonly cells: Array<Cell> = []
  readonly name: string
  readonly type: ColumnType

  constructor(name: string, type: ColumnType) {
    this.name = name
    this.type = type
  }

  get parameter(): string | ReadonlyArray<string | null> {
    // Only texts need quoting; other values form an array literal as they are.
    if (this.type === "text") return this.cells.map(wellFormedText)
    return `{${this.cells.map((cell) => cell ?? "null").join(",")}}`
  }
}

/** Collects the rows of a batch. */
export class BatchRows {
  readonly #columns = new Map(
    [...columnsOf].map(([part, own]) => [part, own.map(([name, type]) => new Column(name, type))] as const),
  )

  add<P extends Part>(part: P, row: RowOf<P>): void {
    const cells: { readonly [column: string]: Cell } = row
    for (const { cells: column, name } of this.#columns.get(part) ?? []) column.push(cells[name] ?? null)
  }

  count(part: Part): number {
    return this.#columns.get(part)?.[0]?.cells.length ?? 0
  }

  /** In the order of the function's arguments. */
  get parameters(): ReadonlyArray<string | ReadonlyArray<string | null>> {
    return [...this.#columns.values()].flatMap((own) => own.map(({ parameter }) => parameter))
  }
}
