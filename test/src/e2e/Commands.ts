/** Runs the commands of the command line beside a server, in the folder of its store. */
import { basic, client } from "./Client.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { type CommandName, type Running, run, startServer } from "./ServerProcess.ts"

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs one command to its end. The client secret of the tests is in its environment. What a command says only because it takes longer than a
 * second is left out.
 */
export type Command = (
  words: readonly [CommandName, ...ReadonlyArray<string>],
  env?: Readonly<Record<string, string>>,
) => Promise<Ended>

/** Starts one command that runs until a signal ends it. */
type Start = (
  words: readonly [CommandName, ...ReadonlyArray<string>],
  env?: Readonly<Record<string, string>>,
) => Running

/** Returns commands that are started in a folder. */
const startedIn =
  (cwd: string): Start =>
  ([command, ...options], env = {}) =>
    run({ command, options, cwd, env: { COUNTERSIGN_CLIENT_SECRET: credentials.clientSecret, ...env } })

const notice = /^.* \.\.\.\n/gmu

/** Returns commands that run in a folder. */
export const commandsIn =
  (cwd: string): Command =>
  async (words, env) => {
    await using process = startedIn(cwd)(words, env)
    const { code } = await process.exited
    return { code, stdout: process.stdout().trim(), stderr: process.stderr().replaceAll(notice, "").trim() }
  }

/** Starts a server on a store in a new folder. Its commands run in the folder. */
export const serverWithCommands = async (options: ReadonlyArray<string> = []) => {
  const folder = await newFolder()
  const server = await startServer({ cwd: folder.path, options: [...credentialOptions, ...options] })
  const close = async () => {
    await server[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  }
  return {
    folder,
    server,
    /** Sends with the credentials of the server's platform. */
    platform: client(server.base, basic(credentials.clientId, credentials.clientSecret)),
    command: commandsIn(folder.path),
    started: startedIn(folder.path),
    [Symbol.asyncDispose]: close,
  }
}
export type ServerWithCommands = Awaited<ReturnType<typeof serverWithCommands>>
