/**
 * `countersign faults`: the faults of a running sandbox's ports.
 * Source: D-480.
 */
import { type FaultPort, type FaultsRequest, FaultsRequest as Request } from "@countersign/core/models"
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandError, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { withProgress } from "../output/Progress.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"

type Shown = FaultsRequest & {
  readonly seed: number
  readonly on: ReadonlyArray<FaultPort>
  readonly met: Readonly<Record<FaultPort, number>>
}

const described = (faults: Shown): string =>
  faults.on.length === 0
    ? "no fault is on"
    : faults.on.map((port) => `${port.padEnd(8)}  ${JSON.stringify(faults[port])}, met ${faults.met[port]}`).join("\n")

const show = onServer<ServerOptions, CommandError, never>(
  Effect.fnUntraced(function* ({ call }, { json }) {
    const faults = yield* withProgress("reading the faults")(call((client) => client.sandboxFaults.sandboxGetFaults()))
    yield* print(json, faults, () => described(faults))
  }),
)

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Request))

const set = (text: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const payload = yield* Effect.mapError(decode(text), ({ message }) =>
        usageError(`the faults are not valid: ${message.slice(0, 300)}`),
      )
      const faults = yield* withProgress("switching the faults")(
        call((client) => client.sandboxFaults.sandboxSetFaults({ payload })),
      )
      yield* print(json, faults, () => described(faults))
    }),
  )

const clear = onServer<ServerOptions, CommandError, never>(
  Effect.fnUntraced(function* ({ call }, { json }) {
    yield* withProgress("switching the faults off")(call((client) => client.sandboxFaults.sandboxClearFaults()))
    yield* print(json, { on: [] }, () => "no fault is on")
  }),
)

const showCommand = Command.make("show", serverFlags, show).pipe(
  withHelp("Show the faults that are on, and how many calls met them", exitReasons.server),
  Command.withExamples([{ command: "countersign faults show", description: "Those of this folder's sandbox" }]),
)

const faultsText = Argument.String("faults").pipe(
  Argument.withDescription("All faults as JSON, as PUT /sandbox/faults takes them: a port that is left out has none"),
)

const setCommand = Command.make("set", { ...serverFlags, faults: faultsText }, ({ faults: text, ...values }) =>
  set(text)(values),
).pipe(
  withHelp("Let ports of the sandbox fail, until the faults are switched off", exitReasons.server),
  Command.withExamples([
    {
      command: `countersign faults set '{"rail":{"kind":"REJECT","percent":50}}'`,
      description: "Half of the payments are refused",
    },
    {
      command: `countersign faults set '{"webhooks":{"kind":"STATUS","status":503}}'`,
      description: "No webhook arrives",
    },
  ]),
)

const clearCommand = Command.make("clear", serverFlags, clear).pipe(
  withHelp("Switch all faults off", exitReasons.server),
  Command.withExamples([{ command: "countersign faults clear", description: "Fine weather again" }]),
)

export const faults = Command.make("faults").pipe(
  withHelp("Let the rail, the issuer, the webhooks or the store of a running sandbox fail", exitReasons.server),
  Command.withExamples([{ command: "countersign faults show", description: "What fails now" }]),
  Command.withSubcommands([showCommand, setCommand, clearCommand]),
)
