/** What a mutation run found is counted, and each survivor is held against its explanation. */
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

  it("counts what was noticed among what could be", () => {
    expect(found).toEqual({ killed: 2, timedOut: 1, survived: 2, unloadable: 1, ignored: 1 })
    expect(percentOf(found)).toBe(60)
    expect(percentOf(sum([found, scoreOf(report("Killed", "Killed", "Killed", "Killed", "Killed"))]))).toBe(80)
    expect(percentOf(scoreOf(report()))).toBe(100)
  })

  it("is none of a run that was broken off", () => {
    expect(() => scoreOf(report("Pending"))).toThrow("a mutant is Pending")
  })
})

describe("a survivor", () => {
  it("is named by what it changes", () => {
    expect(survivorsOf(report("Killed", "Survived", "Timeout"))).toEqual([survivor])
    expect(survivorsOf(report("NoCoverage"))).toEqual([survivor])
  })

  it("needs an explanation, which needs it and a reason", () => {
    const why = { why: "It is the same.", mutants: [survivor] }
    const check = (found: ReadonlyArray<string>, ...explained: Parameters<typeof problemsOfSurvivors>[1]) =>
      problemsOfSurvivors(found, explained, (path) => path === "kit/A.ts")
    expect(check([survivor], why)).toEqual([])
    expect(check([survivor])).toEqual([`survives unexplained: ${survivor}`])
    expect(check([], why)).toEqual([`is explained, and does not survive: ${survivor}`])
    expect(check([], { ...why, mutants: ["kit/B.ts: x => y"] })).toEqual([])
    expect(check([survivor], { ...why, why: " " })).toEqual([`survives for no reason: ${survivor}`])
  })

  it("stands on the page, with the score", () => {
    const results = [{ room: "kit", sources: 1, score: scoreOf(report("Killed", "Survived")), seconds: 61 }]
    const page = pageOf(results, [{ why: "It is the same.", mutants: ["kit/A.ts: a || b => a"] }], ["- **kit**"])
    expect(page).toContain("| kit | 1 | 50.0 | 1 | 0 | 1 | 0 | 0 | 61 |")
    expect(page).toContain("It is the same.\n\n- `kit/A.ts: a \\|\\| b => a`\n")
    expect(page).toContain("took 2 minutes")
  })
})

describe("the runner of the mutants", () => {
  const heard: Array<string | undefined> = []
  const run = async (bail: boolean, wanted: (id: string) => boolean = () => true) => {
    const tests = makeSuite()
    const {
      describe: group,
      it: test,
      beforeAll,
      afterAll,
    } = tests.api as { readonly [name: string]: CallableFunction }
    heard.length = 0
    tests.load("File", () => {
      test?.("one", () => heard.push("one"))
      group?.("inner", () => {
        beforeAll?.(() => heard.push("before"))
        afterAll?.(() => heard.push("after"))
        test?.("fails", () => Promise.reject(new Error("no")))
        test?.("two", () => heard.push("two"))
      })
      test?.("one", () => heard.push("one again"))
    })
    const ended = await tests.run(wanted, { bail })
    return ended.map(({ failure, id }) => (failure === undefined ? id : `${id}: ${failure}`))
  }

  it("runs every test in its order, each under a name of its own", async () => {
    expect(await run(false)).toEqual(["File > one", "File > inner > fails: no", "File > inner > two", "File > one (2)"])
    expect(heard).toEqual(["one", "before", "two", "after", "one again"])
  })

  it("stops at the first that fails, where it should", async () => {
    expect(await run(true)).toEqual(["File > one", "File > inner > fails: no"])
    expect(heard).toEqual(["one", "before"])
  })

  it("runs what is wanted, and what that needs", async () => {
    expect(await run(false, (id) => id.endsWith("two"))).toEqual(["File > inner > two"])
    expect(heard).toEqual(["before", "two", "after"])
    expect(await run(false, (id) => id === "File > one")).toEqual(["File > one"])
    expect(heard).toEqual(["one"])
  })
})

it("what only documents or names is ignored, and nothing else", () => {
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
