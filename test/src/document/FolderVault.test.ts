/** The vault in a folder is a `DocumentVault`, and what it leaves behind. */
import { mkdtempSync } from "node:fs"
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FolderVault } from "@countersign/adapter-http"
import { DocumentVault } from "@countersign/core/ports"
import { Effect, Exit, Fiber, Latch, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { documentVaultConformance } from "../../../packages/test/src/conformance/index.ts"

const folder = mkdtempSync(join(tmpdir(), "countersign-vault-"))
afterAll(() => rm(folder, { recursive: true, force: true }))

documentVaultConformance("in a folder", FolderVault.layer(join(folder, "conformance")))

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
