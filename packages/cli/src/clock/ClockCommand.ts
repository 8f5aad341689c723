/** The subcommands of `countersign clock`. */
import { Argument, Command, Flag } from "effect/cli"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { serverFlags } from "../remote/ServerFlags.ts"
import * as Clock from "./Clock.ts"

const show = Command.make("show", serverFlags, Clock.show).pipe(
  withHelp("Show the sandbox's time, and when its next work falls due", exitReasons.server),
  Command.withExamples([{ command: "countersign clock show", description: "The sandbox of this folder" }]),
)

const duration = Argument.String("duration").pipe(
  Argument.withDescription("How far: 90s, 5m, 1h30m, 40d, or an ISO 8601 duration such as PT5M"),
  Argument.optional,
)
const to = Flag.String("to").pipe(
  Flag.withDescription("The time to advance to, such as 2027-01-31T12:00:00Z"),
  Flag.optional,
)

const advance = Command.make("advance", { ...serverFlags, duration, to }, ({ duration: by, to: until, ...values }) =>
  Clock.advance(by, until)(values),
).pipe(
  withHelp("Advance the sandbox's time, and do all work that falls due on the way", exitReasons.server),
  Command.withExamples([
    { command: "countersign clock advance 40d", description: "Forty days forward" },
    { command: "countersign clock advance --to 2027-01-31T12:00:00Z --json", description: "To a time, for a script" },
  ]),
)

export const clock = Command.make("clock").pipe(
  withHelp("Show or advance the time of a running sandbox", exitReasons.server),
  Command.withExamples([{ command: "countersign clock show", description: "The time of the sandbox of this folder" }]),
  Command.withSubcommands([show, advance]),
)
