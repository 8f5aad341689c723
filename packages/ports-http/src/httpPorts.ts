/**
 * The ports of a bank that answers over HTTP, as layers.
 * Source: D-527.
 */
import { Rails } from "@countersign/core/ports"
import { Context, Data, Effect, Layer } from "effect"
import { type PortClient as Client, makePortClient } from "./call/PortClient.ts"
import type { PortOptions } from "./call/PortOptions.ts"
import { railsOverHttp } from "./ports/RailsOverHttp.ts"
import { portSecretProblem } from "./signing/PortSecretProblem.ts"

/** The options cannot be used. The message never contains a secret. */
export class PortOptionsError extends Data.TaggedError("PortOptionsError")<{ readonly message: string }> {}

const problemOf = ({ secrets, url }: PortOptions): string | undefined => {
  if (!isPortsUrl(url)) return "`url` must be an http or https address without credentials, query and fragment."
  const problem = portSecretProblem(secrets)
  return problem === undefined ? undefined : `\`secrets\`: ${problem}.`
}

/** Whether banks can answer below this address. */
export const isPortsUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/u.test(protocol) && [hash, password, search, username].every((part) => part === "")
}

/** The connections to one bank, which its ports share. */
class PortConnections extends Context.Service<PortConnections, Client>()("@countersign/ports-http/PortConnections") {}

/** Returns a layer for each port. All of them share their connections. Fails with `PortOptionsError` before anything is sent. */
export const httpPorts = (options: PortOptions) => {
  const connections = Layer.effect(
    PortConnections,
    Effect.suspend(() => {
      const message = problemOf(options)
      return message === undefined ? makePortClient(options) : Effect.fail(new PortOptionsError({ message }))
    }),
  )
  const over = <I, S>(port: Context.Key<I, S>, make: (client: Client) => S) =>
    Layer.provide(Layer.effect(port, Effect.map(PortConnections, make)), connections)
  return { rails: over(Rails, railsOverHttp) }
}
