/**
 * What sources cite: every section of `docs/architecture.md` and every decision exists, and decisions stand in their order.
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

/** The numbers of the decisions on a page, in its order. */
export const decisionsOf = (page: string): ReadonlyArray<number> =>
  [...page.matchAll(/^## D-(\d{3}) /gmu)].map(([, number]) => Number(number))

/** Decisions that are not where a reader looks for them. */
export const problemsOfOrder = (decisions: ReadonlyArray<number>): ReadonlyArray<string> =>
  decisions.flatMap((number, at) => {
    const before = decisions[at - 1] ?? 0
    return before < number ? [] : [`DECISIONS.md: D-${number} stands after D-${before}`]
  })

/** Citations of decisions that were not taken. */
export const problemsOfDecisions = ({ path, text }: SourceFile, known: ReadonlySet<number>): ReadonlyArray<string> =>
  [...text.matchAll(/\bD-(\d{3})\b/gu)].flatMap(([cited, number]) =>
    known.has(Number(number)) ? [] : [`${path}: cites ${cited}, which DECISIONS.md does not have`],
  )
