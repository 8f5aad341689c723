/**
 * Sends webhooks with Node's HTTP client: one POST, no redirects, and one timeout for the whole exchange.
 * Source: wire contract 6.2. AddressPolicy checks each address at each connect.
 */
import dns from "node:dns"
import http from "node:http"
import https from "node:https"
import type { LookupFunction } from "node:net"
import {
  type EndpointRefusal,
  type WebhookRequest,
  type WebhookResult,
  WebhookTransport,
} from "@countersign/core/ports"
import { Clock, Data, Duration, Effect, Exit, Layer, Result } from "effect"
import * as AddressPolicy from "./AddressPolicy.ts"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Returns all addresses of a name; empty if it does not resolve. */
export type Resolver = (hostname: string) => Effect.Effect<ReadonlyArray<ResolvedAddress>>

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
  readonly resolver?: Resolver
}

/** How much of a response body is kept, in bytes; the rest is not read. */
export const bodyBytesMax = 64 * 1024

/** Time limit for resolving a name when an endpoint is configured. */
const resolveMax = Duration.seconds(10)

/** A process sends at most 128 deliveries at once, and all of them may go to one host. */
const agentOptions = {
  keepAlive: true,
  maxSockets: 128,
  maxFreeSockets: 4,
  maxTotalSockets: 256,
  // Closes idle connections after this time. It does not limit a request.
  timeout: 15_000,
  // The default is too short for distant hosts.
  autoSelectFamilyAttemptTimeout: 1_000,
}

/** Carries the refusal of an address through the socket's error. */
class AddressRefused extends Data.TaggedError("AddressRefused")<{ readonly reason: string }> {}

const closedEarly = "the connection was closed before the answer was complete"
const doesNotResolve = "the host name does not resolve"

/** Messages of connection errors. Node's own messages contain addresses. */
const connectionErrors: { readonly [code: string]: string } = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
}

const reasonOf = (error: NodeJS.ErrnoException): string => {
  if (error instanceof AddressRefused) return error.reason
  const code = error.code ?? "UNKNOWN"
  return connectionErrors[code] ?? `the connection failed (${code})`
}

const unreachable = (reason: string): WebhookResult => ({ _tag: "Unreachable", reason })

const systemResolver: Resolver = (hostname) =>
  Effect.callback((resume) => {
    dns.lookup(hostname, { all: true }, (error, addresses) => resume(Effect.succeed(error === null ? addresses : [])))
  })

/** The process's own clock: socket timeouts run in real time, whatever clock the core uses. */
const socketClock = Clock.Clock.defaultValue()

/** Sends one request. An interruption destroys the socket. */
const post = (url: URL, { body, headers }: WebhookRequest, agent: http.Agent): Effect.Effect<WebhookResult> =>
  Effect.callback((resume) => {
    const bytes = Buffer.from(body)
    const client = url.protocol === "https:" ? https : http
    let isOver = false
    const finish = (result: WebhookResult) => {
      isOver = true
      resume(Effect.succeed(result))
    }
    const fail = (error: NodeJS.ErrnoException) => finish(unreachable(reasonOf(error)))

    const read = (response: http.IncomingMessage) => {
      const chunks: Array<Buffer> = []
      let size = 0
      const answer = () => {
        const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
        finish({ _tag: "Answered", status: response.statusCode ?? 0, body: text })
      }
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk.subarray(0, Math.max(0, bodyBytesMax - size)))
        size += chunk.length
        if (size < bodyBytesMax) return
        answer()
        response.destroy()
      })
      response.on("end", answer)
      response.on("error", fail)
    }

    const attempt = (): http.ClientRequest => {
      const request = client.request(url, {
        method: "POST",
        agent,
        headers: { ...headers, "Content-Length": bytes.length },
      })
      request.on("response", read)
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection while it was being reused, so the request is sent again.
        if (error.code === "ECONNRESET" && request.reusedSocket && !isOver) current = attempt()
        else fail(error)
      })
      // The connection may close without an error or a response, for example after an unrequested protocol upgrade.
      request.on("close", () => {
        if (request === current && !isOver) finish(unreachable(closedEarly))
      })
      request.end(bytes)
      return request
    }

    let current = attempt()
    return Effect.sync(() => {
      isOver = true
      current.destroy()
    })
  })

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

      const openAgents = (options: http.AgentOptions & Pick<http.ClientRequestArgs, "lookup">) =>
        Effect.acquireRelease(
          Effect.sync(() => ({
            http: new http.Agent({ ...agentOptions, ...options }),
            https: new https.Agent({ ...agentOptions, ...options }),
          })),
          (opened) =>
            Effect.sync(() => {
              opened.http.destroy()
              opened.https.destroy()
            }),
        )
      const agents = yield* openAgents({ lookup })
      const ownAgents = yield* openAgents({})

      const send = Effect.fn("NodeWebhookTransport.send")(function* (request: WebhookRequest) {
        // The socket does not look up a literal address, so it is checked here.
        const isOwn = isInbox(request.url)
        const endpoint = AddressPolicy.parseEndpoint(isOwn ? ofInboxes : policy, request.url)
        if (Result.isFailure(endpoint)) return unreachable(endpoint.failure)
        const { host, url } = endpoint.success
        const { http: plain, https: secure } = isOwn ? ownAgents : agents
        yield* Effect.annotateCurrentSpan({ host })
        return yield* Effect.raceFirst(
          post(url, request, url.protocol === "https:" ? secure : plain),
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
