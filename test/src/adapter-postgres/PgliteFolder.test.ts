/**
 * A store in a folder keeps its data between runs and has one process at a time.
 * Source: D-038.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Exit, Layer, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, ann, customer } from "../../../packages/test/src/conformance/Examples.ts"
import { newFolder } from "../e2e/Folder.ts"
import { run } from "../e2e/ServerProcess.ts"

const storeIn = (folder?: string) =>
  Layer.provide(PostgresStore.layerPglite(folder === undefined ? {} : { folder }), WallTime.layerClock)

/** Runs an effect with a new store on the folder. */
const using = <A, E>(folder: string, use: Effect.Effect<A, E, Store | CurrentCaller>) =>
  Effect.runPromise(
    use.pipe(
      Effect.provideService(CurrentCaller, alpha),
      Effect.provide(storeIn(folder), { local: true }),
      Effect.result,
    ),
  )
const write = Store.use((store) => store.commit(changeSet({ inserts: [customer(1)] })))
const version = Store.use((store) => store.read({ records: [{ kind: "Customer", id: ann }] })).pipe(
  Effect.map((found) => found.record("Customer", ann)?.version),
)

describe("a store in a folder", { timeout: 120_000 }, () => {
  it("keeps its data and releases the folder when it closes", async () => {
    await using folder = await newFolder()
    expect(await using(folder.path, write)).toMatchObject({ success: { _tag: "Committed" } })
    expect(await readdir(folder.path)).toEqual(["data"])
    expect(await using(folder.path, version)).toMatchObject({ success: 1 })
  })

  it("is rejected while another process uses the folder, and changes nothing", async () => {
    await using folder = await newFolder()
    const scope = Scope.makeUnsafe()
    await Effect.runPromise(Layer.buildWithScope(storeIn(folder.path), scope))
    const refused = await using(folder.path, version)
    expect(refused).toMatchObject({ _tag: "Failure", failure: { _tag: "FolderInUse" } })
    await using process = run({ options: ["--port", "0", "--store", `pglite:${folder.path}`] })
    expect(await process.exited).toEqual({ code: 3, signal: null })
    expect(process.stderr()).toContain(`${folder.path} is in use by process`)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(await using(folder.path, version)).toMatchObject({ _tag: "Success" })
  })

  it("is rejected if the folder contains other data, and the folder is released", async () => {
    await using folder = await newFolder()
    await mkdir(join(folder.path, "data"))
    await writeFile(join(folder.path, "data", "PG_VERSION"), "9")
    const refused = await using(folder.path, version)
    expect(refused).toMatchObject({ _tag: "Failure", failure: { _tag: "FolderUnusable" } })
    expect(await readdir(folder.path)).toEqual(["data"])
  })

  it("needs no folder for a database in memory", async () => {
    const both = Effect.andThen(write, version).pipe(Effect.provideService(CurrentCaller, alpha))
    expect(await Effect.runPromise(Effect.provide(both, storeIn()))).toBe(1)
  })
})
