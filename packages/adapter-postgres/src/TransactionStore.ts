/**
 * The `Store` port inside a transaction of the embedder: the changes of an operation are committed with the embedder's own rows or not at
 * all.
 * Source: architecture, "The Store port" (Inside the embedder's transaction).
 */

import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, type Queue, type Store, StoreUnavailable, topicsOf } from "@countersign/core/store"
import { Clock, Data, Effect } from "effect"
import * as ChangeNotices from "./ChangeNotices.ts"
import { dividedSchema } from "./cells/Cells.ts"
import * as Commits from "./commit/Commits.ts"
import * as EncodedChangeSet from "./commit/EncodedChangeSet.ts"
import type { Result } from "./commit/PendingCommit.ts"
import type { Connection } from "./connection/Connection.ts"
import { codeOf } from "./connection/Failure.ts"
import { type PgClient, queryOn, sessionOn } from "./connection/PoolConnection.ts"
import * as Reads from "./read/Reads.ts"
import * as BusinessTime from "./schema/BusinessTime.ts"
import * as WakeUps from "./WakeUps.ts"

/** The client has no open transaction, or its isolation level is not READ COMMITTED. */
export class TransactionUnsuitable extends Data.TaggedError("TransactionUnsuitable")<{ readonly message: string }> {}

/** Another transaction changed a record that the operation depends on, and perhaps rows that the embedder read. */
export class TransactionConflict extends Data.TaggedError("TransactionConflict")<{ readonly on: string }> {}

export interface TransactionStore {
  /**
   * For one operation. A conflict, a deadlock or a lost race is `StoreUnavailable`: roll back and run the whole transaction again. The
   * operation is not decided again inside it, because the embedder's own reads would be stale.
   */
  readonly store: Store["Service"]
  /** Wakes the workers, and reports the changes to those who watch. Run it after the transaction is committed. */
  readonly notify: Effect.Effect<void>
}

const cellSchemas = `select nspname::text from pg_namespace where nspname ~ '${dividedSchema}' limit 1`

const unsuitable = (message: string) => new TransactionUnsuitable({ message })

const check = (connection: Connection) =>
  Effect.gen(function* () {
    // The server rejects a savepoint outside of a transaction.
    yield* Effect.promise(() => connection.query({ text: "savepoint countersign", values: [] })).pipe(
      Effect.catchDefect((error) =>
        codeOf(error) === "25P01"
          ? Effect.fail(unsuitable("the client is not inside a transaction"))
          : Effect.die(error),
      ),
    )
    yield* Effect.promise(() => connection.query({ text: "release savepoint countersign", values: [] }))
    const [isolation] = yield* Effect.promise(() =>
      connection.query({ text: "show transaction_isolation", values: [] }),
    )
    if (isolation !== "read committed") {
      return yield* unsuitable(`commits need READ COMMITTED; the transaction is ${isolation?.toUpperCase()}`)
    }
    const [cells] = yield* Effect.promise(() => connection.query({ text: cellSchemas, values: [] }))
    if (cells !== undefined) return yield* unsuitable("the database has a store in cells, which joins no transaction")
  })

/** A store on a client of the driver `pg` with an open transaction. */
export const transaction = Effect.fnUntraced(function* (
  client: Pick<PgClient, "query">,
): Effect.fn.Return<TransactionStore, TransactionUnsuitable, WallTime> {
  const wall = yield* WallTime
  const connection: Connection = {
    query: queryOn(client, false),
    session: (use) => use(sessionOn(client)),
    concurrentBatches: 1,
    isTransaction: true,
  }
  yield* check(connection)
  const commits = Commits.make(connection)
  const queues = new Set<Queue>()
  const unreported: ChangeNotices.Unreported = new Map()
  let operationId: string | undefined

  const commit = Effect.fnUntraced(function* (set: ChangeSet) {
    const caller = yield* CurrentCaller
    const clock = yield* Clock.Clock
    if (operationId !== undefined && operationId !== set.operationId) {
      return yield* Effect.die(new Error("a transaction carries one operation"))
    }
    const { validUntil } = set
    const encoded = EncodedChangeSet.make(set, caller, yield* wall.now)
    const isLate = () => validUntil !== undefined && clock.currentTimeMillisUnsafe() >= validUntil
    const result = yield* Effect.callback<Result>((resume) => {
      void commits.send([{ ...encoded, isLate, settle: (settled) => resume(Effect.succeed(settled)) }])
    })
    if (result._tag === "Defect") return yield* Effect.die(result.cause)
    // Nothing is applied before the embedder commits, so the outcome is known.
    if (result._tag === "Unavailable") {
      return yield* new StoreUnavailable({ unknown: false, cause: result.error.cause })
    }
    if (result.outcome._tag === "Conflict") {
      return yield* new StoreUnavailable({ unknown: false, cause: new TransactionConflict({ on: result.outcome.on }) })
    }
    if (result.outcome._tag === "Committed") {
      operationId = set.operationId
      ChangeNotices.addTo(unreported, caller.platformId, topicsOf(set))
    }
    for (const queue of result.queues) queues.add(queue)
    return result.outcome
  })

  const reads = yield* Reads.make(connection, BusinessTime.make())
  return {
    store: {
      ...reads,
      commit,
      claim: () => Effect.die(new Error("jobs are not claimed inside a transaction")),
      attend: Effect.void,
      awaitWork: () => Effect.never,
      watch: () => Effect.die(new Error("nothing is watched inside a transaction")),
      moveTime: () => Effect.die(new Error("time is not moved inside a transaction")),
    },
    notify: Effect.suspend(() =>
      Effect.ignore(
        Effect.tryPromise(async () => {
          await WakeUps.notifyAll(connection, queues)
          // No process has this id, so that all take the report.
          await ChangeNotices.sendAll(connection, unreported, "")
        }),
      ),
    ),
  }
})
