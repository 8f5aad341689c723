/**
 * What a start loads and holds: a store in memory loads no database, and PGlite is not optimized while it starts.
 * Source: D-506, D-507, D-547.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { credentialOptions } from "../e2e/Flow.ts"
import { binaries, repository, startServer } from "../e2e/ServerProcess.ts"
import "../../../packages/cli/scripts/bundle.mjs"

const folder = join(repository, "packages/cli/bundle")

const textOf = (name: string) => readFile(join(folder, name), "utf8")

interface Current {
  readonly main: string
  readonly files: ReadonlyArray<string>
}

/** The files that a start of the program loads before anything asks for more, and their texts. */
const loadedAtStart = async (main: string): Promise<ReadonlyMap<string, string>> => {
  const loaded = new Map<string, string>()
  const add = async (name: string): Promise<void> => {
    if (loaded.has(name)) return
    const text = await textOf(name)
    loaded.set(name, text)
    const imported = [...text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/gu)].map(([, each]) => each ?? "")
    for (const each of imported) await add(each)
  }
  await add(main)
  return loaded
}

it.each([
  ["the adapter of databases", "commit_group"],
  ["the driver of PostgreSQL", "SCRAM-SERVER-FIRST-MESSAGE"],
  ["the signatures of buckets", "AWS4-HMAC-SHA256"],
  ["passkeys", "android-safetynet"],
])("the bundle has %s, and does not load it at the start", async (_, words) => {
  const { files, main }: Current = JSON.parse(await textOf("current.json"))
  const loaded = await loadedAtStart(main)
  const withWords = await Promise.all(files.map(async (name) => ((await textOf(name)).includes(words) ? name : "")))
  expect(loaded.size).toBeGreaterThan(2)
  expect(withWords.some((name) => name !== "")).toBe(true)
  expect(withWords.filter((name) => loaded.has(name))).toEqual([])
})

it("the command starts without Node's client of WebSockets, which an import of `node:http` loads", async () => {
  const print = `process.on("exit", () => console.log(process.moduleLoadList.filter((name) => /deps.undici/u.test(name))))`
  const loading = async (...words: ReadonlyArray<string>) => {
    const preload = ["--import", `data:text/javascript,${encodeURIComponent(print)}`]
    const { stdout } = await promisify(execFile)(join(binaries, "node"), [...preload, ...words])
    return stdout.trim().split("\n").at(-1)
  }
  expect(await loading("--input-type=module", "--eval", 'import "node:http"')).toContain("undici")
  expect(await loading(join(repository, "packages/cli/bin/countersign.js"), "--version")).toBe("[]")
})

/** The largest resident memory of a process (MiB); where the system does not tell it, that of now. */
const memoryOf = async (pid: number): Promise<number> => {
  const kibibytes =
    process.platform === "linux"
      ? /^VmHWM:\s+(\d+)/mu.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]
      : (await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)])).stdout
  return Number(kibibytes) / 1024
}

it("PGlite starts in less memory than the compiler's for its largest function", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "countersign-memory-"))
  try {
    await using server = await startServer({ cwd, options: credentialOptions })
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
    expect(await memoryOf(server.pid)).toBeLessThan(500)
  } finally {
    await rm(cwd, { recursive: true })
  }
})
