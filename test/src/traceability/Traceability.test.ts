/** The statements of the specification and the tests that prove them: in step, and the checks find what is not. */
import { describe, expect, it } from "vitest"
import { traceabilityPage } from "../../scripts/TraceabilityPage.ts"
import { sources } from "../tidy/Repository.ts"
import { problemsOfCodes, problemsOfProofs, problemsOfStatements, problemsOfTraceability } from "./Problems.ts"
import { proofsOf } from "./Proofs.ts"
import { sections } from "./Sections.ts"

const path = "test/src/card/Cards.test.ts"
const found = (...lines: ReadonlyArray<string>) => proofsOf({ path, text: lines.join("\n") })
const titles = (...lines: ReadonlyArray<string>) => found(...lines).proofs.map(({ title }) => title)
const one = { id: "RES-CARD-01", says: "A card has an id." }
const named = { id: "GEN-13", says: "There are stablecoins.", namedOnly: "Nothing is said of them." }
const proof = (...ids: ReadonlyArray<string>) => ({ ids, path, title: "is issued" })

it("the statements, tests and sources of this repository have no problems", () => {
  expect(problemsOfTraceability(sections, sources())).toEqual([])
})

describe("a proof", () => {
  it("is found above a test, with its ids, its file and its title", () => {
    expect(found("  // Proves: CONV-01, ERR-INVALID_INPUT", '  it("is JSON", () => {', "  })")).toEqual({
      proofs: [{ ids: ["CONV-01", "ERR-INVALID_INPUT"], path, title: "is JSON" }],
      problems: [],
    })
  })

  it.each([
    ["a suite", "card", ["describe('card', () => {})"]],
    ["an effect", "says `so`", ['it.effect("says `so`", () => run)']],
    ["a table", "is %s", ["it.each([", '  ["(a", 1],', '])("is %s", () => {})']],
    [
      "a typed table",
      "is %s",
      ["it.each<readonly [string, () => number]>([", '  ["(a", one],', "])(", '  "is %s",', "  () => {},", ")"],
    ],
    ["a table of effects", "is $a", ['it.effect.each(rows)("is $a", ({ a }) => run)']],
    ["a property", "is exact", ['it.effect.prop("is exact", [numbers], () => run)']],
    ["a title that is computed", "name", ["test(name, () => {})"]],
    ["a title with a comma and a bracket", "one, (two", ['it("one, (two", () => {})']],
    ["a proof of ours", 'proveRow(CardRules, "form")', ['proveRow(CardRules, "form", [', "  [1],", "])"]],
  ] as const)("has the title of %s", (_what, title, lines) => {
    expect(titles("// Proves: CONV-01", ...lines)).toEqual([title])
  })

  it("has the titles of the suites around it, and of no other", () => {
    const lines = [
      'describe("before", () => {})',
      'describe.each(["("])("the %s", () => {',
      '  describe("a test", () => {',
      "    // Proves: CONV-01",
      '    it("is found", () => {})',
      "  })",
      "  // Proves: CONV-02",
      '  it("is found too", () => {})',
      "})",
    ]
    expect(titles(...lines)).toEqual(["the %s › a test › is found", "the %s › is found too"])
  })

  it("may take several lines, and stand beside other comments", () => {
    const lines = ["// Proves: CONV-01", "// Proves: CONV-02", "// Sent twice.", 'it("is JSON", () => {})']
    expect(found(...lines).proofs.map(({ ids, title }) => [ids, title])).toEqual([
      [["CONV-01"], "is JSON"],
      [["CONV-02"], "is JSON"],
    ])
  })

  it("is not read from a string", () => {
    expect(found("const text = `", "// Proves: CONV-01", "`")).toEqual({ proofs: [], problems: [] })
  })

  it.each([
    ["a value", ["const a = 1"]],
    ["a call that is no test", ['expect("a").toBe("b")']],
    ["an empty line", ["", 'it("is JSON", () => {})']],
    ["the end", []],
  ] as const)("is a problem above %s", (_what, lines) => {
    expect(found("// Proves: CONV-01", ...lines).problems).toEqual([`${path}:1: no test stands below CONV-01`])
  })

  it.each([
    "// Proves: conv-01",
    "// Proves: CONV",
    "// Proves: CONV-01 CONV-02",
    "// Proves: CONV-01, and more",
    "// Proves:",
    "// Proves: ",
    "/** Proves: CONV-01 */",
    "const a = 1 // Proves: CONV-01",
  ])("is a problem as %s", (comment) => {
    expect(found(comment, 'it("is JSON", () => {})')).toEqual({
      proofs: [],
      problems: [`${path}:1: not written as "// Proves: AREA-01, AREA-02"`],
    })
  })
})

