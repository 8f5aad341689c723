/**
 * A new field of a kind that has records: its column is filled and indexed while processes of this and the previous release work, the
 * migration resumes after a crash, and the support for the previous release ends with the roll-out.
 * Source: D-060, D-061.
 */
import { type Connection, Migrations, PgliteConnection, PoolConnection } from "@countersign/adapter-postgres"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Result } from "effect"
import type pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { listIndexes } from "../../../packages/adapter-postgres/src/schema/ListIndexes.ts"
import { eventually } from "../e2e/Deadline.ts"
import { structureOf } from "./SchemaDump.ts"
import * as TestDatabase from "./TestDatabase.ts"

const rows = 1201
const addresses = ["$One", "$two"]
const dataOf = (umaAddress: string | undefined) =>
  JSON.stringify({ platformCustomerId: "c", customerType: "BUSINESS", umaAddress, isDeleted: false })

/** A database as the previous release left it: with its functions and without `uma_address`. */
const ofReleaseBefore = async ({ session }: Connection): Promise<void> => {
  await session(({ script }) =>
    script(`
      alter table countersign.customer drop column uma_address;
      create function countersign.commit_serial_000000000000(sets jsonb) returns text language sql as 'select null';
      insert into countersign.customer (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
        select 'c' || n, 'p', 'c' || n, 'c' || n, 1, 0, 0, case n % 2 when 0 then '${dataOf(addresses[0])}' else '${dataOf(addresses[1])}' end::json
        from generate_series(1, ${rows}) n`),
  )
}

/** The column of a record: its address in lower case, as lists compare it (D-085). */
const columnOf = (data: string) => `coalesce(lower((${data}->'umaAddress')::text)::jsonb, 'null')`
/** Records whose column differs from their data. */
const wrongRows = `select id from countersign.customer where uma_address is distinct from ${columnOf("data")}`
const openMarks = `select tgname as id from pg_trigger t where tgname like 'mark%'
  union all select relname from pg_class where relname like '%\\_without\\_%'`

/** The previous release does not know the column; this release writes it. */
const updateBefore = "update countersign.customer set version = version + 1, data = $2 where id = $1"
const updateNow = `update countersign.customer set version = version + 1, data = $2, uma_address = ${columnOf("$2::json")} where id = $1`
const insertBefore = `insert into countersign.customer (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
  values ($1, 'p', $1, $1, 1, 0, 0, $2)`

/** Calls `at` before each statement of a migration. */
const watched = (connection: Connection, at: (text: string) => Promise<void>): Connection => ({
  ...connection,
  session: (use) =>
    connection.session((session) =>
      use({
        query: async (statement) => {
          await at(statement.text)
          return session.query(statement)
        },
        script: async (text) => {
          await at(text)
          await session.script(text)
        },
      }),
    ),
})

const byAddress = listIndexes.find(({ name }) => name.startsWith("customer_by_uma_address_"))

const isPage = (text: string) => text.includes("skip locked")
const migrate = (connection: Connection) => Effect.runPromise(Migrations.run(connection))

