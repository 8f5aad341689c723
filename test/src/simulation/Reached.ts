/** What a simulated run reaches of the tables: arrows of machines, rows of rule lists, error codes, fail points; and all that runs can reach. */

import { ErrorCodes } from "@countersign/core/models"
import { Coverage, type FailPoint, FailPoints, machines, ruleLists } from "@countersign/core/verify"
import type { Answers } from "./Answers.ts"
import { clientActions } from "./Clients.ts"
import { faultNames } from "./FaultInjection.ts"

const arrow = (machine: string, from: string | null, on: string) => `arrow ${machine} ${from ?? "(none)"} ${on}`
const rule = (list: string, row: string) => `rule ${list} ${row}`
const code = (name: string) => `code ${name}`
const failPoint = (name: FailPoint) => `fail point ${name}`

/** How often each fail point was passed, by the name of `targets`. */
export const failPointCounts = (passages: ReadonlyMap<FailPoint, number>): ReadonlyMap<string, number> =>
  new Map([...passages].map(([name, times]) => [failPoint(name), times]))

/** Counts from now on, and the error codes that clients were answered. */
export const countReached = ({ codes }: Pick<Answers, "codes">) => {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const unsubscribe = Coverage.subscribe((event) => {
    if (event._tag === "Arrow") count(arrow(event.machine, event.from, event.on))
    else if (event._tag === "Rule") count(rule(event.list, event.row))
  })
  return {
    end: (): ReadonlyMap<string, number> => {
      unsubscribe()
      return new Map([...counts, ...[...codes].map(([name, times]) => [code(name), times] as const)])
    },
  }
}

/** All that a run could reach, by what it is. */
export const targets: { readonly [what: string]: ReadonlyArray<string> } = {
  arrows: Object.values(machines).flatMap(({ arrows, name }) =>
    arrows.map(({ from, trigger }) => arrow(name, from, trigger)),
  ),
  rules: ruleLists.flatMap(({ name, rows }) => rows.map((row) => rule(name, row.name))),
  codes: ErrorCodes.keys.map(code),
  failPoints: FailPoints.keys.map(failPoint),
  actions: Object.keys(clientActions).map((name) => `action ${name}`),
  faults: faultNames.map((name) => `fault ${name}`),
}

/** Counts that differ by less than half of themselves say the same. */
const largest = 6
const scale = (times: number): number => Math.min(largest, Math.floor(Math.log2(times)))

type Counts = ReadonlyMap<string, number>

interface Reaching {
  readonly actionCounts: Counts
  readonly faults: Counts
  readonly reached: Counts
}

/** How often a run reached each name, as `targets` has it, or an action that was refused. */
export const countsOf = ({ actionCounts, faults, reached }: Reaching): Counts =>
  new Map([
    ...reached,
    ...[...actionCounts].map(([name, times]) => [`action ${name}`, times] as const),
    ...[...faults].map(([name, times]) => [`fault ${name}`, times] as const),
  ])

/** What distinguishes a run: each name that it reached, with how often in powers of two, and which crashes it had with which arrows. */
export const featuresOf = (counts: Counts): ReadonlySet<string> => {
  const names = [...counts.keys()]
  const crashes = names.filter((name) => name.startsWith("fault crash at"))
  const arrows = names.filter((name) => name.startsWith("arrow "))
  return new Set([
    ...[...counts].flatMap(([name, times]) => [name, `${name} x${2 ** scale(times)}`]),
    ...crashes.flatMap((crash) => arrows.map((name) => `${crash} with ${name}`)),
  ])
}
