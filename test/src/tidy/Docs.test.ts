/** The generated pages: made from the tables, and a page out of step is found. */
import { Currencies, ErrorCodes, EventTypes, IdTypes } from "@countersign/core/models"
import { Kinds } from "@countersign/core/store"
import { machines } from "@countersign/core/verify"
import { describe, expect, it } from "vitest"
import { compare, copies, current, generate } from "../../scripts/docs.ts"
import { isGenerated, table } from "../../scripts/Markdown.ts"

const pages = generate()
const pageOf = (name: string) => pages.get(`docs/${name}.md`) ?? ""

describe("the pages", () => {
  it.each([
    ["errors", ErrorCodes.keys],
    ["currencies", Currencies.keys],
    ["events", EventTypes.keys],
    ["ids", IdTypes.keys],
  ] as const)("of %s names every row of its table", (name, keys) => {
    for (const key of keys) expect(pageOf(name)).toContain(`\`${key}\``)
  })

  it("draws every machine and every kind", () => {
    for (const { name } of Object.values(machines))
      expect(pageOf("machines")).toContain(`## ${name}\n\n\`\`\`mermaid\nstateDiagram-v2`)
    for (const kind of Kinds.keys) expect(pageOf("kinds")).toContain(`## ${kind}\n`)
  })

  it("say which arrow sends an event", () => {
    expect(pageOf("events")).toContain("AgentAction SubmitHeld: (none) to PENDING_APPROVAL")
  })

  it("name the unique keys of a kind", () => {
    expect(pageOf("kinds")).toContain("Unique keys: `platformCustomerId` (platform), `uma` (platform).")
  })

  it("are the same each time, and marked as generated", () => {
    expect(generate()).toEqual(pages)
    for (const text of pages.values()) expect(isGenerated(text)).toBe(true)
  })
})

it("the package of the command line has the example banks as they are", () => {
  expect([...copies().keys()].map((path) => path.replace(/^.*\//u, ""))).toEqual(["bank.py", "bank.ts"])
  const found = current()
  expect([...copies()].filter(([path, text]) => found.get(path) !== text).map(([path]) => path)).toEqual([])
})

describe("the comparison finds", () => {
  const [[path, text] = ["", ""]] = [...pages]

  it("nothing where nothing differs, and leaves pages alone that are written by hand", () => {
    expect(compare(pages, new Map([...pages, ["docs/own.md", "# By hand"]]))).toEqual([])
  })

  it("a page that differs, is missing, or has no table any more", () => {
    expect(compare(pages, new Map([...pages, [path, `${text} `]]))).toEqual([
      `${path} differs from its table: npm run docs`,
    ])
    expect(compare(pages, new Map([...pages].slice(1)))).toEqual([`${path} is missing: npm run docs`])
    expect(compare(new Map([...pages].slice(1)), pages)).toEqual([`${path} has no table any more`])
  })
})

it("writes a table without its empty columns, and keeps bars inside their cell", () => {
  expect(
    table(
      ["A", "B", "C"],
      [
        ["1", "", "x|y"],
        ["2", "", ""],
      ],
    ),
  ).toBe("| A | C |\n| --- | --- |\n| 1 | x\\|y |\n| 2 |  |")
})
