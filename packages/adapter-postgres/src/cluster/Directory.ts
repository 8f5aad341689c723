/**
 * Which node of a cluster holds each cell. The directory is the cluster's own, which every node knows; a process keeps a copy, and reads it
 * again when a cell has moved.
 * Source: D-517.
 */
import type { Connection, Host, Statement } from "../connection/Connection.ts"
import { failureOf } from "../connection/Failure.ts"
import type { Shards } from "./PhysicalSql.ts"

/** A node of the cluster, as its other nodes know it. */
export interface ClusterNode extends Host {
  readonly name: string
  /** The number of its group; 0 is the coordinator, which alone changes tables. */
  readonly group: number
  readonly connection: Connection
}

interface Found {
  readonly nodes: ReadonlyArray<Host & { readonly group: number }>
  /** The node's group of each cell, by its schema. */
  readonly places: Readonly<Record<string, number>>
}

const placesStatement: Statement = {
  text: `select json_build_object(
    'nodes', (
      select json_agg(json_build_object('host', node.nodename, 'port', node.nodeport, 'group', node.groupid) order by node.groupid)
      from pg_dist_node as node where node.isactive and node.noderole = 'primary'
    ),
    'places', coalesce((
      select json_object_agg(space.nspname, placement.groupid)
      from pg_dist_schema as cell
      join pg_namespace as space on space.oid = cell.schemaid
      join pg_class as marked on marked.relnamespace = space.oid and marked.relname = 'ledger_account'
      join pg_dist_shard as shard on shard.logicalrelid = marked.oid
      join pg_dist_placement as placement on placement.shardid = shard.shardid
    ), '{}'))::text`,
  values: [],
}

/** Reads the shards of the tables of cells, by their schemas. */
export const readShards = async (
  { query }: Pick<Connection, "query">,
  schemas: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, Shards>> => {
  const rows = await query({
    text: `select json_build_array(space.nspname, marked.relname, shard.shardid::text)::text
      from pg_namespace as space
      join pg_class as marked on marked.relnamespace = space.oid
      join pg_dist_shard as shard on shard.logicalrelid = marked.oid
      where space.nspname = any ($1::text[])`,
    values: [schemas],
  })
  const found = new Map(schemas.map((schema) => [schema, new Map<string, string>()]))
  for (const row of rows) {
    const [schema, table, shard] = JSON.parse(row ?? "[]") as [string, string, string]
    found.get(schema)?.set(table, shard)
  }
  return found
}

/** Whether the server is a node of a cluster with other nodes. */
export const isCluster = async ({ query }: Pick<Connection, "query">): Promise<boolean> => {
  const extension = await query({ text: "select 'yes' from pg_extension where extname = 'citus'", values: [] })
  if (extension.length === 0) return false
  const nodes = await query({
    text: "select 'yes' from pg_dist_node where groupid <> 0 and noderole = 'primary'",
    values: [],
  })
  return nodes.length > 0
}

/** Whether the error leaves open that another node answers. */
const isOfNode = (error: unknown): boolean => ["unavailable", "unknown"].includes(failureOf(error))

/** Runs something that may run twice on the first node that answers. */
export const onFirst = async <A>(
  connections: Iterable<Connection>,
  run: (connection: Connection) => Promise<A>,
): Promise<A> => {
  let problem: unknown = new Error("the cluster has no node")
  for (const connection of connections) {
    try {
      return await run(connection)
    } catch (error) {
      if (!isOfNode(error)) throw error
      problem = error
    }
  }
  throw problem
}

export class Directory {
  readonly #entry: Connection
  readonly #toHost: (host: Host) => Connection
  #nodes: ReadonlyArray<ClusterNode> = []
  #places: Readonly<Record<string, number>> = {}
  #reading: Promise<void> | undefined

  private constructor(entry: Connection, toHost: (host: Host) => Connection) {
    this.#entry = entry
    this.#toHost = toHost
  }

  /** Reads the directory from the server of the connection. */
  static async open(entry: Connection): Promise<Directory> {
    const { toHost } = entry
    if (toHost === undefined)
      throw new Error("cells on a cluster need the address of the server, for pools of their own")
    const directory = new Directory(entry, toHost)
    await directory.refresh()
    return directory
  }

  /** Those that take statements, the coordinator first. */
  get nodes(): ReadonlyArray<ClusterNode> {
    return this.#nodes
  }

  get coordinator(): ClusterNode {
    const found = this.#nodes.find(({ group }) => group === 0)
    if (found === undefined) throw new Error("the cluster does not know its coordinator: citus_set_coordinator_host")
    return found
  }

  /** The node that holds the cell; `undefined`: there is no such cell. */
  nodeOf(schema: string): ClusterNode | undefined {
    const group = this.#places[schema]
    return group === undefined ? undefined : this.#nodes.find((node) => node.group === group)
  }

  /** Reads the directory again, from any node. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const known = this.#nodes.map(({ connection }) => connection)
    const [text] = await onFirst([...known, this.#entry], ({ query }) => query(placesStatement))
    const { nodes, places } = JSON.parse(text ?? "{}") as Found
    this.#nodes = (nodes ?? []).map((node) => ({
      ...node,
      name: `${node.host}:${node.port}`,
      connection: this.#toHost(node),
    }))
    this.#places = places
  }
}
