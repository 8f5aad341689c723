/**
 * Saved worlds of a store in a folder, held against its tables: a load restores every row, and a reset leaves the rows of the platform.
 * Source: D-470.
 */
import { PgliteConnection } from "@countersign/adapter-postgres"
import { StateImages } from "@countersign/core/store"
import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, committed } from "../../../packages/test/src/conformance/Suite.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { load, reset, save } from "../world/WorldCalls.ts"
import * as TestDatabase from "./TestDatabase.ts"

const opened = PGlite.create()
const database = opened.then((db) => ({ connection: PgliteConnection.make(db) }))
afterAll(async () => (await opened).close())

/** Every row of every table, as text. */
const rows = async (): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const { query } = (await database).connection
  const tables = await query({
    text: "select tablename::text from pg_tables where schemaname = 'countersign' order by 1",
    values: [],
  })
  const found = new Map<string, ReadonlyArray<string>>()
  for (const table of tables) {
    const text = `select row_to_json(t)::text from countersign."${table}" as t order by 1`
    found.set(String(table), (await query({ text, values: [] })).map(String))
  }
  return found
}

const scenarios = ["demo", "card-programme", "payments-in-every-state", "customers-in-every-state"]
const run = async (pay: Harness, scenario: string) =>
  expect(await pay.send("POST", `/sandbox/scenarios/${scenario}/run`)).toMatchObject({ status: 201 })

/** The calls that save, load and reset are audited commits of their own. */
const ofCalls = new Set(["audit_record", "operation"])

it("restores every row by a load, and leaves those of the platform after a reset", async () => {
  await using pay = await harness({ tape: false, store: TestDatabase.emptyWorld(database) })
  for (const scenario of scenarios) await run(pay, scenario)
  await save(pay, "monday")
  const saved = await rows()
  const filled = [...saved].filter(([, found]) => found.length > 0)
  expect(filled.length).toBeGreaterThan(25)

  await run(pay, "demo")
  await load(pay, "monday")
  const loaded = await rows()
  for (const [table, found] of saved) {
    if (ofCalls.has(table)) expect([table, loaded.get(table)?.length]).toEqual([table, found.length])
    else expect([table, loaded.get(table)]).toEqual([table, found])
  }

  // The next job comes after all of the image, also in a database that has numbered fewer.
  const { query } = (await database).connection
  const numberOf = async (text: string) => Number((await query({ text, values: [] }))[0])
  const sequence = "pg_get_serial_sequence('countersign.job', 'sequence')"
  await query({ text: `select setval(${sequence}, 1)::text`, values: [] })
  await load(pay, "monday")
  const last = await numberOf("select coalesce(max(sequence), 0)::text from countersign.job")
  expect(last).toBeGreaterThan(1)
  expect(await numberOf(`select nextval(${sequence})::text`)).toBeGreaterThan(last)

  await reset(pay)
  const left = [...(await rows())].filter(([, found]) => found.length > 0)
  expect(left.map(([table]) => table)).toEqual([
    "api_token",
    "audit_record",
    "internal_account",
    "ledger_account",
    "operation",
    "platform",
    "record_history",
    "schema_version",
    "unique_key",
    "webhook_endpoint",
    "webhook_key_ring",
  ])
  for (const [table, found] of left) {
    expect([table, found.filter((row) => Object(JSON.parse(row))["customer_id"] > "")]).toEqual([table, []])
  }
}, 120_000)

it("names its schema in the format of an image", async () => {
  const store = TestDatabase.emptyStore(async () => (await database).connection)
  const images = await Effect.runPromise(Effect.provide(StateImages, store))
  const versions = (await rows()).get("schema_version")?.map((row) => Number(Object(JSON.parse(row))["version"])) ?? []
  expect(images?.format).toBe(`folder ${Math.max(...versions)}`)
})

it("releases the jobs of an image, which no worker runs any more", async () => {
  const store = TestDatabase.emptyStore(async () => (await database).connection)
  const attempts = await Effect.runPromise(
    Effect.gen(function* () {
      const images = yield* StateImages
      if (images === undefined) throw new Error("the store has no images")
      yield* committed(changeSet({ jobs: [job(1)] }))
      const before = yield* claim()
      yield* images.replace(yield* images.capture, alpha.platformId)
      return [before, yield* claim()].map((claimed) => claimed.map(({ attempt }) => attempt))
    }).pipe(Effect.provide(store)),
  )
  expect(attempts).toEqual([[1], [2]])
})
