/**
 * Every operation responds to every request as defined, on a harness that contains records of every kind: the operations by
 * group, and all together. The environment variable RUNS sets the number of histories; the default keeps the tests short.
 */

import { beforeAll, describe, expect, it } from "vitest"
import { everyAnswer } from "../../../packages/test/src/arbitraries/EveryAnswer.ts"
import { operations } from "../../../packages/test/src/arbitraries/Operations.ts"
import { type PopulatedHarness, populatedHarness } from "../http/PopulatedHarness.ts"

const runs = Number(process.env["RUNS"] ?? 1)
const withinMillis = 60_000 + runs * 10_000
const groups = [...Map.groupBy(operations, ({ name }) => name.slice(0, name.indexOf(".")))]

let populated: PopulatedHarness
beforeAll(async () => {
  populated = await populatedHarness()
})

/** How often each operation succeeded, and how many requests were sent. */
const done = new Map<string, number>()
let sent = 0

const problemsOf = (some: typeof operations, requests: number) =>
  everyAnswer(populated.open, {
    operations: some,
    known: populated.known,
    requests,
    runs,
    withinMillis,
    onAnswer: ({ name }, { status }) => {
      sent++
      if (status < 300) done.set(name, (done.get(name) ?? 0) + 1)
    },
  })

describe("every response to a generated request", { timeout: withinMillis * 2 }, () => {
  it.each(groups)("is valid for the operations of %s", async (_, some) => {
    expect(await problemsOf(some, 18)).toEqual([])
  })

  it("is valid for all operations together", async () => {
    expect(await problemsOf(operations, 4)).toEqual([])
  })

  it("is a success at least once for more than half of the operations", () => {
    expect(sent).toBeGreaterThan(operations.length * 15)
    expect(done.size).toBeGreaterThan(operations.length / 2)
    if (process.env["RUNS"] !== undefined) {
      console.log(
        `${sent} requests; never successful: ${operations.flatMap(({ name }) => (done.has(name) ? [] : [name])).join(", ")}`,
      )
    }
  })
})
