/** The test runner of the mutants: groups, tests, hooks, tables, effects, and what it leaves out. */
import { Effect } from "effect"
import { describe, expect, it, vi } from "vitest"
import * as NoDatabase from "../../scripts/mutation/NoDatabase.ts"
import { makeSuite } from "../../scripts/mutation/Suite.ts"

const vitestOf = ({ modules }: ReturnType<typeof makeSuite>) =>
  modules.get("vitest") as { readonly [name: string]: CallableFunction }

describe("the test runner of the mutants", () => {
  const executed: Array<string | undefined> = []
  const run = async (bail: boolean, selected: (id: string) => boolean = () => true) => {
    const tests = makeSuite()
    const { describe: group, it: test, beforeAll, afterAll } = vitestOf(tests)
    executed.length = 0
    await tests.load("File", () => {
      test?.("one", () => executed.push("one"))
      group?.("inner", () => {
        beforeAll?.(() => executed.push("before"))
        afterAll?.(() => executed.push("after"))
        test?.("fails", () => Promise.reject(new Error("no")))
        test?.("two", () => executed.push("two"))
      })
      test?.("one", () => executed.push("one again"))
    })
    const ended = await tests.run({ isSelected: selected, bail })
    return ended.map(({ failure, id }) => (failure === undefined ? id : `${id}: ${failure}`))
  }

  it("runs every test in order under a unique id", async () => {
    expect(await run(false)).toEqual(["File > one", "File > inner > fails: no", "File > inner > two", "File > one (2)"])
    expect(executed).toEqual(["one", "before", "two", "after", "one again"])
  })

  it("stops after the first failure with `bail`", async () => {
    expect(await run(true)).toEqual(["File > one", "File > inner > fails: no"])
    expect(executed).toEqual(["one", "before"])
  })

  it("runs the selected tests and the hooks of their groups", async () => {
    expect(await run(false, (id) => id.endsWith("two"))).toEqual(["File > inner > two"])
    expect(executed).toEqual(["before", "two", "after"])
    expect(await run(false, (id) => id === "File > one")).toEqual(["File > one"])
    expect(executed).toEqual(["one"])
  })

  it("reports a hook that fails as a result of its group", async () => {
    const tests = makeSuite()
    const { it: test, afterAll } = vitestOf(tests)
    await tests.load("File", () => {
      test?.("one", () => undefined)
      afterAll?.(() => Promise.reject(new Error("no")))
    })
    const ended = await tests.run({ isSelected: () => true, bail: false })
    expect(ended.map(({ failure, id }) => [id, failure])).toEqual([
      ["File > one", undefined],
      ["File > after", "no"],
    ])
  })

  it("runs tests that are effects, and a table of them", async () => {
    const tests = makeSuite()
    const { it: test } = tests.modules.get("@effect/vitest") as typeof import("@effect/vitest")
    const seen: Array<unknown> = []
    await tests.load("File", () => {
      test.effect("one", () => Effect.sync(() => seen.push("one")))
      test.live("fails", () => Effect.die(new Error("no")))
      test.effect.each([1, 2])("row", (row) => Effect.sync(() => seen.push(row)))
    })
    const ended = await tests.run({ isSelected: () => true, bail: false })
    expect(ended.map(({ failure, id }) => [id, failure])).toEqual([
      ["File > one", undefined],
      ["File > fails", "no"],
      ["File > row", undefined],
      ["File > row (2)", undefined],
    ])
    expect(seen).toEqual(["one", 1, 2])
  })

  it("gives a test the items of its row where all rows are lists, and the row itself otherwise", async () => {
    const tests = makeSuite()
    const seen: Array<unknown> = []
    await tests.load("File", () => {
      const each = (rows: ReadonlyArray<unknown>) =>
        Object(vitestOf(tests)["it"]).each(rows)("row", (...given: ReadonlyArray<unknown>) => seen.push(given))
      each([[1, 2], [3]])
      each([[1, 2], "3"])
    })
    await tests.run({ isSelected: () => true, bail: false })
    expect(seen).toEqual([[1, 2], [3], [[1, 2]], ["3"]])
  })

  it("leaves settings of time to the runner of the process", () => {
    const { vi: own } = vitestOf(makeSuite())
    expect(own).toMatchObject({ fn: vi.fn })
    expect(Object(own).setConfig).not.toBe(vi.setConfig)
    expect(Object(own).resetConfig).not.toBe(vi.resetConfig)
  })

  it("runs the hooks of each test from the outer group to the inner, and back", async () => {
    const tests = makeSuite()
    const { describe: group, it: test, beforeEach, afterEach, onTestFinished } = vitestOf(tests)
    const seen: Array<string> = []
    const say = (text: string) => () => seen.push(text)
    await tests.load("File", () => {
      beforeEach?.(say("before"))
      afterEach?.(say("after"))
      group?.("inner", () => {
        beforeEach?.(say("inner before"))
        afterEach?.(say("inner after"))
        test?.("one", () => {
          onTestFinished?.(say("finished"))
          seen.push("one")
        })
        test?.("fails", () => Promise.reject(new Error("no")))
      })
    })
    const ended = await tests.run({ isSelected: () => true, bail: false })
    expect(ended.map(({ failure }) => failure)).toEqual([undefined, "no"])
    const one = ["before", "inner before", "one", "inner after", "after", "finished"]
    expect(seen).toEqual([...one, "before", "inner before", "inner after", "after"])
  })

  it("leaves out the tests of a database, and runs those in memory beside them", async () => {
    const tests = makeSuite()
    const { describe: group, it: test, beforeAll, afterAll } = vitestOf(tests)
    await tests.load("File", () => {
      const database = NoDatabase.create()
      afterAll?.(() => database)
      test?.("needs a database", () => database)
      test?.("needs none", () => undefined)
      group?.("with a database", () => {
        beforeAll?.(() => database)
        test?.("one", () => undefined)
      })
    })
    const ended = await tests.run({ isSelected: () => true, bail: false })
    expect(ended.map(({ failure, id }) => [id, failure])).toEqual([["File > needs none", undefined]])
  })

  it("runs the files first that may take least, and ends a test that takes longer than it may", async () => {
    const tests = makeSuite()
    const { it: test } = vitestOf(tests)
    const limits = new Map([
      ["Slow > one", 20_000],
      ["Fast > one", 10_000.25],
      ["Fast > hangs", 1],
    ])
    await tests.load("Slow", () => test?.("one", () => undefined))
    await tests.load("Fast", () => {
      test?.("one", () => undefined)
      test?.("hangs", () => new Promise(() => undefined))
    })
    const ended = await tests.run({ isSelected: () => true, bail: false, limitOf: (id) => limits.get(id) ?? 0 })
    expect(ended.map(({ id, isLate }) => [id, isLate])).toEqual([
      ["Fast > one", undefined],
      ["Fast > hangs", true],
      ["Slow > one", undefined],
    ])
  })
})
