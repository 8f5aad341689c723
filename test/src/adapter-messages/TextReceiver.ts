/** A gateway for text messages on loopback for tests: it keeps what arrives, recognizes repeated messages, and fails as a test decides. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { selfSigned } from "../webhook/Certificate.ts"

export interface SeenRequest {
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** What happens to one request instead of 202. */
export type TextFault =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | "hang"
  /** The message is accepted, and the connection ends before the answer. */
  | "lost"
  /** The answer ends in the middle. */
  | "half"
  /** The answer never ends. */
  | "endless"

export const startTextReceiver = async ({ isSecure = false } = {}) => {
  const seen: Array<SeenRequest> = []
  const messages: Array<{ readonly to: string; readonly text: string }> = []
  const known = new Set<string>()
  let fault: (times: number) => TextFault | undefined = () => undefined

  const keep = ({ body, headers }: SeenRequest) => {
    const id = String(headers["idempotency-key"] ?? seen.length)
    if (known.has(id)) return
    known.add(id)
    const form = new URLSearchParams(body)
    messages.push(
      body.startsWith("{") ? JSON.parse(body).message : { to: form.get("to") ?? "", text: form.get("text") ?? "" },
    )
  }

  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const arrived = { headers: request.headers, body }
      seen.push(arrived)
      const happens = fault(seen.length)
      if (happens === "hang") return
      if (typeof happens === "object")
        return void response.writeHead(happens.status, happens.headers ?? {}).end(happens.body)
      keep(arrived)
      if (happens === "lost") return void request.socket.destroy()
      if (happens === "half") {
        response.writeHead(202, { "content-length": "100" })
        return void response.write("half", () => request.socket.destroy())
      }
      if (happens === "endless") {
        response.writeHead(202)
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        }
        response.on("drain", more)
        return more()
      }
      response.writeHead(202).end("{}")
    })
  }

  const server = isSecure ? createSecureServer(selfSigned("localhost"), listener) : createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `${isSecure ? "https" : "http"}://localhost:${port}/messages`,
    port,
    seen,
    messages,
    fail: (decide: typeof fault) => {
      fault = decide
    },
    reset: () => {
      fault = () => undefined
      seen.length = 0
      messages.length = 0
      known.clear()
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
