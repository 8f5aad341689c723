/** The check of the vocabulary finds replaced words where they count, and nowhere else. */
import { expect, it } from "vitest"
import { problemsOfPage, problemsOfVocabulary, terms } from "./Vocabulary.ts"

const wordsIn = (text: string, path = "packages/core/src/model/card/Card.ts") =>
  problemsOfVocabulary({ path, text }).map((problem) => /"([^"]+)"/u.exec(problem)?.[1])

it.each([
  ["a comment", "/** What the service told. */", "told"],
  ["a name", "export const wasTold = 1", "Told"],
  ["the first word of a name", "const bornOf = 1", "born"],
  ["a member", "const { heard } = events", "heard"],
  ["a phrase of a comment", "// It is held up.", "held up"],
  ["a vague number", "// Waits for so many turns.", "so many"],
  ["a filler", "// It simply waits.", "simply"],
])("finds a replaced word in %s", (_place, text, word) => {
  expect(wordsIn(text)).toEqual([word])
})

it("finds a replaced word in the title of a test", () => {
  const path = "test/src/card/Cards.test.ts"
  expect(wordsIn('it("is told once", () => {})', path)).toEqual(["told"])
  expect(wordsIn('it.each([1])("is told %s times", () => {})', path)).toEqual(["told"])
})

it("leaves texts of the wire, parts of other words and quoted code alone", () => {
  expect(wordsIn('const message = "The receiver must be told."')).toEqual([])
  expect(wordsIn("const toldest = whomever", "packages/core/src/a/B.ts")).toEqual([])
  expect(problemsOfPage({ path: "README.md", text: "Run `told`.\n\n```sh\ntold\n```\n" })).toEqual([])
})

it("finds fillers on a page, and leaves them alone in names", () => {
  expect(problemsOfPage({ path: "README.md", text: "It is very easily done.\n" })).toHaveLength(2)
  expect(wordsIn("const veryLong = simply")).toEqual([])
})

it("finds a replaced word on a page with its line", () => {
  expect(problemsOfPage({ path: "README.md", text: "One.\n\nIt was told.\n" })).toEqual([
    'README.md:3: "told": write the thing itself: events, emits, auditEntries; or: reports, sends',
  ])
})

it("names a replacement for every term", () => {
  for (const { instead } of terms) expect(instead).not.toBe("")
})
