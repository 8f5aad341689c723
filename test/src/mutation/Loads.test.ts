/**
 * The tests of all rooms and areas load in the runner of mutants, where an area whose tests do not load notices nothing. That they also
 * pass there, `npm run mutate -- --areas --dry` shows. Source: D-525.
 */
import { createRequire } from "node:module"
import { expect, it } from "vitest"
import { bundle } from "../../scripts/mutation/Bundle.ts"
import { evaluatorOf } from "../../scripts/mutation/Evaluator.ts"
import { areas, roomNamed } from "./Areas.ts"
import { rooms } from "./Rooms.ts"

const inMemory = [...Object.keys(rooms), ...Object.keys(areas)]
  .map(roomNamed)
  .filter(({ needsProcesses }) => needsProcesses !== true)
const files = [...new Set(inMemory.flatMap(({ tests }) => tests))].toSorted()
const bundled = bundle(files)

it("each file of the rooms and areas in memory has tests for the runner of mutants", async () => {
  const { text } = await bundled
  const names = (await evaluatorOf(text)(createRequire(import.meta.url))).names()
  expect(files.filter((file) => !names.some((name) => name.startsWith(`${file} > `)))).toEqual([])
  expect(files.length).toBeGreaterThan(200)
})

it("no file of such an area starts another process or a database, which mutants have not", async () => {
  const { imports } = await bundled
  const importsOf = (path: string) => (imports[path]?.imports ?? []).filter(({ external }) => external !== true)
  const seen = (path: string, all: Set<string>): Set<string> => {
    if (!all.has(path)) for (const next of importsOf(all.add(path) && path)) seen(next.path, all)
    return all
  }
  const elsewhere = ["test/src/e2e/ServerProcess.ts", "test/src/faults/FaultServer.ts"]
  const reaching = files.filter((file) => {
    const reached = seen(`test/src/${file}.test.ts`, new Set())
    return elsewhere.some((path) => reached.has(path))
  })
  expect(reaching).toEqual([])
})
