/**
 * Keeps what the services of a world log, and prints it when the test fails that created the world.
 * Source: D-448.
 */
import { type Layer, Logger } from "effect"

export interface WorldLog {
  readonly layer: Layer.Layer<never>
  /** The lines so far, oldest first. */
  readonly lines: () => ReadonlyArray<string>
}

/** A run of many requests must not grow without limit. */
const linesMax = 1000

export const make = (): WorldLog => {
  const kept: Array<string> = []
  let dropped = 0
  const keep = (line: string) => {
    kept.push(line)
    if (kept.length <= linesMax) return
    kept.shift()
    dropped += 1
  }
  return {
    layer: Logger.layer([Logger.map(Logger.formatLogFmt, keep)]),
    lines: () => (dropped === 0 ? [...kept] : [`(${dropped} earlier lines were dropped)`, ...kept]),
  }
}

/** The text that is printed for a failed test; empty if nothing was logged. */
const logText = ({ lines }: Pick<WorldLog, "lines">): string =>
  lines().length === 0 ? "" : ["The log of the world:", ...lines().map((line) => `  ${line}`), ""].join("\n")

/** The logs of the last worlds. A property test creates hundreds, of which the last ones have failed. */
const recent: Array<WorldLog> = []
const recentMax = 4

const print = (log: WorldLog): void => {
  if (recent.includes(log)) process.stderr.write(logText(log))
}

/** Node's runner passes the test's context, which its types do not have. */
const hasFailed = (context: unknown): boolean => Reflect.get(Object(context), "passed") === false

/** Loaded only in a process of that runner: a world is used in processes of any runner, and of none. */
const modules = { vitest: "vitest", node: "node:test" }

/** Asks the runner of this process to print the log if the present test fails. Jest and plain programs offer no hook: they use `log()`. */
export const showOnFailure = async (log: WorldLog): Promise<void> => {
  recent.push(log)
  if (recent.length > recentMax) recent.shift()
  const { NODE_TEST_CONTEXT, VITEST } = process.env
  try {
    if (VITEST !== undefined) (await import(modules.vitest)).onTestFailed(() => print(log))
    else if (NODE_TEST_CONTEXT !== undefined) {
      const { after } = await import(modules.node)
      after((context: unknown) => {
        if (hasFailed(context)) print(log)
      })
    }
  } catch {
    // The world was not created within a test.
  }
}
