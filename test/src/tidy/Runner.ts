/** Finds published files that import a test runner, and the files through which they do: they must run in any runner, or without one. */
import { importsOf, resolved } from "./Imports.ts"
import type { SourceFile } from "./Repository.ts"

const runners = ["vitest", "node:test"]

/** What the files that an entry leads to import of a runner. */
export const problemsOfRunner = (files: ReadonlyArray<SourceFile>, entry: string): ReadonlyArray<string> => {
  const byPath = new Map(files.map((file) => [file.path, file.text]))
  const seen = new Set<string>()
  const problems: Array<string> = []
  const visit = (path: string, by: string) => {
    if (seen.has(path)) return
    seen.add(path)
    const text = byPath.get(path)
    if (text === undefined) {
      problems.push(`${path} is not there, and ${by} imports it`)
      return
    }
    for (const { from, isType } of importsOf(text)) {
      if (isType) continue
      if (runners.includes(from)) problems.push(`${path} needs ${from}, by way of ${by}`)
      if (from.startsWith(".")) visit(resolved(path, from), path)
    }
  }
  visit(entry, "whoever imports the room")
  return problems
}
