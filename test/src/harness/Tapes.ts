/** Runs exported tapes as their user does, and compares what they print with the tape. */
import { spawn } from "node:child_process"
import { dirname } from "node:path"
import { asCurl, asScript, type Difference, type Harness, harness, replay, type Tape } from "@countersign/test"

/** Runs a program with its input, and returns its exit code and everything that it prints. */
export const run = async (
  command: string,
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  input = "",
): Promise<{ readonly code: number | null; readonly output: string }> => {
  // The helpers of a tape run on the Node of this process, on the sources of the packages.
  const own = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    NODE_OPTIONS: "--conditions=@countersign/source",
  }
  const { NODE_TEST_CONTEXT: _, VITEST: __, ...inherited } = process.env
  const child = spawn(command, args, { env: { ...inherited, ...own, ...env }, stdio: ["pipe", "pipe", "pipe"] })
  child.stdin.end(input)
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, output }
}

/** The ways to run a tape in a process of its own. */
export const exports = {
  program: (tape: Tape) => [process.execPath, ["--input-type=module", "-"], asScript(tape)] as const,
  curl: (tape: Tape) => ["bash", ["-s"], asCurl(tape)] as const,
}

export type ExportName = keyof typeof exports

interface Address {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Returns the differences between a tape and what its export prints about the service at an address. */
export const differencesAt = async (
  tape: Tape,
  name: ExportName,
  { baseUrl, clientId, clientSecret }: Address,
): Promise<ReadonlyArray<Difference>> => {
  const [command, args, text] = exports[name](tape)
  const env = { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
  const { code, output } = await run(command, args, env, text)
  const printed = [...output.matchAll(/^\d+ (\d{3}) (.*)$/gmu)]
  const calls = tape.steps.filter(({ _tag }) => _tag === "Call").length
  if (code !== 0 || printed.length !== calls) throw new Error(`${name} ended with ${code}:\n${output}`)
  return replay(tape, {
    send: async () => {
      const [, status, body = ""] = printed.shift() ?? []
      return { status: Number(status), body: body === "" ? undefined : JSON.parse(body) }
    },
    advance: async () => undefined,
  })
}

/** The differences on a fresh world behind a socket. */
export const differencesOnFreshWorld = async (tape: Tape, name: ExportName): Promise<ReadonlyArray<Difference>> => {
  await using pay = await harness({ seed: 5 })
  await using serving = await pay.serve()
  return await differencesAt(tape, name, { baseUrl: serving.baseUrl, ...pay.credentials })
}

/** A copy of the tape, as a file keeps it. */
export const tapeOf = (pay: Pick<Harness, "tape">): Tape => JSON.parse(JSON.stringify(pay.tape()))
