/**
 * Marks what only a sandbox may use: simulated ports and stores that lose their data. A deployment that moves money refuses them.
 * Source: D-340. The mark is a property, so that it also follows a service that an embedder copies and changes in part.
 */
import { type Context, Data, Effect, Layer } from "effect"

const mark = Symbol.for("@countersign/core/sandboxOnly")

/** Returns what a marked layer or service simulates, and `undefined` for any other. */
export const sandboxOnlyName = (value: unknown): string | undefined => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  const name: unknown = Reflect.get(value, mark)
  return typeof name === "string" ? name : undefined
}

/** Marks a service that is not marked yet. A service that is no object has no behaviour to mark. */
const markService = (service: unknown, name: string): void => {
  const isMarked = sandboxOnlyName(service) !== undefined
  if (isMarked) return
  if ((typeof service === "object" || typeof service === "function") && service !== null) {
    Reflect.defineProperty(service, mark, { value: name, enumerable: true, configurable: true })
  }
}

/** Returns a layer whose services are marked, and which is marked itself. `name` says what it is, for an error. */
export const sandboxOnly =
  (name: string) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> => {
    const marked = Layer.effectContext(
      Effect.tap(Layer.build(layer), (context) =>
        Effect.sync(() => {
          for (const service of context.mapUnsafe.values()) markService(service, name)
        }),
      ),
    )
    return Object.assign(marked, { [mark]: name })
  }

/** A deployment that is no sandbox was given services that only a sandbox may use. */
export class SandboxOnlyServices extends Data.TaggedError("SandboxOnlyServices")<{
  readonly names: ReadonlyArray<string>
}> {
  override get message(): string {
    return `${this.names.join(", ")}: only a sandbox may use ${this.names.length === 1 ? "it" : "them"}`
  }
}

/** The names of the marked services, each once. */
const sandboxOnlyServices = (context: Context.Context<never>): ReadonlyArray<string> => [
  ...new Set([...context.mapUnsafe.values()].flatMap((service: unknown) => sandboxOnlyName(service) ?? [])),
]

/** Returns a layer that fails if it provides a marked service. */
export const refuseSandboxOnly = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E | SandboxOnlyServices, R> =>
  Layer.effectContext(
    Effect.flatMap(Layer.build(layer), (context) => {
      const names = sandboxOnlyServices(context)
      return names.length === 0 ? Effect.succeed(context) : Effect.fail(new SandboxOnlyServices({ names }))
    }),
  )
