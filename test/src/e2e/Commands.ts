/** Runs the commands of the command line beside a server, in the folder of its store. */
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { type CommandName, run, startServer } from "./ServerProcess.ts"

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command to its end. The client secret of the tests is in its environment. */
export type Command = (
  words: readonly [CommandName, ...ReadonlyArray<string>],
  env?: Readonly<Record<string, string>>,
) => Promise<Ended>

/** Returns commands that run in a folder. */
export const commandsIn =
  (cwd: string): Command =>
  async ([command, ...options], env = {}) => {
    const secret = { COUNTERSIGN_CLIENT_SECRET: credentials.clientSecret }
    await using process = run({ command, options, cwd, env: { ...secret, ...env } })
    const { code } = await process.exited
    return { code, stdout: process.stdout().trim(), stderr: process.stderr().trim() }
  }

/** Starts a server on a store in a new folder. Its commands run in the folder. */
export const serverWithCommands = async () => {
  const folder = await newFolder()
  const server = await startServer({ cwd: folder.path, options: credentialOptions })
  const close = async () => {
    await server[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  }
  return { folder, server, command: commandsIn(folder.path), [Symbol.asyncDispose]: close }
}
export type ServerWithCommands = Awaited<ReturnType<typeof serverWithCommands>>
