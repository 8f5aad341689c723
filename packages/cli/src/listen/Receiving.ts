/** The receiver of `countersign listen` on a port of its own. Source: D-460. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { addressError } from "../CommandError.ts"
import { type Answer, type Outcome, type PassOnOptions, passOn, webhookHeaders } from "./PassOn.ts"

const bodyBytesMax = 1024 * 1024

export interface ReceivingOptions extends PassOnOptions {
  readonly host: string
  readonly port: number
  readonly onOutcome: (outcome: Outcome) => void
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

const handlerOf = (options: PassOnOptions) => {
  const pass = passOn(options)
  return async (request: IncomingMessage): Promise<Answer> => {
    const body = request.method === "POST" ? await readBody(request) : undefined
    if (body === undefined) {
      const reason = "no POST with a body of at most 1 MiB"
      return { outcome: { _tag: "Refused", reason }, status: 400 }
    }
    return pass(webhookHeaders(request.headers), body)
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
