/** Servers that answer the statements of an operator as a test says, and keep what they were asked. */
import type { Connection, Host, Statement } from "../../../packages/adapter-postgres/src/connection/Connection.ts"

/** The answer to the first statement that has this part of its text; an error is thrown. Every other statement has no rows. */
export type Answers = Readonly<
  Record<string, ReadonlyArray<string | null> | Error | ((statement: Statement) => ReadonlyArray<string | null>)>
>

export interface FakeServer extends Connection {
  /** What it was asked, in order; a script begins with `script`. */
  readonly log: Array<string>
  readonly statements: Array<Statement>
}

/** A server by itself. */
export const fakeServer = (answers: Answers, more: Partial<Connection> = {}): FakeServer => {
  const log: Array<string> = []
  const statements: Array<Statement> = []
  const query: Connection["query"] = (statement) => {
    log.push(statement.text)
    statements.push(statement)
    const [, answer = []] = Object.entries(answers).find(([part]) => statement.text.includes(part)) ?? []
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve(typeof answer === "function" ? answer(statement) : answer)
  }
  return {
    query,
    session: (use) =>
      use({
        query,
        script: async (text) => {
          log.push(`script ${text}`)
        },
      }),
    concurrentBatches: 1,
    isTransaction: false,
    ...more,
    log,
    statements,
  }
}

/** The part of the text of a statement that a server of a cluster is asked. */
export const asks = {
  schemas: "c.relname = 'schema_version'",
  extension: "pg_extension",
  otherNodes: "groupid <> 0",
  directory: "pg_dist_schema",
  takesCells: "shouldhaveshards",
  sizes: "pg_total_relation_size(part.oid)",
  shardSizes: "pg_dist_placement as placement\n  join pg_dist_local_group",
  customers: ".customer",
  session: "pg_backend_pid",
  cleanup: "'left' from pg_dist_cleanup",
  leftovers: "node_group_id <> all",
  state: "wal_level",
  lacking: "wanted from unnest",
} as const

const hosts: ReadonlyArray<Host & { readonly group: number }> = [
  { host: "a", port: 1, group: 0 },
  { host: "b", port: 2, group: 5 },
]

/** A cluster of a coordinator `a:1` and a node `b:2`, which hold the first and the second of three cells; no node holds the third. */
export const fakeCluster = (answers: Answers = {}, ofNode: Answers = {}) => {
  const schemas = [0, 1, 2].map((cell) => `countersign_cell_${cell}_of_3`)
  const places = { countersign_cell_0_of_3: 0, countersign_cell_1_of_3: 5, countersign_cell_2_of_3: 9 }
  const node = fakeServer(ofNode)
  const known: Answers = {
    [asks.schemas]: schemas,
    [asks.extension]: ["yes"],
    [asks.otherNodes]: ["yes"],
    [asks.directory]: [JSON.stringify({ nodes: hosts, places })],
  }
  const coordinator = fakeServer({ ...answers, ...known, ...answers })
  const others: Array<FakeServer> = []
  const toHost = ({ host }: Host): Connection => {
    if (host === "a") return coordinator
    if (host === "b") return node
    const other = fakeServer({})
    others.push(other)
    return other
  }
  const entry: Connection = { ...coordinator, toHost }
  return { entry, coordinator, node, others }
}
