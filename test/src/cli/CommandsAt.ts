/** Runs a command in the process of the test, at a server whose answers are given. Source: D-458. */
import { Cause, Clock, Console, Effect, Exit } from "effect"
import { Command, TerminalCapabilities } from "effect/cli"
import { vi } from "vitest"
import { exitCodeOf } from "../../../packages/cli/src/CommandError.ts"
import { countersign } from "../../../packages/cli/src/Countersign.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"
import { secretFlag } from "./ServeOptionsOf.ts"

/** One request of a command. */
export interface Sent {
  readonly method: string
  /** The path below the base path, with its query; the whole address of another server. */
  readonly path: string
  readonly body: unknown
  readonly headers: Headers
}

/** The answer to a request: its body, a response, or the status of a refusal. */
export type Answers = (sent: Sent, index: number) => unknown

export interface CommandOptions {
  readonly isColoured?: boolean
  /** The base address of the server. */
  readonly server?: string
  /** Whether the pauses of the command take no time. A command with a notice of progress would print it at once. */
  readonly isFollowing?: boolean
  /** What the test does at a line on standard error; the command is interrupted after it if that returns `true`. */
  readonly onNotice?: (line: string) => Promise<boolean>
}

const base = "https://pay.example.com/2025-10-13"

const responseOf = (answer: unknown): Response => {
  if (answer instanceof Response) return answer
  if (typeof answer !== "number") return Response.json(answer)
  return Response.json({ status: answer, code: "CONFLICT", message: "It is refused." }, { status: answer })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A clock whose pauses take no time; their milliseconds are added to the list. */
const pausing = (clock: Clock.Clock, pauses: Array<number>): Clock.Clock =>
  Object.assign(Object.create(clock), {
    sleep: ({ value }: Parameters<Clock.Clock["sleep"]>[0]) => {
      pauses.push(value._tag === "Millis" ? value.millis : Number.NaN)
      return Effect.void
    },
  })

/** Runs a command to its end, and returns what it printed, sent and waited for. */
export const commandAt = async (
  words: ReadonlyArray<string>,
  answers: Answers,
  { isColoured = false, isFollowing = false, onNotice, server = base }: CommandOptions = {},
) => {
  const sent: Array<Sent> = []
  const [stdout, stderr, pauses]: [Array<string>, Array<string>, Array<number>] = [[], [], []]
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init)
    const one: Sent = {
      method: request.method,
      path: request.url.startsWith(server) ? request.url.slice(server.length) : request.url,
      body: parsed(await request.text()),
      headers: request.headers,
    }
    sent.push(one)
    return responseOf(answers(one, sent.length - 1))
  })
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>()
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: (line: string) => stdout.push(line),
    error: (line: string) => {
      stderr.push(line)
      onNotice?.(line).then((isLast) => (isLast ? interrupt() : undefined), interrupt)
    },
  })
  const options = ["--server", server, "--client-id", "first", secretFlag("client"), "s", "--store", "memory"]
  const command = Command.runWith(countersign, { version: "1.2.3" })([...words, ...options])
  try {
    const clock = await Effect.runPromise(Clock.Clock)
    const exit = await Effect.runPromiseExit(
      Effect.raceFirst(
        command,
        Effect.promise(() => interrupted),
      ).pipe(
        Effect.provide(platform),
        Effect.provideService(Console.Console, capturing),
        Effect.provideService(Clock.Clock, isFollowing ? pausing(clock, pauses) : clock),
        Effect.provideService(TerminalCapabilities.TerminalCapabilities, {
          canColor: isColoured,
          canAnimate: false,
          canPrompt: false,
        }),
      ),
    )
    const code = Exit.isSuccess(exit) ? 0 : exitCodeOf(Cause.squash(exit.cause))
    return { code, stdout: stdout.join("\n"), stderr: stderr.join("\n"), sent, pauses }
  } finally {
    vi.unstubAllGlobals()
  }
}