describe("a new field of a kind that has records", { timeout: 120_000 }, () => {
  let database: TestDatabase.TestDatabase
  let outside: pg.Pool
  beforeEach(async () => {
    database = await TestDatabase.create(4)
    outside = database.another(2)
    await migrate(database.connection)
    await ofReleaseBefore(database.connection)
  }, 60_000)
  afterEach(() => database.close())

  const ids = async (text: string) => (await outside.query<{ readonly id: string }>(text)).rows.map(({ id }) => id)

  it("is filled while both releases read and write, without blocking them", async () => {
    await outside.query(`alter database ${database.name} set lock_timeout = '1s'`)
    const writer = database.another(1)
    let written = 0
    const pages = watched(database.connection, async (text) => {
      if (!(isPage(text) || text.includes("concurrently")) || written === 140) return
      for (let n = 0; n < 20; n++) {
        written += 1
        // Records before the scan, behind it, and on the page that it has read and not yet written.
        const id = `c${1 + ((written * 397) % rows)}`
        await writer.query(written % 3 === 0 ? updateNow : updateBefore, [id, dataOf(addresses[written % 2])])
        await writer.query(insertBefore, [`new ${written}`, dataOf(addresses[written % 2])])
        await writer.query("select count(*) from countersign.customer")
      }
    })
    await migrate(pages)
    expect(written).toBe(140)
    expect(await ids("select id from countersign.customer")).toHaveLength(rows + written)
    expect(await ids(wrongRows)).toEqual([])
    await Effect.runPromise(Migrations.check(database.connection))
  })

  it("loses a value that the previous release makes stale, and the next start fills it", async () => {
    await migrate(database.connection)
    await outside.query(updateBefore, ["c1", dataOf("$Other")])
    await outside.query(updateNow, ["c2", dataOf("$another")])
    await outside.query(insertBefore, ["new", dataOf("$Other")])
    expect((await ids("select id from countersign.customer where uma_address is null")).toSorted()).toEqual([
      "c1",
      "new",
    ])
    await Effect.runPromise(Migrations.check(database.connection))
    await migrate(database.connection)
    expect(await ids(wrongRows)).toEqual([])
  })

  it("resumes after a crash with the unfilled records", async () => {
    let pages = 0
    const crashing = watched(database.connection, async (text) => {
      if (!isPage(text)) return
      pages += 1
      if (pages === 3) throw new Error("the process has crashed")
    })
    const result = await Effect.runPromise(Effect.result(Migrations.run(crashing)))
    expect(Result.isFailure(result) && result.failure._tag).toBe("MigrationFailed")
    const left = await ids("select id from countersign.customer where uma_address is null")
    expect(left).toHaveLength(rows - 1000)
    const error = await Effect.runPromise(Effect.flip(Migrations.check(database.connection)))
    expect(error.message).toContain("customer.uma_address")
    await migrate(database.connection)
    expect(await ids(wrongRows)).toEqual([])
  })

  it("creates an interrupted index again", async () => {
    await migrate(database.connection)
    const invalid = "select indexrelid::regclass::text as id from pg_index where not indisvalid"
    await outside.query(
      `update pg_index set indisvalid = false where indexrelid = 'countersign.${byAddress?.name}'::regclass`,
    )
    expect(await ids(invalid)).toHaveLength(1)
    const error = await Effect.runPromise(Effect.flip(Migrations.check(database.connection)))
    expect(error.message).toContain(byAddress?.name)
    await migrate(database.connection)
    expect(await ids(invalid)).toEqual([])
    await Effect.runPromise(Migrations.check(database.connection))
  })

  it("waits for a long read without blocking other transactions", async () => {
    const reader = await outside.connect()
    await reader.query("begin; lock table countersign.customer in access share mode")
    let waits = 0
    const pauses = watched(database.connection, async (text) => {
      if (text.includes("pg_sleep(0.5)")) waits += 1
    })
    const migrating = migrate(pauses)
    await eventually(
      "a pause",
      async () => waits,
      (found) => found > 0,
    )
    await outside.query(updateBefore, ["c1", dataOf("$Other")])
    await reader.query("commit")
    reader.release()
    await migrating
    expect(await ids(wrongRows)).toEqual([])
  })

  it("is added by one of the processes that start at once and found by all", async () => {
    const others = Array.from({ length: 5 }, () => PoolConnection.make(database.another(1)))
    await Promise.all(others.map(migrate))
    for (const other of others) await Effect.runPromise(Migrations.check(other))
    expect(await ids(wrongRows)).toEqual([])
    expect(await ids("select indexrelid::regclass::text as id from pg_index where not indisvalid")).toEqual([])
    const locks = `select classid::text as id from pg_locks where locktype = 'advisory' and granted and ${TestDatabase.isHere}`
    expect(await ids(locks)).toEqual([])
  })

  it("has the structure of a new database after the roll-out, without functions of other releases", async () => {
    await migrate(database.connection)
    await outside.query(updateBefore, ["c1", dataOf("$Other")])
    expect(await ids(openMarks)).toHaveLength(3)
    expect(await Effect.runPromise(Migrations.contract(database.connection))).toBe(1)
    expect(await ids(openMarks)).toEqual([])
    expect(await ids(wrongRows)).toEqual([])
    const another = await TestDatabase.create(1)
    await migrate(another.connection)
    const [found, expected] = [await structureOf(database.connection), await structureOf(another.connection)]
    for (const part of ["Constraints", "Indexes", "Functions", "Triggers"]) {
      expect(found.get(part)).toEqual(expected.get(part))
    }
    await another.close()
    expect(await Effect.runPromise(Migrations.contract(database.connection))).toBe(0)
  })

  it("cannot end its roll-out before the migration", async () => {
    const error = await Effect.runPromise(Effect.flip(Migrations.contract(database.connection)))
    expect(error._tag).toBe("SchemaMismatch")
  })
})

it("PGlite, which has one process, ends the roll-out at the same start", { timeout: 120_000 }, async () => {
  const database = await PGlite.create()
  const connection = PgliteConnection.make(database)
  await migrate(connection)
  await ofReleaseBefore(connection)
  await migrate(connection)
  expect((await database.query(wrongRows)).rows).toEqual([])
  expect((await database.query(openMarks)).rows).toEqual([])
  expect((await database.query("select from pg_proc where proname like '%000000000000'")).rows).toEqual([])
  await Effect.runPromise(Migrations.check(connection))
  await database.close()
})
