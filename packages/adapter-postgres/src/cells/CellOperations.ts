/**
 * What an operator does with the cells of a store: see where they are and whether all is well, add a node to the cluster, and move cells.
 * Source: D-517.
 */
import type { Effect } from "effect"
import { type ClusterNode, Directory, isCluster } from "../cluster/Directory.ts"
import { guardName } from "../cluster/PhysicalSql.ts"
import type { Connection, Host, Statement } from "../connection/Connection.ts"
import * as DatabaseReasons from "../connection/DatabaseReasons.ts"
import { functions } from "../functions/Functions.ts"
import type { CellList, CellRow } from "./CellPlan.ts"
import { anySchema, countOf, schemaOf, schemasText } from "./Cells.ts"
import { attempt, clusterOf, type Failure, notPossible, plain } from "./OperatorAttempt.ts"

export { plan } from "./CellPlan.ts"
export { NotPossible, OperationFailed } from "./OperatorAttempt.ts"
export { type NodePoint, restorePoint } from "./RestorePoint.ts"

const parsed = <A>(rows: ReadonlyArray<string | null>): ReadonlyArray<A> =>
  rows.flatMap((row) => (row === null ? [] : [JSON.parse(row) as A]))

/** The sizes of the schemas of one server. */
const sizesStatement: Statement =
  plain(`select json_build_array(space.nspname, sum(pg_total_relation_size(part.oid)))::text
  from pg_namespace as space join pg_class as part on part.relnamespace = space.oid and part.relkind = 'r'
  where space.nspname ~ '${anySchema}' group by space.nspname`)

/** The same of the cells that a node of a cluster holds. The catalog of tables hides the shards. */
const shardSizesStatement: Statement = plain(`select json_build_array(space.nspname, sum(pg_total_relation_size(
    format('%I.%I', space.nspname, part.relname || '_' || shard.shardid)::regclass)))::text
  from pg_dist_placement as placement
  join pg_dist_local_group as local on local.groupid = placement.groupid
  join pg_dist_shard as shard on shard.shardid = placement.shardid
  join pg_class as part on part.oid = shard.logicalrelid
  join pg_namespace as space on space.oid = part.relnamespace
  where space.nspname ~ '${anySchema}' group by space.nspname`)

const customersIn = async ({ query }: Connection, schema: string): Promise<number> => {
  const [count] = await query(plain(`select count(*)::text from ${schema}.customer`))
  return Number(count ?? 0)
}

const schemasOf = async ({ query }: Connection): Promise<ReadonlyArray<string>> => {
  const [first] = await query(plain(schemasText))
  const count = first === undefined || first === null ? 0 : countOf(first)
  return Array.from({ length: count }, (_, cell) => schemaOf(cell, count))
}

const takingCells = async ({ coordinator }: Directory): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await coordinator.connection.query(
        plain("select nodename || ':' || nodeport from pg_dist_node where shouldhaveshards and noderole = 'primary'"),
      )
    ).flatMap((name) => name ?? []),
  )

/** The cells with their nodes and sizes. */
export const list = (connection: Connection): Effect.Effect<CellList, Failure> =>
  attempt(async () => {
    const schemas = await schemasOf(connection)
    const placed = schemas.length > 1 && (await isCluster(connection)) ? await Directory.open(connection) : undefined
    const found =
      placed === undefined
        ? [await connection.query(sizesStatement)]
        : await Promise.all(placed.nodes.map((node) => node.connection.query(shardSizesStatement).catch(() => [])))
    const sizes = new Map(found.flatMap((rows) => parsed<[string, number]>(rows)))
    const taking = placed === undefined ? new Set<string>() : await takingCells(placed)
    const cells: Array<CellRow> = []
    for (const [cell, schema] of schemas.entries()) {
      const node = placed?.nodeOf(schema)
      const bytes = sizes.get(schema)
      // Its node does not answer.
      const isLost = placed !== undefined && bytes === undefined
      const customers = isLost ? 0 : await customersIn(node?.connection ?? connection, schema)
      cells.push({ cell, node: node?.name, bytes: bytes ?? 0, customers, ...(isLost ? { isLost: true as const } : {}) })
    }
    return {
      cells,
      nodes: (placed?.nodes ?? []).map(({ group, host, name, port }) => ({
        host,
        port,
        name,
        isCoordinator: group === 0,
        takesCells: taking.has(name),
      })),
    }
  })

