/**
 * Runs samples unchanged, in the languages whose programs this machine has; JavaScript and the typed client run in this process.
 * Source: D-484.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { ApiError, type ClientOptions, makeClient } from "@countersign/client"

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

/** The client throws what is no success; the answer itself is noted below it. */
const typedClient = (): Runner => ({
  run: async (source, environment) => {
    let printed = ""
    const noted = async (request: Request) => {
      const response = await fetch(request)
      printed = `${response.status} ${await response.clone().text()}`
      return response
    }
    const made = (options: ClientOptions) => makeClient({ ...options, fetch: noted })
    const program = new Program("process", "console", "makeClient", source.replace(/^import .*$/mu, ""))
    try {
      await program({ env: environment }, { log: () => {} }, made)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
    return printed
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

/** Without modules of others, and without a toolchain that would be fetched. */
export const goEnvironment = { GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" } as const

export const goModule = "module samples\n\ngo 1.19\n"

const go = (): Runner => {
  const made = mkdtemp(join(tmpdir(), "countersign-go-"))
  return {
    run: async (source, environment) => {
      const folder = await made
      await writeFile(join(folder, "go.mod"), goModule)
      await writeFile(join(folder, "main.go"), source)
      const env = { ...process.env, ...goEnvironment, ...environment }
      const child = spawn("go", ["run", "."], { cwd: folder, env })
      const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
      return `${printed}${complaints}`
    },
    [Symbol.asyncDispose]: async () => rm(await made, { recursive: true, force: true }),
  }
}

const has = (program: string, question = "--version"): boolean => spawnSync(program, [question]).status === 0

export const hasGo = has("go", "version")

export const runners: ReadonlyArray<readonly [string, () => Runner]> = [
  ["JavaScript", javascript],
  ["Typed client", typedClient],
  ...(has("curl") && has("bash") ? [["cURL", curl] as const] : []),
  ...(has("python3") ? [["Python", python] as const] : []),
  ...(hasGo ? [["Go", go] as const] : []),
]
