/**
 * Where the cells of a store are: a connection to each, the servers that hold them, and transactions over several of them.
 * Source: D-514, D-517.
 */
import { createHash } from "node:crypto"
import type { Connection, Session, Statement } from "../connection/Connection.ts"
import { schemaOf } from "./Cells.ts"
import * as SchemaStatements from "./SchemaStatements.ts"
import { transacted } from "./Transaction.ts"

/** A server that holds cells. */
export interface CellServer {
  readonly name: string
  readonly connection: Connection
  /** The statements of the cells that are here now, by the number of the cell. */
  readonly cells: () => ReadonlyMap<number, SchemaStatements.SchemaStatements>
  /** Whether the error says that a cell was not here any more; it is known afterwards where it is. */
  readonly hasMoved: (error: unknown) => Promise<boolean>
}

export interface CellPlaces {
  /** One for each cell. */
  readonly cells: ReadonlyArray<Connection>
  /** For statements that name no cell. */
  readonly any: Connection
  /** Servers may join. */
  readonly servers: () => ReadonlyArray<CellServer>
  readonly serverOf: (cell: number) => CellServer | undefined
  /** Runs statements of these cells in one transaction; it is rolled back by whatever `work` throws. */
  readonly transact: <A>(
    cells: ReadonlyArray<number>,
    work: (sessionOf: (cell: number) => Session) => Promise<A>,
  ) => Promise<A>
  /**
   * Asks all cells the same, with one statement for each server. `statement` returns one value. Returns that of each cell that answers, and
   * fails if none does.
   */
  readonly ask: (statement: Statement) => Promise<ReadonlyMap<number, string | null>>
  /** Reads again where the cells are. */
  readonly refresh: () => Promise<void>
  /** Whether cells may move and servers join. */
  readonly isFixed: boolean
}

interface Whole {
  readonly text: string
  readonly name: string
}

/** The texts for the cells of a server, by the text for one and by the cells. Few are asked, and a cell moves seldom. */
const wholes = new Map<string, Whole>()
const wholesMax = 256

/** One statement for several cells, and a name that no other has. */
export const inEach = (cells: ReadonlyMap<number, SchemaStatements.SchemaStatements>, text: string): Whole => {
  const key = `${[...cells.keys()].join()} ${[...cells.values()].map((own) => own.text(text)).join()}`
  const known = wholes.get(key)
  if (known !== undefined) return known
  const parts = [...cells].map(([cell, own]) => `select json_build_array(${cell}, (${own.text(text)}))::text`)
  const whole = parts.join(" union all ")
  const made = { text: whole, name: `countersign_${createHash("sha256").update(whole).digest("hex").slice(0, 16)}` }
  if (wholes.size >= wholesMax) wholes.clear()
  wholes.set(key, made)
  return made
}

/** The value of each cell of one server. */
const askServer = async (
  { cells, connection }: CellServer,
  { text, values }: Statement,
): Promise<ReadonlyArray<[number, string | null]>> => {
  const here = cells()
  if (here.size === 0) return []
  const rows = await connection.query({ ...inEach(here, text), values })
  return rows.map((row) => JSON.parse(row ?? "[]") as [number, string | null])
}

const askFollowing = async (server: CellServer, statement: Statement) => {
  try {
    return await askServer(server, statement)
  } catch (error) {
    if (!(await server.hasMoved(error))) throw error
    return askServer(server, statement)
  }
}

/** `CellPlaces.ask` of these servers. */
export const askAll = async (
  servers: ReadonlyArray<CellServer>,
  statement: Statement,
): Promise<ReadonlyMap<number, string | null>> => {
  const asked = await Promise.allSettled(servers.map((server) => askFollowing(server, statement)))
  const answers = new Map(asked.flatMap((one) => (one.status === "fulfilled" ? one.value : [])))
  const failed = asked.find((one) => one.status === "rejected")
  if (answers.size === 0 && failed !== undefined) throw failed.reason
  return answers
}

/** The statements of each cell of a store on one server. */
export const statementsOfAll = (count: number): ReadonlyArray<SchemaStatements.SchemaStatements> =>
  Array.from({ length: count }, (_, cell) => SchemaStatements.make(schemaOf(cell, count)))

/** The connection for the cell with these statements. Subscriptions and transactions are of the whole store, and have no schema. */
const cellConnection = (
  { listen: _listen, toHost: _toHost, transaction: _transaction, ...connection }: Connection,
  statements: SchemaStatements.SchemaStatements,
): Connection => ({
  ...connection,
  query: statements.query(connection.query),
  session: (use) => connection.session((session) => use(statements.session(session))),
})

/** The cells of a store on one server. The only cell of a store has its connection. */
export const onOneServer = (connection: Connection, count: number): CellPlaces => {
  const statements = statementsOfAll(count)
  const known = new Map(statements.entries())
  const server: CellServer = {
    name: "the server",
    connection,
    cells: () => known,
    hasMoved: () => Promise.resolve(false),
  }
  return {
    cells: count === 1 ? [connection] : statements.map((cell) => cellConnection(connection, cell)),
    any: connection,
    servers: () => [server],
    serverOf: () => server,
    transact: (_, work) =>
      transacted(connection, (session) =>
        work((cell) => {
          const found = statements[cell]
          if (found === undefined) throw new Error(`the store has no cell ${cell}`)
          return found.session(session)
        }),
      ),
    ask: (statement) => askAll([server], statement),
    refresh: () => Promise.resolve(),
    isFixed: true,
  }
}
