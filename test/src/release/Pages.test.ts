/** The pages for contributors: links and commands exist, and the issue forms are valid. Source: D-541. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { repository } from "../packages/Packed.ts"

const text = (path: string) => readFileSync(join(repository, path), "utf8")
const pages = [
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/policies/versions.md",
  ".github/PULL_REQUEST_TEMPLATE.md",
]

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/gu, "")
    .replaceAll(" ", "-")
const anchorsOf = (page: string) => [...page.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) => anchorOf(heading))

describe.each(pages)("the page %s", (path) => {
  const page = text(path)

  it("links files and headings that exist", () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/gu)]
    const broken = links.filter(([, target = "", anchor]) => {
      const file = target === "" ? path : join(dirname(path), target)
      if (!existsSync(join(repository, file))) return true
      return anchor !== undefined && !anchorsOf(text(file)).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it("names scripts that exist", () => {
    const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(text("package.json"))
    const named = [...page.matchAll(/npm run ([\w:]+)/gu)].map(([, name = ""]) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

describe.each(readdirSync(join(repository, ".github/ISSUE_TEMPLATE")))("the issue form %s", (name) => {
  interface Field {
    readonly type: string
    readonly id?: string
    readonly attributes: Readonly<Record<string, unknown>>
  }
  const form: { readonly name?: string; readonly description?: string; readonly body?: ReadonlyArray<Field> } = parse(
    text(`.github/ISSUE_TEMPLATE/${name}`),
  )

  it("has a name, and fields of known types with an id and a label of their own", () => {
    if (name === "config.yml") return expect(form).toEqual({ blank_issues_enabled: false })
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const fields = (form.body ?? []).filter(({ type }) => type !== "markdown")
    const ids = fields.map(({ id }) => id)
    expect(new Set(ids).size).toBe(fields.length)
    for (const { attributes, id, type } of fields) {
      expect(["textarea", "input", "dropdown"]).toContain(type)
      expect([id, attributes["label"]]).toEqual([expect.stringMatching(/^[a-z]+$/u), expect.any(String)])
      if (type === "dropdown") expect(attributes["options"]).toEqual(expect.arrayContaining([expect.any(String)]))
    }
  })
})
