/** Loads the embedder's own ports for `countersign serve --ports FILE`. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type ExternalPorts, externalPorts } from "@countersign/adapter-http"
import { type Context, Data, Effect, Layer } from "effect"

const portNames = Object.keys(externalPorts)

/** The ports cannot be had; the message says what to do. */
export class PortsMissing extends Data.TaggedError("PortsMissing")<{ readonly message: string }> {}

/** `A, B and C`. */
export const portList = `${portNames.slice(0, -1).join(", ")} and ${portNames.at(-1)}`

const missing = `live mode needs ${portList} of your own: name a module that exports them with --ports FILE`

/** Nobody's bank: without a module, live mode does not start. */
export const absent: Layer.Layer<ExternalPorts, PortsMissing> = Layer.unwrap(
  Effect.fail(new PortsMissing({ message: missing })),
)

/** The layer, held to what it says: a port that it lacks is told at the start and not at its first use. */
const complete = (file: string, ports: Layer.Layer<ExternalPorts>): Layer.Layer<ExternalPorts, PortsMissing> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const built: Context.Context<never> = yield* Layer.build(ports)
      const lacking = Object.entries(externalPorts)
        .filter(([, port]) => !built.mapUnsafe.has(port.key))
        .map(([name]) => name)
      if (lacking.length > 0) {
        return yield* new PortsMissing({ message: `--ports ${file}: the Layer has no ${lacking.join(", no ")}` })
      }
      return built as Context.Context<ExternalPorts>
    }),
  )

/** The default export of a module, relative to the working folder. */
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
  return complete(file, ports as Layer.Layer<ExternalPorts>)
})
