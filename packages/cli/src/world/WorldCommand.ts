/** The subcommands of `countersign world`. */
import { Argument, Command, Flag } from "effect/cli"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { serverFlags } from "../remote/ServerFlags.ts"
import { scenario } from "./ScenarioCommand.ts"
import * as World from "./World.ts"

const name = Argument.String("name").pipe(Argument.withDescription("The name of the saved world"))
const file = Argument.String("file").pipe(Argument.withDescription("The path of the file"))

const list = Command.make("list", serverFlags, World.list).pipe(
  withHelp("List the saved worlds; * marks the one that the sandbox continues", exitReasons.server),
  Command.withExamples([{ command: "countersign world list", description: "The worlds of this folder's sandbox" }]),
)

const replaces = Flag.Boolean("replace").pipe(
  Flag.withDescription("Replace a saved world of this name"),
  Flag.withDefault(false),
)

const save = Command.make("save", { ...serverFlags, name, replaces }, ({ name: as, replaces: over, ...values }) =>
  World.save(as, over)(values),
).pipe(
  withHelp("Save the state of the sandbox with its clock under a name", exitReasons.server),
  Command.withExamples([
    { command: "countersign world save before-refunds", description: "A state to come back to" },
    { command: "countersign world save before-refunds --replace", description: "The same name again" },
  ]),
)

const load = Command.make("load", { ...serverFlags, name }, ({ name: of, ...values }) => World.load(of)(values)).pipe(
  withHelp("Replace the state of the sandbox by a saved world; credentials stay", exitReasons.server),
  Command.withExamples([{ command: "countersign world load before-refunds", description: "Back to that state" }]),
)

const fork = Command.make("fork", { ...serverFlags, name }, ({ name: as, ...values }) => World.fork(as)(values)).pipe(
  withHelp("Save the state under a new name, with which the sandbox continues", exitReasons.server),
  Command.withExamples([{ command: "countersign world fork with-refunds", description: "The saved original stays" }]),
)

const remove = Command.make("delete", { ...serverFlags, name }, ({ name: of, ...values }) =>
  World.remove(of)(values),
).pipe(
  withHelp("Delete a saved world; the running one stays", exitReasons.server),
  Command.withExamples([{ command: "countersign world delete before-refunds", description: "One world less" }]),
)

const reset = Command.make("reset", serverFlags, World.reset).pipe(
  withHelp(
    "Delete all records but the platform with its configuration; credentials and saved worlds stay",
    exitReasons.server,
  ),
  Command.withExamples([{ command: "countersign world reset", description: "An empty sandbox" }]),
)

const exportTo = Command.make("export", { ...serverFlags, name, file }, ({ file: path, name: of, ...values }) =>
  World.exportTo(of, path)(values),
).pipe(
  withHelp("Write a saved world to a file, without credentials", exitReasons.server),
  Command.withExamples([
    { command: "countersign world export before-refunds refunds.json", description: "For another server" },
  ]),
)

const importFrom = Command.make("import", { ...serverFlags, file }, ({ file: path, ...values }) =>
  World.importFrom(path)(values),
).pipe(
  withHelp("Add the file of a world to the saved worlds", exitReasons.server),
  Command.withExamples([{ command: "countersign world import refunds.json", description: "From another server" }]),
)

export const world = Command.make("world").pipe(
  withHelp("Save, load, fork, reset and share the state of a running sandbox", exitReasons.server),
  Command.withExamples([{ command: "countersign world save before-refunds", description: "A state to return to" }]),
  Command.withSubcommands([list, save, load, fork, remove, reset, scenario, exportTo, importFrom]),
)
