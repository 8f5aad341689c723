/** The README and the pages that it leads to as data: their sections, fenced blocks and tables. */
import { readFileSync } from "node:fs"

/** Reads a page by its path from the repository's root. */
export const page = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

/** Returns the text under a heading of the second level. */
export const section = (heading: string, text: string = page("README.md")): string => {
  const [, found] = text.split(new RegExp(`^## ${heading}$`, "mu"))
  if (found === undefined) throw new Error(`the page has no section "${heading}"`)
  return found.split(/^## /mu)[0] ?? ""
}

/** The first `ts` block of a text. */
export const codeOf = (text: string): string => /^```ts\n(.*?)^```$/msu.exec(text)?.[1] ?? ""

/** A script to paste, and its output. */
export interface Step {
  readonly script: string
  readonly prints: string
}

/** The steps of a section: each `sh` block with the `text` block that follows it. */
export const steps = (of: string): ReadonlyArray<Step> => {
  const blocks = [...of.matchAll(/^```(\w*)\n(.*?)^```$/gmsu)].map(([, language = "", body = ""]) => ({
    language,
    body,
  }))
  return blocks.flatMap(({ body, language }, index) => {
    if (language !== "sh") return []
    const next = blocks[index + 1]
    if (next?.language !== "text") throw new Error(`nothing says what this prints: ${body}`)
    return [{ script: body, prints: next.body }]
  })
}

/** The rows of a section's first table, without its head. */
export const rows = (of: string): ReadonlyArray<string> => of.match(/^\|.*$/gmu)?.slice(2) ?? []
