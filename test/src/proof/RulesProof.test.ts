/** The proof of rule lists proves itself: a sound list passes, and each kind of unsound one is found. */
import { Rules } from "@countersign/core/verify"
import { describe, expect, it } from "vitest"
import {
  gapsOf,
  type PrecedenceTable,
  problemsOfPrecedence,
  problemsOfRow,
  provePrecedence,
  proveRow,
} from "../../../packages/test/src/proof/RulesProof.ts"

interface Facts {
  readonly isOpen: boolean
  readonly guest: { readonly age: number } | undefined
  readonly seats: number
}
type Row = readonly [
  name: string,
  test: (facts: Facts) => { readonly code: string; readonly least?: number } | undefined,
]

const open: Row = ["OPEN", (facts) => (facts.isOpen ? undefined : { code: "SHUT" })]
const known: Row = ["KNOWN", (facts) => (facts.guest === undefined ? { code: "NOBODY" } : undefined)]
const grown: Row = [
  "GROWN",
  ({ guest }) => (guest !== undefined && guest.age < 18 ? { code: "YOUNG", least: 18 } : undefined),
]
const seated: Row = ["SEATED", (facts) => (facts.seats < 1 ? { code: "FULL" } : undefined)]

const tavern = Rules.make<Facts, { readonly code: string; readonly least?: number }>("Tavern", [
  open,
  known,
  grown,
  seated,
])
const table: PrecedenceTable<Facts> = {
  broken: { isOpen: false, guest: undefined, seats: 0 },
  steps: [
    ["OPEN", { isOpen: true }, { code: "SHUT" }],
    ["KNOWN", { guest: { age: 17 } }],
    ["GROWN", (facts) => ({ ...facts, guest: { age: 18 } }), { least: 18 }],
    ["SEATED", { seats: 1 }],
  ],
  masked: { GROWN: "nobody has no age" },
}
const aged = (age: number): Facts => ({ isOpen: true, guest: { age }, seats: 1 })

provePrecedence(tavern, table)
proveRow(tavern, "GROWN", [
  ["one year short", aged(17), { answer: { code: "YOUNG" } }],
  ["the very year", aged(18), "holds"],
])

const list = (...rows: ReadonlyArray<Row>) => Rules.make("Tavern", rows)
const withSteps = (...steps: PrecedenceTable<Facts>["steps"]): PrecedenceTable<Facts> => ({ ...table, steps })

it("a gap in an answer is an empty text or object, however deep", () => {
  expect(gapsOf({ code: "SHUT", least: 0, details: { hint: null, since: undefined, days: [] } })).toEqual([])
  expect(gapsOf({ code: "", details: {}, days: ["Sunday", " "] })).toEqual([
    "the answer.code",
    "the answer.details",
    "the answer.days.1",
  ])
})

