/**
 * `countersign doctor`: checks everything that can be wrong with a deployment, and says what to do. It changes nothing but that it sends a
 * test event to an active webhook endpoint of a sandbox.
 * Source: D-459.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { type CheckedValues, collect } from "../CheckedFlags.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { withProgress } from "../output/Progress.ts"
import { remoteServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { type ServeOptions, serveFlags } from "../ServeFlags.ts"
import { parseStore } from "../StoreOption.ts"
import { problem, report } from "./Finding.ts"
import { checkNode, checkPort, checkPublicUrl, checkSettings } from "./MachineChecks.ts"
import { checkRemote } from "./ServerChecks.ts"
import { checkStore } from "./StoreChecks.ts"

type DoctorOptions = ServeOptions & Pick<ServerOptions, "json" | "server">

const diagnose = Effect.fnUntraced(function* (values: CheckedValues<DoctorOptions>) {
  const { json: _, server, ...ofServe } = values
  const serve = collect<ServeOptions>(ofServe)
  const { options } = collect<DoctorOptions>(values)
  return [
    checkNode(process.versions.node),
    ...(yield* checkSettings(serve)),
    ...(server.problem === undefined ? [] : [problem("options", server.problem, "correct it")]),
    yield* checkPort(options),
    ...(yield* checkStore(parseStore(options))),
    yield* checkPublicUrl(options),
    ...(yield* checkRemote(remoteServer(options))),
  ]
})

const run = Effect.fnUntraced(function* (values: CheckedValues<DoctorOptions>) {
  const findings = yield* withProgress("checking")(diagnose(values))
  yield* report(findings, values.json.value)
})

export const doctor = Command.make(
  "doctor",
  { ...serveFlags, server: serverFlags.server, json: serverFlags.json },
  run,
).pipe(
  withHelp(
    "Check everything that can be wrong, and say what to do. Give it the options of `serve`; it sends a test event to an active webhook endpoint",
    exitReasons.checks,
  ),
  Command.withExamples([
    { command: "countersign doctor", description: "The sandbox of this folder" },
    {
      command: "countersign doctor --json --store postgres://countersign@db.example/countersign",
      description: "For a script",
    },
  ]),
)
