/** The documentation site is complete: its contents, its links and their anchors, its pictures and its list for language models. */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { machines } from "@countersign/core/verify"
import { beforeAll, describe, expect, it } from "vitest"
import { base, chapters, listedPages } from "../../../site/src/Contents.ts"
import { bundledPackages } from "../../../site/src/Licences.ts"
import { rewriteLinks } from "../../../site/src/Links.ts"
import { documents, titleOf } from "../../../site/src/Pages.ts"
import { drawDiagrams } from "../../../site/src/Pictures.ts"
import { repository } from "../packages/Packed.ts"
import { type BuiltSite, builtSite } from "./BuiltSite.ts"

const theme = join(repository, "node_modules/vitepress/dist/client/theme-default")

let site: BuiltSite
let pages: ReadonlyMap<string, string>
beforeAll(async () => {
  site = await builtSite()
  const read = site.files.filter((path) => path.endsWith(".html")).map((path) => [path, site.read(path)] as const)
  pages = new Map(read)
}, 180_000)

/** The addresses that an element of the page names, but those of other hosts. */
const addressesOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/gu)]
    .map(([, address = ""]) => address.replaceAll("&amp;", "&"))
    .filter((address) => !/^[a-z]+:/u.test(address))

describe("the contents", () => {
  it("list every page once", () => {
    expect([...listedPages, "index"].toSorted()).toEqual([...documents().keys()].toSorted())
    expect(new Set(listedPages).size).toBe(listedPages.length)
  })

  it("have a title for each page", () => {
    const untitled = listedPages.filter((path) => titleOf(documents().get(path)?.text ?? "") === "")
    expect(untitled).toEqual([])
    expect(new Set(listedPages.map((path) => titleOf(documents().get(path)?.text ?? ""))).size).toBe(listedPages.length)
  })
})

describe("the pages", () => {
  it("link pages and anchors that exist", () => {
    const ids = new Map(
      [...pages].map(([path, html]) => [path, new Set([...html.matchAll(/\sid="([^"]*)"/gu)].map(([, id]) => id))]),
    )
    const problems = [...pages].flatMap(([path, html]) =>
      addressesOf(html).flatMap((address) => {
        const { hash, pathname } = new URL(address, `http://site.test${base}${path}`)
        const target = decodeURI(pathname.slice(base.length)) || "index.html"
        if (!pathname.startsWith(base) || !site.files.includes(target)) return [`${path}: ${address}`]
        const anchor = decodeURIComponent(hash.slice(1))
        return anchor === "" || ids.get(target)?.has(anchor) === true ? [] : [`${path}: ${address} has no such anchor`]
      }),
    )
    expect(problems).toEqual([])
    expect(pages.size).toBeGreaterThan(listedPages.length)
  })

  it("load nothing from another host", () => {
    const loaded = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/<(?:script|img|iframe|link)\b[^>]*\s(?:src|href)="([a-z]+:[^"]*)"/gu)].map(
        ([, address]) => `${path}: ${address}`,
      ),
    )
    expect(loaded).toEqual([])
  })

  it("draw every machine", () => {
    const [drawn = "", other = ""] = [pages.get("machines.html"), documents().get("machines")?.text]
    const count = drawn.split('<figure class="diagram"><svg').length - 1
    expect(count).toBe(other.split("```mermaid").length - 1)
    expect(count).toBeGreaterThan(Object.keys(machines).length / 2)
    expect(pages.get("machines.html")).not.toContain("stateDiagram")
  })

  it("show files of the repository as they are", () => {
    const page = pages.get("source/test/src/guides/OwnTransaction.ts.html") ?? ""
    expect(page).toContain("export const signUp = async (pool: pg.Pool")
    expect(page).not.toMatch(/<script/u)
  })
})

describe("llms.txt", () => {
  it("lists every page with its summary, and each is there as Markdown", () => {
    const lines = site.read("llms.txt").split("\n")
    const listed = lines.flatMap((line) => {
      const [, path = "", summary = ""] = /^- \[[^\]]+\]\(\/docs\/site\/(\S+)\.md\): (.+)$/u.exec(line) ?? []
      return path === "" ? [] : [{ path, summary }]
    })
    expect(listed.map(({ path }) => path)).toEqual(listedPages)
    expect(listed.filter(({ path }) => !site.files.includes(`${path}.md`))).toEqual([])
    expect(lines.filter((line) => line.startsWith("## "))).toHaveLength(chapters.length)
  })
})

describe("the licences", () => {
  /** The packages that the sources of the theme import, but those of a search that the site does not use and of development. */
  const imported = readdirSync(theme, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:vue|js|ts)$/u.test(path))
    .flatMap((path) => [
      ...readFileSync(join(theme, path), "utf8").matchAll(/\bfrom ["'](@?[a-z][\w.-]*(?:\/[\w.-]+)?)/gu),
    ])
    .map(([, path = ""]) => (path.startsWith("@") ? path : (path.split("/")[0] ?? "")))
    .filter(
      (name) =>
        !["@docsearch/js", "@localSearchIndex", "@siteData", "@theme/index", "@vue/devtools-api"].includes(name),
    )

  it("are those of the packages whose code the pages run", () => {
    expect([...new Set(imported)].filter((name) => !bundledPackages.some((bundled) => bundled === name))).toEqual([])
    expect(imported.length).toBeGreaterThan(20)
    const text = site.read("LICENSES.txt")
    expect(bundledPackages.filter((name) => !new RegExp(`^${name} [\\d.]+: MIT$`, "mu").test(text))).toEqual([])
  })
})

describe("links", () => {
  const siteOf = (target: string) => ({ address: `/${target}`, isPlain: target.startsWith("examples/") })

  it("are resolved from the page's folder, and keep their anchors", () => {
    const text = "[one](../scale.md#cells) [two](https://host.example/a) [three](#here)"
    const rewritten = "[one](/docs/scale.md#cells) [two](https://host.example/a) [three](#here)"
    expect(rewriteLinks("docs/guides/testing.md", text, siteOf)).toBe(rewritten)
  })

  it("to plain pages are followed by the browser", () => {
    expect(rewriteLinks("README.md", "[a](examples/next/src/app/%5Ba%5D.ts)", siteOf)).toBe(
      '[a](/examples/next/src/app/%5Ba%5D.ts){target="_self"}',
    )
  })

  it("within code are text", () => {
    const text = "```md\n[one](two.md)\n```\n"
    expect(rewriteLinks("README.md", text, siteOf)).toBe(text)
  })
})

describe("diagrams", () => {
  it("show states, triggers and events", () => {
    const drawn = drawDiagrams("```mermaid\nstateDiagram-v2\n  [*] --> OPEN: Begin / THING.OPENED\n```\n")
    expect(drawn).toMatch(/^<figure class="diagram"><svg.*OPEN<.*Begin.*THING\.OPENED.*<\/figure>\n$/su)
  })

  it("with another line are refused", () => {
    expect(() => drawDiagrams("```mermaid\nstateDiagram-v2\n  OPEN -> CLOSED\n```\n")).toThrow("not an arrow")
  })
})
