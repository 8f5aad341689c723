#!/usr/bin/env node
/** The command line: the commands of `countersign`. */
import "effect/schema/SchemaJITCompiler/enable"
import { readFileSync } from "node:fs"
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import * as NodeStdio from "@effect/platform-node-shared/NodeStdio"
import * as NodeTerminal from "@effect/platform-node-shared/NodeTerminal"
import { Cause, Effect, Exit, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { exitCodeOf } from "./CommandError.ts"
import { clock } from "./clock/ClockCommand.ts"
import { doctor } from "./doctor/Doctor.ts"
import { readEnvironmentFile } from "./EnvironmentFile.ts"
import { ExitCodes, withExitCodes } from "./ExitCodes.ts"
import { init } from "./init/Init.ts"
import { jobs } from "./jobs/JobsCommand.ts"
import { keys } from "./keys/KeysCommand.ts"
import * as Ledger from "./Ledger.ts"
import { listenCommand } from "./listen/Listen.ts"
import * as Migrate from "./Migrate.ts"
import { operate } from "./OperateCommand.ts"
import { rotate } from "./RotateCommand.ts"
import * as Serve from "./Serve.ts"
import { serveFlags } from "./ServeFlags.ts"
import { ledgerFlags, migrateFlags } from "./StoreFlags.ts"
import { trigger } from "./trigger/TriggerCommand.ts"

const serve = Command.make("serve", serveFlags, Serve.run).pipe(
  Command.withDescription(withExitCodes("Start the service and print where it listens")),
  Command.withExamples([
    { command: "countersign serve", description: "A sandbox persisted in ./.countersign, with generated credentials" },
    {
      command: "countersign serve --port 9000 --client-id a --client-secret b",
      description: "A sandbox with credentials of your own",
    },
  ]),
)

const migrate = Command.make("migrate", migrateFlags, Migrate.run).pipe(
  Command.withDescription(withExitCodes("Migrate a database to the schema of this release")),
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
  Command.withDescription(withExitCodes("Print the trial balance of the books, or the postings of one transaction")),
  Command.withExamples([
    { command: "countersign ledger", description: "The books of ./.countersign, while no server has it open" },
    {
      command: "countersign ledger --json --store postgres://countersign@db.example/countersign",
      description: "For a machine, while processes work on the database; the exit code says whether the books balance",
    },
  ]),
)

const countersign = Command.make("countersign").pipe(
  Command.withDescription("A payments service: agents, approvals, accounts, webhooks"),
  Command.withSubcommands([
    serve,
    migrate,
    ledger,
    operate,
    rotate,
    clock,
    doctor,
    init,
    listenCommand,
    trigger,
    jobs,
    keys,
  ]),
)

const platform = Layer.mergeAll(NodeStdio.layer, NodeTerminal.layer, NodeChildProcessSpawner.layer).pipe(
  Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
)

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
)

readEnvironmentFile()

Command.run(countersign, { version }).pipe(
  Effect.provide(platform),
  NodeRuntime.runMain({
    // Interruption by a signal is a normal end.
    teardown: (exit, onExit) =>
      onExit(
        Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
          ? ExitCodes.done.code
          : exitCodeOf(Cause.squash(exit.cause)),
      ),
  }),
)
