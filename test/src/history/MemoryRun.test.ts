/** Recorded runs of a good service have no problem. */
import { expect, it } from "vitest"
import { memoryRun } from "./MemoryRun.ts"

const runs = Number(process.env["RUNS"] ?? 4)

it("a service whose calls interleave gives answers that fit in one order", { timeout: 240_000 }, async () => {
  for (let seed = 1; seed <= runs; seed++) {
    const { calls, problems } = await memoryRun({ seed })
    expect(problems, `seed ${seed}`).toEqual([])
    expect(calls).toBeGreaterThan(150)
  }
})
