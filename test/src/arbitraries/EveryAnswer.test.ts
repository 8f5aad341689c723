/**
 * Every operation answers every request, in a world that holds something of everything: its operations by group, and all of them together.
 * RUNS says how many such histories each of them is asked: the default keeps the suite short.
 */

import { beforeAll, describe, expect, it } from "vitest"
import { everyAnswer } from "../../../packages/test/src/arbitraries/EveryAnswer.ts"
import { operations } from "../../../packages/test/src/arbitraries/Operations.ts"
import { type PopulatedHarness, populatedHarness } from "../http/PopulatedHarness.ts"

const runs = Number(process.env["RUNS"] ?? 1)
const withinMillis = 60_000 + runs * 10_000
const groups = [...Map.groupBy(operations, ({ name }) => name.slice(0, name.indexOf(".")))]

let held: PopulatedHarness
beforeAll(async () => {
  held = await populatedHarness()
})

/** How often each operation did what it was asked, and how many requests there were. */
const done = new Map<string, number>()
let sent = 0

const asked = (some: typeof operations, requests: number) =>
  everyAnswer(held.open, {
    operations: some,
    known: held.known,
    requests,
    runs,
    withinMillis,
    onAnswer: ({ name }, { status }) => {
      sent++
      if (status < 300) done.set(name, (done.get(name) ?? 0) + 1)
    },
  })

describe("every operation answers every request", { timeout: withinMillis * 2 }, () => {
  it.each(groups)("of %s", async (_, some) => {
    expect(await asked(some, 18)).toEqual([])
  })

  it("of them all together", async () => {
    expect(await asked(operations, 4)).toEqual([])
  })

  it("and most of them do what they are asked, sometimes", () => {
    expect(sent).toBeGreaterThan(operations.length * 15)
    expect(done.size).toBeGreaterThan(operations.length / 2)
    if (process.env["RUNS"] !== undefined) {
      console.log(
        `${sent} requests; never done: ${operations.flatMap(({ name }) => (done.has(name) ? [] : [name])).join(", ")}`,
      )
    }
  })
})
