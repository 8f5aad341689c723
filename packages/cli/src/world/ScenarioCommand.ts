/**
 * `countersign world scenario`: lists the scenarios of a running sandbox, and runs one.
 * Source: D-472.
 */
import { type OfferedScenario, OfferedScenarios } from "@countersign/client/scenarios"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { CommandError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { withProgress } from "../output/Progress.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import * as TextTable from "../TextTable.ts"

const list = onServer<ServerOptions, CommandError, never>(
  Effect.fnUntraced(function* ({ call }, { json }) {
    const scenarios = yield* withProgress("listing the scenarios")(
      call((client) => client.sandboxScenarios.sandboxListScenarios()),
    )
    const rows = scenarios.data.map(({ makes, name, title }) => [name, title, makes.join(", ")])
    yield* print(json, scenarios, () => TextTable.make(["name", "", "makes"], rows, 3))
  }),
)

const run = (name: OfferedScenario) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const made = yield* withProgress(`running ${name}`)(
        call((client) => client.sandboxScenarios.sandboxRunScenario({ params: { scenario: name } })),
      )
      yield* print(json, made, () =>
        [`ran ${name}`, ...made.records.map(({ id, name: as }) => `  ${as.padEnd(22)}  ${id}`)].join("\n"),
      )
    }),
  )

const names = Object.keys(OfferedScenarios) as ReadonlyArray<OfferedScenario>

const name = Argument.Literals("name", names).pipe(
  Argument.withDescription("The scenario to run; without it, all are listed"),
  Argument.optional,
)

export const scenario = Command.make("scenario", { ...serverFlags, name }, ({ name: given, ...values }) =>
  Option.match(given, { onNone: () => list, onSome: run })(values),
).pipe(
  withHelp(
    "Fill the sandbox's world with the records of one area of the product, or list what there is",
    exitReasons.server,
  ),
  Command.withExamples([
    { command: "countersign world scenario", description: "What each scenario makes" },
    { command: "countersign world scenario card-programme", description: "Two cards with purchases in each state" },
  ]),
)
