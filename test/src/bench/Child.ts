/** Child processes of the benchmark: the service, the echo server and the load each run in their own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** This checkout. */
export const repository = fileURLToPath(new URL("../../../", import.meta.url))
const conditions = "--conditions=@countersign/source"

export interface Child extends AsyncDisposable {
  readonly pid: number
  /** The rest of the line that started with the expected word. */
  readonly output: string
}

/** This process's variables, without those that configure the server. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("COUNTERSIGN_")))

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  await exited
}

/** Starts a Node process and waits for the line of its output that begins with this word. */
const start = async (word: string, words: ReadonlyArray<string>, cwd = repository): Promise<Child> => {
  const child = spawn(process.execPath, [conditions, ...words], {
    cwd,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith(`${word} `)) continue
    child.stdout.resume()
    return { pid: child.pid ?? 0, output: line.slice(word.length + 1), [Symbol.asyncDispose]: () => stopped(child) }
  }
  throw new Error(`${words.join(" ")} ended before it printed ${word}`)
}

/** A server of Node's own module alone, which is as little as can be started. */
const bareServer = `const server = require("node:http").createServer((_, response) => response.end("{}"))
server.listen(0, "127.0.0.1", () => console.log("ready http://127.0.0.1:" + server.address().port))`

export const bareHttpServer = (): Promise<Child> => start("ready", ["-e", bareServer])

/** Starts the service of this checkout from its bundle, as `npm start` does. */
export const bundledService = (options: ReadonlyArray<string>): Promise<Child> =>
  start("ready", ["packages/cli/scripts/start.mjs", "serve", "--port", "0", ...options])

const script = "test/scripts/bench.ts"

/** Starts a part of the benchmark in its own process; `bench.ts` lists the parts. */
export const part = (word: string, name: string, options: object): Promise<Child> =>
  start(word, [script, "--part", name, JSON.stringify(options)])

/** Starts the service of a checkout from its sources. */
export const service = (
  options: ReadonlyArray<string>,
  nodeOptions: ReadonlyArray<string> = [],
  checkout?: string,
): Promise<Child> =>
  start("ready", [...nodeOptions, "packages/cli/src/main.ts", "serve", "--port", "0", ...options], checkout)