/** Longer than any move. */
const answerMillisMax = Number.MAX_SAFE_INTEGER

/** Runs statements that may take long on the coordinator. The server is asked to end them when the caller is interrupted. */
const onCoordinator = <A>(
  { coordinator: { connection } }: Directory,
  interrupted: AbortSignal,
  work: (run: (statement: Statement) => Promise<unknown>) => Promise<A>,
) =>
  connection.session(async ({ query, script }) => {
    const [state] = await query(
      plain("select json_build_array(pg_backend_pid(), current_setting('statement_timeout'))::text"),
    )
    const [pid, before] = JSON.parse(state ?? "[]") as [number, string]
    const cancel = () => {
      connection.query({ text: "select pg_cancel_backend($1::int)::text", values: [pid] }).catch(() => undefined)
    }
    interrupted.addEventListener("abort", cancel)
    await script("set statement_timeout = 0")
    try {
      return await work((statement) => query({ ...statement, answerMillisMax }))
    } finally {
      interrupted.removeEventListener("abort", cancel)
      await query({ text: "select set_config('statement_timeout', $1, false)", values: [before] }).catch(
        () => undefined,
      )
    }
  })

const nodeNamed = (directory: Directory, name: string): ClusterNode => {
  const found = directory.nodes.find((node) => node.name === name)
  if (found !== undefined) return found
  throw notPossible(`the cluster has no node ${name}: it has ${directory.nodes.map((node) => node.name).join(", ")}`)
}

const cleanupsMax = 20

const moveTo = (directory: Directory, schema: string, { host, port }: Host, interrupted: AbortSignal): Promise<void> =>
  onCoordinator(directory, interrupted, async (run) => {
    await run({ text: "select citus_schema_move($1::regnamespace, $2, $3::int)::text", values: [schema, host, port] })
    // What the cell has left is dropped: a node that left the cluster with it could never be cleaned up, and no cell be moved.
    for (let cleanup = 0; cleanup < cleanupsMax; cleanup++) {
      await run(plain("call citus_cleanup_orphaned_resources()"))
      const left = await directory.coordinator.connection.query(plain("select 'left' from pg_dist_cleanup limit 1"))
      if (left.length === 0 || interrupted.aborted) return
      await run(plain("select pg_sleep(0.5)::text"))
    }
  })

/**
 * Moves a cell to a node while processes work. Its commits wait at the end of the copy for about a second. A move that is interrupted is
 * cancelled, and leaves the cell where it was.
 */
export const move = (connection: Connection, cell: number, node: string): Effect.Effect<void, Failure> =>
  attempt(async (interrupted) => {
    const directory = await clusterOf(connection)
    const schemas = await schemasOf(connection)
    const schema = schemas[cell]
    if (schema === undefined) throw notPossible(`the store has the cells 0 to ${schemas.length - 1}, not ${cell}`)
    const target = nodeNamed(directory, node)
    if (directory.nodeOf(schema)?.group === target.group) return
    await moveTo(directory, schema, target, interrupted)
  })

/** Makes a server a node of the cluster, on which cells can be placed. A server that is one already is left as it is. */
export const addNode = (connection: Connection, host: Host): Effect.Effect<void, Failure> =>
  attempt(async (interrupted) => {
    const directory = await clusterOf(connection)
    if (directory.nodes.some((node) => node.host === host.host && node.port === host.port)) return
    const { toHost } = connection
    if (toHost === undefined) throw notPossible("another server cannot be reached over a pool of the embedder")
    await toHost(host).query(plain("create extension if not exists citus"))
    await onCoordinator(directory, interrupted, (run) =>
      run({ text: "select citus_add_node($1, $2::int)::text", values: [host.host, host.port] }),
    )
  })

/** One result of `check`, as the commands of an operator print it. */
export interface CellFinding {
  /** Whether an operator must act; otherwise the check found all well. */
  readonly isProblem: boolean
  /** What was checked: `cells`, `moves`, or `node` with its name. */
  readonly check: string
  readonly text: string
  /** What an operator does about a problem. */
  readonly fix?: string
}

const names = Object.values(functions).map((name) => name.replace("countersign.", ""))

