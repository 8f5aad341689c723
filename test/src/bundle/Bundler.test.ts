/**
 * The bundle of a program: made again when its sources change, whole beside other builds, and without its development tools no failure.
 * Source: D-432.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, it } from "vitest"
import { entryOf, updateBundle } from "../../../packages/cli/scripts/bundler.mjs"
import { repository } from "../e2e/ServerProcess.ts"

const execute = promisify(execFile)

let root: string
let entry: string
let folder: string

const write = (value: string) => writeFile(join(root, "part.ts"), `export const part: string = "${value}"\n`)

beforeEach(async () => {
  // Below the repository, as every program that is bundled: sources are named relative to it.
  root = await mkdtemp(join(repository, ".countersign-bundler-"))
  entry = join(root, "program.ts")
  folder = join(root, "bundle")
  await writeFile(entry, `const { part } = await import("./part.ts")\nconsole.log(part)\n`)
  await write("first")
})
afterEach(() => rm(root, { recursive: true }))

const printed = async () => (await execute(process.execPath, [entryOf(folder) ?? ""])).stdout.trim()

it("is made once, and again after a change of any source", async () => {
  expect(entryOf(folder)).toBeUndefined()
  await updateBundle({ entry, folder })
  expect(await printed()).toBe("first")
  const files = await readdir(folder)
  await updateBundle({ entry, folder })
  expect(await readdir(folder)).toEqual(files)
  await write("second one")
  await updateBundle({ entry, folder })
  expect(await printed()).toBe("second one")
})

it("is made again by another bundler, and where it does not say which one made it", async () => {
  await updateBundle({ entry, folder })
  const stampsFile = join(folder, "sources.json")
  const stamps: Readonly<Record<string, string>> = JSON.parse(await readFile(stampsFile, "utf8"))
  const bundler = "packages/cli/scripts/bundler.mjs"
  const { [bundler]: own, ...others } = stamps
  expect(own).toMatch(/^\d/u)
  for (const old of [others, { ...stamps, [bundler]: "1 1" }]) {
    await writeFile(stampsFile, JSON.stringify(old))
    await updateBundle({ entry, folder })
    expect(JSON.parse(await readFile(stampsFile, "utf8"))).toEqual(stamps)
  }
})

it("has the programs of its threads under their names", async () => {
  const thread = join(root, "counter.ts")
  await writeFile(
    thread,
    `import { parentPort } from "node:worker_threads"\nimport { part } from "./part.ts"\nparentPort?.postMessage(part)\n`,
  )
  await writeFile(
    entry,
    `import { Worker } from "node:worker_threads"
    new Worker(new URL("./Counter.js", import.meta.url)).once("message", (part) => console.log(part))\n`,
  )
  for (const value of ["first", "second one"]) {
    await write(value)
    await updateBundle({ entry, folder, threads: { Counter: thread } })
    expect(await printed()).toBe(value)
  }
})

it("keeps the parts of the bundle before it, which a process may still load, and no older ones", async () => {
  const kept: Array<ReadonlyArray<string>> = []
  for (const value of ["a", "bb", "ccc", "dddd"]) {
    await write(value)
    await updateBundle({ entry, folder })
    const names = await readdir(folder)
    kept.push(names.filter((name) => name.endsWith(".js")))
    // As if the next build were an hour later.
    const before = Date.now() / 1000 - 3600
    await Promise.all(names.map((name) => utimes(join(folder, name), before, before)))
  }
  const [first = [], second = [], third = [], fourth = []] = kept
  expect([first, second, third, fourth].map(({ length }) => length)).toEqual([2, 4, 4, 4])
  expect(fourth.filter((name) => second.includes(name) && !third.includes(name))).toEqual([])
})

it("is whole when several processes make it at once", async () => {
  const bundler = join(repository, "packages/cli/scripts/bundler.mjs")
  const program = `import { entryOf, updateBundle } from ${JSON.stringify(bundler)}
    const folder = ${JSON.stringify(folder)}
    await updateBundle({ entry: ${JSON.stringify(entry)}, folder })
    await import(entryOf(folder))`
  const starts = Array.from({ length: 4 }, () => execute(process.execPath, ["--input-type=module", "--eval", program]))
  expect((await Promise.all(starts)).map(({ stdout }) => stdout.trim())).toEqual(Array(4).fill("first"))
})

it("leaves files alone that another process writes meanwhile", async () => {
  await write("a")
  await updateBundle({ entry, folder })
  await write("bb")
  const others = [join(folder, "chunk-OTHER.js"), join(folder, "chunk-OTHER.js.12345")]
  const building = updateBundle({ entry, folder })
  await Promise.all(others.map((path) => writeFile(path, "")))
  await building
  const left = await readdir(folder)
  expect(others.filter((path) => !left.includes(basename(path)))).toEqual([])
})
