/** `countersign replay`: sends the requests of a tape to a server, and compares the answers. Source: D-474. */
import { Argument, Command, Flag } from "effect/cli"
import type { CommandError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { type ReplayOptions, replayOn } from "./Replay.ts"

const file = Argument.String("tape").pipe(
  Argument.withDescription(
    "The file of the tape: what `tape()` of the harness returns, as JSON, or a state that the harness saved",
  ),
)

const replayFlags = {
  continues: Flag.Boolean("continue").pipe(
    Flag.withDescription("Go on after an answer that is not as recorded; later steps may need it"),
    Flag.withDefault(false),
  ),
  withBodies: Flag.Boolean("bodies").pipe(
    Flag.withDescription("Compare the bodies as well; generated values and times may differ"),
    Flag.withDefault(false),
  ),
  variables: Flag.KeyValuePair("variable").pipe(
    Flag.withDescription(
      "NAME=HEADER: an Authorization header that the tape names and does not contain; prefer the variable NAME of the environment, because other users of a machine can see options",
    ),
    Flag.withDefault({}),
  ),
}

const run = (options: ReplayOptions) =>
  onServer<ServerOptions, CommandError, never>((server, { json }) => replayOn(server, options, json))

export const replay = Command.make(
  "replay",
  { ...serverFlags, ...replayFlags, file },
  ({ continues, file: tape, variables, withBodies, ...values }) =>
    run({ continues, file: tape, variables, withBodies })(values),
).pipe(
  withHelp("Send the requests of a tape to a running server, and compare the answers", exitReasons.server),
  Command.withExamples([
    {
      command: "countersign replay failure.tape.json",
      description: "On the sandbox of this folder, up to the first other status",
    },
    {
      command: "countersign replay failure.tape.json --continue --bodies --json",
      description: "All steps and all differences, an object a line",
    },
  ]),
)
