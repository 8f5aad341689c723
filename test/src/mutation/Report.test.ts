/** The report of a mutation run: the score, the survivors with their explanations, the test runner and the ignored nodes. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { ignored } from "../../scripts/mutation/Ignorer.ts"
import { makeSuite } from "../../scripts/mutation/Suite.ts"
import { type MutantReport, pageOf, percentOf, problemsOfSurvivors, scoreOf, sum, survivorsOf } from "./Report.ts"

const source = "const a = b\n  ? 1\n  : 2\n"
const mutant = (status: string, replacement = "") => ({
  mutatorName: "Conditional",
  replacement,
  status,
  location: { start: { line: 1, column: 11 }, end: { line: 3, column: 6 } },
})
const report = (...statuses: ReadonlyArray<string>): MutantReport => ({
  files: { "packages/core/src/kit/A.ts": { source, mutants: statuses.map((status) => mutant(status, "1")) } },
})
const survivor = "kit/A.ts: b ? 1 : 2 => 1"

describe("the score", () => {
  const found = scoreOf(report("Killed", "Killed", "Timeout", "Survived", "NoCoverage", "RuntimeError", "Ignored"))

  it("is the percentage of detected mutants among killed, timed-out and surviving ones", () => {
    expect(found).toEqual({ killed: 2, timedOut: 1, survived: 2, unloadable: 1, ignored: 1 })
    expect(percentOf(found)).toBe(60)
    expect(percentOf(sum([found, scoreOf(report("Killed", "Killed", "Killed", "Killed", "Killed"))]))).toBe(80)
    expect(percentOf(scoreOf(report()))).toBe(100)
  })

  it("is not computed for an incomplete run", () => {
    expect(() => scoreOf(report("Pending"))).toThrow("a mutant is Pending")
  })
})

describe("a survivor", () => {
  it("is named by its source text and replacement", () => {
    expect(survivorsOf(report("Killed", "Survived", "Timeout"))).toEqual([survivor])
    expect(survivorsOf(report("NoCoverage"))).toEqual([survivor])
  })

  it("is reported without an explanation, as is an explanation without a survivor or a reason", () => {
    const why = { why: "It is the same.", mutants: [survivor] }
    const check = (found: ReadonlyArray<string>, ...explained: Parameters<typeof problemsOfSurvivors>[1]) =>
      problemsOfSurvivors(found, explained, (path) => path === "kit/A.ts")
    expect(check([survivor], why)).toEqual([])
    expect(check([survivor])).toEqual([`survives unexplained: ${survivor}`])
    expect(check([], why)).toEqual([`is explained, and does not survive: ${survivor}`])
    expect(check([], { ...why, mutants: ["kit/B.ts: x => y"] })).toEqual([])
    expect(check([survivor], { ...why, why: " " })).toEqual([`survives for no reason: ${survivor}`])
  })

  it("is listed on the page below the score", () => {
    const results = [{ room: "kit", sources: 1, score: scoreOf(report("Killed", "Survived")), seconds: 61 }]
    const page = pageOf(results, [{ why: "It is the same.", mutants: ["kit/A.ts: a || b => a"] }], ["- **kit**"])
    expect(page).toContain("| kit | 1 | 50.0 | 1 | 0 | 1 | 0 | 0 | 61 |")
    expect(page).toContain("It is the same.\n\n- `kit/A.ts: a \\|\\| b => a`\n")
    expect(page).toContain("took 2 minutes")
  })
})

describe("the test runner of the mutants", () => {
  const executed: Array<string | undefined> = []
  const run = async (bail: boolean, selected: (id: string) => boolean = () => true) => {
    const tests = makeSuite()
    const {
      describe: group,
      it: test,
      beforeAll,
      afterAll,
    } = tests.modules.get("vitest") as { readonly [name: string]: CallableFunction }
    executed.length = 0
    tests.load("File", () => {
      test?.("one", () => executed.push("one"))
      group?.("inner", () => {
        beforeAll?.(() => executed.push("before"))
        afterAll?.(() => executed.push("after"))
        test?.("fails", () => Promise.reject(new Error("no")))
        test?.("two", () => executed.push("two"))
      })
      test?.("one", () => executed.push("one again"))
    })
    const ended = await tests.run(selected, { bail })
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
    const { it: test, afterAll } = tests.modules.get("vitest") as { readonly [name: string]: CallableFunction }
    tests.load("File", () => {
      test?.("one", () => undefined)
      afterAll?.(() => Promise.reject(new Error("no")))
    })
    const ended = await tests.run(() => true, { bail: false })
    expect(ended.map(({ failure, id }) => [id, failure])).toEqual([
      ["File > one", undefined],
      ["File > after", "no"],
    ])
  })

  it("runs tests that are effects, and a table of them", async () => {
    const tests = makeSuite()
    const { it: test } = tests.modules.get("@effect/vitest") as typeof import("@effect/vitest")
    const seen: Array<unknown> = []
    tests.load("File", () => {
      test.effect("one", () => Effect.sync(() => seen.push("one")))
      test.live("fails", () => Effect.die(new Error("no")))
      test.effect.each([1, 2])("row", (row) => Effect.sync(() => seen.push(row)))
    })
    const ended = await tests.run(() => true, { bail: false })
    expect(ended.map(({ failure, id }) => [id, failure])).toEqual([
      ["File > one", undefined],
      ["File > fails", "no"],
      ["File > row", undefined],
      ["File > row (2)", undefined],
    ])
    expect(seen).toEqual(["one", 1, 2])
  })
})

it("ignores documentation of schemas and names of tables, services and spans only", () => {
  const name = (text: string) => ({ type: "Identifier", name: text })
  const member = (object: string, property: string) => ({
    type: "MemberExpression",
    object: name(object),
    property: name(property),
  })
  const text = { type: "StringLiteral" }
  const record = { type: "ObjectExpression" }
  const call = (callee: object, ...given: ReadonlyArray<object>) => ({
    type: "CallExpression",
    callee: { type: "MemberExpression", ...callee },
    arguments: given,
  })
  expect(ignored(record, call(member("Schema", "annotate"), record))).toBe("documents a schema")
  expect(ignored(text, call(member("Table", "make"), text, record))).toBe("names a table")
  expect(ignored(text, call({ callee: member("Context", "Service") }, text))).toBe("names a service")
  expect(ignored(text, call(member("Effect", "fn"), text))).toBe("names a span")
  expect(ignored(record, call(member("Table", "make"), text, record))).toBeUndefined()
  expect(ignored(text, call(member("Rules", "make"), text))).toBeUndefined()
  expect(ignored(text, call(member("Table", "make"), record, text))).toBeUndefined()
  expect(ignored(text, record)).toBeUndefined()
})
