/** The checks of the rule proof: a correct list passes, and each kind of mistake is reported. */
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
  masked: { GROWN: "a missing guest has no age" },
}
const aged = (age: number): Facts => ({ isOpen: true, guest: { age }, seats: 1 })

provePrecedence(tavern, table)
proveRow(tavern, "GROWN", [
  ["one year below the limit", aged(17), { answer: { code: "YOUNG" } }],
  ["exactly the limit", aged(18), "holds"],
])

const list = (...rows: ReadonlyArray<Row>) => Rules.make("Tavern", rows)
const withSteps = (...steps: PrecedenceTable<Facts>["steps"]): PrecedenceTable<Facts> => ({ ...table, steps })

it("`gapsOf` returns the empty texts and objects of a refusal at any depth", () => {
  expect(gapsOf({ code: "SHUT", least: 0, details: { hint: null, since: undefined, days: [] } })).toEqual([])
  expect(gapsOf({ code: "", details: {}, days: ["Sunday", " "] })).toEqual([
    "refusal.code",
    "refusal.details",
    "refusal.days.1",
  ])
})

describe("the precedence proof", () => {
  it("reports nothing for a correct list", () => {
    expect(problemsOfPrecedence(tavern, table)).toEqual([])
  })

  it("reports a row without a line", () => {
    const sober: Row = ["SOBER", () => undefined]
    expect(problemsOfPrecedence(list(open, known, grown, seated, sober), table)).toEqual([
      "SOBER has no line",
      "SOBER passes on the broken facts",
    ])
  })

  it("reports a line without a row and a duplicate line", () => {
    expect(problemsOfPrecedence(list(open, known, grown), table)).toContain("there is no row SEATED")
    const twice = problemsOfPrecedence(tavern, withSteps(...table.steps, ["SEATED", { seats: 2 }]))
    expect(twice).toContain("SEATED has two lines")
    expect(twice).toContain("line 5 (SEATED): first returns no row")
  })

  it("reports rows in another order", () => {
    expect(problemsOfPrecedence(list(seated, open, known, grown), table)).toContain(
      "line 1 (OPEN): first returns SEATED",
    )
  })

  it("reports a list without a name", () => {
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

  it("reports two rows with the same name", () => {
    expect(problemsOfPrecedence(list(open, known, grown, seated, seated), table)).toContain(
      "two rows have the name SEATED",
    )
  })

  it("reports a `first` that does not return the first failing row", () => {
    const wrong = { ...tavern, first: () => ({ rule: "SEATED", refusal: { code: "FULL" } }) }
    expect(problemsOfPrecedence(wrong, table)).toContain("line 1 (OPEN): the first failing row is OPEN")
    expect(problemsOfPrecedence(wrong, table)).toContain("SEATED still fails after the last line")
  })

  it("reports a refusal that differs from the expected one", () => {
    const steps = withSteps(["OPEN", { isOpen: true }, { code: "AWAY" }], ...table.steps.slice(1))
    expect(problemsOfPrecedence(tavern, steps)).toEqual([
      'line 1 (OPEN): the refusal {"code":"SHUT"} does not contain {"code":"AWAY"}',
    ])
  })

  it("reports a refusal with an empty text", () => {
    const silent: Row = ["OPEN", (facts) => (facts.isOpen ? undefined : { code: "" })]
    expect(problemsOfPrecedence(list(silent), withSteps(["OPEN", { isOpen: true }]))).toContain(
      "line 1 (OPEN): refusal.code is empty",
    )
  })

  it("reports a row that passes on the broken facts", () => {
    const wrong = { ...table, broken: { ...table.broken, seats: 1 } }
    expect(problemsOfPrecedence(tavern, wrong)).toContain("SEATED passes on the broken facts")
  })

  it("reports a repair without effect, a repair of two rows and a repair that makes a row fail", () => {
    expect(problemsOfPrecedence(tavern, withSteps(["OPEN", {}], ...table.steps.slice(1)))).toContain(
      "line 1 (OPEN): the repair does not make the row pass",
    )
    expect(
      problemsOfPrecedence(tavern, withSteps(["OPEN", { isOpen: true, seats: 1 }], ...table.steps.slice(1))),
    ).toContain("line 1 (OPEN): the repair also makes SEATED pass")
    expect(
      problemsOfPrecedence(tavern, withSteps(...table.steps.slice(0, 3), ["SEATED", { seats: 1, isOpen: false }])),
    ).toEqual(["line 4 (SEATED): the repair makes OPEN fail", "OPEN still fails after the last line"])
  })

  it("reports a row that is listed as masked without need or without a reason", () => {
    const wrong = { ...table, masked: { GROWN: "", OPEN: "no reason at all" } }
    expect(problemsOfPrecedence(tavern, wrong)).toEqual([
      "GROWN is listed as masked without a reason",
      "OPEN is listed as masked but does not pass on the broken facts",
    ])
  })

  it("reports a row that throws", () => {
    const wild: Row = [
      "WILD",
      () => {
        throw new Error("no such guest")
      },
    ]
    expect(problemsOfPrecedence(list(wild), table)).toEqual(["a row throws: Error: no such guest"])
  })
})

describe("the proof of a row", () => {
  it("reports a case on the wrong side of the boundary", () => {
    const cases = [
      ["one year below the limit", aged(17), "holds"],
      ["exactly the limit", aged(18), "fails"],
    ] as const
    expect(problemsOfRow(tavern, "GROWN", cases)).toEqual([
      'GROWN, one year below the limit: expected to hold, but fails with {"code":"YOUNG","least":18}',
      "GROWN, exactly the limit: expected to fail, but holds",
    ])
  })

  it("reports a list without a name", () => {
    const nameless = Rules.make("", [grown])
    expect(problemsOfRow(nameless, "GROWN", [])).toEqual(["the list has no name"])
  })

  it("reports a list of another length in a refusal", () => {
    const listed = Rules.make<Facts, object>("Listed", [["ALL", () => ({ days: ["Monday", "Tuesday"] })]])
    const days = (...names: ReadonlyArray<string>) =>
      problemsOfRow(listed, "ALL", [["any", aged(1), { answer: { days: names } }]]).slice(1)
    expect(days("Monday", "Tuesday")).toEqual([])
    expect([days("Monday"), days(), days("Monday", "Tuesday", "Sunday")].map((found) => found.length)).toEqual([
      1, 1, 1,
    ])
  })

  it("reports cases of one side only, a wrong refusal and an unknown row", () => {
    expect(problemsOfRow(tavern, "GROWN", [["grown", aged(18), "holds"]])).toEqual(["GROWN: no case fails"])
    expect(problemsOfRow(tavern, "GROWN", [["young", aged(1), { answer: { least: 21 } }]])).toEqual([
      "GROWN: no case holds",
      'GROWN, young: the refusal {"code":"YOUNG","least":18} does not contain {"least":21}',
    ])
    const silent: Row = ["GROWN", () => ({ code: " " })]
    expect(problemsOfRow(list(silent), "GROWN", [["young", aged(1), "fails"]])).toContain(
      "GROWN, young: refusal.code is empty",
    )
    expect(problemsOfRow(tavern, "SILENT", [])).toEqual(["there is no row SILENT"])
  })
})
