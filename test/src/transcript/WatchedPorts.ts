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
        const prepared = next.get(`${name}.${String(member)}`)?.splice(0, 1) ?? []
        const own = () => Reflect.apply(ask, port, question)
        const answer: unknown = prepared.length === 0 ? own() : asEffect(prepared[0])
        return Effect.isEffect(answer)
          ? Effect.tap(answer, (value) => Effect.sync(() => note(`${name}.${String(member)}`, question, value)))
          : answer
      }
    },
  })

const asEffect = (answer: unknown): unknown => (Effect.isEffect(answer) ? answer : Effect.succeed(answer))

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
