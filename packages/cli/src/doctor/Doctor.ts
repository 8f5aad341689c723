/**
 * `countersign doctor`: checks everything that can be wrong with a deployment, and says what to do. It changes nothing but that it sends a
 * test event to an active webhook endpoint of a sandbox.
 * Source: D-459.
 */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type CheckedValues, checkedFlags, collect } from "../CheckedFlags.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { withProgress } from "../output/Progress.ts"
import { remoteServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { type ServeOptions, serveFlags } from "../ServeFlags.ts"
import { parseStore } from "../StoreOption.ts"
import { problem, report } from "./Finding.ts"
import { checkLive } from "./live/LiveChecks.ts"
import { checkNode, checkPort, checkPublicUrl, checkSettings } from "./MachineChecks.ts"
import { checkRemote } from "./ServerChecks.ts"
import { checkStore } from "./StoreChecks.ts"

interface LiveOption {
  readonly live: boolean
}

type DoctorOptions = ServeOptions & Pick<ServerOptions, "json" | "server"> & LiveOption

const liveFlag = checkedFlags<LiveOption>({
  live: Flag.Boolean("live").pipe(
    Flag.withDescription(
      "Check all that live mode needs, too: settings, secrets, database, ports with their providers, documents, limits and certificates",
    ),
    Flag.withDefault(false),
  ),
})

const diagnose = Effect.fnUntraced(function* (values: CheckedValues<DoctorOptions>) {
  const { json: _, live, server, ...ofServe } = values
  const isLive = live.value
  // What is asked for is live mode, whatever the settings say; that they do not is a finding.
  const mode = isLive ? { ...ofServe.mode, value: "live" as const } : ofServe.mode
  const serve = collect<ServeOptions>({ ...ofServe, mode })
  const { options } = collect<DoctorOptions>(values)
  return [
    checkNode(process.versions.node),
    ...(yield* checkSettings(serve)),
    ...(server.problem === undefined ? [] : [problem("options", server.problem, "correct it")]),
    yield* checkPort(options),
    ...(yield* checkStore(parseStore(options))),
    yield* checkPublicUrl(options),
    ...(isLive ? yield* checkLive(options) : []),
    ...(yield* checkRemote(remoteServer(options), serve.options)),
  ]
})

const run = Effect.fnUntraced(function* (values: CheckedValues<DoctorOptions>) {
  const findings = yield* withProgress("checking")(diagnose(values))
  yield* report(findings, values.json.value)
})

export const doctor = Command.make(
  "doctor",
  { ...serveFlags, ...liveFlag, server: serverFlags.server, json: serverFlags.json },
  run,
).pipe(
  withHelp(
    "Check everything that can be wrong, and say what to do. Give it the options of `serve`; it sends a test event to an active webhook endpoint of a sandbox. With --live it checks what live mode needs: it moves no money and sends nothing to a customer",
    exitReasons.checks,
  ),
  Command.withExamples([
    { command: "countersign doctor", description: "The sandbox of this folder" },
    {
      command: "countersign doctor --live",
      description: "The live deployment of this folder, before and while it runs",
    },
    {
      command: "countersign doctor --json --store postgres://countersign@db.example/countersign",
      description: "For a script",
    },
  ]),
)
