/**
 * Statements for one cell. All SQL of this adapter names the schema `countersign`; here the name becomes that of the cell's schema.
 * Source: D-514.
 */
import { inSchema } from "../cluster/PhysicalSql.ts"
import type { Query, Session, Statement } from "../connection/Connection.ts"

/** Statements of lists have many texts: more than these are not remembered. */
const textsMax = 2_000

/** Writes the statements of this adapter for one cell. */
export interface SchemaStatements {
  readonly text: (text: string) => string
  readonly query: (query: Query) => Query
  readonly session: (session: Session) => Session
}

/** `write` rewrites a text for the cell with this schema. */
export const make = (schema: string, write = (text: string) => inSchema(text, schema)): SchemaStatements => {
  const known = new Map<string, string>()
  const text = (given: string): string => {
    const found = known.get(given)
    if (found !== undefined) return found
    const written = write(given)
    if (known.size >= textsMax) known.clear()
    known.set(given, written)
    return written
  }
  const query =
    (run: Query): Query =>
    ({ name, ...statement }: Statement) =>
      // Prepared statements have names of their own in each cell.
      run({ ...statement, text: text(statement.text), ...(name === undefined ? {} : { name: `${name}_${schema}` }) })
  const session = (given: Session): Session => ({
    query: query(given.query),
    script: (script) => given.script(text(script)),
  })
  return { text, query, session }
}
