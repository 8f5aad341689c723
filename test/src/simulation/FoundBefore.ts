/**
 * The seeds whose runs showed the auditor's problems the last time, which are tried first: a search for each of some hundred problems took
 * three minutes. They save time and decide nothing: a seed that shows its problem no longer, after a change of the actions, costs one run more.
 * `COUNTERSIGN_RECORD_FINDS=1 npx vitest run test/src/simulation --no-file-parallelism` writes them anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

type Found = Readonly<Record<string, ReadonlyArray<number>>>

const file = fileURLToPath(new URL("found.json", import.meta.url))
const isRecording = process.env["COUNTERSIGN_RECORD_FINDS"] !== undefined

const stored = (): Found => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {})
const known = stored()

const keyOf = (problems: ReadonlyArray<RegExp>): string => problems.map(({ source }) => source).join(" & ")

export const foundBefore = (problems: ReadonlyArray<RegExp>): ReadonlyArray<number> => known[keyOf(problems)] ?? []

export const rememberFound = (problems: ReadonlyArray<RegExp>, seeds: ReadonlyArray<number>): void => {
  if (!isRecording) return
  // Each file of tests adds its own.
  const all = Object.entries({ ...stored(), [keyOf(problems)]: seeds }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = all.map(([key, found]) => `  ${JSON.stringify(key)}: [${found.join(", ")}]`)
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`)
}
