/** The check of sentences counts the words of prose, and finds a sentence that is too long with its line. */
import { expect, it } from "vitest"
import { commentWordsMax, pageWordsMax, problemsOfCommentSentences, problemsOfPageSentences } from "./Sentences.ts"

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ")
const long = words(pageWordsMax + 1)
const onPage = (text: string, path = "docs/guides/server.md") => problemsOfPageSentences({ path, text })

it("accepts a sentence of the greatest length, and reports one of a word more", () => {
  expect(onPage(`${words(pageWordsMax)}.\n`)).toEqual([])
  expect(onPage(`# Server\n\nShort.\n${long}.\n`)).toEqual([
    "docs/guides/server.md:4: 26 words, more than 25: word0 word1 word2 word3 word4 word5 word",
  ])
})

it.each([
  ["a paragraph", `${long}.`],
  ["two lines", `${words(20)}\n${words(20)}`],
  ["the line below a heading", `## Server\n${long}`],
  ["an item of a list", `- One.\n- ${long}`],
  ["a nested item", `- One.\n  1. ${long}`],
  ["a quotation", `> ${long}`],
  ["the text after a fence", `\`\`\`sh\nls\n\`\`\`\n${long}`],
  ["bold text", `**${long}.** More.`],
])("finds a long sentence in %s", (_place, text) => {
  expect(onPage(text)).toHaveLength(1)
})

it.each([
  ["a table", `| ${long} |`],
  ["a heading", `## ${long}`],
  ["a fence", `\`\`\`\n${long}\n\`\`\``],
  ["a fence in a list", `- One:\n\n  \`\`\`\n  ${long}\n  \`\`\``],
  ["an indented block", `One:\n\n    ${long}\n`],
  ["a comment", `<!-- ${long} -->`],
  ["front matter", `---\ntitle: ${long}\n---\n\nOne.`],
  ["a code span", `Run \`${long}\` once.`],
  ["a link", `See [${long}](https://example.com/a).`],
  ["two items of a list", `- ${words(20)}\n- ${words(20)}`],
])("does not count the words of %s", (_place, text) => {
  expect(onPage(text)).toEqual([])
})

it.each([".", "!", "?", ":", ";", '."', ".)", ".**"])("ends a sentence after %s", (end) => {
  expect(onPage(`${words(20)}${end} ${words(20)}.`)).toEqual([])
})

it("does not end a sentence within a number or a name", () => {
  expect(onPage(`${words(20)} 2.5 a.ts ${words(20)}.`)).toHaveLength(1)
})

it("keeps the line after characters of two code units", () => {
  expect(onPage(`\`💸\`\n\n${long}`)).toEqual([expect.stringContaining("server.md:3: ")])
  expect(onPage(`\`💸\`\n\n${long}`)[0]).toContain("word0 word1")
})

it("leaves generated pages and pages of others alone", () => {
  expect(
    onPage(`<!-- Generated from a table by \`npm run docs\`. Do not edit: change the table. -->\n\n${long}`),
  ).toEqual([])
  expect(onPage(long, ".changeset/first-release.md")).toEqual([])
  expect(onPage(long, "packages/core/README.md")).toHaveLength(1)
  expect(onPage(long, "DECISIONS.md")).toHaveLength(1)
})

it("finds a long sentence of a doc comment, and none of code or of a line comment", () => {
  const source = (text: string, path = "packages/core/src/kit/Any.ts") => problemsOfCommentSentences({ path, text })
  const tooLong = words(commentWordsMax + 1)
  expect(source(`/** ${words(commentWordsMax)}. */`)).toEqual([])
  expect(source(`/**\n * ${words(20)}\n * ${words(20)}.\n */`)).toEqual([
    "packages/core/src/kit/Any.ts:2: 40 words, more than 30: word0 word1 word2 word3 word4 word5 word",
  ])
  expect(source(`/** One. */\n// ${tooLong}\nconst text = "${tooLong}"\n`)).toEqual([])
  expect(source(`/** \`${tooLong}\` */`)).toEqual([])
  expect(source(`/** ${tooLong} */`, "test/src/kit/Any.ts")).toEqual([])
})
