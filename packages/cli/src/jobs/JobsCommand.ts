/**
 * `countersign jobs`: the parked jobs of a platform, on a running server. `countersign operate` does the same on a store.
 * Source: D-354, D-458.
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { everyPage } from "../AsOperator.ts"
import type { CommandError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import * as TextTable from "../TextTable.ts"

const listJobs = onServer<ServerOptions, CommandError, never>(
  Effect.fnUntraced(function* ({ call }, { json }) {
    const jobs = yield* everyPage((after) =>
      call((client) => client.operations.listParkedJobs({ query: { limit: 100, ...after } })),
    )
    yield* print(json, jobs, () =>
      jobs.length === 0
        ? "no job is parked"
        : TextTable.make(
            ["job", "kind", "subject", "error", "attempts"],
            jobs.map(({ attempts, error = "", id, kind, subject = "" }) => [
              id,
              kind,
              subject,
              error,
              String(attempts),
            ]),
            4,
          ),
    )
  }),
)

const list = Command.make("list", serverFlags, listJobs).pipe(
  withHelp("List parked jobs: work that was given up after too many failures", exitReasons.server),
  Command.withExamples([{ command: "countersign jobs list --json", description: "For a monitor" }]),
)

const jobId = Argument.String("job").pipe(Argument.withDescription("The id of the parked job"))

const resumeJob = (id: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const job = yield* call((client) => client.operations.resumeJob({ params: { jobId: id } }))
      yield* print(json, job, () => `resumed ${job.id} (${job.kind})`)
    }),
  )
const resume = Command.make("resume", { ...serverFlags, jobId }, ({ jobId: id, ...values }) =>
  resumeJob(id)(values),
).pipe(
  withHelp("Let a parked job run again", exitReasons.server),
  Command.withExamples([{ command: "countersign jobs resume Job:...", description: "An id of `jobs list`" }]),
)

const dropJob = (id: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const job = yield* call((client) => client.operations.dropJob({ params: { jobId: id } }))
      yield* print(json, job, () => `dropped ${job.id} (${job.kind})`)
    }),
  )
const drop = Command.make("drop", { ...serverFlags, jobId }, ({ jobId: id, ...values }) => dropJob(id)(values)).pipe(
  withHelp(
    "Delete a parked job for whose end no record waits; `operate drop --force` deletes the others",
    exitReasons.server,
  ),
  Command.withExamples([{ command: "countersign jobs drop Job:...", description: "An id of `jobs list`" }]),
)

export const jobs = Command.make("jobs").pipe(
  withHelp("List, resume and drop parked jobs on a running server", exitReasons.server),
  Command.withExamples([{ command: "countersign jobs list", description: "Work that was given up" }]),
  Command.withSubcommands([list, resume, drop]),
)
