/** The vaults in memory and in PostgreSQL are `DocumentVault`s, and what each leaves behind. */
import { MemoryVault } from "@countersign/adapter-memory"
import { CellMigrations, Migrations, PgliteConnection, PostgresVault } from "@countersign/adapter-postgres"
import { DocumentVault } from "@countersign/core/ports"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { documentVaultConformance } from "../../../packages/test/src/conformance/index.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const closing: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const close of closing) await close()
})

const server = TestDatabase.create(4)
const onServer = server.then(async ({ close, connection }) => {
  closing.push(close)
  await Effect.runPromise(Migrations.run(connection))
  return connection
})
const inCells = TestDatabase.create(4).then(async ({ close, connection, pool }) => {
  closing.push(close)
  await Effect.runPromise(CellMigrations.run(connection, 3))
  return pool
})
const inProcess = PGlite.create().then(async (database) => {
  closing.push(() => database.close())
  const connection = PgliteConnection.make(database)
  await Effect.runPromise(Migrations.run(connection))
  return connection
})
const ofConnection = (connection: typeof onServer) =>
  Layer.unwrap(Effect.promise(async () => PostgresVault.layer({ connection: await connection })))

documentVaultConformance("in memory", MemoryVault.layer)
documentVaultConformance("in PostgreSQL", ofConnection(onServer))
documentVaultConformance(
  "in the first of three cells",
  Layer.unwrap(Effect.promise(async () => PostgresVault.layerPool({ pool: await inCells }))),
)
documentVaultConformance("in PGlite", ofConnection(inProcess))

const key = (number: number) => `File-00000000-0000-4000-9000-${String(number).padStart(12, "0")}`

describe("the vault in PostgreSQL", () => {
  it("leaves no rows of erased files, and of files whose bytes failed", async () => {
    const connection = await onServer
    const rows = () =>
      connection.query({
        text: "select key from countersign.vault_chunk where key = any($1) union all select key from countersign.vault_file where key = any($1)",
        values: [[key(5), key(6)]],
      })
    const long = Stream.make(new Uint8Array(600_000), new Uint8Array(1))
    await DocumentVault.use((vault) =>
      Effect.gen(function* () {
        yield* vault.store(key(5), long)
        yield* Effect.flip(vault.store(key(6), Stream.concat(long, Stream.fail("broken"))))
      }),
    ).pipe(Effect.provide(ofConnection(onServer)), Effect.runPromise)
    expect(new Set(await rows())).toEqual(new Set([key(5)]))
    await DocumentVault.use((vault) => vault.erase(key(5))).pipe(
      Effect.provide(ofConnection(onServer)),
      Effect.runPromise,
    )
    expect(await rows()).toEqual([])
  })
})
