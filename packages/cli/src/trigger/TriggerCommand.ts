/**
 * `countersign trigger EVENT`: makes the real thing happen that emits the event.
 * Source: D-461.
 */
import { type EventType, EventTypes } from "@countersign/core/models"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { CommandError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { withProgress } from "../output/Progress.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { triggers } from "./Triggers.ts"

const run = (event: EventType) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call, clientOf }, { json }) {
      const handles = yield* withProgress(`triggering ${event}`)(
        call((client) =>
          triggers[event]({
            client,
            clientOf: (accessToken) => clientOf({ accessToken }),
            advance: async (seconds) => {
              await client.sandbox.sandboxAdvanceClock({ payload: { seconds } })
            },
          }),
        ),
      )
      yield* print(json, { event, records: handles }, () =>
        [`triggered ${event}`, ...Object.entries(handles).map(([name, id]) => `  ${name.padEnd(20)}  ${id}`)].join(
          "\n",
        ),
      )
    }),
  )

const event = Argument.Literals("event", EventTypes.keys).pipe(Argument.withDescription("The type of the event"))

export const trigger = Command.make("trigger", { ...serverFlags, event }, ({ event: type, ...values }) =>
  run(type)(values),
).pipe(
  withHelp(
    "Make the real thing happen that emits an event: new customers, payments and cards in the sandbox. Some advance its time by what the event takes",
    exitReasons.server,
    ["Events:", ...EventTypes.keys.map((type) => `  ${type}`), ""],
  ),
  Command.withExamples([
    { command: "countersign trigger OUTGOING_PAYMENT.COMPLETED", description: "A payment out that completes" },
    {
      command: "countersign trigger CARD_TRANSACTION.EXCEPTION --json",
      description: "The identifiers of its records as JSON",
    },
  ]),
)
