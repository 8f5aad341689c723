/**
 * What the traffic of a complete run has reached of the document: every success of every operation, and every refusal that a caller can
 * cause.
 * Source: D-366, D-431.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { serviceNameDefault } from "@countersign/core/models"
import { namedSuccesses } from "./NamedSuccesses.ts"
import type { Noted } from "./Recorder.ts"

const { isObject } = OpenApiDocument

export interface Coverage {
  readonly operations: number
  /** The documented pairs of operation and status, and those that were answered. */
  readonly documented: number
  readonly reached: number
  /** The services whose answers were seen, with the number of pairs that each has reached. */
  readonly serviceNames: ReadonlyArray<readonly [name: string, reached: number]>
  /** What does not match the document. */
  readonly problems: ReadonlyArray<string>
  /** The documented pairs that no test reached, without those that no caller can cause. */
  readonly missing: ReadonlyArray<string>
  /** The pairs that are excused and were reached all the same. */
  readonly excusedInVain: ReadonlyArray<string>
  /** The successes of operations with service-named elements that no service with a name of its own has answered. */
  readonly unnamed: ReadonlyArray<string>
}

const pairOf = ({ operation, status }: Noted): string => `${operation} ${status}`

/** Statuses that a defect, an overload or a deployment's limit of use causes, and no single request. */
const notCaused: ReadonlyArray<string> = ["429", "500", "503"]

export const coverageOf = (
  document: OpenApiDocument.JsonObject,
  noted: ReadonlyArray<Noted>,
  excused: ReadonlyArray<string>,
): Coverage => {
  const reached = new Set(noted.map(pairOf))
  const byName = Map.groupBy(noted, ({ serviceName }) => serviceName)
  const reachedNamed = new Set(noted.filter(({ serviceName }) => serviceName !== serviceNameDefault).map(pairOf))
  const paths = isObject(document["paths"]) ? document["paths"] : {}
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      statuses: Object.keys(isObject(operation) && isObject(operation["responses"]) ? operation["responses"] : {}),
    })),
  )
  const documented = operations.flatMap(({ name, statuses }) => statuses.map((status) => `${name} ${status}`))
  const missing = documented.filter((pair) => !reached.has(pair) && !notCaused.some((status) => pair.endsWith(status)))
  return {
    operations: operations.length,
    documented: documented.length,
    reached: documented.filter((pair) => reached.has(pair)).length,
    serviceNames: [...byName]
      .map(([name, own]) => [name, new Set(own.map(pairOf)).size] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    problems: [...new Set(noted.flatMap(({ problems }) => problems))].toSorted(),
    missing: missing.filter((pair) => !excused.includes(pair)),
    excusedInVain: excused.filter((pair) => reached.has(pair) || !documented.includes(pair)),
    unnamed: namedSuccesses(document).filter((pair) => !reachedNamed.has(pair)),
  }
}

/** What fails the run: answers that do not match the document, and what a complete run lacks. */
export const failuresOf = (
  { excusedInVain, missing, problems, serviceNames, unnamed }: Coverage,
  isComplete: boolean,
): ReadonlyArray<string> => [
  ...problems,
  ...(isComplete ? missing.map((pair) => `no test reaches ${pair}`) : []),
  ...(isComplete ? excusedInVain.map((pair) => `excused, and reached or unknown: ${pair}`) : []),
  ...(isComplete && serviceNames.length < 2 ? ["all traffic has the same service name"] : []),
  ...(isComplete ? unnamed.map((pair) => `no test reaches ${pair} under another service name`) : []),
]
