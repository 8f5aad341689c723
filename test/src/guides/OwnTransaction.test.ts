/**
 * The guide's example of an embedder's own transaction: it commits a row and a customer together, and starts again after a conflict.
 */
import { PostgresStore } from "@countersign/adapter-postgres"
import { Customers, Platforms } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type World, world } from "../../../packages/test/src/harness/World.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { eventually } from "../e2e/Deadline.ts"
import { booksOf } from "../faults/Books.ts"
import { signUp } from "./OwnTransaction.ts"

let database: TestDatabase.TestDatabase
let pay: World
beforeAll(async () => {
  database = await TestDatabase.create(4)
  const { connection, pool } = database
  await pool.query("create table users (email text primary key, customer_id text not null)")
  pay = await world({
    store: { layer: Layer.orDie(PostgresStore.layer({ connection })), books: () => booksOf(connection) },
  })
}, 60_000)
afterAll(async () => {
  await pay[Symbol.asyncDispose]()
  await database.close()
})

const users = async () =>
  (
    await database.pool.query<{ readonly email: string; readonly id: string }>(
      "select email, customer_id as id from users",
    )
  ).rows
const customers = async () =>
  (await database.pool.query<{ readonly id: string }>("select id from countersign.customer")).rows.map(({ id }) => id)

describe("the guide's own transaction", { timeout: 120_000 }, () => {
  it("commits the user and the customer", async () => {
    const id = await signUp(database.pool, pay.platformId, { email: "ada@example.com", name: "Ada Lovelace" })
    expect(await users()).toEqual([{ email: "ada@example.com", id }])
    const customer = await pay.run(Customers.use((all) => all.get(id)))
    expect(customer).toMatchObject({ id, fullName: "Ada Lovelace" })
  })

  it("commits neither when the user cannot be written", async () => {
    const before = [await users(), await customers()]
    const again = signUp(database.pool, pay.platformId, { email: "ada@example.com", name: "Another" })
    await expect(again).rejects.toMatchObject({ code: "23505" })
    expect([await users(), await customers()]).toEqual(before)
  })

  it("commits neither when the operation is refused", async () => {
    const before = [await users(), await customers()]
    const nobody = signUp(database.pool, "PlatformConfig:nobody", { email: "b@example.com", name: "B" })
    await expect(nobody).rejects.toMatchObject({ _tag: "ServiceError" })
    expect([await users(), await customers()]).toEqual(before)
  })

  it("starts again as a whole after a concurrent change", async () => {
    const pool = database.another(1)
    let begun = 0
    pool.on("acquire", () => {
      begun += 1
    })
    const other = await database.pool.connect()
    await other.query("begin")
    await pay.run(
      Effect.gen(function* () {
        const { store } = yield* PostgresStore.transaction(other)
        const platforms = Layer.fresh(Platforms.layer).pipe(Layer.provide(Layer.succeed(Store, store)))
        const update = Platforms.use((all) => all.updateConfig({ webhookEndpoint: "https://other.example/hooks" }))
        return yield* Effect.provide(update, platforms, { local: true })
      }),
    )
    const signing = signUp(pool, pay.platformId, { email: "c@example.com", name: "C" })
    const waiting = async () =>
      (
        await database.pool.query(
          `select from pg_locks where locktype = 'advisory' and not granted and ${TestDatabase.isHere}`,
        )
      ).rowCount
    await eventually("one who waits", waiting, (found) => found === 1)
    await other.query("commit")
    other.release()
    const id = await signing
    expect(begun).toBe(2)
    expect(await users()).toContainEqual({ email: "c@example.com", id })
    expect(await customers()).toContain(id)
  })
})
