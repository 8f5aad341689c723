/** Runs a command in the process of the test, beside a harness: for the cases of a command that another test runs as a process. */
import type { Harness } from "@countersign/test"
import { Cause, Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { exitCodeOf } from "../../../packages/cli/src/CommandError.ts"
import { countersign } from "../../../packages/cli/src/Countersign.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"
import type { Ended } from "./Commands.ts"

/** Runs a command to its end. */
export const inProcess = async (words: ReadonlyArray<string>): Promise<Ended> => {
  const [stdout, stderr]: [Array<string>, Array<string>] = [[], []]
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: (line: string) => stdout.push(line),
    error: (line: string) => stderr.push(line),
  })
  const command = Command.runWith(countersign, { version: "1.2.3" })(words)
  const exit = await Effect.runPromiseExit(
    command.pipe(Effect.provide(platform), Effect.provideService(Console.Console, capturing)),
  )
  const code = Exit.isSuccess(exit) ? 0 : exitCodeOf(Cause.squash(exit.cause))
  return { code, stdout: stdout.join("\n"), stderr: stderr.join("\n") }
}

/** Serves a harness, and returns commands that talk to it. */
export const servedHarness = async (pay: Harness) => {
  const serving = await pay.serve()
  const { clientId, clientSecret } = pay.credentials
  const options = ["--server", serving.baseUrl, "--client-id", clientId, "--client-secret", clientSecret]
  return {
    command: (...words: ReadonlyArray<string>) => inProcess([...words, ...options]),
    [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
  }
}
