/**
 * What the traffic of a complete run has reached of the document: every success of every operation, and every refusal that a caller can
 * cause.
 * Source: D-366.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import type { Noted } from "./Recorder.ts"

const { isObject } = OpenApiDocument

export interface Coverage {
  readonly operations: number
  /** The documented pairs of operation and status, and those that were answered. */
  readonly documented: number
  readonly reached: number
  readonly serviceNames: ReadonlyArray<string>
  /** What does not match the document. */
  readonly problems: ReadonlyArray<string>
  /** The documented pairs that no test reached, without those that no caller can cause. */
  readonly missing: ReadonlyArray<string>
  /** The pairs that are excused and were reached all the same. */
  readonly excusedInVain: ReadonlyArray<string>
}

/** Statuses that a defect, an overload or a deployment's limit of use causes, and no single request. */
const notCaused: ReadonlyArray<string> = ["429", "500", "503"]

export const coverageOf = (
  document: OpenApiDocument.JsonObject,
  noted: ReadonlyArray<Noted>,
  excused: ReadonlyArray<string>,
): Coverage => {
  const reached = new Set(noted.map(({ operation, status }) => `${operation} ${status}`))
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
    serviceNames: [...new Set(noted.map(({ serviceName }) => serviceName))].toSorted(),
    problems: [...new Set(noted.flatMap(({ problems }) => problems))].toSorted(),
    missing: missing.filter((pair) => !excused.includes(pair)),
    excusedInVain: excused.filter((pair) => reached.has(pair) || !documented.includes(pair)),
  }
}
