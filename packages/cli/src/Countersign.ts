/** The commands of `countersign`. */
import { Argument, Command } from "effect/cli"
import { checkedFlags } from "./CheckedFlags.ts"
import { exitReasons, withHelp } from "./CommandHelp.ts"
import { cells } from "./cells/CellsCommand.ts"
import { clock } from "./clock/ClockCommand.ts"
import { doctor } from "./doctor/Doctor.ts"
import { events } from "./events/EventsCommand.ts"
import { faults } from "./faults/FaultsCommand.ts"
import { init } from "./init/Init.ts"
import { jobs } from "./jobs/JobsCommand.ts"
import { keys } from "./keys/KeysCommand.ts"
import * as Ledger from "./Ledger.ts"
import { listenCommand } from "./listen/Listen.ts"
import { logs } from "./logs/LogsCommand.ts"
import * as Migrate from "./Migrate.ts"
import { operate } from "./OperateCommand.ts"
import { rotate } from "./RotateCommand.ts"
import { reconcile } from "./reconcile/ReconcileCommand.ts"
import { replay } from "./replay/ReplayCommand.ts"
import * as Serve from "./Serve.ts"
import { serveFlags } from "./ServeFlags.ts"
import { json, ledgerFlags, migrateFlags } from "./StoreFlags.ts"
import { trigger } from "./trigger/TriggerCommand.ts"
import { world } from "./world/WorldCommand.ts"

const serve = Command.make(
  "serve",
  {
    ...serveFlags,
    ...checkedFlags({ json: json("Print JSON lines: the start, warnings and the stop by their `kind`, and the log") }),
  },
  Serve.run,
).pipe(
  withHelp("Start the service and print where it listens", exitReasons.serve),
  Command.withExamples([
    { command: "countersign serve", description: "A sandbox persisted in ./.countersign, with generated credentials" },
    {
      command: "countersign serve --port 9000 --client-id a --client-secret b",
      description: "A sandbox with credentials of your own",
    },
  ]),
)

const migrate = Command.make("migrate", migrateFlags, Migrate.run).pipe(
  withHelp("Migrate a database to the schema of this release", exitReasons.migration),
  Command.withExamples([
    {
      command: "countersign migrate --store postgres://countersign@db.example/countersign",
      description: "Before the first process of a new release starts with --migrate check",
    },
    {
      command: "countersign migrate --contract --store postgres://countersign@db.example/countersign",
      description: "After the last process of the previous release has ended",
    },
  ]),
)

const ledger = Command.make(
  "ledger",
  {
    ...ledgerFlags,
    transaction: Argument.String("transaction").pipe(
      Argument.withDescription("Show the postings of this transaction instead of the trial balance"),
      Argument.optional,
    ),
  },
  Ledger.run,
).pipe(
  withHelp("Print the trial balance of the books, or the postings of one transaction", exitReasons.books),
  Command.withExamples([
    { command: "countersign ledger", description: "The books of ./.countersign, while no server has it open" },
    {
      command: "countersign ledger --json --store postgres://countersign@db.example/countersign",
      description: "For a machine, while processes work on the database; the exit code says whether the books balance",
    },
  ]),
)

export const countersign = Command.make("countersign").pipe(
  withHelp("A payments service: agents, approvals, accounts, webhooks", exitReasons.any),
  Command.withExamples([
    { command: "countersign init payments", description: "A folder with settings, credentials and an example program" },
    { command: "countersign serve", description: "The sandbox of this folder, until a signal stops it" },
    { command: "countersign listen --help", description: "The options, examples and exit codes of a command" },
  ]),
  Command.withSubcommands([
    serve,
    migrate,
    cells,
    ledger,
    operate,
    reconcile,
    rotate,
    clock,
    doctor,
    faults,
    init,
    listenCommand,
    logs,
    replay,
    trigger,
    events,
    jobs,
    keys,
    world,
  ]),
)
