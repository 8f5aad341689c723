/** The vaults in memory, in a folder and in PostgreSQL are `DocumentVault`s, and what each leaves behind. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FolderVault } from "@countersign/adapter-http"
import { MemoryVault } from "@countersign/adapter-memory"
import { CellMigrations, Migrations, PgliteConnection, PostgresVault } from "@countersign/adapter-postgres"
import { DocumentVault } from "@countersign/core/ports"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Exit, Fiber, Latch, Layer, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { documentVaultConformance } from "../../../packages/test/src/conformance/index.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const closing: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const close of closing) await close()
})

const temporary = async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-vault-"))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const folder = await temporary()
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
documentVaultConformance("in a folder", FolderVault.layer(join(folder, "conformance")))
documentVaultConformance("in PostgreSQL", ofConnection(onServer))
documentVaultConformance(
  "in the first of three cells",
  Layer.unwrap(Effect.promise(async () => PostgresVault.layerPool({ pool: await inCells }))),
)
documentVaultConformance("in PGlite", ofConnection(inProcess))

const key = (number: number) => `File-00000000-0000-4000-9000-${String(number).padStart(12, "0")}`
const text = (value: string) => Stream.make(new TextEncoder().encode(value))
const within = <A, E>(path: string, use: (vault: DocumentVault["Service"]) => Effect.Effect<A, E>) =>
  DocumentVault.use(use).pipe(Effect.provide(FolderVault.layer(path)), Effect.runPromise)

describe("the vault in a folder", () => {
  it("keeps files and folders from other users of the machine", async () => {
    const path = join(folder, "private")
    await within(path, (vault) => vault.store(key(1), text("secret")))
    const file = join(path, "01", key(1))
    const modes = await Promise.all([path, join(path, "01"), file].map(async (each) => (await stat(each)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o700, 0o600])
    expect(await readFile(file, "utf8")).toBe("secret")
  })

  it("leaves no partial file after bytes that fail or an interruption", async () => {
    const path = join(folder, "partial")
    const waiting = Latch.makeUnsafe()
    const exits = await within(path, (vault) =>
      Effect.gen(function* () {
        const failed = yield* Effect.exit(vault.store(key(2), Stream.concat(text("begin"), Stream.fail("broken"))))
        const endless = Stream.concat(text("begin"), Stream.fromEffect(Effect.andThen(waiting.open, Effect.never)))
        const fiber = yield* Effect.forkChild(vault.store(key(3), endless))
        yield* waiting.await
        yield* Fiber.interrupt(fiber)
        return [failed, yield* Fiber.await(fiber)]
      }),
    )
    expect(exits.every(Exit.isFailure)).toBe(true)
    expect(await readdir(path, { recursive: true })).toEqual(["02", "03"])
  })

  it("erases what a process that ended has left of a file", async () => {
    const path = join(folder, "ended")
    await within(path, (vault) => vault.store(key(4), text("whole")))
    await writeFile(join(path, "04", `${key(4)}.partial`), "half")
    await within(path, (vault) => vault.erase(key(4)))
    expect(await readdir(path, { recursive: true })).toEqual(["04"])
  })

  it("takes no key that names another folder", async () => {
    const exit = await within(join(folder, "keys"), (vault) => Effect.exit(vault.store("../outside", text("x"))))
    expect(Exit.hasDies(exit)).toBe(true)
  })
})

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
