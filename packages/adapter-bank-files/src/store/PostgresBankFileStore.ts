/**
 * The state of bank files in PostgreSQL, over a pool of the driver `pg`: in a schema of its own, for several processes.
 * Source: D-530.
 */
import { Effect, Exit, Layer } from "effect"
import { BankFileStore, BankFilesUnavailable } from "../orders/BankFileStore.ts"
import { type BankFileClient, rowsOf } from "./PostgresRows.ts"
import { migrationLock, migrations, schemaName } from "./Schema.ts"

/** The part of a pool of the driver `pg` that this store uses. */
export interface BankFilePool {
  readonly connect: () => Promise<BankFileClient & { readonly release: (destroy?: boolean) => void }>
}

const asking = <A>(ask: () => Promise<A>) =>
  Effect.tryPromise({ try: ask, catch: (cause) => new BankFilesUnavailable({ cause }) })

/** A client that broke between two statements emits an error, which ends a process that does not listen. */
const ignoreError = () => undefined

const make = (pool: BankFilePool): BankFileStore["Service"] => ({
  transact: (body) =>
    Effect.acquireUseRelease(
      Effect.tap(
        asking(() => pool.connect()),
        (client) => Effect.sync(() => client.on("error", ignoreError)),
      ),
      (client) =>
        asking(() => client.query("begin")).pipe(
          Effect.andThen(body(rowsOf(client))),
          Effect.tap(() => Effect.uninterruptible(asking(() => client.query("commit")))),
        ),
      (client, exit) =>
        Effect.promise(async () => {
          let isBroken = false
          if (Exit.isFailure(exit)) {
            await client.query("rollback").catch(() => {
              isBroken = true
            })
          }
          client.removeListener("error", ignoreError)
          client.release(isBroken)
        }),
    ),
})

/** Brings the schema to this release. Processes that start together do it one after another. */
const migrate = (pool: BankFilePool): Effect.Effect<void, BankFilesUnavailable> =>
  asking(async () => {
    const client = await pool.connect()
    let isBroken = true
    try {
      // Before the transaction: one that began before the lock was free may not see the schema that another process has made.
      await client.query("select pg_advisory_lock($1)", [migrationLock])
      await client.query("begin")
      await client.query(`create schema if not exists ${schemaName}`)
      await client.query(`create table if not exists ${schemaName}.version (number integer primary key)`)
      const { rows } = await client.query(`select number from ${schemaName}.version`)
      for (const [index, migration] of migrations.entries()) {
        if (index < rows.length) continue
        await client.query(migration)
        await client.query(`insert into ${schemaName}.version (number) values ($1)`, [index + 1])
      }
      await client.query("commit")
      await client.query("select pg_advisory_unlock($1)", [migrationLock])
      isBroken = false
    } finally {
      // The end of a session frees its lock.
      client.release(isBroken)
    }
  })

/** A store that migrates its schema when it is built. It fails if the database does not answer. */
const layer = (pool: BankFilePool): Layer.Layer<BankFileStore, BankFilesUnavailable> =>
  Layer.effect(BankFileStore, Effect.as(migrate(pool), make(pool)))

export const PostgresBankFileStore = { make, migrate, layer }
