/** Formats rows as aligned columns for a terminal. */
import { printable } from "./output/Printable.ts"

/** Aligns the first `left` columns to the left and the others, which hold numbers, to the right. */
export const make = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>, left: number): string => {
  const all = [head, ...rows].map((cells) => cells.map(printable))
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  return all
    .map((cells) =>
      widths
        .map((width, column) => {
          const cell = cells[column] ?? ""
          return column < left ? cell.padEnd(width) : cell.padStart(width)
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
