/** Loads the embedder's own ports for `countersign serve --ports FILE`. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type ExternalPorts, externalPorts } from "@countersign/adapter-http"
import { refuseSandboxOnly } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { type Context, Effect, Layer, Option, Result } from "effect"
import { type CommandError, unsafeError, usageError } from "./CommandError.ts"
import { type AnswerablePort, portsAnswered } from "./PortNames.ts"
import type { Problem } from "./Problems.ts"

const portNames = Object.keys(externalPorts)

/** `A, B and C`. */
export const portList = `${portNames.slice(0, -1).join(", ")} and ${portNames.at(-1)}`

/** `security-codes`: the name of a port in `--ports-of`. */
const optionName = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/gu, "-$&").toLowerCase()

/**
 * Checks that the layer provides every port that no server answers, so that a missing one fails the start and not its first use. The ports of
 * the server are merged into it afterwards.
 */
const requireAllPorts = (
  file: string,
  ports: Layer.Layer<ExternalPorts>,
  answered: ReadonlyArray<AnswerablePort>,
): Layer.Layer<ExternalPorts, CommandError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context: Context.Context<never> = yield* Layer.build(ports)
      const absent = Object.entries(externalPorts)
        .filter(([name, port]) => !context.mapUnsafe.has(port.key) && !answered.some((of) => of === optionName(name)))
        .map(([name]) => name)
      if (absent.length > 0) {
        return yield* usageError(`--ports ${file}: the Layer has no ${absent.join(", no ")}`)
      }
      return context as Context.Context<ExternalPorts>
    }),
  )

export type Ports = Layer.Layer<ExternalPorts, CommandError>

/** Loads the default export of a module. The path is relative to the working folder. */
const load = Effect.fnUntraced(function* (file: string): Effect.fn.Return<Layer.Layer<ExternalPorts>, CommandError> {
  const module = yield* Effect.tryPromise({
    try: (): Promise<{ readonly default?: unknown }> => import(pathToFileURL(resolve(file)).href),
    catch: (cause) =>
      usageError(`--ports ${file}: the module cannot be loaded: ${cause instanceof Error ? cause.message : cause}`),
  })
  const ports = module.default
  if (!Layer.isLayer(ports)) return yield* usageError(`--ports ${file}: the default export is not a Layer`)
  return ports as Layer.Layer<ExternalPorts>
})

/** Fails the start in live mode if a port is one of the sandbox's, which would simulate a bank. */
const refuseSimulated = (file: string, ports: Ports): Ports =>
  refuseSandboxOnly(ports).pipe(
    Layer.catchTag(
      "SandboxOnlyServices",
      ({ message }): Ports =>
        Layer.unwrap(Effect.fail(unsafeError(`--ports ${file}: live mode cannot use ${message}`))),
    ),
  )

/** Returns the ports of a process: the module's, or the sandbox's; and the problems of the module. */
export const check = Effect.fnUntraced(function* ({
  mode,
  ports: option,
  portsOf,
  portsUrl,
}: {
  readonly mode: "sandbox" | "live"
  readonly ports: Option.Option<string>
  readonly portsOf: ReadonlyArray<string>
  readonly portsUrl: Option.Option<string>
}) {
  const problems: ReadonlyArray<Problem> = []
  if (Option.isNone(option)) return { ports: Sandbox.layer, problems }
  const loaded = yield* Effect.result(load(option.value))
  if (Result.isFailure(loaded)) {
    const { message, reason } = loaded.failure
    return { ports: Sandbox.layer, problems: [{ reason, message, concerns: [] }] }
  }
  const answered = Option.isSome(portsUrl) ? portsAnswered(portsOf) : []
  const ports = requireAllPorts(option.value, loaded.success, answered)
  return { ports: mode === "live" ? refuseSimulated(option.value, ports) : ports, problems }
})
