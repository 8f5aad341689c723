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
import { type CommandError, usageError } from "../CommandError.ts"
import { withExitCodes } from "../ExitCodes.ts"
import { type Paint, paint } from "../output/Paint.ts"
import { onServer, type RemoteServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { type Outcome, receive } from "./Receiving.ts"

interface ListenOptions extends ServerOptions {
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

/** Makes this command the platform's endpoint until the scope closes. */
const asEndpoint = ({ call }: RemoteServer, webhookEndpoint: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const { webhookEndpoint: previous = null } = yield* call((client) => client.platform.getPlatformConfig())
      yield* call((client) => client.platform.updatePlatformConfig({ payload: { webhookEndpoint } }))
      return previous
    }),
    (previous) =>
      call((client) => client.platform.updatePlatformConfig({ payload: { webhookEndpoint: previous } })).pipe(
        Effect.andThen(Console.error(`the webhook endpoint is ${previous ?? "unset"} again`)),
        Effect.catch(({ message }) => Console.error(`the webhook endpoint was not restored: ${message}`)),
      ),
  )

const listen = Effect.fnUntraced(function* (server: RemoteServer, options: ListenOptions) {
  const { endpoint, json, listenHost, listenPort } = options
  const forwardTo = Option.getOrUndefined(options.forwardTo)
  if (Option.isNone(endpoint) && !isLoopback(new URL(server.base).hostname)) {
    return yield* usageError(
      "the server is on another machine: name the address by which it reaches this one with --endpoint, and where that arrives with --listen-host and --listen-port",
    )
  }
  const { id: platformId } = yield* server.call((client) => client.platform.getPlatformConfig())
  const inColour = yield* paint
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const keys = cachedKeys(() =>
    Effect.runPromise(
      Effect.map(
        server.call((client) => client.webhooks.listWebhookKeys()),
        ({ data }) => data,
      ),
    ),
  )
  const port = yield* receive({
    host: listenHost,
    port: listenPort,
    forwardTo,
    clock: yield* Clock.Clock,
    verify: (headers, body) => verifyWebhook(headers, body, keys, { platformId, serviceName: server.serviceName }),
    onOutcome: (outcome) => void runFork(Console.log(json ? jsonOf(outcome) : lineOf(inColour, outcome))),
  })
  const address = Option.getOrElse(endpoint, () => `http://${listenHost}:${port}/`)
  yield* asEndpoint(server, address)
  yield* Console.error(
    `listening on ${address}${forwardTo === undefined ? "" : `, passing on to ${forwardTo}`}; Ctrl-C ends`,
  )
  return yield* Effect.never
}, Effect.scoped)

export const listenCommand = Command.make(
  "listen",
  listenFlags,
  onServer<ListenOptions, CommandError, never>(listen),
).pipe(
  Command.withDescription(
    withExitCodes(
      "Show webhooks as they arrive, verified, and pass them on to your program unchanged. The command is the platform's webhook endpoint while it runs",
    ),
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
  ]),
)
