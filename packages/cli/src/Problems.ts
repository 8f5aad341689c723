/** Problems of a start, and the one error that lists all of them. Source: D-342. */
import { Effect } from "effect"
import { CommandError } from "./CommandError.ts"
import type { ExitReason } from "./ExitCodes.ts"

export interface Problem<Name = never> {
  readonly reason: ExitReason
  readonly message: string
  /** The options that it follows from. It is not reported if one of them has a problem of its own. */
  readonly concerns: ReadonlyArray<Name>
}

/** Fails with all problems; the first decides the exit code, and usage comes before the rest. */
export const failWith = (problems: ReadonlyArray<Problem<unknown>>): Effect.Effect<void, CommandError> => {
  const [first] = problems.toSorted((a, b) => Number(b.reason === "usage") - Number(a.reason === "usage"))
  if (first === undefined) return Effect.void
  return Effect.fail(
    new CommandError({
      reason: first.reason,
      message: [...new Set(problems.map(({ message }) => message))].join("\n  "),
    }),
  )
}