describe("the precedence proof finds", () => {
  it("nothing in a sound list", () => {
    expect(problemsOfPrecedence(tavern, table)).toEqual([])
  })

  it("a new row without a line", () => {
    const sober: Row = ["SOBER", () => undefined]
    expect(problemsOfPrecedence(list(open, known, grown, seated, sober), table)).toEqual([
      "SOBER has no line",
      "the broken facts do not break SOBER",
    ])
  })

  it("a line without a row, and a line given twice", () => {
    expect(problemsOfPrecedence(list(open, known, grown), table)).toContain("no row is called SEATED")
    const twice = problemsOfPrecedence(tavern, withSteps(...table.steps, ["SEATED", { seats: 2 }]))
    expect(twice).toContain("SEATED has two lines")
    expect(twice).toContain("line 5 (SEATED): no row answers")
  })

  it("rows in another order", () => {
    expect(problemsOfPrecedence(list(seated, open, known, grown), table)).toContain("line 1 (OPEN): SEATED answers")
  })

  it("a list without a name", () => {
    expect(
      problemsOfPrecedence(
        Rules.make(
          "",
          tavern.rows.map(({ name, test }) => [name, test]),
        ),
        table,
      ),
    ).toEqual(["the list has no name"])
  })

  it("two rows of one name", () => {
    expect(problemsOfPrecedence(list(open, known, grown, seated, seated), table)).toContain(
      "two rows are called SEATED",
    )
  })

  it("a list that does not answer with its first row", () => {
    const wrong = { ...tavern, first: () => ({ rule: "SEATED", refusal: { code: "FULL" } }) }
    expect(problemsOfPrecedence(wrong, table)).toContain("line 1 (OPEN): the first row that fails is OPEN")
    expect(problemsOfPrecedence(wrong, table)).toContain("after the last line SEATED still fails")
  })

  it("an answer that is another one", () => {
    const steps = withSteps(["OPEN", { isOpen: true }, { code: "AWAY" }], ...table.steps.slice(1))
    expect(problemsOfPrecedence(tavern, steps)).toEqual([
      'line 1 (OPEN): answers {"code":"SHUT"}, which lacks {"code":"AWAY"}',
    ])
  })

  it("an answer with a gap in it", () => {
    const silent: Row = ["OPEN", (facts) => (facts.isOpen ? undefined : { code: "" })]
    expect(problemsOfPrecedence(list(silent), withSteps(["OPEN", { isOpen: true }]))).toContain(
      "line 1 (OPEN): the answer.code is empty",
    )
  })

  it("facts that leave a row whole from the start", () => {
    const wrong = { ...table, broken: { ...table.broken, seats: 1 } }
    expect(problemsOfPrecedence(tavern, wrong)).toContain("the broken facts do not break SEATED")
  })

  it("a line that repairs nothing, more than its row, or breaks another", () => {
    expect(problemsOfPrecedence(tavern, withSteps(["OPEN", {}], ...table.steps.slice(1)))).toContain(
      "line 1 (OPEN): repairs nothing",
    )
    expect(
      problemsOfPrecedence(tavern, withSteps(["OPEN", { isOpen: true, seats: 1 }], ...table.steps.slice(1))),
    ).toContain("line 1 (OPEN): repairs SEATED too")
    expect(
      problemsOfPrecedence(tavern, withSteps(...table.steps.slice(0, 3), ["SEATED", { seats: 1, isOpen: false }])),
    ).toEqual(["line 4 (SEATED): breaks OPEN", "after the last line OPEN still fails"])
  })

  it("a row that is masked without need or reason", () => {
    const wrong = { ...table, masked: { GROWN: "", OPEN: "no reason at all" } }
    expect(problemsOfPrecedence(tavern, wrong)).toEqual(["GROWN is masked without a reason", "OPEN is not masked"])
  })

  it("a row that throws", () => {
    const wild: Row = [
      "WILD",
      () => {
        throw new Error("no such guest")
      },
    ]
    expect(problemsOfPrecedence(list(wild), table)).toEqual(["a row does not answer but throws: Error: no such guest"])
  })
})

describe("the proof of a row finds", () => {
  it("a boundary on the wrong side", () => {
    const cases = [
      ["one year short", aged(17), "holds"],
      ["the very year", aged(18), "fails"],
    ] as const
    expect(problemsOfRow(tavern, "GROWN", cases)).toEqual([
      'GROWN, one year short: fails with {"code":"YOUNG","least":18}',
      "GROWN, the very year: holds",
    ])
  })

  it("a list without a name", () => {
    const nameless = Rules.make("", [grown])
    expect(problemsOfRow(nameless, "GROWN", [])).toEqual(["the list has no name"])
  })

  it("a list that is longer than it should be, or shorter", () => {
    const listed = Rules.make<Facts, object>("Listed", [["ALL", () => ({ days: ["Monday", "Tuesday"] })]])
    const days = (...names: ReadonlyArray<string>) =>
      problemsOfRow(listed, "ALL", [["any", aged(1), { answer: { days: names } }]]).slice(1)
    expect(days("Monday", "Tuesday")).toEqual([])
    expect([days("Monday"), days(), days("Monday", "Tuesday", "Sunday")].map((found) => found.length)).toEqual([
      1, 1, 1,
    ])
  })

  it("cases of one side only, a wrong answer, and an unknown row", () => {
    expect(problemsOfRow(tavern, "GROWN", [["grown", aged(18), "holds"]])).toEqual(["GROWN: no case in which it fails"])
    expect(problemsOfRow(tavern, "GROWN", [["young", aged(1), { answer: { least: 21 } }]])).toEqual([
      "GROWN: no case in which it holds",
      'GROWN, young: answers {"code":"YOUNG","least":18}, which lacks {"least":21}',
    ])
    const silent: Row = ["GROWN", () => ({ code: " " })]
    expect(problemsOfRow(list(silent), "GROWN", [["young", aged(1), "fails"]])).toContain(
      "GROWN, young: the answer.code is empty",
    )
    expect(problemsOfRow(tavern, "SILENT", [])).toEqual(["no row is called SILENT"])
  })
})
