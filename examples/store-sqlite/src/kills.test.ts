/** What a killed process has acknowledged is in the file, and nothing is there in part. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { WallTime } from "@countersign/core/ports"
import { type StormRun, stormProblems } from "@countersign/test/conformance"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { SqliteStore } from "./SqliteStore.ts"

const kills = Number(process.env["KILLS"] ?? 3)
const storm = fileURLToPath(new URL("storm.ts", import.meta.url))

/** Runs the storm, kills it after so many acknowledged sets, and returns all that it has acknowledged. */
const killed = async (file: string, from: number, after: number): Promise<StormRun> => {
  const child = spawn(process.execPath, [...process.execArgv, storm, file, String(from)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const acknowledged: Array<number> = []
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line))
    if (acknowledged.length === after) child.kill("SIGKILL")
  }
  return { from, acknowledged }
}

it("loses nothing of a process that is killed in a storm of commits", { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "store-sqlite-"))
  try {
    const file = join(folder, "store.sqlite")
    const runs: Array<StormRun> = []
    for (let n = 0; n < kills; n++) runs.push(await killed(file, 1 + n * 1_000_000, 20 + 37 * n))
    const store = SqliteStore.layer({ file }).pipe(Layer.provide(WallTime.layerClock))
    expect(await Effect.runPromise(stormProblems(runs).pipe(Effect.provide(store)))).toEqual([])
    expect(runs.every(({ acknowledged }) => acknowledged.length >= 20)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
