/** The receiver of `countersign listen`: verifies each webhook and passes it on unchanged. Source: D-460. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { challengeAnswer, type WebhookEvent, WebhookRefused } from "@countersign/client/webhook"
import { type Clock, Effect } from "effect"
import { addressError } from "../CommandError.ts"

const bodyBytesMax = 1024 * 1024
const forwardTimeoutMillis = 25_000

/** Headers of one connection, or such as `fetch` sets itself. */
const ownHeaders =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect|upgrade|te|trailer|accept-encoding)$/iu

/** What became of one request. */
export type Outcome =
  | { readonly _tag: "Refused"; readonly reason: string }
  | { readonly _tag: "Received"; readonly event: WebhookEvent }
  | { readonly _tag: "Forwarded"; readonly event: WebhookEvent; readonly status: number; readonly millis: number }
  | { readonly _tag: "Unreachable"; readonly event: WebhookEvent; readonly reason: string }

export interface ReceivingOptions {
  readonly host: string
  readonly port: number
  /** Returns the event of a webhook of the platform; rejects with `WebhookRefused`. */
  readonly verify: (headers: Headers, body: Uint8Array) => Promise<WebhookEvent>
  readonly forwardTo: string | undefined
  readonly clock: Clock.Clock
  readonly onOutcome: (outcome: Outcome) => void
}

interface Answer {
  readonly outcome: Outcome
  readonly status: number
  readonly body?: Uint8Array
  readonly contentType?: string | null
}

const readBody = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return undefined
    size += chunk.length
    if (size > bodyBytesMax) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      ownHeaders.test(name) || typeof value !== "string" ? [] : [[name, value] as [string, string]],
    ),
  )

const forward = async (
  to: string,
  event: WebhookEvent,
  clock: Clock.Clock,
  { body, headers }: { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers },
): Promise<Answer> => {
  const startedAt = clock.currentTimeMillisUnsafe()
  try {
    const signal = AbortSignal.timeout(forwardTimeoutMillis)
    const response = await fetch(to, { method: "POST", headers, body, redirect: "manual", signal })
    const answer = new Uint8Array(await response.arrayBuffer())
    const millis = clock.currentTimeMillisUnsafe() - startedAt
    const { status } = response
    const contentType = response.headers.get("content-type")
    return { outcome: { _tag: "Forwarded", event, status, millis }, status, body: answer, contentType }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    // The service sends the event again later.
    return { outcome: { _tag: "Unreachable", event, reason }, status: 502 }
  }
}

/** Acknowledges an event, and answers a challenge. */
const received = (event: WebhookEvent): Answer => {
  const answer = challengeAnswer(event)
  const body = answer === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(answer)) }
  return { outcome: { _tag: "Received", event }, status: 200, contentType: "application/json", ...body }
}

const handlerOf =
  ({ clock, forwardTo, verify }: ReceivingOptions) =>
  async (request: IncomingMessage): Promise<Answer> => {
    const body = request.method === "POST" ? await readBody(request) : undefined
    if (body === undefined) {
      const reason = "no POST with a body of at most 1 MiB"
      return { outcome: { _tag: "Refused", reason }, status: 400 }
    }
    const headers = headersOf(request)
    try {
      const event = await verify(headers, body)
      if (forwardTo === undefined) return received(event)
      return await forward(forwardTo, event, clock, { body, headers })
    } catch (error) {
      const reason = error instanceof WebhookRefused ? error.reason : "the keys cannot be read"
      return { outcome: { _tag: "Refused", reason }, status: error instanceof WebhookRefused ? 400 : 503 }
    }
  }

/** Listens until the scope closes, and returns the port. */
export const receive = (options: ReceivingOptions) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const handle = handlerOf(options)
          const answer = async (request: IncomingMessage, response: ServerResponse) => {
            const { body, contentType, outcome, status } = await handle(request)
            response.writeHead(status, contentType ? { "content-type": contentType } : {}).end(body)
            options.onOutcome(outcome)
          }
          const server = createServer((request, response) => {
            answer(request, response).catch(() => response.destroy())
          })
          server.once("error", reject)
          server.listen(options.port, options.host, () => resolve(server))
        }),
      catch: (cause) =>
        addressError(
          `cannot listen on ${options.host}:${options.port}: ${cause instanceof Error ? cause.message : ""}`,
        ),
    }),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          }),
      ),
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))
