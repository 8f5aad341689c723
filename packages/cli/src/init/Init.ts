/**
 * `countersign init`: a folder with settings, credentials and an example program. It replaces no file.
 * Source: D-458.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { type CheckedValues, checkedFlags, collect } from "../CheckedFlags.ts"
import { negativeAnswer, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { environmentFile } from "../EnvironmentFile.ts"
import { integer } from "../FlagKinds.ts"
import { print } from "../output/Print.ts"
import { failWith } from "../Problems.ts"
import { json } from "../StoreFlags.ts"
import { exampleProgram } from "./ExampleProgram.ts"

interface InitOptions {
  readonly port: number
  readonly json: boolean
}

const initFlags = checkedFlags<InitOptions>({
  port: integer("port", "PORT", "The port of the sandbox", { defaultValue: 8787, min: 1, max: 65_535, what: "a port" }),
  json: json("Print JSON: the folder and its files, without the secret"),
})

interface NewFile {
  readonly name: string
  readonly content: string
  readonly mode?: number
}

const settings = (port: number): string =>
  `# Settings of the commands that run in this folder. Variables of the shell override them. Keep this file secret.
COUNTERSIGN_PORT=${port}
COUNTERSIGN_CLIENT_ID=${randomBytes(8).toString("hex")}
COUNTERSIGN_CLIENT_SECRET=${randomBytes(32).toString("hex")}
`

const filesFor = (port: number): ReadonlyArray<NewFile> => [
  { name: environmentFile, content: settings(port), mode: 0o600 },
  { name: "example.mjs", content: exampleProgram },
  { name: ".gitignore", content: `${environmentFile}\n.countersign/\n` },
]

/** Writes all files, or none if one of them exists. */
const writeFiles = Effect.fnUntraced(function* (folder: string, files: ReadonlyArray<NewFile>) {
  const existing = files.filter(({ name }) => existsSync(join(folder, name)))
  if (existing.length > 0) {
    const names = existing.map(({ name }) => name).join(", ")
    return yield* negativeAnswer(`${folder} has ${names} already: name another folder, or remove them`)
  }
  yield* Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true })
      for (const { content, mode = 0o644, name } of files) {
        await writeFile(join(folder, name), content, { flag: "wx", mode })
      }
    },
    catch: (cause) => usageError(`${folder} cannot be written: ${cause instanceof Error ? cause.message : ""}`),
  })
})

/** The words by which the reader runs this command: with npx, the name without its scope is not this package. */
const commandName = (): string => (process.env["npm_command"] === "exec" ? "npx @countersign/cli" : "countersign")

const steps = (rows: ReadonlyArray<readonly [command: string, does: string]>): ReadonlyArray<string> => {
  const width = Math.max(...rows.map(([command]) => command.length))
  return rows.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`)
}

const run = Effect.fnUntraced(function* ({
  folder: given,
  ...values
}: CheckedValues<InitOptions> & { readonly folder: Option.Option<string> }) {
  const { options, problems } = collect<InitOptions>(values)
  yield* failWith(problems)
  const folder = Option.getOrElse(given, () => ".")
  const files = filesFor(options.port)
  yield* writeFiles(folder, files)
  const names = files.map(({ name }) => name)
  yield* print(options.json, { folder, files: names }, () =>
    [
      `wrote ${names.join(", ")} in ${folder}`,
      "",
      ...(folder === "." ? [] : [`  cd ${folder}`]),
      ...steps([
        [`${commandName()} serve`, "starts the sandbox with these credentials"],
        [`node --env-file=${environmentFile} example.mjs`, "runs the example, in another terminal"],
        [`${commandName()} doctor`, "checks everything"],
      ]),
    ].join("\n"),
  )
})

const folder = Argument.String("folder").pipe(
  Argument.withDescription("The folder, which is created if it does not exist (default: the working folder)"),
  Argument.optional,
)

export const init = Command.make("init", { ...initFlags, folder }, run).pipe(
  withHelp(
    "Write a folder with settings, new credentials, and an example program that runs as it stands",
    exitReasons.files,
  ),
  Command.withExamples([{ command: "countersign init payments", description: "A new folder `payments`" }]),
)
