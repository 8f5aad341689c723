/**
 * The lock of a folder: one process holds it, the the lock of a dead process is taken over, and the lock of another host stays.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as FolderLock from "../../../packages/adapter-postgres/src/folder/FolderLock.ts"
import { type Folder, newFolder } from "./Folder.ts"

/** Runs while the lock is held. */
const holding = <A>(folder: string, use: () => Promise<A>) =>
  Effect.runPromise(
    FolderLock.acquire(folder).pipe(
      Effect.andThen(Effect.promise(use)),
      Effect.scoped,
      Effect.catch((error) => Effect.succeed(error.message)),
    ),
  )
const lockIn = ({ path }: Folder) => join(path, "lock")
const held = () => Promise.resolve("held")

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid

describe("the lock of a folder", () => {
  it("names its process, refuses another process, and is released with its scope", async () => {
    await using folder = await newFolder()
    const inner = await holding(folder.path, async () => {
      expect(JSON.parse(await readFile(lockIn(folder), "utf8"))).toMatchObject({ pid: process.pid, host: hostname() })
      return holding(folder.path, held)
    })
    expect(inner).toMatch(new RegExp(`^${folder.path} is in use by process ${process.pid}, since 2`, "u"))
    expect(await readdir(folder.path)).toEqual([])
    expect(await holding(folder.path, held)).toBe("held")
  })

  it("says when its process started, so that a later one of its number is another", async () => {
    await using folder = await newFolder()
    const processStart = await holding(folder.path, async () => {
      const holder: FolderLock.Holder = JSON.parse(await readFile(lockIn(folder), "utf8"))
      return holder.processStart ?? ""
    })
    // On Linux, ticks since the boot; elsewhere a date.
    expect(processStart).toMatch(process.platform === "linux" ? /^[0-9a-f-]{36} [1-9]\d+$/u : /\d/u)
  })

  it("creates the folder", async () => {
    await using folder = await newFolder()
    expect(await holding(join(folder.path, "a", "b"), held)).toBe("held")
  })

  it("reports why a folder cannot be used", async () => {
    await using folder = await newFolder()
    await writeFile(join(folder.path, "file"), "")
    expect(await holding(join(folder.path, "file"), held)).toMatch(/cannot be used: /u)
  })

  const stale: ReadonlyArray<readonly [name: string, text: () => string]> = [
    [
      "a dead process",
      () => JSON.stringify({ pid: deadPid(), processStart: "then", host: hostname(), lockedAt: 1_000 }),
    ],
    [
      "a process whose id another process has now",
      () => JSON.stringify({ pid: process.pid, processStart: "long ago", host: hostname(), lockedAt: 1_000 }),
    ],
    ["nobody, as a crash of the machine leaves it", () => ""],
  ]
  it.each(stale)("takes over the lock of %s", async (_name, text) => {
    await using folder = await newFolder()
    await writeFile(lockIn(folder), text())
    expect(await holding(folder.path, held)).toBe("held")
    expect(await readdir(folder.path)).toEqual([])
  })

  it("keeps the lock of another host, and the error says what to do", async () => {
    await using folder = await newFolder()
    const text = JSON.stringify({ pid: 1, processStart: null, host: "elsewhere", lockedAt: 1_000 })
    await writeFile(lockIn(folder), text)
    expect(await holding(folder.path, held)).toBe(
      `${folder.path} is in use by process 1 of the host elsewhere, since 1970-01-01T00:00:01.000Z: if that process is gone, delete ${lockIn(folder)}`,
    )
    expect(await readFile(lockIn(folder), "utf8")).toBe(text)
  })

  it("lets one of many concurrent processes take over the lock of a dead process", async () => {
    for (let round = 0; round < 25; round++) {
      await using folder = await newFolder()
      await writeFile(lockIn(folder), "")
      const release = Promise.withResolvers<void>()
      let refused = 0
      const all = Array.from({ length: 20 }, async () => {
        const answer = await holding(folder.path, () => release.promise.then(held))
        if (answer !== "held") refused += 1
        if (refused === 19) release.resolve()
        return answer
      })
      expect((await Promise.all(all)).filter((answer) => answer === "held")).toHaveLength(1)
      expect(await readdir(folder.path)).toEqual([])
    }
  })

  it("takes over a lock although a process died while it took it over", async () => {
    await using folder = await newFolder()
    const ended = { pid: deadPid(), processStart: "never", host: hostname(), lockedAt: 0 }
    const dead = JSON.stringify({ id: "a", ...ended })
    const taker = JSON.stringify({ id: "b", ...ended })
    await writeFile(lockIn(folder), dead)
    const right = createHash("sha256").update(dead).digest("hex").slice(0, 16)
    await writeFile(`${lockIn(folder)}.${right}`, taker)
    expect(await holding(folder.path, held)).toBe("held")
    expect(await readdir(folder.path)).toEqual([])
  })

  it("never lets two processes take over the same lock, in any interleaving", async () => {
    await using folder = await newFolder()
    let holders = 0
    let most = 0
    const hold = async () => {
      holders += 1
      most = Math.max(most, holders)
      await readdir(folder.path)
      holders -= 1
      return "held"
    }
    for (let round = 0; round < 100; round++) {
      await writeFile(lockIn(folder), "")
      await Promise.all(Array.from({ length: 20 }, () => holding(folder.path, hold)))
      expect(most).toBe(1)
      expect(await readdir(folder.path)).toEqual([])
    }
  })
})
