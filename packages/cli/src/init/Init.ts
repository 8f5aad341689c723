/**
 * `countersign init`: a folder with settings, credentials and an example program, or with a live deployment. It replaces no file.
 * Source: D-458, D-534.
 */
import { randomBytes } from "node:crypto"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type CheckedValues, checkedFlags, collect } from "../CheckedFlags.ts"
import { usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { environmentFile } from "../EnvironmentFile.ts"
import { integer } from "../FlagKinds.ts"
import { print } from "../output/Print.ts"
import { failWith } from "../Problems.ts"
import { json } from "../StoreFlags.ts"
import { parseStoreLocation } from "../StoreLocation.ts"
import { exampleProgram } from "./ExampleProgram.ts"
import { isBankServer, type LiveBank, liveBanks } from "./LiveBank.ts"
import { liveFiles } from "./LiveFiles.ts"
import { type NewFile, writeNewFiles } from "./NewFiles.ts"

interface InitOptions {
  readonly port: number
  readonly json: boolean
  readonly live: boolean
  readonly bank: Option.Option<LiveBank>
  readonly store: Option.Option<string>
}

const storeOfLive = "postgres://countersign@localhost/countersign"

const initFlags = checkedFlags<InitOptions>({
  port: integer("port", "PORT", "The port of the service", { defaultValue: 8787, min: 1, max: 65_535, what: "a port" }),
  json: json("Print JSON: the folder and its files, without the secrets"),
  live: Flag.Boolean("live").pipe(
    Flag.withDescription(
      "Write a live deployment, which runs on PostgreSQL and in which your providers are yours to write",
    ),
    Flag.withDefault(false),
  ),
  bank: Flag.Literals("bank", liveBanks).pipe(
    Flag.withDescription(
      "With --live, what the bank begins as: an example server in a language, payment files, or nothing (default typescript)",
    ),
    Flag.optional,
  ),
  store: Flag.String("store").pipe(
    Flag.withDescription(`With --live, the PostgreSQL database (default ${storeOfLive})`),
    Flag.optional,
  ),
})

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

/** The words by which the reader runs this command: with npx, the name without its scope is not this package. */
const commandName = (): string => (process.env["npm_command"] === "exec" ? "npx @countersign/cli" : "countersign")

const steps = (rows: Steps): ReadonlyArray<string> => {
  const width = Math.max(...rows.map(([command]) => command.length))
  return rows.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`)
}

type Steps = ReadonlyArray<readonly [command: string, does: string]>

const sandboxSteps = (): Steps => [
  [`${commandName()} serve`, "starts the sandbox with these credentials"],
  [`node --env-file=${environmentFile} example.mjs`, "runs the example, in another terminal"],
  [`${commandName()} doctor`, "checks everything"],
]

/** README.md has the rest. */
const liveSteps = (bank: LiveBank): Steps => [
  ["npm install", "installs the packages of ports.ts"],
  ["npm run migrate", `makes the schema in the database of ${environmentFile}`],
  ...(isBankServer(bank) ? ([["npm run bank", "starts the example bank, in another terminal"]] as const) : []),
  ["npm start", "starts the service"],
  ["npm run doctor", "checks everything, and lists what is yours to write"],
  ["npm run pay", "pays a beneficiary, in another terminal"],
]

const run = Effect.fnUntraced(function* ({
  folder: given,
  ...values
}: CheckedValues<InitOptions> & { readonly folder: Option.Option<string> }) {
  const { options, problems } = collect<InitOptions>(values)
  yield* failWith(problems)
  const { bank, live, port, store } = options
  if (!live && (Option.isSome(bank) || Option.isSome(store))) {
    return yield* usageError("--bank and --store need --live: a sandbox has its bank and its store itself")
  }
  const address = Option.getOrElse(store, () => storeOfLive)
  if (parseStoreLocation(address)?._tag !== "Server" || /['\n]/u.test(address)) {
    return yield* usageError("--store takes postgres://USER@HOST/DATABASE")
  }
  const folder = Option.getOrElse(given, () => ".")
  const chosen = Option.getOrElse(bank, () => liveBanks[0])
  const files = live ? liveFiles(folder, { bank: chosen, port, store: address }) : filesFor(port)
  yield* writeNewFiles(folder, files)
  const names = files.map(({ name }) => name)
  const next = live ? liveSteps(chosen) : sandboxSteps()
  yield* print(options.json, { folder, files: names }, () =>
    [`wrote ${names.join(", ")} in ${folder}`, "", ...(folder === "." ? [] : [`  cd ${folder}`]), ...steps(next)].join(
      "\n",
    ),
  )
})

const folder = Argument.String("folder").pipe(
  Argument.withDescription("The folder, which is created if it does not exist (default: the working folder)"),
  Argument.optional,
)

export const init = Command.make("init", { ...initFlags, folder }, run).pipe(
  withHelp(
    "Write a folder with settings, new credentials, and an example program that runs as it stands; with --live, a deployment on PostgreSQL",
    exitReasons.files,
  ),
  Command.withExamples([
    { command: "countersign init payments", description: "A sandbox in the new folder `payments`" },
    {
      command: "countersign init --live --bank python --store postgres://countersign@db.example/countersign payments",
      description: "A live deployment whose bank is an example in Python",
    },
  ]),
)
