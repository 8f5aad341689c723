/** The check of cited sections finds a section that does not exist. */
import { expect, it } from "vitest"
import { headingsOf, problemsOfCitations } from "./Citations.ts"

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
