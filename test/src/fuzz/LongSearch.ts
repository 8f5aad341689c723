/** Searches each decoder for a time, from the inputs of earlier searches, which are kept in a folder. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { drawOf } from "../crypto/Mutants.ts"
import { type Finding, search } from "./Search.ts"
import type { TargetSource } from "./Target.ts"
import { targets } from "./Targets.ts"

export interface LongSearchOptions {
  readonly folder: string
  readonly minutes: number
  /** A part of the names of the decoders. */
  readonly only?: string
  readonly write: (line: string) => void
}

const perSearch = 2_000

const searchOne = async (
  { make, name }: TargetSource,
  { folder, minutes, write }: LongSearchOptions,
): Promise<ReadonlyArray<Finding>> => {
  const target = await make()
  const file = join(folder, `${name.replaceAll(" ", "-")}.json`)
  const findings = new Map<string, Finding>()
  let corpus: ReadonlyArray<string> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []
  let [inputs, covered] = [0, 0]
  const begin = performance.now()
  const processor = process.cpuUsage()
  for (; performance.now() - begin < minutes * 60_000; inputs += perSearch) {
    const found = await search(target, { inputs: perSearch, draw: drawOf(Date.now()), corpus })
    corpus = found.corpus
    covered = found.covered
    for (const finding of found.findings) findings.set(finding.problem, finding)
    writeFileSync(file, JSON.stringify(corpus))
  }
  const { system, user } = process.cpuUsage(processor)
  await target.close?.()
  const perSecond = Math.round((inputs / (system + user)) * 1_000_000)
  write(
    `${name}: ${inputs} inputs, ${perSecond} in a second of a processor, ${corpus.length} kept, ${covered} characters of its sources executed`,
  )
  for (const { input, problem } of findings.values()) write(`  ${problem}: ${JSON.stringify(input)}`)
  return [...findings.values()]
}

/** Returns how many different problems were found. */
export const longSearch = async (options: LongSearchOptions): Promise<number> => {
  const { folder, minutes, only = "" } = options
  mkdirSync(folder, { recursive: true })
  const chosen = targets.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new Error(`no decoder of ${only}: ${targets.map(({ name }) => name).join(", ")}`)
  const each = { ...options, minutes: minutes / chosen.length }
  let problems = 0
  for (const target of chosen) problems += (await searchOne(target, each)).length
  return problems
}
