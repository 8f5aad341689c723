/** Ports that write down what they are asked, and what they answer. */
import { Context, Effect, Layer } from "effect"

type Ports = Layer.Layer<never, never, never>

/** Writes a question and its answer. */
export type Note = (operation: string, question: ReadonlyArray<unknown>, answer: unknown) => void

const watched = (name: string, port: object, note: Note): object =>
  new Proxy(port, {
    get: (_, member) => {
      const ask: unknown = Reflect.get(port, member)
      if (typeof ask !== "function") return ask
      return (...question: ReadonlyArray<unknown>) => {
        const answer: unknown = Reflect.apply(ask, port, question)
        return Effect.isEffect(answer)
          ? Effect.tap(answer, (value) => Effect.sync(() => note(`${name}.${String(member)}`, question, value)))
          : answer
      }
    },
  })

const isPort = (service: unknown): service is object => typeof service === "object" && service !== null

export const watchPorts = <P>(ports: Layer.Layer<P>, note: Note): Ports =>
  Layer.effectContext(
    Effect.map(Layer.build(ports), ({ mapUnsafe }) =>
      Context.makeUnsafe<never>(
        new Map(
          [...mapUnsafe].map(([key, service]) => [
            key,
            isPort(service) && !Array.isArray(service) ? watched(key.split("/").at(-1) ?? key, service, note) : service,
          ]),
        ),
      ),
    ),
  )
