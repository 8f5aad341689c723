/** Searches each decoder for a time, from the inputs of earlier searches, which are kept in a folder. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { drawOf } from "../crypto/Mutants.ts"
import { type Finding, search, type Target } from "./Search.ts"
import { targets } from "./Targets.ts"

export interface LongSearchOptions {
  readonly folder: string
  readonly minutes: number
  /** A part of the names of the decoders. */
  readonly only?: string
  readonly write: (line: string) => void
}

const perSearch = 20_000

const searchOne = (target: Target, { folder, minutes, write }: LongSearchOptions): ReadonlyArray<Finding> => {
  const file = join(folder, `${target.name.replaceAll(" ", "-")}.json`)
  const findings = new Map<string, Finding>()
  let corpus: ReadonlyArray<string> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []
  let [inputs, covered] = [0, 0]
  for (const end = performance.now() + minutes * 60_000; performance.now() < end; inputs += perSearch) {
    const found = search(target, { inputs: perSearch, draw: drawOf(Date.now()), corpus })
    corpus = found.corpus
    covered = found.covered
    for (const finding of found.findings) findings.set(finding.problem, finding)
    writeFileSync(file, JSON.stringify(corpus))
  }
  write(`${target.name}: ${inputs} inputs, ${corpus.length} kept, ${covered} characters of its sources executed`)
  for (const { input, problem } of findings.values()) write(`  ${problem}: ${JSON.stringify(input)}`)
  return [...findings.values()]
}

/** Returns how many different problems were found. */
export const longSearch = (options: LongSearchOptions): number => {
  const { folder, minutes, only = "" } = options
  mkdirSync(folder, { recursive: true })
  const chosen = targets.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new Error(`no decoder of ${only}: ${targets.map(({ name }) => name).join(", ")}`)
  const each = { ...options, minutes: minutes / chosen.length }
  return chosen.reduce((sum, target) => sum + searchOne(target, each).length, 0)
}
