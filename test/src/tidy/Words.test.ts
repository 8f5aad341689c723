/** The word rules find what they look for, and only there. */
import { describe, expect, it } from "vitest"
import type { SourceFile } from "./Repository.ts"
import { exceptions, problemsOfExceptions, problemsOfWords, wordRules } from "./Words.ts"

const inCore = (text: string): SourceFile => ({ path: "packages/core/src/card/Cards.ts", text })
const inTest = (text: string): SourceFile => ({ path: "test/src/card/Cards.test.ts", text })

/** One violation at least for each rule, and what comes close without being one. */
const cases: Readonly<Record<string, readonly [wrong: ReadonlyArray<SourceFile>, right: ReadonlyArray<SourceFile>]>> = {
  "time without a clock": [
    [inCore("const now = Date.now()"), inCore("const now = new Date( )"), inCore("performance.now()")],
    [inCore("new Date(millis)"), inCore("DateTime.now"), inTest("Date.now()"), inCore("// never Date.now()")],
  ],
  "chance without a service": [
    [inCore("Math.random()"), inCore("globalThis.crypto.randomUUID()")],
    [inCore("Math.round(1)"), inCore("random.randomBytes(8)")],
  ],
  console: [
    [inCore('console.log("x")'), inCore("console\n.error(1)")],
    [inCore("Logger.consoleJson"), inTest("console.log(1)")],
  ],
  timer: [
    [inCore("setTimeout(run, 5)"), inCore("setInterval (run)")],
    [inCore("timeoutMillis"), inCore("clearTimeout(x)")],
  ],
  any: [
    [
      inCore("const x: any = 1"),
      inCore("f<any>()"),
      inCore("x as any"),
      inTest("ReadonlyArray<any>"),
      inCore("`${x as any}`"),
    ],
    [
      inCore('const any: Any = "any"'),
      inCore("Schema.any"),
      inCore("anyStored"),
      inCore("/** any value */"),
      inCore("any(1)"),
    ],
  ],
  "double assertion": [
    [inCore("x as unknown as Card"), inTest("(x as unknown\n as Card)")],
    [inCore("x as unknown"), inCore("unknown")],
  ],
  "non-null assertion": [
    [inCore("list[0]!.id"), inCore("f()!"), inTest("card!\n"), inCore("let card!: Card"), inCore("`${card!}`")],
    [
      inCore("!card"),
      inCore("a !== b"),
      inCore("a != b"),
      inCore("(!a)"),
      inCore('"Stop!"'),
      inCore("`${card}!`"),
      inCore("/a!/u.test(b)"),
    ],
  ],
  "silenced check": [
    [
      inCore("// @ts-ignore\nx"),
      inTest("/* @ts-expect-error: no */"),
      inCore("// biome-ignore lint: no"),
      inCore("/** @ts-nocheck */"),
    ],
    [inTest('"// @ts-ignore"'), inCore("const ignore = 1")],
  ],
  "test that does not run": [
    [
      inTest("it.skip(1)"),
      inTest("describe.only(1)"),
      inTest("it.effect.skip(1)"),
      inTest("test.todo(1)"),
      inTest("it.fails(1)"),
      inTest("it.skipIf(a)(1)"),
    ],
    [inTest("it.each(1)"), inTest("it.effect(1)"), inTest("list.skip(1)"), inTest('it("is read only", 1)')],
  ],
  wait: [
    [
      inTest("setTimeout(done, 50)"),
      inTest('yield* Effect.sleep("1 second")'),
      { path: "test/src/e2eish/a.ts", text: "setTimeout(a)" },
    ],
    [inTest('TestClock.adjust("1 second")'), { path: "test/src/e2e/Serve.test.ts", text: "setTimeout(done, 50)" }],
  ],
  "sandbox branch": [
    [
      inCore("if (config.sandbox) {}"),
      inCore("const isSandbox = true"),
      inCore('mode === "sandbox"'),
      inCore('x !== "sandbox" ? 1 : 2'),
    ],
    [
      { path: "packages/core/src/sandbox/Rails.ts", text: "if (sandboxed) {}" },
      { path: "packages/cli/src/Serve.ts", text: 'mode === "sandbox"' },
      inCore('post("/sandbox/send")'),
      inCore("sandboxCurrencies"),
      inCore("// if (sandbox)"),
    ],
  ],
}

describe.each(wordRules.map(({ name }) => name))("the rule against %s", (name) => {
  const [wrong, right] = cases[name] ?? [[], []]

  it("has cases", () => {
    expect(wrong.length).toBeGreaterThan(0)
    expect(right.length).toBeGreaterThan(0)
  })

  it.each(wrong)("finds $text", (file) => {
    expect(problemsOfWords(file).filter((problem) => problem.includes(`: ${name}: `))).toHaveLength(1)
  })

  it.each(right)("leaves $text", (file) => {
    expect(problemsOfWords(file)).toEqual([])
  })
})

it("says where the word stands", () => {
  expect(problemsOfWords(inCore("/** One. */\nconst x = 1\nconst y = Date.now()\n"))).toEqual([
    "packages/core/src/card/Cards.ts:3: time without a clock: Date.now",
  ])
})

describe("an exception", () => {
  const timer = { rule: "timer", path: "packages/core/src/card/Cards.ts", reason: "the issuer's own timer" }
  const needs = inCore("setTimeout(run, 1)")

  it("excuses its file from its rule, and nothing else", () => {
    expect(problemsOfWords(needs, [timer])).toEqual([])
    expect(problemsOfWords(needs, [{ ...timer, rule: "console" }])).toHaveLength(1)
    expect(problemsOfWords(needs, [{ ...timer, path: "packages/core/src/card/" }])).toEqual([])
    expect(problemsOfWords(needs, [{ ...timer, path: "packages/core/src/car" }])).toHaveLength(1)
  })

  it("is a problem without a reason, a rule or a need", () => {
    expect(problemsOfExceptions([needs], [timer])).toEqual([])
    expect(problemsOfExceptions([needs], [{ ...timer, reason: " " }])).toEqual([
      "packages/core/src/card/Cards.ts is excused from timer without a reason",
    ])
    expect(problemsOfExceptions([needs], [{ ...timer, rule: "tmier" }])).toEqual(["no rule is called tmier"])
    expect(problemsOfExceptions([inCore("x")], [timer])).toEqual([
      "packages/core/src/card/Cards.ts is excused from timer, which it does not need",
    ])
  })

  it("has a folder's standing only for waits on real sockets and processes", () => {
    expect(exceptions.filter(({ path }) => path.endsWith("/")).map(({ rule }) => rule)).toEqual([
      "wait",
      "wait",
      "wait",
      "wait",
    ])
  })
})
