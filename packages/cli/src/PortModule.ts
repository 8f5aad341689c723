/** Loads the embedder's own ports for `countersign serve --ports FILE`. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type ExternalPorts, externalPorts } from "@countersign/adapter-http"
import { type Context, Data, Effect, Layer } from "effect"

const portNames = Object.keys(externalPorts)

/** The module has no usable ports. The message says what to change. */
export class PortsMissing extends Data.TaggedError("PortsMissing")<{ readonly message: string }> {}

/** `A, B and C`. */
export const portList = `${portNames.slice(0, -1).join(", ")} and ${portNames.at(-1)}`

const missing = `live mode needs ${portList} of your own: name a module that exports them with --ports FILE`

/** Fails the start: live mode has no ports without a module. */
export const missingPorts: Layer.Layer<ExternalPorts, PortsMissing> = Layer.unwrap(
  Effect.fail(new PortsMissing({ message: missing })),
)

/** Checks that the layer provides every port, so that a missing one fails the start and not its first use. */
const requireAllPorts = (file: string, ports: Layer.Layer<ExternalPorts>): Layer.Layer<ExternalPorts, PortsMissing> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context: Context.Context<never> = yield* Layer.build(ports)
      const absent = Object.entries(externalPorts)
        .filter(([, port]) => !context.mapUnsafe.has(port.key))
        .map(([name]) => name)
      if (absent.length > 0) {
        return yield* new PortsMissing({ message: `--ports ${file}: the Layer has no ${absent.join(", no ")}` })
      }
      return context as Context.Context<ExternalPorts>
    }),
  )

/** Loads the default export of a module. The path is relative to the working folder. */
export const load = Effect.fnUntraced(function* (file: string) {
  const module = yield* Effect.tryPromise({
    try: (): Promise<{ readonly default?: unknown }> => import(pathToFileURL(resolve(file)).href),
    catch: (cause) =>
      new PortsMissing({
        message: `--ports ${file}: the module cannot be loaded: ${cause instanceof Error ? cause.message : cause}`,
      }),
  })
  const ports = module.default
  if (!Layer.isLayer(ports)) {
    return yield* new PortsMissing({ message: `--ports ${file}: the default export is not a Layer` })
  }
  return requireAllPorts(file, ports as Layer.Layer<ExternalPorts>)
})
