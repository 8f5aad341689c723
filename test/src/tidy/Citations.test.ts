/** The check of citations finds sections and decisions that do not exist, and decisions out of their order. */
import { expect, it } from "vitest"
import { decisionsOf, headingsOf, problemsOfCitations, problemsOfDecisions, problemsOfOrder } from "./Citations.ts"

const headings = headingsOf("# Architecture\n\n## The Store port\n\ntext\n\n### Load, ask, decide, commit\n")
const cites = (section: string) =>
  problemsOfCitations(
    { path: "a.ts", text: `/** Source: architecture, ${JSON.stringify(section)}; D-001. */` },
    headings,
  )

it("accepts a section of any level", () => {
  expect(cites("The Store port")).toEqual([])
  expect(cites("Load, ask, decide, commit")).toEqual([])
})

it("reports a section that does not exist", () => {
  expect(cites("The attic")).toEqual(['a.ts: cites the section "The attic", which docs/architecture.md does not have'])
})

const decisions = decisionsOf("# Decisions\n\n## D-001 First\ntext, see D-009\n\n## D-003 Third\n\n## D-002 Second\n")

it("reports a decision out of its order", () => {
  expect(decisions).toEqual([1, 3, 2])
  expect(problemsOfOrder(decisions)).toEqual(["DECISIONS.md: D-2 stands after D-3"])
  expect(problemsOfOrder([1, 2, 4])).toEqual([])
})

it("reports a decision that was not taken", () => {
  const cited = (number: string) => ({ path: "a.ts", text: `/** Source: D-001, D-${number}. */` })
  expect(problemsOfDecisions(cited("003"), new Set(decisions))).toEqual([])
  expect(problemsOfDecisions(cited("004"), new Set(decisions))).toEqual([
    "a.ts: cites D-004, which DECISIONS.md does not have",
  ])
})
