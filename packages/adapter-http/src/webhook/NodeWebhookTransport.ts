/**
 * Sends webhooks with Node's HTTP clients, over kept connections and HTTP/2 where the receiver offers it: one POST, no redirects, and one
 * timeout for the whole exchange.
 * Source: wire contract 6.2; D-510. AddressPolicy checks each address at each connect.
 */
import dns from "node:dns"
import type { ClientRequestArgs } from "node:http"
import type { LookupFunction } from "node:net"
import { type EndpointRefusal, type WebhookRequest, WebhookTransport } from "@countersign/core/ports"
import { Clock, Duration, Effect, Exit, Layer, Result } from "effect"
import * as AddressPolicy from "./AddressPolicy.ts"
import { AddressRefused, unreachable } from "./ConnectionErrors.ts"
import * as Connections from "./Connections.ts"

export { bodyBytesMax } from "./AnswerBody.ts"

/** An address of a host name, in the form in which `dns.lookup` reports it. */
export interface ResolvedAddress {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/** Returns all addresses of a name; empty if it does not resolve. */
export type Resolver = (hostname: string) => Effect.Effect<ReadonlyArray<ResolvedAddress>>

/** Where webhooks may be sent to, and how host names are resolved. Source: D-510. */
export interface Options {
  /** `public`: https to the public internet only, except for the entries of `allow`. `any`: no limit, for a sandbox. */
  readonly addresses: AddressPolicy.Mode
  /** Host names, IP addresses and CIDR ranges exempt from `public`, for private networks and tests. */
  readonly allow?: ReadonlyArray<string>
  /**
   * The addresses of the inboxes of this server, up to their names. The operator has configured this address, and the route behind it
   * receives and fetches nothing, so that sending there needs no exemption of its host.
   */
  readonly inboxes?: string | undefined
  /** Default: the resolver of the operating system. */
  readonly resolver?: Resolver
}

/** Time limit for resolving a name when an endpoint is configured. */
const resolveMax = Duration.seconds(10)

const doesNotResolve = "the host name does not resolve"

const systemResolver: Resolver = (hostname) =>
  Effect.callback((resume) => {
    dns.lookup(hostname, { all: true }, (error, addresses) => resume(Effect.succeed(error === null ? addresses : [])))
  })

/** The process's own clock: socket timeouts run in real time, whatever clock the core uses. */
const socketClock = Clock.Clock.defaultValue()

/** The transport of a process. Its connections close with the layer. */
export const layer = ({
  addresses,
  allow,
  inboxes,
  resolver = systemResolver,
}: Options): Layer.Layer<WebhookTransport> =>
  Layer.effect(
    WebhookTransport,
    Effect.gen(function* () {
      const policy = AddressPolicy.make(addresses, allow)
      const run = Effect.runCallbackWith(yield* Effect.context())

      const ofInboxes = AddressPolicy.make("any")
      const isInbox = (url: string): boolean =>
        inboxes !== undefined && url.startsWith(inboxes) && /^[0-9a-f-]+$/u.test(url.slice(inboxes.length))

      /** Resolves a name; fails with the reason if one of its addresses is refused. */
      const resolve = (host: string) =>
        Effect.map(resolver(host), (resolved): Result.Result<ReadonlyArray<ResolvedAddress>, string> => {
          if (resolved.length === 0) return Result.fail(doesNotResolve)
          for (const { address } of resolved) {
            const refusal = AddressPolicy.addressRefusal(policy, host, address)
            if (refusal !== undefined) return Result.fail(refusal)
          }
          return Result.succeed(resolved)
        })

      /** Resolves and checks for the socket, which connects to these addresses only, so that the name cannot change in between. */
      const lookup: LookupFunction = (host, options, callback) => {
        run(resolve(host), {
          onExit: (exit) => {
            const checked = Exit.isSuccess(exit) ? exit.value : Result.fail(doesNotResolve)
            if (Result.isFailure(checked)) return callback(new AddressRefused({ reason: checked.failure }), "")
            const [first] = checked.success
            if (options.all === true || first === undefined) return callback(null, [...checked.success])
            return callback(null, first.address, first.family)
          },
        })
      }

      const open = (options: Pick<ClientRequestArgs, "lookup">) =>
        Effect.acquireRelease(
          Effect.sync(() => Connections.open(options)),
          (connections) => Effect.sync(() => Connections.destroy(connections)),
        )
      const checked = yield* open({ lookup })
      const own = yield* open({})

      const send = Effect.fn("NodeWebhookTransport.send")(function* (request: WebhookRequest) {
        // The socket does not look up a literal address, so it is checked here.
        const isOwn = isInbox(request.url)
        const endpoint = AddressPolicy.parseEndpoint(isOwn ? ofInboxes : policy, request.url)
        if (Result.isFailure(endpoint)) return unreachable(endpoint.failure)
        const { host, url } = endpoint.success
        yield* Effect.annotateCurrentSpan({ host })
        return yield* Effect.raceFirst(
          Connections.post(isOwn ? own : checked, url, request),
          Effect.as(
            socketClock.sleep(Duration.millis(request.timeoutMillis)),
            unreachable(`no complete answer within ${request.timeoutMillis} ms`),
          ),
        )
      })

      const check = Effect.fn("NodeWebhookTransport.check")(function* (text: string) {
        if (isInbox(text)) return undefined
        const endpoint = AddressPolicy.parseEndpoint(policy, text)
        if (Result.isFailure(endpoint)) return { reason: endpoint.failure }
        const { host, isLiteral } = endpoint.success
        // Without a limit any address is allowed, and names of containers may resolve only later.
        if (policy.mode === "any" || isLiteral) return undefined
        const checked = yield* Effect.raceFirst(
          resolve(host),
          Effect.as(socketClock.sleep(resolveMax), Result.fail(doesNotResolve)),
        )
        const refusal: EndpointRefusal | undefined = Result.isFailure(checked) ? { reason: checked.failure } : undefined
        return refusal
      })

      return WebhookTransport.of({ send, check, showsAnswers: policy.mode === "any" })
    }),
  )