describe("a statement", () => {
  it("is valid with an id and a text, and with a reason if it is named only", () => {
    expect(problemsOfStatements([one, named])).toEqual([])
    expect(problemsOfProofs([one, named], [proof("RES-CARD-01")])).toEqual([])
  })

  it("is a problem without an id, a text or a reason, and if it is repeated", () => {
    expect(problemsOfStatements([{ ...one, id: "card 1" }])).toEqual(["card 1: not an id"])
    expect(problemsOfStatements([{ ...one, says: " " }])).toEqual(["RES-CARD-01: says nothing"])
    expect(problemsOfStatements([{ ...named, namedOnly: " " }])).toEqual(["GEN-13: named only, without a reason"])
    expect(problemsOfStatements([one, named, { ...one, says: "Again." }])).toEqual(["RES-CARD-01: given twice"])
  })

  it("is a problem without a test, and with one if it is named only", () => {
    expect(problemsOfProofs([one], [])).toEqual(["RES-CARD-01: no test proves it"])
    expect(problemsOfProofs([named], [proof("GEN-13")])).toEqual(["GEN-13: named only, and yet a test proves it"])
  })

  it("is a problem if a test names an unknown id", () => {
    expect(problemsOfProofs([one], [proof("RES-CARD-01", "RES-CARD-99")])).toEqual([
      `${path}: "is issued" proves RES-CARD-99, which no statement has`,
    ])
  })

  it("reports all problems at once", () => {
    const text = "// Proves: CONV-99\nit('is', () => {})\n// Proves: ONE\n"
    expect(problemsOfTraceability([{ title: "Cards", statements: [one, one] }], [{ path, text }])).toEqual([
      `${path}:3: not written as "// Proves: AREA-01, AREA-02"`,
      "RES-CARD-01: given twice",
      "RES-CARD-01: no test proves it",
      "RES-CARD-01: no test proves it",
      `${path}: "is" proves CONV-99, which no statement has`,
    ])
  })
})

describe("a code that nothing can reach", () => {
  const unreached = { id: "ERR-LOW_QUALITY", says: "400: blurred.", namedOnly: "There are no documents." }
  const source = (text: string) => [{ path: "packages/core/src/card/Cards.ts", text }]

  it.each([
    '{ code: "LOW_QUALITY" }',
    'refusal("LOW_QUALITY")',
    'notFound("card", "LOW_QUALITY")',
    'field("a", "b", "LOW_QUALITY")',
  ])("is a problem where a source has %s", (text) => {
    expect(problemsOfCodes([unreached], source(text))).toEqual([
      "ERR-LOW_QUALITY: named only, and yet packages/core/src/card/Cards.ts answers with it",
    ])
  })

  it("is no problem if the word means something else, or if the code is proven", () => {
    expect(problemsOfCodes([unreached], source('const states = ["LOW_QUALITY"]\ncode: "CONFLICT"'))).toEqual([])
    const { namedOnly: _, ...proven } = unreached
    expect(problemsOfCodes([proven], source('code: "LOW_QUALITY"'))).toEqual([])
  })
})

it("the page counts statements, links their tests, and gives the reason of those that are named only", () => {
  const text = "// Proves: RES-CARD-01\nit('is <b>', () => {})\n"
  const page = traceabilityPage([{ title: "Cards", statements: [one, named] }], [{ path, text }])
  expect(page).toContain("**2 statements: 1 proven, 1 named only.**")
  expect(page).toContain(`| \`RES-CARD-01\` | A card has an id. | [card/Cards.test.ts](../${path}): is &lt;b> |`)
  expect(page).toContain("| `GEN-13` | There are stablecoins. | **named only**: Nothing is said of them. |")
})
