/**
 * The parts of a batch: the rows of each part of all of its change sets, column by column. A column is one argument of the set-based
 * commit, an array with a value for each row, so that neither side builds or reads a document.
 * Source: `Batch.ts`, which fills them; `functions/CommitGroup.ts`, which reads them.
 */

type ColumnType = "int" | "bigint" | "boolean" | "text"

/** "nr" is the number of the row's change set, from 1; sums and times are whole numbers, bodies are JSON as text. */
const parts = {
  /** The sets themselves. `owner` and `until`: of the receipt. */
  set: { platform: "text", caller: "text", operation: "text", owner: "text", at: "bigint", until: "bigint" },
  lock: { name: "text", alone: "boolean" },
  guard: { nr: "int", id: "text", version: "int" },
  change: { nr: "int", id: "text", version: "int", fields: "text", data: "text" },
  record: { nr: "int", id: "text", customer: "text", fields: "text", data: "text" },
  /** Where the rows of a kind end in the parts above; rows of one kind stand together. */
  guarded: { kind: "int", last: "int" },
  changed: { kind: "int", last: "int" },
  recorded: { kind: "int", last: "int" },
  finish: { nr: "int", id: "text", attempt: "int" },
  claim: { nr: "int", key: "text", scope: "text", kind: "text", id: "text", customer: "text" },
  /** The ledger accounts that move, in the order of their names, with all that the batch does to each. */
  account: {
    platform: "text",
    id: "text",
    total: "bigint",
    low: "bigint",
    high: "bigint",
    count: "int",
    currency: "text",
    customer: "text",
  },
  /** The ledger accounts that are only looked at; their numbers go on from those that move. */
  observed: { platform: "text", id: "text" },
  /** `later`, `laterCount`: what comes after the entry on its account. */
  entry: {
    nr: "int",
    account: "int",
    amount: "bigint",
    later: "bigint",
    later_count: "int",
    reference: "text",
    transfer: "int",
  },
  counter: {
    platform: "text",
    key: "text",
    customer: "text",
    total: "bigint",
    low: "bigint",
    high: "bigint",
    most: "bigint",
  },
  /** The sums that a set keeps, in their order: of an account, or of a counter where `later_count` is null. */
  keep: { nr: "int", number: "int", later: "bigint", later_count: "int" },
  job: {
    nr: "int",
    id: "text",
    queue: "text",
    kind: "text",
    customer: "text",
    lane: "text",
    hold: "bigint",
    due: "bigint",
    payload: "text",
    opens: "boolean",
    first: "boolean",
  },
  event: {
    nr: "int",
    id: "text",
    type: "text",
    customer: "text",
    subject: "text",
    data: "text",
    shown: "text",
  },
  answer: {
    nr: "int",
    key: "text",
    fingerprint: "text",
    status: "int",
    body: "text",
    until: "bigint",
    shown: "text",
  },
  /** The sets whose receipt is no answer. */
  receipt: { nr: "int" },
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

type Columns = ReadonlyArray<readonly [column: string, type: ColumnType]>

const all = Object.keys(parts) as ReadonlyArray<Part>
const columns = new Map<Part, Columns>(all.map((part) => [part, Object.entries(parts[part])]))
const columnsOf = (part: Part): Columns => columns.get(part) ?? []

/** The function's name for a column. No column of a table has two underscores. */
export const named = (part: Part, column: string): string => `${part}__${column}`

/** The arguments of the function, and how a statement gives them from the parameter `first` on. */
export const declared: string = all
  .flatMap((part) => columnsOf(part).map(([column, type]) => `${named(part, column)} ${type}[]`))
  .join(", ")
export const given = (first: number): string =>
  all
    .flatMap((part) => columnsOf(part).map(([, type]) => type))
    .map((type, index) => `$${first + index}::${type}[]`)
    .join(", ")

/** The rows of a part as a table `e`, or those between two places. `ordered`: with their places from 1, as `o`. */
export const rowsOf = (part: Part, { slice = "", ordered = false } = {}): string => {
  const names = columnsOf(part).map(([column]) => column)
  const arrays = names.map((column) => `${named(part, column)}${slice}`).join(", ")
  return `unnest(${arrays}) ${ordered ? "with ordinality " : ""}e(${names.join(", ")}${ordered ? ", o" : ""})`
}

/** Whether a part has rows. */
export const has = (part: Part): string => `cardinality(${named(part, columnsOf(part)[0]?.[0] ?? "")}) > 0`

type Cell = string | number | boolean | null

/** The driver would write something else for half of a character, and two names could become one. */
const wholeText = (cell: Cell): string | null => {
  if (cell === null) return null
  const text = String(cell)
  if (!text.isWellFormed()) throw new TypeError("a text with half of a character")
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
    // Only texts need to be told apart from what surrounds them.
    if (this.type === "text") return this.cells.map(wholeText)
    return `{${this.cells.map((cell) => cell ?? "null").join(",")}}`
  }
}

/** Collects the rows. */
export class Rows {
  readonly #columns = new Map(
    all.map((part) => [part, columnsOf(part).map(([name, type]) => new Column(name, type))] as const),
  )

  add<P extends Part>(part: P, row: RowOf<P>): void {
    const cells: { readonly [column: string]: Cell } = row
    for (const { cells: column, name } of this.#columns.get(part) ?? []) column.push(cells[name] ?? null)
  }

  count(part: Part): number {
    return this.#columns.get(part)?.[0]?.cells.length ?? 0
  }

  /** In the order of the arguments. */
  get parameters(): ReadonlyArray<string | ReadonlyArray<string | null>> {
    return all.flatMap((part) => (this.#columns.get(part) ?? []).map(({ parameter }) => parameter))
  }
}
