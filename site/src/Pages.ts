/** All pages of the site as Markdown, by their paths without the suffix. */
import { base, chapters } from "./Contents.ts"
import { rewriteLinks, type SiteAddress } from "./Links.ts"
import { drawDiagrams } from "./Pictures.ts"
import { filesBelow, isFile, isFolder, isPicture, readText } from "./Repository.ts"
import { sourcePages, sourcePath } from "./SourcePages.ts"

/** Files of the repository that are pages of the site under another path. */
const moved = new Map([["README.md", "index"]])

/** The reports of the packages' public interfaces, which have no page of their own. */
const reports = (): ReadonlyArray<string> => filesBelow("docs/api")

const interfacesPage = (): string => `# Public interfaces

The exported names of each entry point with their types. A change of one of these files is a change of the public interface.

${reports()
  // The first line of a report begins with the name of its entry point.
  .map((path) => `- [${readText(path).split(":")[0]}](../${path})`)
  .join("\n")}
`

export interface Page {
  /** The path of its file in the repository, from which its links are resolved. */
  readonly origin: string
  readonly text: string
}

/** The pages that the contents may list. */
export const documents = (): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    ...filesBelow("docs")
      .filter((path) => path.endsWith(".md"))
      .map((path): [string, Page] => [path.replace(/^docs\/|\.md$/gu, ""), { origin: path, text: readText(path) }]),
    ["interfaces", { origin: "docs/interfaces.md", text: interfacesPage() }],
    ["decisions", { origin: "DECISIONS.md", text: readText("DECISIONS.md") }],
  ])

export const titleOf = (text: string): string => /^# (.*)$/mu.exec(text)?.[1] ?? ""

/** The first paragraph of a page without marks, for lists of pages. */
export const summaryOf = (text: string): string => {
  const [, body = ""] = text.split(/^# .*$/mu)
  const paragraphs = body.replaceAll(/<!--[\s\S]*?-->/gu, "").split(/\n{2,}/u)
  const first = paragraphs.find((paragraph) => /^[A-Z`*[]/u.test(paragraph.trim())) ?? ""
  return first
    .trim()
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
}

export interface SitePages {
  /** Markdown by paths without the suffix. */
  readonly pages: ReadonlyMap<string, string>
  /** Documents by their paths. */
  readonly sources: ReadonlyMap<string, string>
}

/** The pages as the generator of the site reads them, and the files to which they link. */
export const sitePages = (): SitePages => {
  const listed = documents()
  const pathOf = new Map([...listed].map(([path, { origin }]) => [origin, path]))
  const shown = new Set<string>()
  const siteOf = (target: string): SiteAddress => {
    const path = target.replace(/\/$/u, "")
    const page = pathOf.get(path) ?? moved.get(path)
    if (page !== undefined) return { address: `/${page}`, isPlain: false }
    if (!isFile(path) && !isFolder(path)) throw new Error(`a page links ${target}, which does not exist`)
    if (isPicture(path)) return { address: `/${path.replace(/^docs\//u, "")}`, isPlain: false }
    shown.add(path)
    return { address: `${base}${sourcePath(path)}`, isPlain: true }
  }
  const pages = new Map(
    [...listed].map(([path, { origin, text }]) => [path, drawDiagrams(rewriteLinks(origin, text, siteOf))]),
  )
  return { pages, sources: new Map([...shown].flatMap(sourcePages)) }
}

/** The sidebar of the site. */
export const sidebar = () => {
  const all = documents()
  return chapters.map(({ pages, title }) => ({
    text: title,
    collapsed: false,
    items: pages.map((path) => ({ text: titleOf(all.get(path)?.text ?? ""), link: `/${path}` })),
  }))
}
