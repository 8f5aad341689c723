/** What the steps of an operator have in common: how they fail, and the cluster that most of them need. Source: D-517. */
import { Data, Effect } from "effect"
import { Directory, isCluster } from "../cluster/Directory.ts"
import type { Connection, Statement } from "../connection/Connection.ts"
import * as DatabaseReasons from "../connection/DatabaseReasons.ts"

/** A request that this store or cluster does not permit. */
export class NotPossible extends Data.TaggedError("NotPossible")<{ readonly message: string }> {}

/** The database could not be reached, or refused a statement. */
export class OperationFailed extends Data.TaggedError("OperationFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    return DatabaseReasons.reasonOf(this.cause)
  }
}

export type Failure = NotPossible | OperationFailed

export const attempt = <A>(work: (interrupted: AbortSignal) => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => (cause instanceof NotPossible ? cause : new OperationFailed({ cause })),
  })

export const notPossible = (message: string) => new NotPossible({ message })

/** A statement without parameters. */
export const plain = (text: string): Statement => ({ text, values: [] })

export const clusterOf = async (connection: Connection): Promise<Directory> => {
  if (!(await isCluster(connection))) {
    throw notPossible("the database is no node of a cluster: its cells are schemas of one server")
  }
  return Directory.open(connection)
}
