/** Ports that write down what they are asked, and what they answer. A step may answer in their place. */
import { Context, Effect, Layer } from "effect"

type Ports = Layer.Layer<never, never, never>

/** Writes a question and its answer. */
export type Note = (operation: string, question: ReadonlyArray<unknown>, answer: unknown) => void

/** The next answers of a port's operation, such as `Rails.push`, which it gives before its own. An effect is run. */
export type NextAnswers = Map<string, Array<unknown>>

const watched = (name: string, port: object, note: Note, next: NextAnswers): object =>
  new Proxy(port, {
    get: (_, member) => {
      const ask: unknown = Reflect.get(port, member)
      if (typeof ask !== "function") return ask
      return (...question: ReadonlyArray<unknown>) => {
        const operation = `${name}.${String(member)}`
        const usual: unknown = Reflect.apply(ask, port, question)
        if (!Effect.isEffect(usual)) return usual
        const answer = Effect.suspend(() => {
          const prepared = next.get(operation)?.splice(0, 1) ?? []
          return prepared.length === 0 ? usual : asEffect(prepared[0])
        })
        return Effect.tap(answer, (value) => Effect.sync(() => note(operation, question, value)))
      }
    },
  })

const asEffect = (answer: unknown) => (Effect.isEffect(answer) ? answer : Effect.succeed(answer))

const isPort = (service: unknown): service is object => typeof service === "object" && service !== null

export const watchPorts = <P>(ports: Layer.Layer<P>, note: Note, next: NextAnswers): Ports =>
  Layer.effectContext(
    Effect.map(Layer.build(ports), ({ mapUnsafe }) =>
      Context.makeUnsafe<never>(
        new Map(
          [...mapUnsafe].map(([key, service]) => [
            key,
            isPort(service) && !Array.isArray(service)
              ? watched(key.split("/").at(-1) ?? key, service, note, next)
              : service,
          ]),
        ),
      ),
    ),
  )
