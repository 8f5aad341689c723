/**
 * The cells of a store on the nodes of a cluster. What is for one cell goes to the node that holds it; when the cell has moved, it goes to
 * the new node. What is for several cells is one transaction of the cluster.
 * Source: D-517.
 */
import { Effect } from "effect"
import { type ClusterNode, Directory, onFirst, readShards } from "../cluster/Directory.ts"
import { guarded } from "../cluster/PhysicalSql.ts"
import * as SchemaChanges from "../cluster/SchemaChanges.ts"
import type { Connection, Query, Session, Statement } from "../connection/Connection.ts"
import { codeOf, NotConnected } from "../connection/Failure.ts"
import { askAll, type CellPlaces, type CellServer } from "./CellPlaces.ts"
import { schemaOf } from "./Cells.ts"
import * as SchemaStatements from "./SchemaStatements.ts"
import { transacted } from "./Transaction.ts"

/**
 * What a statement for a cell answers on a node that does not hold it: the guard's own code, or there is no such shard. Nothing was applied.
 */
const movedCodes: ReadonlyArray<string | undefined> = ["CS004", "42P01"]

/** How often a statement follows a cell, and the pause between two attempts in milliseconds. */
const followsMax = 30
const followMillis = 100

/** The time of moves is that of the database, so no clock of a test stops it. */
const pause = (millis: number) => Effect.runPromise(Effect.sleep(millis))

const refreshMillis = 1000

/** A call of a function, which names no table. */
const isCall = /^\s*select\b(?!.*\bfrom\b)/isu

/** A cell with what its statements need. */
interface Place {
  readonly schema: string
  /** For the node that holds it. */
  readonly physical: SchemaStatements.SchemaStatements
  /** For any node, which finds the cell. */
  readonly routed: SchemaStatements.SchemaStatements
  /** Whether it has tables. */
  readonly isMade: boolean
}

export const open = async (connection: Connection, count: number): Promise<CellPlaces> => {
  const directory = await Directory.open(connection)
  const everywhere = () => directory.nodes.map((node) => node.connection)
  const schemas = Array.from({ length: count }, (_, cell) => schemaOf(cell, count))
  const shards = await onFirst(everywhere(), (node) => readShards(node, schemas))
  const places = schemas.map((schema): Place => {
    const own = shards.get(schema) ?? new Map<string, string>()
    return {
      schema,
      physical: SchemaStatements.make(schema, (text) => guarded(text, schema, own)),
      routed: SchemaStatements.make(schema),
      isMade: own.size > 0,
    }
  })
  const placeOf = (cell: number): Place => {
    const place = places[cell]
    if (place === undefined) throw new Error(`the store has no cell ${cell}`)
    return place
  }
  const nodeOf = (cell: number): ClusterNode => {
    const { schema } = placeOf(cell)
    const node = directory.nodeOf(schema)
    if (node === undefined) throw new NotConnected(new Error(`no node that answers holds ${schema}`))
    return node
  }

  const hasMoved = async (error: unknown): Promise<boolean> => {
    if (!movedCodes.includes(codeOf(error))) return false
    await directory.refresh()
    return true
  }
  let isRefreshed = false
  /** Once a second: while a node is gone each request for its cells fails. */
  const refreshRarely = async (): Promise<void> => {
    if (isRefreshed) return
    isRefreshed = true
    pause(refreshMillis).then(() => {
      isRefreshed = false
    })
    await directory.refresh().catch(() => undefined)
  }
  /** Runs something at the node of a cell, and follows the cell. */
  const following = async <A>(cell: number, run: (node: ClusterNode) => Promise<A>): Promise<A> => {
    for (let follows = 0; ; follows++) {
      const node = nodeOf(cell)
      try {
        return await run(node)
      } catch (error) {
        const isElsewhere = await hasMoved(error)
        if (!isElsewhere && !(error instanceof NotConnected)) throw error
        // The node may have left the cluster, or have another address.
        if (!isElsewhere) await refreshRarely()
        const isSame = nodeOf(cell).name === node.name
        if (isSame && !isElsewhere) throw error
        if (follows >= followsMax) throw new NotConnected(error)
        if (isSame) await pause(followMillis)
      }
    }
  }

  const cellConnection = (place: Place, cell: number): Connection => {
    const { concurrentBatches } = connection
    return {
      query: (statement) =>
        !place.isMade
          ? // Without tables there is no node that holds it.
            onFirst(everywhere(), ({ query }) => place.routed.query(query)(statement))
          : following(cell, (node) => place.physical.query(node.connection.query)(statement)),
      // For changes of the schema, which only the coordinator makes.
      session: (use) =>
        onFirst([directory.coordinator.connection, ...everywhere()], (node) =>
          node.session((session) => use(SchemaChanges.sessionFor(session, place.schema))),
        ),
      concurrentBatches,
      isTransaction: false,
    }
  }

  /**
   * A session for a cell anywhere. Its first statement is a change, by which the cluster knows that the cell takes part: two calls of
   * functions alone would commit one after the other, and not both or none. A call is sent to the cell by naming one of its rows.
   */
  const routedSession = (session: Session, { routed, schema }: Place): Session => {
    let isMarked = false
    const query: Query = async (statement: Statement) => {
      if (!isMarked) {
        isMarked = true
        await session.query({ text: `update ${schema}.business_time set mover = mover where not one`, values: [] })
      }
      const text = isCall.test(statement.text)
        ? `${statement.text} from countersign.schema_version where version = 1`
        : statement.text
      return routed.query(session.query)({ ...statement, text })
    }
    return { query, script: (text) => session.script(routed.text(text)) }
  }

  const once = <A>(session: Session, work: (sessionOf: (cell: number) => Session) => Promise<A>, isLocal: boolean) => {
    const sessions = new Map<number, Session>()
    return work((cell) => {
      const place = placeOf(cell)
      const found = sessions.get(cell) ?? (isLocal ? place.physical.session(session) : routedSession(session, place))
      sessions.set(cell, found)
      return found
    })
  }
  const transact: CellPlaces["transact"] = (cells, work) =>
    following(cells[0] ?? 0, (entry) => {
      const nodes = cells.map(nodeOf)
      // The transaction would wait for it with the locks of the others.
      const lost = AbortSignal.any(nodes.flatMap((node) => node.connection.lost?.() ?? []))
      const isLocal = nodes.every((node) => node.group === entry.group)
      return transacted(entry.connection, (session) => once(session, work, isLocal), lost)
    })

  const servers = new Map<string, CellServer>()
  const serverAt = (node: ClusterNode): CellServer => {
    const known = servers.get(node.name)
    if (known !== undefined) return known
    const server: CellServer = {
      name: node.name,
      connection: node.connection,
      cells: () =>
        new Map(
          places.flatMap(({ physical, schema }, cell) =>
            // A server that left and came back is another group under the same name.
            directory.nodeOf(schema)?.name === node.name ? [[cell, physical] as const] : [],
          ),
        ),
      hasMoved,
    }
    servers.set(node.name, server)
    return server
  }

  return {
    cells: places.map(cellConnection),
    any: {
      ...connection,
      query: (statement) => onFirst(everywhere(), ({ query }) => query(statement)),
    },
    servers: () => directory.nodes.map(serverAt),
    serverOf: (cell) => {
      const node = directory.nodeOf(placeOf(cell).schema)
      return node === undefined ? undefined : serverAt(node)
    },
    transact,
    ask: (statement) => askAll(directory.nodes.map(serverAt), statement),
    refresh: () => directory.refresh(),
    isFixed: false,
  }
}
