/** Loads the embedder's own ports for `countersign serve --ports FILE`. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { ExchangeRates, Rails, Verifier } from "@countersign/core"
import { Data, Effect, Layer } from "effect"

/** The ports to the world that live mode needs. */
export type WorldPorts = Rails | ExchangeRates | Verifier

/** The ports cannot be had; the message says what to do. */
export class PortsMissing extends Data.TaggedError("PortsMissing")<{ readonly message: string }> {}

const missing =
  "live mode needs Rails, ExchangeRates and Verifier of your own: name a module that exports them with --ports FILE"

/** Nobody's bank: without a module, live mode does not start. */
export const absent: Layer.Layer<WorldPorts, PortsMissing> = Layer.unwrap(
  Effect.fail(new PortsMissing({ message: missing })),
)

/** The default export of a module, relative to the working folder. */
export const load = Effect.fnUntraced(function* (file: string) {
  const module = yield* Effect.tryPromise({
    try: (): Promise<{ readonly default?: unknown }> => import(pathToFileURL(resolve(file)).href),
    catch: () => new PortsMissing({ message: `--ports ${file}: the module cannot be loaded` }),
  })
  const ports = module.default
  if (!Layer.isLayer(ports)) {
    return yield* new PortsMissing({ message: `--ports ${file}: the default export is not a Layer` })
  }
  return ports as Layer.Layer<WorldPorts>
})
