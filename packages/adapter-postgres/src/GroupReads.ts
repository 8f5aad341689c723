/**
 * Groups the reads of one process: what arrives while reads are on their way shares the next trips, each kind of statement one. A lone
 * read waits for nobody.
 * Source: architecture, "The Store port" (read: many in one trip).
 */
import type { Query, Statement } from "./connection/Connection.ts"
import { failureOf } from "./connection/Failure.ts"

/** A statement that answers one row, all of whose parameters are scalars: many of one name go in one trip. */
export interface PointStatement extends Statement {
  readonly name: string
  readonly values: ReadonlyArray<string | number | null>
}

type Row = ReadonlyArray<string | null>

interface Waiting {
  readonly statement: PointStatement
  readonly resolve: (rows: Row) => void
  readonly reject: (cause: unknown) => void
}

export interface GroupReadsOptions {
  readonly query: Query
  /** How many trips may be on their way at once. */
  readonly lanes: number
  /** How many reads one trip may carry. */
  readonly batchMax?: number
}

const columnsOf = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `p${index + 1}`)

/** Statements for many by their text for one: as many as there are ways to read. */
const known = new Map<string, Required<Pick<Statement, "name" | "text">>>()

const manyOf = ({ name, text, values }: PointStatement): Required<Pick<Statement, "name" | "text">> => {
  const made = known.get(text)
  if (made !== undefined) return made
  const columns = columnsOf(values.length)
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(", ")
  const many = {
    name: `${name}_many`,
    text: `select (${text.replaceAll(/\$(\d+)/gu, "asked.p$1")}) from unnest(${arrays})
      with ordinality asked(${columns.join(", ")}, place) order by asked.place`,
  }
  known.set(text, many)
  return many
}

/** The statement that answers a row for each of the given ones, in their order: its parameters are the columns of theirs. */
export const joined = (statements: readonly [PointStatement, ...ReadonlyArray<PointStatement>]): Statement => {
  const [first] = statements
  return {
    ...manyOf(first),
    values: first.values.map((_, index) => statements.map((one) => one.values[index]?.toString() ?? null)),
  }
}

export const make = ({
  batchMax = 64,
  lanes,
  query,
}: GroupReadsOptions): ((statement: PointStatement) => Promise<Row>) => {
  /** By name, in the order of their first ones. */
  const waiting = new Map<string, Array<Waiting>>()
  let free = lanes

  const single = ({ reject, resolve, statement }: Waiting): Promise<void> => query(statement).then(resolve, reject)

  const together = async (batch: ReadonlyArray<Waiting>): Promise<void> => {
    const [first, ...others] = batch
    if (first === undefined) return
    if (others.length === 0) return single(first)
    try {
      const rows = await query(joined([first.statement, ...others.map(({ statement }) => statement)]))
      for (const [index, { resolve }] of batch.entries()) resolve([rows[index] ?? null])
    } catch (error) {
      const failure = failureOf(error)
      if (failure === "unavailable" || failure === "unknown") for (const { reject } of batch) reject(error)
      // One of them is at fault, and only that one is told so.
      else await Promise.all(batch.map(single))
    }
  }

  const pump = (): void => {
    while (free > 0) {
      const [next] = waiting
      if (next === undefined) return
      const [name, reads] = next
      const batch = reads.splice(0, batchMax)
      // What is left of it goes behind the others.
      waiting.delete(name)
      if (reads.length > 0) waiting.set(name, reads)
      free -= 1
      void together(batch).finally(() => {
        free += 1
        pump()
      })
    }
  }

  let isScheduled = false
  return (statement) =>
    new Promise((resolve, reject) => {
      const reads = waiting.get(statement.name)
      const read = { statement, resolve, reject }
      if (reads === undefined) waiting.set(statement.name, [read])
      else reads.push(read)
      if (isScheduled) return
      isScheduled = true
      // Who asks in the same turn goes along.
      queueMicrotask(() => {
        isScheduled = false
        pump()
      })
    })
}
