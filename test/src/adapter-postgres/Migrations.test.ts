/**
 * The schema is created once however many processes start, rejected if it is newer or altered, and checked without a change.
 */
import { type Connection, Migrations, PoolConnection } from "@countersign/adapter-postgres"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import * as TestDatabase from "./TestDatabase.ts"

const made: Array<TestDatabase.TestDatabase> = []
const fresh = Effect.promise(async () => {
  const database = await TestDatabase.create(4)
  made.push(database)
  return database
})
afterAll(() => Promise.all(made.map(({ close }) => close())))

const execute = (connection: Connection, text: string) => Effect.promise(() => connection.query({ text, values: [] }))

/** The structure of the schema in the catalog. */
const shape = (connection: Connection) =>
  execute(
    connection,
    `select concat_ws(' ', table_name, column_name, data_type, is_nullable) from information_schema.columns where table_schema = 'countersign'
     union all select indexdef from pg_indexes where schemaname = 'countersign'
     union all select proname || ' ' || md5(prosrc) from pg_proc where pronamespace = 'countersign'::regnamespace order by 1`,
  )

it.live("if several processes start at once, one migrates and all find the schema", () =>
  Effect.gen(function* () {
    const database = yield* fresh
    const others = Array.from({ length: 6 }, () => PoolConnection.make(database.another(1)))
    yield* Effect.forEach(others, Migrations.run, { concurrency: "unbounded" })
    yield* Effect.forEach(others, Migrations.check, { concurrency: "unbounded" })
    const versions = yield* execute(database.connection, "select version::text from countersign.schema_version")
    assert.deepStrictEqual(
      versions,
      Migrations.migrations.map(({ version }) => String(version)),
    )
  }),
)

it.live("a second migration changes nothing", () =>
  Effect.gen(function* () {
    const { connection } = yield* fresh
    yield* Migrations.run(connection)
    const before = yield* shape(connection)
    yield* Migrations.run(connection)
    assert.deepStrictEqual(yield* shape(connection), before)
    assert.isAbove(before.length, 100)
  }),
)

it.live("every table has an index by which logical replication finds its rows", () =>
  Effect.gen(function* () {
    const { connection } = yield* fresh
    yield* Migrations.run(connection)
    const without = `select coalesce(string_agg(c.relname, ' '), '') from pg_class c
      where c.relnamespace = 'countersign'::regnamespace and c.relkind = 'r'
        and not exists (select from pg_index i where i.indrelid = c.oid and case c.relreplident when 'd' then i.indisprimary else i.indisreplident end)`
    assert.deepStrictEqual(yield* Effect.promise(() => connection.query({ text: without, values: [] })), [""])
  }),
)

it.live("the check fails on a database without the schema and succeeds after the migration", () =>
  Effect.gen(function* () {
    const { connection } = yield* fresh
    const { _tag, message } = yield* Effect.flip(Migrations.check(connection))
    assert.strictEqual(_tag, "SchemaMismatch")
    assert.include(message, "migrate it")
    yield* Migrations.run(connection)
    yield* Migrations.check(connection)
  }),
)

for (const [name, statement, message] of [
  ["newer", "insert into countersign.schema_version values (999, 'later', 'x')", "use a newer release"],
  ["altered", "update countersign.schema_version set checksum = 'x'", "made by another text"],
] as const) {
  it.live(`a ${name} schema is rejected and not changed`, () =>
    Effect.gen(function* () {
      const { connection } = yield* fresh
      yield* Migrations.run(connection)
      yield* execute(connection, statement)
      for (const attempt of [Migrations.run, Migrations.check]) {
        const error = yield* Effect.flip(attempt(connection))
        assert.strictEqual(error._tag, "SchemaMismatch")
        assert.include(error.message, message)
      }
    }),
  )
}

it.live("the column of a new field is filled from the existing records", () =>
  Effect.gen(function* () {
    const { connection } = yield* fresh
    yield* Migrations.run(connection)
    const data = { platformCustomerId: "c", customerType: "BUSINESS", umaAddress: "$c", isDeleted: false }
    yield* execute(
      connection,
      `insert into countersign.customer (owner_id, platform_id, customer_id, id, version, created_at, updated_at, data)
       select 'c' || n, 'p', 'c' || n, 'c' || n, 1, 0, 0, '${JSON.stringify(data)}' from generate_series(1, 1201) n`,
    )
    yield* execute(connection, "alter table countersign.customer drop column customer_type")
    assert.include((yield* Effect.flip(Migrations.check(connection))).message, "customer.customer_type")
    yield* Migrations.run(connection)
    const types = yield* execute(
      connection,
      "select customer_type::text || ' ' || count(*) from countersign.customer group by customer_type",
    )
    assert.deepStrictEqual(types, ['"BUSINESS" 1201'])
  }),
)

it.live(
  "the database rejects unbalanced entries, entries without an account, and changes of entries and accounts",
  () =>
    Effect.gen(function* () {
      const { connection } = yield* fresh
      yield* Migrations.run(connection)
      yield* execute(
        connection,
        "insert into countersign.ledger_account (owner_id, platform_id, id, currency) values ('p', 'p', 'a', 'USD'), ('p', 'p', 'b', 'USD')",
      )
      const entries = (...rows: ReadonlyArray<readonly [account: string, amount: number, transfer?: number]>) =>
        `insert into countersign.ledger_entry values ${rows
          .map(
            ([account, amount, transfer = 0]) => `('p', 'p', '${account}', 1, ${amount}, 5, 'r', 'o', ${transfer}, 0)`,
          )
          .join(", ")}`
      yield* execute(connection, entries(["a", 5], ["b", -5]))
      for (const [statement, message] of [
        ["update countersign.ledger_entry set amount = 6", "never changed or deleted"],
        ["delete from countersign.ledger_entry", "never changed or deleted"],
        ["delete from countersign.ledger_account", "never deleted"],
        ["update countersign.ledger_account set id = 'c' where id = 'a'", "keep their names"],
        [entries(["none", 5], ["a", -5]).replaceAll(", 1, ", ", 2, "), "on no account"],
        [entries(["a", 5], ["b", -4]).replaceAll(", 1, ", ", 2, "), "do not balance"],
        [entries(["a", 5, 0], ["b", -5, 1]).replaceAll(", 1, ", ", 2, "), "do not balance"],
        ["update countersign.ledger_account set floor = 6, balance = 5 where id = 'a'", "floor_kept"],
      ] as const) {
        const error = yield* Effect.flip(Effect.tryPromise(() => connection.query({ text: statement, values: [] })))
        assert.include(String(error.cause), message)
      }
    }),
)
