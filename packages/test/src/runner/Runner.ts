/**
 * Detects the test runner of this process, with which the published suites register their tests: Jest, or Vitest with globals, by the
 * global scope; Vitest without globals by the environment; otherwise Node's own runner.
 */

export interface Runner {
  readonly describe: (name: string, body: () => void) => void
  readonly it: (name: string, body: () => void | Promise<void>, timeoutMillis?: number) => void
}

type Globals = Readonly<Record<string, unknown>>

/** Returns the functions of a runner that defines globals, or `undefined`. */
export const ofGlobals = (globals: Globals): Runner | undefined =>
  typeof globals["describe"] === "function" && typeof globals["it"] === "function"
    ? { describe: globals["describe"] as Runner["describe"], it: globals["it"] as Runner["it"] }
    : undefined

const ofNode = async (): Promise<Runner> => {
  const { describe, it } = await import("node:test")
  return {
    describe: (name, body) => void describe(name, body),
    it: (name, body, timeout) => void (timeout === undefined ? it(name, body) : it(name, { timeout }, body)),
  }
}

export const find = async (globals: Globals, environment: Globals): Promise<Runner> => {
  const found = ofGlobals(globals)
  if (found !== undefined) return found
  if (environment["JEST_WORKER_ID"] !== undefined) throw new Error("Jest's globals are off: set injectGlobals to true")
  return environment["VITEST"] === undefined ? ofNode() : import("vitest")
}

export const { describe, it }: Runner = await find(globalThis as Globals, process.env)
