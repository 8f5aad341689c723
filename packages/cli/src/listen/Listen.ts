/**
 * `countersign listen`: shows the platform's webhooks as they arrive, and passes them on to a program on this machine. It is the platform's
 * webhook endpoint while it runs, and restores the previous one at its end.
 * Source: D-460.
 */
import { isLoopback, isPublicUrl } from "@countersign/adapter-http"
import { cachedKeys, verifyWebhook } from "@countersign/client/webhook"
import { Clock, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { checkedFlags } from "../CheckedFlags.ts"
import { type CommandError, negativeAnswer, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { type Paint, paint } from "../output/Paint.ts"
import { withoutProgress } from "../output/Progress.ts"
import { onServer, type RemoteServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { followInbox, inboxAddress } from "./InboxFollowing.ts"
import type { Outcome, PassOnOptions } from "./PassOn.ts"
import { receive } from "./Receiving.ts"

const ways = ["port", "inbox"] as const
type Way = (typeof ways)[number]

interface ListenOptions extends ServerOptions {
  readonly through: Option.Option<Way>
  readonly forwardTo: Option.Option<string>
  readonly listenHost: string
  readonly listenPort: number
  readonly endpoint: Option.Option<string>
}

const url = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filter(URL.canParse, () => "an http or https address"),
    Flag.filter(
      (value) => /^https?:/u.test(value),
      () => "an http or https address",
    ),
    Flag.withDescription(description),
    Flag.optional,
  )

const listenFlags = {
  ...serverFlags,
  ...checkedFlags<Omit<ListenOptions, keyof ServerOptions>>({
    forwardTo: url("forward-to", "The address of your program; when absent, webhooks are shown and acknowledged"),
    through: Flag.Literals("through", ways).pipe(
      Flag.withDescription(
        "How webhooks arrive: on a port of this command, or in the inbox of the sandbox, which the command follows (default: port if the server is on this machine or --endpoint is given, otherwise inbox)",
      ),
      Flag.optional,
    ),
    listenHost: Flag.String("listen-host").pipe(
      Flag.withDescription("The address to receive on (default 127.0.0.1)"),
      Flag.withDefault("127.0.0.1"),
    ),
    listenPort: Flag.Int("listen-port").pipe(
      Flag.filter(
        (port) => port >= 0 && port <= 65_535,
        () => "a port from 0 to 65535",
      ),
      Flag.withDescription("The port to receive on (default: any free one)"),
      Flag.withDefault(0),
    ),
    endpoint: Flag.String("endpoint").pipe(
      Flag.filter(isPublicUrl, () => "an http or https address without credentials, query and fragment"),
      Flag.withDescription(
        "The address by which a server on another machine reaches this command, such as that of a tunnel",
      ),
      Flag.optional,
    ),
  }),
}

/** Returns the line of an outcome. */
const lineOf = (inColour: Paint, outcome: Outcome): string => {
  if (outcome._tag === "Refused") return `${inColour("red", "refused")}  ${outcome.reason}`
  const { id, type } = outcome.event
  const what = `${type.padEnd(34)}  ${id}`
  if (outcome._tag === "Received") return `${inColour("green", "verified")}  ${what}`
  if (outcome._tag === "Unreachable")
    return `${inColour("red", "failed  ")}  ${what}  your program does not answer: ${outcome.reason}`
  const { millis, status } = outcome
  return `${inColour(status < 300 ? "green" : "yellow", `${status}     `)}  ${what}  ${millis} ms`
}

const jsonOf = (outcome: Outcome): string => {
  if (outcome._tag === "Refused") return JSON.stringify({ outcome: outcome._tag, reason: outcome.reason })
  const { _tag, event, ...more } = outcome
  return JSON.stringify({ outcome: _tag, ...more, event })
}

/** Live mode sends to no address of this machine by itself. */
const withWay = (error: CommandError): CommandError =>
  error.reason === "negative" && error.message.includes("not on the public internet")
    ? negativeAnswer(
        `${error.message}: start the server with --webhook-allow 127.0.0.1, or name the address of a tunnel with --endpoint`,
      )
    : error

/** Makes this command the platform's endpoint until the scope closes. */
const asEndpoint = ({ call }: RemoteServer, webhookEndpoint: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const { webhookEndpoint: previous = null } = yield* call((client) => client.platform.getPlatformConfig())
      const change = call((client) => client.platform.updatePlatformConfig({ payload: { webhookEndpoint } }))
      yield* Effect.mapError(change, withWay)
      return previous
    }),
    (previous) =>
      previous === webhookEndpoint
        ? Effect.void
        : call((client) => client.platform.updatePlatformConfig({ payload: { webhookEndpoint: previous } })).pipe(
            Effect.andThen(Console.error(`the webhook endpoint is ${previous ?? "unset"} again`)),
            Effect.catch(({ message }) => Console.error(`the webhook endpoint was not restored: ${message}`)),
          ),
  )

