/** The search for schedules keeps what reached something new, varies it, and goes on where an earlier search ended. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openCorpus } from "./Corpus.ts"
import { randomness } from "./Randomness.ts"
import { countsOf, featuresOf, targets } from "./Reached.ts"
import { replay, type Schedule, scheduleOf, simulate } from "./Simulation.ts"

const differing = (a: Schedule, b: Schedule) =>
  (["actions", "faults", "order"] as const).filter((part) => a[part] !== b[part]).length

it("keeps what reached something new, and continues from its file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-corpus-"))
  const file = join(folder, "deep", "corpus.json")
  const first = openCorpus(file, randomness(1))
  expect(first.take(scheduleOf(7), new Set(["a", "b"]))).toBe(2)
  expect(first.take(scheduleOf(8), new Set(["b"]))).toBe(0)
  expect(first.take(scheduleOf(9), new Set(["b", "c"]))).toBe(1)
  first.save()
  const second = openCorpus(file, randomness(2))
  expect([second.size(), second.runs(), [...second.features()]]).toEqual([2, 3, ["a", "b", "c"]])
  const next = Array.from({ length: 200 }, () => second.next())
  const known = [scheduleOf(7), scheduleOf(9)]
  const varied = next.filter((schedule) => known.some((kept) => differing(schedule, kept) === 1))
  const fresh = next.filter(({ actions, faults, order }) => actions === faults && faults === order)
  expect(varied.length + fresh.length).toBe(200)
  expect(Math.min(varied.length, fresh.length)).toBeGreaterThan(50)
  await rm(folder, { recursive: true })
})

it("a run of a schedule repeats, and each of its seeds changes it", { timeout: 120_000 }, async () => {
  const schedule = { actions: 3, faults: 8, order: 25 }
  const once = await simulate(schedule)
  expect(await simulate(schedule)).toEqual(once)
  for (const part of ["actions", "faults", "order"] as const) {
    expect((await simulate({ ...schedule, [part]: 99 })).trace).not.toBe(once.trace)
  }
  expect(replay(schedule)).toBe("schedule 3,8,25: npm run simulate -- --schedule 3,8,25")
  expect(replay(scheduleOf(5))).toBe(replay(5))
})

it("what a run reached is named as the tables name it", { timeout: 120_000 }, async () => {
  const found = featuresOf(countsOf(await simulate(3)))
  const known = new Set(Object.values(targets).flat())
  const names = [...found].filter((name) => !/ x\d+$| with |: refused$/u.test(name))
  expect(names.filter((name) => !known.has(name))).toEqual([])
  for (const what of ["arrow", "rule", "action", "fault"])
    expect(names.join("\n")).toMatch(new RegExp(`^${what} `, "mu"))
})
