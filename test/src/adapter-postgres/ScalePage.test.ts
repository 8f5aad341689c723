/** The SQL of docs/scale.md against the schema. */
import { readFileSync } from "node:fs"
import { type Connection, Migrations, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha } from "../../../packages/test/src/conformance/Examples.ts"
import * as TestDatabase from "./TestDatabase.ts"

const page = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")

/** The fenced block whose first line is a comment that starts with this text. */
const block = (name: string): string => {
  const found = [...page.matchAll(/```sql\n([\s\S]*?)```/gu)].find(([, text = ""]) => text.startsWith(`-- ${name}`))
  if (found?.[1] === undefined) throw new Error(`no SQL "${name}" in the page`)
  return found[1]
}

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(2)
  await Effect.runPromise(Migrations.run(database.connection))
}, 60_000)
afterAll(() => database.close())

const column = async (text: string): Promise<ReadonlyArray<string>> =>
  (await database.pool.query<{ readonly v: string }>(text)).rows.map(({ v }) => v)

describe("the page about scale", () => {
  it("has settings that the server accepts", async () => {
    await database.pool.query(block("settings"))
    const set = await column(
      "select relname as v from pg_class where array_to_string(reloptions, ' ') like '%autovacuum%' order by 1",
    )
    expect(set).toContain("ledger_entry")
  })

  it("has a working query for the progress of a migration", async () => {
    await database.pool.query("alter table countersign.customer drop column customer_type")
    await database.pool.query("create function countersign.commit_serial_000000000000() returns int return 1")
    await Effect.runPromise(Migrations.run(database.connection))
    const [open, index] = block("progress").replace("-- progress", "").split(";")
    expect((await database.pool.query(open ?? "")).rows).toEqual([{ table: "customer", field: "customer_type" }])
    expect((await database.pool.query(index ?? "")).rows).toEqual([])
    await Effect.runPromise(Migrations.contract(database.connection))
    expect((await database.pool.query(open ?? "")).rows).toEqual([])
  })

  it("partitions tables so that batches still commit to them", async () => {
    const names: Array<string | undefined> = []
    const connection: Connection = {
      ...database.connection,
      query: (statement) => {
        names.push(statement.name)
        return database.connection.query(statement)
      },
      concurrentBatches: 1,
    }
    const counted = (n: number) =>
      Store.use((store) => store.commit(changeSet({ counters: [{ key: `${n}`, delta: 1 }] })))
    const outcomes = Effect.forEach([1, 2, 3, 4], counted, { concurrency: "unbounded" }).pipe(
      Effect.provideService(CurrentCaller, alpha),
      Effect.provide(Layer.provide(PostgresStore.layer({ connection }), WallTime.layerClock)),
    )
    expect((await Effect.runPromise(outcomes)).map(({ _tag }) => _tag)).toEqual(Array(4).fill("Committed"))
    expect(names).toContain("countersign_commit_group")
    expect(names).not.toContain("countersign_commit_serial")
  })

  it("partitions existing events and accepts new ones", async () => {
    const insert = (id: string) =>
      database.pool.query(
        "insert into countersign.event (owner_id, platform_id, id, type, subject, data, created_at, expires_at) values ('p', 'p', $1, 'TEST', 's', '{}', 0, 0)",
        [id],
      )
    await insert("Webhook:019aa5f2-0000-7000-8000-000000000000")
    await database.pool.query(block("partition"))
    await insert("Webhook:01a2a5f2-0000-7000-8000-000000000000")
    await insert("Webhook:01a3a5f2-0000-7000-8000-000000000000")
    expect(await column("select tableoid::regclass::text as v from countersign.event order by id")).toEqual([
      "countersign.event_before",
      "countersign.event_2",
      "countersign.event_later",
    ])
    await database.pool.query("alter table countersign.event detach partition countersign.event_before")
    expect(await column("select count(*)::text as v from countersign.event")).toEqual(["2"])
  })
})
