/** Runs samples as they stand, in the languages whose programs this machine has; JavaScript runs in this process. Source: D-484. */
import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"

type Environment = Readonly<Record<string, string>>

/** Runs a program and returns what it printed; the status of the answer is the first or, for curl, the last word. */
export type Run = (source: string, environment: Environment) => Promise<string>

export interface Runner extends AsyncDisposable {
  readonly run: Run
}

const nothing = async () => {}

const Program: new (...parts: ReadonlyArray<string>) => (...values: ReadonlyArray<unknown>) => Promise<void> =
  Object.getPrototypeOf(async () => {}).constructor

const javascript = (): Runner => ({
  run: async (source, environment) => {
    const printed: Array<string> = []
    const log = (...words: ReadonlyArray<unknown>) => void printed.push(words.join(" "))
    await new Program("process", "console", source)({ env: environment }, { log })
    return printed.join("\n")
  },
  [Symbol.asyncDispose]: nothing,
})

/** The sample is unchanged: the shell's own function shows the status. */
const showStatus = `curl() { command curl -s -w ' %{http_code}' "$@"; }\n`

const curl = (): Runner => ({
  run: async (source, environment) => {
    const shell = spawn("bash", ["-c", `${showStatus}${source}`], { env: { ...process.env, ...environment } })
    const [printed, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)])
    const status = printed.trim().split(" ").at(-1)
    return `${status} ${printed}${complaints}`
  },
  [Symbol.asyncDispose]: nothing,
})

const pythonLoop = `
import contextlib, io, json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    os.environ.update(asked["environment"])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(asked["source"], {"__name__": "__main__"})
    print(json.dumps(printed.getvalue()), flush=True)
`

const python = (): Runner => {
  const child = spawn("python3", ["-c", pythonLoop], { stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    run: async (source, environment) => {
      child.stdin.write(`${JSON.stringify({ source, environment })}\n`)
      const { value } = await lines.next()
      return JSON.parse(value ?? '"the program ended"')
    },
    [Symbol.asyncDispose]: async () => void child.stdin.end(),
  }
}

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0

export const runners: ReadonlyArray<readonly [string, () => Runner]> = [
  ["JavaScript", javascript],
  ...(has("curl") && has("bash") ? [["cURL", curl] as const] : []),
  ...(has("python3") ? [["Python", python] as const] : []),
]
