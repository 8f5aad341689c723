/** A property looked for a counterexample, as a function that returns problems: for any test runner, and for none. */
import fc from "fast-check"

type Problems = ReadonlyArray<string>

export interface SearchOptions {
  /** How many values are tried. */
  readonly runs?: number
  /** The same seed tries the same values. */
  readonly seed?: number
  /** After so long it says what it has found, however far that has been shrunk. */
  readonly withinMillis?: number
  /** `false`: the first value that has a problem is answered as it was drawn. */
  readonly isShrunk?: boolean
}

/** The problem of the smallest value that was found to have one, with that value and what replays it; none where none was found. */
export const search = async <Drawn>(
  drawn: fc.Arbitrary<Drawn>,
  check: (value: Drawn) => Promise<void>,
  { isShrunk = true, runs = 100, seed, withinMillis }: SearchOptions = {},
): Promise<Problems> => {
  const details = await fc.check(fc.asyncProperty(drawn, check), {
    numRuns: runs,
    endOnFailure: !isShrunk,
    ...(seed === undefined ? {} : { seed }),
    ...(withinMillis === undefined ? {} : { interruptAfterTimeLimit: withinMillis }),
  })
  if (!details.failed) return []
  const { errorInstance: error } = details
  return [`${error instanceof Error ? (error.stack ?? error.message) : error}\n\n${fc.defaultReportMessage(details)}`]
}
