/** Steps of a release: each says what it did, or fails with a reason, and the others still run unless they need it. */

export interface Step {
  readonly name: string
  /** Steps that must have succeeded. */
  readonly after?: ReadonlyArray<string>
  /** Returns one line about the outcome; rejects if the release cannot be made. */
  readonly run: () => Promise<string>
}

export interface Outcome {
  readonly name: string
  readonly state: "ok" | "failed" | "not run"
  readonly detail: string
}

/** Rejects with all problems of a step. */
export const noProblems = (problems: ReadonlyArray<string>): void => {
  if (problems.length > 0) throw new Error(problems.join("\n"))
}

/** Runs the steps one after another, and reports each. */
export const runSteps = async (
  steps: ReadonlyArray<Step>,
  report: (outcome: Outcome) => void,
): Promise<ReadonlyArray<Outcome>> => {
  const outcomes: Array<Outcome> = []
  for (const { after = [], name, run } of steps) {
    const missing = after.filter((each) => outcomes.find((outcome) => outcome.name === each)?.state !== "ok")
    const outcome: Outcome =
      missing.length > 0
        ? { name, state: "not run", detail: `needs ${missing.join(", ")}` }
        : await run().then(
            (detail) => ({ name, state: "ok", detail }) as const,
            (error: unknown) => ({
              name,
              state: "failed",
              detail: error instanceof Error ? error.message : String(error),
            }),
          )
    outcomes.push(outcome)
    report(outcome)
  }
  return outcomes
}

/** One line for each step, aligned; further lines of a reason follow indented. */
export const tableOf = (outcomes: ReadonlyArray<Outcome>): string => {
  const width = Math.max(...outcomes.map(({ name }) => name.length))
  return outcomes
    .map(({ detail, name, state }) => {
      const text = detail.replaceAll("\n", `\n${" ".repeat(width + 11)}`)
      return `${name.padEnd(width)}  ${state.padEnd(7)}  ${text}`
    })
    .join("\n")
}
