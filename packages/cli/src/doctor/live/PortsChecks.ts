/**
 * Whether every port that live mode needs has an implementation, and what these say about themselves.
 * Source: D-534.
 */
import { externalPorts } from "@countersign/adapter-http"
import { type PortCheck, portChecksIn } from "@countersign/core/ports"
import { Cause, Effect, Layer, Logger, Option } from "effect"
import * as PortModule from "../../PortModule.ts"
import * as PortsAddress from "../../PortsAddress.ts"
import type { PortsOptions } from "../../PortsFlags.ts"
import type { ServeOptions } from "../../ServeFlags.ts"
import { type Finding, ok, problem } from "../Finding.ts"

const checkMillisMax = 10_000
const buildMillisMax = 20_000

const fixOfPorts = "export a Layer with every port from the module of COUNTERSIGN_PORTS, or let a server answer them"

/** The message of an error that ends a start. */
const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error && error.message !== "" ? error.message : String(error)
}

/** Runs one check; one that hangs or dies is a problem. */
export const runCheck = ({ name, run }: PortCheck): Effect.Effect<Finding> =>
  run.pipe(
    Effect.map(
      ({ fix, status, text }): Finding => ({ check: name, status, text, ...(fix === undefined ? {} : { fix }) }),
    ),
    Effect.timeoutOrElse({
      duration: checkMillisMax,
      orElse: () =>
        Effect.succeed(problem(name, `no answer within ${checkMillisMax / 1000} s`, "see whether it hangs")),
    }),
    Effect.catchCause((cause) =>
      Effect.succeed(problem(name, `the check itself failed: ${messageOf(cause)}`, "correct the adapter")),
    ),
  )

type LivePorts = PortsOptions & Pick<ServeOptions, "mode" | "ports">

/** The layer of the options, or the problems for which it does not exist. */
const portsOf = Effect.fnUntraced(function* (options: LivePorts) {
  if (Option.isNone(options.ports) && Option.isNone(options.portsUrl)) return { layer: undefined, problems: [] }
  const { ports, problems } = yield* PortModule.check(options)
  const address = yield* PortsAddress.read(options)
  const module = Option.isSome(options.ports) ? ports : undefined
  const layer = address === undefined ? ports : PortsAddress.layer(address, { mode: options.mode, module })
  return { layer, problems: problems.map(({ message }) => message) }
})

const checksOf = Effect.fnUntraced(function* (layer: PortModule.Ports) {
  const context = yield* Layer.build(layer)
  const findings = yield* Effect.forEach(portChecksIn(context), runCheck, { concurrency: 8 })
  return [ok("ports", `${Object.keys(externalPorts).join(", ")} have an implementation`), ...findings]
})

export const checkPorts = Effect.fnUntraced(function* (options: LivePorts): Effect.fn.Return<ReadonlyArray<Finding>> {
  return yield* portsOf(options).pipe(
    Effect.flatMap(({ layer, problems }) => {
      if (problems.length > 0) return Effect.succeed(problems.map((text) => problem("ports", text, fixOfPorts)))
      // The check of the options says that there are none.
      return layer === undefined ? Effect.succeed([]) : checksOf(layer)
    }),
    Effect.timeoutOrElse({
      duration: buildMillisMax + checkMillisMax,
      orElse: () => Effect.succeed([problem("ports", "their layers are not built in time", "see what they wait for")]),
    }),
    Effect.catchCause((cause) => Effect.succeed([problem("ports", messageOf(cause), fixOfPorts)])),
    Effect.scoped,
    // The findings say what the layers would log.
    Effect.provide(Logger.layer([])),
  )
})
