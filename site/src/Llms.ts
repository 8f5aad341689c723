/** The list of pages for language models. Source: llmstxt.org. */
import { base, chapters } from "./Contents.ts"
import { documents, summaryOf, titleOf } from "./Pages.ts"

/** Each page is also there as Markdown. */
export const llmsText = (): string => {
  const all = documents()
  const lines = chapters.map(({ pages, title }) => {
    const items = pages.map((path) => {
      const text = all.get(path)?.text ?? ""
      return `- [${titleOf(text)}](${base}${path}.md): ${summaryOf(text)}`
    })
    return `## ${title}\n\n${items.join("\n")}\n`
  })
  return `# Countersign

> An embeddable payments domain library with pluggable adapters, in TypeScript on Effect 4.

${lines.join("\n")}`
}
