/**
 * Counts what this process reached: transitions of machines, rows of rule lists, error codes, and sandbox-only leniencies.
 * Counting starts with the first harness. The counts of other processes of the same run are added from a folder.
 * Source: D-231.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ErrorCodes } from "@countersign/core/models"
import { SandboxLeniencies } from "@countersign/core/sandbox"
import { Coverage, machines, ruleLists } from "@countersign/core/verify"

/** How often each target was reached, by its kind and name. */
export type Counts = { readonly [kind in Kind]: { readonly [name: string]: number } }
type Kind = "arrows" | "rules" | "codes" | "leniencies"

const kinds = ["arrows", "rules", "codes", "leniencies"] as const

const counts: { [kind in Kind]: Map<string, number> } = {
  arrows: new Map(),
  rules: new Map(),
  codes: new Map(),
  leniencies: new Map(),
}

const count = (kind: Kind, name: string) => counts[kind].set(name, (counts[kind].get(name) ?? 0) + 1)

const arrowName = (machine: string, from: string | null, on: string) => `${machine}: ${from ?? "(none)"} ${on}`
const rowName = (list: string, row: string) => `${list}: ${row}`

let isListening = false

/** Starts to count; later calls have no effect. */
export const startCounting = (): void => {
  if (isListening) return
  isListening = true
  Coverage.subscribe((reached) => {
    if (reached._tag === "Arrow") count("arrows", arrowName(reached.machine, reached.from, reached.on))
    else if (reached._tag === "Rule") count("rules", rowName(reached.list, reached.row))
    else count("leniencies", reached.name)
  })
}

/** Counts the code of an error response. */
export const countErrorCode = (code: string): void => void count("codes", code)

/** Returns the counts of this process. */
export const reached = (): Counts => ({
  arrows: Object.fromEntries(counts.arrows),
  rules: Object.fromEntries(counts.rules),
  codes: Object.fromEntries(counts.codes),
  leniencies: Object.fromEntries(counts.leniencies),
})

/** Returns every target that a run can reach, in the order of its table. */
export const coverageTargets = (): { readonly [kind in Kind]: ReadonlyArray<string> } => ({
  arrows: Object.values(machines).flatMap(({ arrows, name }) =>
    arrows.map(({ from, trigger }) => arrowName(name, from, trigger)),
  ),
  rules: ruleLists.flatMap(({ name, rows }) => rows.map((row) => rowName(name, row.name))),
  codes: ErrorCodes.keys,
  leniencies: SandboxLeniencies.keys,
})

const sum = (all: ReadonlyArray<Counts>): Counts => {
  const total = {
    arrows: new Map<string, number>(),
    rules: new Map<string, number>(),
    codes: new Map<string, number>(),
    leniencies: new Map<string, number>(),
  }
  for (const each of all) {
    for (const kind of kinds) {
      for (const [name, times] of Object.entries(each[kind]))
        total[kind].set(name, (total[kind].get(name) ?? 0) + times)
    }
  }
  return {
    arrows: Object.fromEntries(total.arrows),
    rules: Object.fromEntries(total.rules),
    codes: Object.fromEntries(total.codes),
    leniencies: Object.fromEntries(total.leniencies),
  }
}

/** Writes this process's counts to a folder and replaces those that it wrote before. */
export const saveCounts = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `reached-${process.pid}.json`), JSON.stringify(reached()))
}

/** Sums the counts of all processes that wrote theirs to the folder. */
export const gather = (folder: string): Counts =>
  sum(
    readdirSync(folder)
      .filter((name) => /^reached-.*\.json$/u.test(name))
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Counts),
  )
