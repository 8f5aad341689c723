/** Passes a layer of the sandbox off as an embedder's own, so that tests of live mode need no bank. Source: D-340. */
import { Context, Effect, Layer } from "effect"

const mark = Symbol.for("@countersign/core/sandboxOnly")

/** A copy of the service without its mark. */
const unmarked = (service: unknown): unknown => {
  if (typeof service === "function") return service.bind(undefined)
  if (typeof service !== "object" || service === null) return service
  const { [mark]: _, ...properties } = Object.getOwnPropertyDescriptors(service) as PropertyDescriptorMap
  return Object.create(Object.getPrototypeOf(service), properties)
}

export const ownLayer = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.map(Layer.build(layer), (context) =>
      Context.makeUnsafe<A>(new Map([...context.mapUnsafe].map(([key, service]) => [key, unmarked(service)]))),
    ),
  )
