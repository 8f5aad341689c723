/** Runs the server in its own process with the command of `npm start`; in memory by default. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { eventually } from "./Deadline.ts"

const root = new URL("../../../", import.meta.url)
/** The repository's folder. */
export const repository = fileURLToPath(root)

/** Loaded into each server. */
const trafficModule = new URL("test/src/traffic/subscribe.mjs", root).href

/** The folder of the repository's own Node. */
export const binaries = fileURLToPath(new URL("node_modules/.bin", root))

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL("package.json", root), "utf8"),
)

/** Returns the arguments of the start script after `exec node`, valid in any folder, with the given command. */
const startWords = (command = "serve"): ReadonlyArray<string> => {
  const [exec, node, ...words] = (scripts["start"] ?? "").split(" ")
  if (exec !== "exec" || node !== "node" || words.at(-1) !== "serve")
    throw new Error(`the start script is not "exec node ... serve": ${scripts["start"]}`)
  return [...words.slice(0, -1).map((word) => (word.endsWith(".mjs") ? resolve(repository, word) : word)), command]
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export type CommandName =
  | "serve"
  | "migrate"
  | "ledger"
  | "operate"
  | "reconcile"
  | "rotate"
  | "clock"
  | "doctor"
  | "init"
  | "listen"
  | "trigger"
  | "events"
  | "cells"
  | "jobs"
  | "logs"
  | "replay"
  | "keys"
  | "world"

export interface StartOptions {
  readonly command?: CommandName
  readonly options?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Working folder, which contains the default store; by default the repository, with the store in memory. */
  readonly cwd?: string
}

export interface Running extends AsyncDisposable {
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** Settles when the process has ended and its output is complete. */
  readonly exited: Promise<Exit>
  readonly terminate: () => void
  /** Ends the process as a crash does, without its own clean-up. */
  readonly kill: () => void
}

/** This process's variables, without those that configure the server. */
const environment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:COUNTERSIGN_|NODE_(?!COMPILE_CACHE)|VITEST)/u.test(name),
  )
  return { ...Object.fromEntries(own), PATH: `${binaries}:${process.env["PATH"] ?? ""}`, ...more }
}

const stop = async (child: ChildProcess, exited: Promise<Exit>): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
  await exited
}

/** Memory is the fastest store, and most tests work with any store. */
const storeOf = ({ cwd, env = {}, options = [] }: StartOptions): ReadonlyArray<string> =>
  cwd === undefined && env["COUNTERSIGN_STORE"] === undefined && !options.includes("--store")
    ? ["--store", "memory"]
    : []

/** Starts the command and does not wait. */
export const run = (start: StartOptions = {}): Running => {
  const { command, cwd = repository, env = {}, options = [] } = start
  // Servers note their answers, which are held against the document at the end of the run.
  const noting = command === undefined || command === "serve" ? ["--import", trafficModule] : []
  const child = spawn(`${binaries}/node`, [...noting, ...startWords(command), ...storeOf(start), ...options], {
    cwd,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output: Readonly<Record<"stdout" | "stderr", Array<string>>> = { stdout: [], stderr: [] }
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.stdout.push(text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => output.stderr.push(text))
  const exited = once(child, "close").then(([code, signal]): Exit => ({ code, signal }))
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout.join(""),
    stderr: () => output.stderr.join(""),
    exited,
    terminate: () => void child.kill("SIGTERM"),
    kill: () => void child.kill("SIGKILL"),
    [Symbol.asyncDispose]: () => stop(child, exited),
  }
}

export interface ServerProcess extends Running {
  /** Base address with the base path, from the ready line. */
  readonly base: string
  /** Address without the base path. */
  readonly origin: string
  readonly port: number
  /** Returns the value that the start printed under this name. */
  readonly printed: (name: string) => string | undefined
  /** Whether the port still accepts connections. */
  readonly isListening: () => Promise<boolean>
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/** Starts the server on a free port, and waits for its ready line. */
export const startServer = async ({ options = [], ...more }: StartOptions = {}): Promise<ServerProcess> => {
  const server = run({ ...more, options: ["--port", "0", ...options] })
  const ended = server.exited.then(() => "ended" as const)
  const ready = () => /^ready (http:\/\/\S+)$/mu.exec(server.stdout())?.[1]
  const isUp = eventually("the ready line", ready, (found) => found !== undefined, 120_000)
  const first = await Promise.race([isUp, ended]).catch(async (error: unknown) => {
    await server[Symbol.asyncDispose]()
    throw error
  })
  if (first === "ended" || first === undefined) {
    isUp.catch(() => undefined)
    throw new Error(`the server ended before it was ready: ${server.stdout()}${server.stderr()}`)
  }
  const { origin, port } = new URL(first)
  return {
    ...server,
    base: first,
    origin,
    port: Number(port),
    printed: (name) =>
      server
        .stdout()
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length)
        .trim(),
    isListening: () => isListening(Number(port)),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}
