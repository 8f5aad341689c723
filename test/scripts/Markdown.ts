/** Small pieces of Markdown for the generated pages. */

/** A page: its title, where it comes from, and its parts, each set apart by an empty line. */
export const page = (title: string, source: string, ...parts: ReadonlyArray<string>): string =>
  [`# ${title}`, `<!-- Generated from ${source} by \`npm run docs\`. Do not edit: change the table. -->`, ...parts]
    .join("\n\n")
    .concat("\n")

/** Whether a text is a generated page. */
export const isGenerated = (text: string): boolean => text.includes("by `npm run docs`. Do not edit")

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** A table; a column that is empty in every row is left out. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const shown = head.map((_, column) => rows.some((row) => row[column] !== undefined && row[column] !== ""))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells
      .filter((_, column) => shown[column])
      .map(cell)
      .join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}

export const code = (text: string): string => `\`${text}\``
export const codes = (texts: ReadonlyArray<string>): string => texts.map(code).join(", ")
export const fenced = (language: string, text: string): string => [`\`\`\`${language}`, text, "```"].join("\n")
