/**
 * A point to which all nodes of a cluster can be restored together. Processes enter a cluster at any node, and a set over several cells is
 * decided at the node that they entered: a row of its `pg_dist_transaction`, whose lock is held until the other nodes have carried it out.
 * The point is made while no node decides. The cluster's own `citus_create_restore_point` holds the coordinator alone before its release 14.
 * Source: D-517, D-549.
 */
import type { Effect } from "effect"
import type { ClusterNode } from "../cluster/Directory.ts"
import type { Connection, Session } from "../connection/Connection.ts"
import * as DatabaseReasons from "../connection/DatabaseReasons.ts"
import { codeOf } from "../connection/Failure.ts"
import { attempt, clusterOf, type Failure, notPossible, plain } from "./OperatorAttempt.ts"
import { transacted } from "./Transaction.ts"

/** The point at one node. */
export interface NodePoint {
  readonly node: string
  /** Where in the node's log it is, as PostgreSQL writes such positions: `0/17CC330`. */
  readonly position: string
}

const nameMax = 63

/** What may stand between quotes in the configuration of a server. */
const nameForm = new RegExp(`^[A-Za-z0-9._:-]{1,${nameMax}}$`, "u")

/** Decisions take some round trips. A node whose set waits longer has lost another one. */
const lockSeconds = 5

/** Longer than the locks of all nodes are waited for. */
const idleSeconds = 60

/** What an operator does about a lock that is refused, by the code of the error. */
const refusals: Readonly<Record<string, (node: string) => string>> = {
  "42501": (node) => `the user of --store may not make a restore point at ${node}: a superuser may`,
  "55P03": (node) =>
    `a commit over several cells has not ended at ${node} for ${lockSeconds} s: see \`countersign cells check\`, and try again`,
}

const held = async (session: Session, { group, name }: ClusterNode): Promise<void> => {
  await session.query(
    plain(`select set_config(name, value, true) from (values
      ('lock_timeout', '${lockSeconds}s'), ('statement_timeout', '${2 * lockSeconds}s'),
      ('idle_in_transaction_session_timeout', '${idleSeconds}s')) as setting (name, value)`),
  )
  // The coordinator changes nodes and tables, the others do not.
  const tables = group === 0 ? ["pg_dist_node", "pg_dist_partition", "pg_dist_transaction"] : ["pg_dist_transaction"]
  const names = tables.map((table) => `pg_catalog.${table}`).join(", ")
  try {
    await session.query(plain(`lock table ${names} in exclusive mode`))
  } catch (error) {
    const refusal = refusals[codeOf(error) ?? ""]
    throw refusal === undefined ? error : notPossible(refusal(name))
  }
}

/** Runs `work` with a session of each node while none of them decides. */
const whileHeld = <A>(
  [first, ...others]: ReadonlyArray<ClusterNode>,
  work: (sessions: ReadonlyArray<readonly [ClusterNode, Session]>) => Promise<A>,
  sessions: ReadonlyArray<readonly [ClusterNode, Session]> = [],
): Promise<A> =>
  first === undefined
    ? work(sessions)
    : transacted(first.connection, async (session) => {
        await held(session, first)
        return whileHeld(others, work, [...sessions, [first, session]])
      })

/**
 * Makes a restore point at all nodes of the cluster. Commits over several cells wait meanwhile, all others go on. A failure after the first
 * node has it says that the name is used: a server is restored to the first point of a name.
 */
export const restorePoint = (connection: Connection, name: string): Effect.Effect<ReadonlyArray<NodePoint>, Failure> =>
  attempt(async (interrupted) => {
    if (!nameForm.test(name)) {
      throw notPossible(`the name of a restore point has 1 to ${nameMax} letters, digits and characters of "._:-"`)
    }
    const { nodes } = await clusterOf(connection)
    let isMade = false
    const makeAll = async (sessions: ReadonlyArray<readonly [ClusterNode, Session]>) => {
      interrupted.throwIfAborted()
      isMade = true
      const points: Array<NodePoint> = []
      for (const [node, { query }] of sessions) {
        const [position] = await query({ text: "select pg_create_restore_point($1)::text", values: [name] })
        points.push({ node: node.name, position: position ?? "" })
      }
      return points
    }
    try {
      return await whileHeld(nodes, makeAll)
    } catch (error) {
      if (!isMade) throw error
      const cause = error instanceof Error ? error : new Error(String(error))
      throw notPossible(
        `the point is not at all nodes (${DatabaseReasons.reasonOf(cause)}): make one of another name, and restore to none of this one`,
      )
    }
  })
