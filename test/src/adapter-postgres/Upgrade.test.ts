/**
 * A database of every released schema is upgraded to this release, and its history continues: a pending action is approved, a waiting
 * transfer is executed, and an idempotency key replays its response.
 */
import { readdirSync, readFileSync } from "node:fs"
import { Migrations, PostgresStore } from "@countersign/adapter-postgres"
import { AgentActions, type Caller } from "@countersign/core"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { world } from "../../../packages/test/src/harness/World.ts"
import { booksOf } from "../faults/Books.ts"
import { structureOf } from "./SchemaDump.ts"
import * as TestDatabase from "./TestDatabase.ts"

const folder = new URL("../../../packages/adapter-postgres/schema/", import.meta.url)
const released = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .toSorted()

const databases: Array<TestDatabase.TestDatabase> = []
const fresh = async () => {
  const database = await TestDatabase.create(4)
  databases.push(database)
  return database
}
afterAll(() => Promise.all(databases.map(({ close }) => close())))

/** Ignores the order of columns: the column of a new field comes after the others. */
const inAnyOrder = (statements: ReadonlyArray<string> = []) =>
  statements.map((text) => text.replaceAll(/,$/gmu, "").split("\n").toSorted().join("\n")).toSorted()

it("every migration has a dump of its schema", () => {
  expect(released).toEqual(Migrations.migrations.map(({ version }) => `${String(version).padStart(4, "0")}.sql`))
})

/**
 * Makes the database one of an earlier release even if this release equals the dumped one: its functions have other names, and some
 * listed fields have no columns.
 */
const earlier = `
  do $$
  declare f record;
  begin
    for f in select oid::regprocedure as signature, proname from pg_proc where pronamespace = 'countersign'::regnamespace and proname ~ '_[0-9a-f]{12}$' loop
      execute format('alter function %s rename to %I', f.signature, regexp_replace(f.proname, '[0-9a-f]{12}$', '000000000000'));
    end loop;
  end $$;
  alter table countersign.agent_action drop column agent_id;
  alter table countersign.transaction drop column source_account_id;`

describe.each(released)("the schema of %s", (name) => {
  let database: TestDatabase.TestDatabase
  beforeAll(async () => {
    database = await fresh()
    await database.connection.session(({ script }) => script(readFileSync(new URL(name, folder), "utf8")))
    await database.connection.session(({ script }) => script(earlier))
  }, 60_000)

  it("is rejected by this release without a migration", async () => {
    const refused = await Effect.runPromise(Effect.flip(Migrations.check(database.connection)))
    expect(refused).toMatchObject({ _tag: "SchemaMismatch", message: expect.stringContaining("migrate it") })
  })

  it("is upgraded to the structure of a new database", { timeout: 120_000 }, async () => {
    await Effect.runPromise(Migrations.run(database.connection))
    await Effect.runPromise(Migrations.check(database.connection))
    // No process of the earlier release runs any more.
    expect(await Effect.runPromise(Migrations.contract(database.connection))).toBeGreaterThan(0)
    const another = await fresh()
    await Effect.runPromise(Migrations.run(another.connection))
    const found = await structureOf(database.connection)
    for (const [part, expected] of await structureOf(another.connection)) {
      expect(expected.length, part).toBeGreaterThan(0)
      expect(inAnyOrder(found.get(part))).toEqual(inAnyOrder(expected))
    }
  })

  it("keeps its history and completes it", { timeout: 120_000 }, async () => {
    const { connection, pool } = database
    const store = {
      layer: Layer.orDie(PostgresStore.layer({ connection })),
      books: () => booksOf(connection),
    }
    await using pay = await world({ store, seed: 2 })
    interface Row {
      readonly id: string
      readonly customer: string
      readonly agent: string
      readonly amount: number
      readonly status: string
      readonly source: string
      readonly account: string
    }
    const actions = async () =>
      (
        await pool.query<Row>(
          `select id, customer_id as customer, data->>'agentId' as agent, data->>'status' as status, (data->'transferDetails'->>'amount')::int as amount,
             data->'transferDetails'->>'sourceAccountId' as source, data->'transferDetails'->>'destinationAccountId' as account
           from countersign.agent_action order by amount`,
        )
      ).rows
    const statuses = async () => (await actions()).map(({ amount, status }) => [amount, status])
    expect(await statuses()).toEqual([
      [100, "APPROVED"],
      [200, "FAILED"],
      [300, "APPROVED"],
      [2000, "PENDING_APPROVAL"],
    ])
    const [executed] = await actions()
    const held = (await actions()).at(-1)
    if (executed === undefined || held === undefined) throw new Error("no actions")
    await pay.run(AgentActions.use((all) => all.approve(held.agent, held.id)))
    await pay.settle()
    expect((await statuses()).at(-1)).toEqual([2000, "APPROVED"])
    const books = await pay.books()
    expect(books.reduce((total, { balance }) => total + balance, 0)).toBe(0)
    expect(books.find(({ id }) => id === `available:${executed.account}`)?.balance).toBe(100 + 300 + 2000)

    const caller: Caller = {
      _tag: "Agent",
      platformId: pay.platformId,
      customerId: executed.customer,
      agentId: executed.agent,
      budget: "USD.0",
    }
    const request = { sourceAccountId: executed.source, destinationAccountId: executed.account, amount: 100 }
    const keyed = { key: "executed", method: "POST", path: "/agents/me/transfer-in", body: request }
    const again = await pay.run(
      AgentActions.use((all) => all.submitTransferIn(request, keyed)),
      caller,
    )
    expect(again).toMatchObject({ replayed: true, body: { id: executed.id } })
    const { rows } = await pool.query("select count(*)::int as jobs from countersign.job")
    expect(rows).toEqual([{ jobs: 0 }])
  })
})
