/**
 * Bounds the field problems of a response: their number, the length of their paths, and their bytes together.
 * Source: wire contract 8.1; D-310.
 */
import type { Json } from "../kit/CanonicalJson.ts"

/** One problem of a field: its dot path, the message, and the broken constraint. Source: wire contract 8.1. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
  readonly constraint?: { readonly [key: string]: Json }
}

/** The first problems of a request, and how many further ones were left out. */
export interface BoundedProblems {
  readonly problems: ReadonlyArray<FieldProblem>
  readonly omitted: number
}

/** The most problems that a response lists; the others are counted. */
export const problemsMax = 50
/** Maximum number of characters of a path, without the mark of a cut. */
const fieldLengthMax = 200
/** Maximum bytes of all problems as JSON. The first problem is always listed. */
const bytesMax = 20_480

/** Cuts a text to `max` characters and marks the cut. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/u, "")}…`

/** The bytes of a text in UTF-8, of which a character beyond ASCII takes at most two more than its length. */
const bytesIn = (text: string): number => text.length + 2 * (text.match(/\P{ASCII}/gu)?.length ?? 0)

/** Returns an empty list of problems. A problem that it has no room for is counted and never built. */
export const problemList = () => {
  const problems: Array<FieldProblem> = []
  let omitted = 0
  let bytes = 0
  return {
    add: (make: () => FieldProblem): void => {
      if (problems.length >= problemsMax || bytes > bytesMax) {
        omitted += 1
        return
      }
      const made = make()
      const problem = { ...made, field: cut(made.field, fieldLengthMax) }
      bytes += bytesIn(JSON.stringify(problem))
      if (bytes > bytesMax && problems.length > 0) omitted += 1
      else problems.push(problem)
    },
    bounded: (): BoundedProblems => ({ problems, omitted }),
  }
}
/** A list of problems within the limits of a response, as it grows. */
export type ProblemList = ReturnType<typeof problemList>

/** Returns the problems that fit into a response. */
export const boundedProblems = (all: ReadonlyArray<FieldProblem>): BoundedProblems => {
  const list = problemList()
  for (const problem of all) list.add(() => problem)
  return list.bounded()
}
