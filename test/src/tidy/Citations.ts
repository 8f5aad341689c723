/**
 * The sections of `docs/architecture.md` that sources cite: every cited section exists.
 * Source: architecture, "Names and habits".
 */
import type { SourceFile } from "./Repository.ts"

const citation = /architecture, "([^"]+)"/gu

/** The headings of a page in Markdown. */
export const headingsOf = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) => heading))

/** Citations of sections that the architecture page does not have. */
export const problemsOfCitations = ({ path, text }: SourceFile, headings: ReadonlySet<string>): ReadonlyArray<string> =>
  [...text.matchAll(citation)].flatMap(([, section = ""]) =>
    headings.has(section) ? [] : [`${path}: cites the section "${section}", which docs/architecture.md does not have`],
  )
