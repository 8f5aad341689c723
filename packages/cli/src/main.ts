#!/usr/bin/env node
/** The command line: runs the command of the arguments, and ends with its exit code. */
import "effect/schema/SchemaJITCompiler/enable"
import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Cause, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { type CommandError, exitCodeOf } from "./CommandError.ts"
import { countersign } from "./Countersign.ts"
import { SecretSourceFailure } from "./doctor/live/SecretSourceChecks.ts"
import { readEnvironmentFile } from "./EnvironmentFile.ts"
import { ExitCodes } from "./ExitCodes.ts"
import { platform } from "./Platform.ts"
import { readSecretSources } from "./SecretSources.ts"

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
)

readEnvironmentFile()

/** Prints the error as a command prints its own. */
const failed = (error: CommandError) =>
  Command.runWith(
    Command.make("countersign", {}, () => Effect.fail(error)),
    { version },
  )([])

const command = Command.run(countersign, { version })

/** The doctor says what is wrong with a source, together with all that it finds. */
const withoutSources = (error: CommandError) =>
  process.argv[2] === "doctor" ? Effect.provideService(command, SecretSourceFailure, error) : failed(error)

readSecretSources(process.env).pipe(
  Effect.matchEffect({ onSuccess: () => command, onFailure: withoutSources }),
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
