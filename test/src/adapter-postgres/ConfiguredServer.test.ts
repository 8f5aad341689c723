/**
 * The tests create their databases on the server that the environment names; without one, a server is started once.
 */
import { Migrations } from "@countersign/adapter-postgres"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openAddressSocket, type Running, startServer } from "./PostgresServer.ts"
import * as TestDatabase from "./TestDatabase.ts"

let server: Running
beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server.stop())

const databases = async (): Promise<ReadonlyArray<string>> => {
  const client = new pg.Client({ host: server.folder, user: "postgres", database: "postgres" })
  await client.connect()
  const { rows } = await client.query<{ readonly datname: string }>(
    "select datname from pg_database where not datistemplate",
  )
  await client.end()
  return rows.map(({ datname }) => datname).toSorted()
}

it("databases are created on the configured server and dropped afterwards", { timeout: 120_000 }, async () => {
  let started = 0
  const start = () => {
    started += 1
    return Promise.reject(new Error("no server may be started"))
  }
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(server.folder)}`
  const addresses = await openAddressSocket(url, start)
  const two = [await TestDatabase.create(1, addresses.socket), await TestDatabase.create(1, addresses.socket)]
  for (const { connection } of two) await Effect.runPromise(Migrations.run(connection))
  const names = [1, 2].map((number) => `countersign_test_${process.pid}_${number}`)
  expect(await databases()).toEqual([...names, "postgres"])
  for (const { close } of two) await close()
  expect(await databases()).toEqual(["postgres"])
  await addresses.close()
  expect(started).toBe(0)
})

it("without a configured server, one server starts at the first request", { timeout: 120_000 }, async () => {
  let started = 0
  let stopped = 0
  const addresses = await openAddressSocket(undefined, async () => {
    started += 1
    return {
      ...server,
      stop: async () => {
        stopped += 1
      },
    }
  })
  expect(started).toBe(0)
  const two = await Promise.all([TestDatabase.create(1, addresses.socket), TestDatabase.create(1, addresses.socket)])
  expect(await databases()).toEqual(["postgres", "test_1", "test_2"])
  for (const { close } of two) await close()
  await addresses.close()
  expect([started, stopped]).toEqual([1, 1])
})

it("a server that does not start fails every request with the reason", async () => {
  const addresses = await openAddressSocket(undefined, () => Promise.reject(new Error("no such binary")))
  await expect(TestDatabase.create(1, addresses.socket)).rejects.toThrow("no such binary")
  await expect(addresses.close()).rejects.toThrow("no such binary")
})