const nodeState = plain(`select json_build_object(
  'wal', current_setting('wal_level'),
  'prepared', current_setting('max_prepared_transactions')::int,
  'connections', current_setting('max_connections')::int,
  'doubtful', (select count(*) from pg_prepared_xacts where prepared < now() - interval '1 minute')
)::text`)

interface NodeState {
  readonly wal: string
  readonly prepared: number
  readonly connections: number
  readonly doubtful: number
}

/** The functions of this release that a cell lacks at a node. */
const lacking = async ({ query }: Connection, schema: string): Promise<ReadonlyArray<string>> =>
  (
    await query({
      text: `select wanted from unnest($1::text[]) as wanted where not exists (
        select from pg_proc where proname = wanted and pronamespace = (select oid from pg_namespace where nspname = $2))`,
      values: [[...names, guardName], schema],
    })
  ).flatMap((name) => name ?? [])

const checkNode = async (
  { connection, group, name }: ClusterNode,
  schemas: ReadonlyArray<string>,
): Promise<ReadonlyArray<CellFinding>> => {
  const findings: Array<CellFinding> = []
  const add = (text: string, fix: string) => findings.push({ isProblem: true, check: `node ${name}`, text, fix })
  try {
    const [state] = parsed<NodeState>(await connection.query(nodeState))
    if (state === undefined) throw new Error("no answer")
    if (state.wal !== "logical")
      add("cells cannot be moved: wal_level is not logical", "set wal_level = logical, and restart it")
    if (state.prepared < state.connections) {
      add(
        `commits over several cells may fail: max_prepared_transactions is ${state.prepared}`,
        `set it to ${state.connections} or more, the number of connections, and restart the node`,
      )
    }
    if (state.doubtful > 0) {
      add(
        `${state.doubtful} prepared transactions wait for more than a minute, with their locks`,
        "start the node that decided them; the cluster ends them by itself when all nodes answer",
      )
    }
    for (const schema of group === 0 ? [] : schemas) {
      const missing = await lacking(connection, schema)
      if (missing.length > 0)
        add(`${schema} lacks ${missing.length} functions of this release`, "run `countersign migrate`")
    }
  } catch (error) {
    add(`does not answer: ${DatabaseReasons.reasonOf(error)}`, "start it; its cells are not available meanwhile")
  }
  return findings.length > 0 ? findings : [{ isProblem: false, check: `node ${name}`, text: "answers" }]
}

/** What moves have left at nodes that are gone: the cluster moves nothing until it is forgotten. */
const checkLeftovers = async ({ coordinator, nodes }: Directory): Promise<ReadonlyArray<CellFinding>> => {
  const [count] = await coordinator.connection
    .query({
      text: "select count(*)::text from pg_dist_cleanup where node_group_id <> all ($1::int[])",
      values: [nodes.map(({ group }) => String(group))],
    })
    .catch(() => ["0"])
  return Number(count ?? 0) === 0
    ? []
    : [
        {
          isProblem: true,
          check: "moves",
          text: `${count} tables are to be dropped at a node that has left the cluster, and no cell can be moved`,
          fix: "delete the rows of such groups from pg_dist_cleanup",
        },
      ]
}

/** Whether all is well with the nodes and the cells. */
export const check = (connection: Connection): Effect.Effect<ReadonlyArray<CellFinding>, Failure> =>
  attempt(async () => {
    const schemas = await schemasOf(connection)
    if (schemas.length === 0) {
      return [{ isProblem: true, check: "cells", text: "the database has no store", fix: "run `countersign migrate`" }]
    }
    const cells = `${schemas.length} cell${schemas.length === 1 ? "" : "s"}`
    if (schemas.length === 1 || !(await isCluster(connection))) {
      return [{ isProblem: false, check: "cells", text: `${cells} on one server` }]
    }
    const directory = await Directory.open(connection)
    const lost = schemas.filter((schema) => directory.nodeOf(schema) === undefined)
    return [
      lost.length === 0
        ? { isProblem: false, check: "cells", text: `${cells} on ${directory.nodes.length} nodes` }
        : {
            isProblem: true,
            check: "cells",
            text: `no active node holds ${lost.join(", ")}`,
            fix: "run `countersign migrate`, or activate their node",
          },
      ...(await checkLeftovers(directory)),
      ...(await Promise.all(directory.nodes.map((node) => checkNode(node, schemas)))).flat(),
    ]
  })
