/** Searches for a counterexample of a property and returns it as a problem, so that it works with and without test runners. */
import fc from "fast-check"

type Problems = ReadonlyArray<string>

/** How long a search looks for a counterexample, and from which seed. */
export interface SearchOptions {
  /** How many values are tried; the default is 100. */
  readonly runs?: number
  /** The same seed tries the same values. */
  readonly seed?: number
  /** Time limit in milliseconds; the result may not be fully shrunk then. */
  readonly withinMillis?: number
  /** `false` returns the first counterexample without shrinking it. */
  readonly isShrunk?: boolean
}

/** Returns the problem of the smallest counterexample with its value and seed, or an empty list if none was found. */
export const search = async <Value>(
  values: fc.Arbitrary<Value>,
  check: (value: Value) => Promise<void>,
  { isShrunk = true, runs = 100, seed, withinMillis }: SearchOptions = {},
): Promise<Problems> => {
  const details = await fc.check(fc.asyncProperty(values, check), {
    numRuns: runs,
    endOnFailure: !isShrunk,
    ...(seed === undefined ? {} : { seed }),
    ...(withinMillis === undefined ? {} : { interruptAfterTimeLimit: withinMillis }),
  })
  if (!details.failed) return []
  const { errorInstance: error } = details
  return [`${error instanceof Error ? (error.stack ?? error.message) : error}\n\n${fc.defaultReportMessage(details)}`]
}