/** How webhooks reach this command. Without a choice: on a port of its own if the server can reach it. */
const wayOf = ({ base }: RemoteServer, { endpoint, through }: ListenOptions): Effect.Effect<Way, CommandError> => {
  const isReachable = Option.isSome(endpoint) || isLoopback(new URL(base).hostname)
  const way = Option.getOrElse(through, () => (isReachable ? "port" : "inbox"))
  if (way === "inbox" && Option.isSome(endpoint)) {
    return usageError("--endpoint names where a port is reached, and belongs to --through port")
  }
  return way === "inbox" || isReachable
    ? Effect.succeed(way)
    : usageError(
        "the server is on another machine: name the address by which it reaches this one with --endpoint, and where that arrives with --listen-host and --listen-port; or use --through inbox",
      )
}

/** Returns the options of passing webhooks on, and how an outcome is printed. */
const passing = Effect.fnUntraced(function* (server: RemoteServer, { forwardTo, json }: ListenOptions) {
  const { id: platformId } = yield* server.call((client) => client.platform.getPlatformConfig())
  const inColour = yield* paint
  const keys = cachedKeys(() =>
    Effect.runPromise(
      Effect.map(
        server.call((client) => client.webhooks.listWebhookKeys()),
        ({ data }) => data,
      ),
    ),
  )
  const options: PassOnOptions = {
    forwardTo: Option.getOrUndefined(forwardTo),
    clock: yield* Clock.Clock,
    verify: (headers, body) => verifyWebhook(headers, body, keys, { platformId, serviceName: server.serviceName }),
  }
  const printed = (outcome: Outcome) => Console.log(json ? jsonOf(outcome) : lineOf(inColour, outcome))
  return { options, printed }
})

const said = (address: string, forwardTo: string | undefined) =>
  Console.error(`listening on ${address}${forwardTo === undefined ? "" : `, passing on to ${forwardTo}`}; Ctrl-C ends`)

const listenOnPort = Effect.fnUntraced(function* (server: RemoteServer, listening: ListenOptions) {
  const { endpoint, listenHost, listenPort } = listening
  const { options, printed } = yield* passing(server, listening)
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const port = yield* receive({
    ...options,
    host: listenHost,
    port: listenPort,
    onOutcome: (outcome) => void runFork(printed(outcome)),
  })
  const address = Option.getOrElse(endpoint, () => `http://${listenHost}:${port}/`)
  yield* asEndpoint(server, address)
  yield* said(address, options.forwardTo)
  return yield* Effect.never
})

const listenThroughInbox = Effect.fnUntraced(function* (server: RemoteServer, listening: ListenOptions) {
  const { options, printed } = yield* passing(server, listening)
  const address = yield* inboxAddress(server)
  // What arrived before is not passed on, and what the change of the endpoint sends is.
  const following = yield* followInbox(server, { ...options, onOutcome: printed })
  yield* asEndpoint(server, address)
  yield* said("the inbox of the sandbox", options.forwardTo)
  return yield* following
})

const listen = Effect.fnUntraced(
  function* (server: RemoteServer, options: ListenOptions) {
    const way = yield* wayOf(server, options)
    return yield* way === "inbox" ? listenThroughInbox(server, options) : listenOnPort(server, options)
  },
  Effect.scoped,
  withoutProgress,
)

export const listenCommand = Command.make(
  "listen",
  listenFlags,
  onServer<ListenOptions, CommandError, never>(listen),
).pipe(
  withHelp(
    "Show webhooks as they arrive, verified, and pass them on to your program unchanged. The command is the platform's webhook endpoint while it runs",
    exitReasons.listening,
  ),
  Command.withExamples([
    {
      command: "countersign listen --forward-to http://127.0.0.1:3000/webhooks",
      description: "Webhooks of the sandbox of this folder",
    },
    {
      command:
        "countersign listen --server https://sandbox.example.com --endpoint https://me.tunnel.example --listen-port 4000",
      description: "Those of a sandbox elsewhere, through a tunnel to port 4000",
    },
    {
      command: "countersign listen --server https://sandbox.example.com --forward-to http://127.0.0.1:3000/webhooks",
      description: "Those of a sandbox elsewhere that cannot reach this machine, through its inbox",
    },
  ]),
)
