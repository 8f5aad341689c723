/** The Markdown of this repository's pages as HTML: headings, paragraphs, lists, tables, code and links. */

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escaped = (raw: string): string => raw.replace(/[&<>"]/gu, (character) => entities[character] ?? "")

export const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "")

/** Links lead to files of the repository, which the page does not have: only their text is kept. */
const inline = (raw: string): string =>
  raw
    .split("`")
    .map((part, index) =>
      index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part.replaceAll(/\[([^\]]+)\]\([^)]+\)/gu, "$1")),
    )
    .join("")
    .replaceAll(/\*\*([^*]+)\*\*/gu, "<strong>$1</strong>")

const cells = (line: string): ReadonlyArray<string> =>
  line
    .replace(/^\| ?/u, "")
    .replace(/ ?\|$/u, "")
    .split(/ \| /u)
    .map((cell) => inline(cell.replaceAll("\\|", "|")))

const tableOf = (lines: ReadonlyArray<string>): string => {
  const [head = "", , ...rows] = lines
  return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(head)
    .map((cell) => `<th scope="col">${cell}</th>`)
    .join("")}</tr></thead><tbody>${rows
    .map(
      (row) =>
        `<tr>${cells(row)
          .map((cell) => `<td>${cell}</td>`)
          .join("")}</tr>`,
    )
    .join("")}</tbody></table></div>`
}

/** One block, between empty lines. `level` is added to the level of headings. */
const blockOf = (block: string, level: number): string => {
  const heading = /^(#+) (.+)$/u.exec(block)
  if (heading !== null) {
    const [, marks = "", title = ""] = heading
    const tag = `h${marks.length + level}`
    return `<${tag} id="${idOf(title)}">${inline(title)}</${tag}>`
  }
  if (block.startsWith("<!--")) return ""
  if (block.startsWith("<svg")) return `<div class="scroll" tabindex="0">${block}</div>`
  if (block.startsWith("```")) {
    const lines = block.split("\n").slice(1, -1).join("\n")
    return `<pre tabindex="0"><code>${escaped(lines)}</code></pre>`
  }
  const lines = block.split("\n")
  if (block.startsWith("| ") || block.startsWith("|---")) return tableOf(lines)
  const marker = /^(?:- |\d+\. )/u
  if (marker.test(block)) {
    const items = block.split(/\n(?=- |\d+\. )/u).map((item) => `<li>${inline(item.replace(marker, ""))}</li>`)
    return block.startsWith("- ") ? `<ul>${items.join("")}</ul>` : `<ol>${items.join("")}</ol>`
  }
  return `<p>${inline(lines.join(" "))}</p>`
}

/** Empty lines within code do not end it. */
const blocksOf = (markdown: string): ReadonlyArray<string> =>
  markdown
    .split(/(```[\s\S]*?\n```)/u)
    .flatMap((part) => (part.startsWith("```") ? [part] : part.split(/\n\s*\n/u)))
    .map((block) => block.trim())
    .filter((block) => block !== "")

export const htmlOf = (markdown: string, level = 0): string =>
  blocksOf(markdown)
    .map((block) => blockOf(block, level))
    .filter((block) => block !== "")
    .join("\n")
