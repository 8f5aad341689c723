/** A load balancer of a few lines: each request goes to the next replica, and to another one if that replica cannot be reached. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"

export interface Target {
  readonly host: string
  readonly port: number
}

const answered = (target: Target, incoming: IncomingMessage, body: Buffer, response: ServerResponse) =>
  new Promise<boolean>((resolve) => {
    const headers = {
      ...incoming.headers,
      "x-forwarded-for": [incoming.headers["x-forwarded-for"], incoming.socket.remoteAddress]
        .filter(Boolean)
        .join(", "),
    }
    const { method, url: path } = incoming
    const outgoing = request({ ...target, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.once("end", () => resolve(true))
      // The replica ended in the middle of its answer: so does ours.
      answer.once("error", () => resolve(true) ?? response.destroy())
    })
    outgoing.once("error", () => resolve(false))
    outgoing.end(body)
  })

/** `targets` may change while the balancer runs: health checks take replicas out, and put them back. */
export const roundRobin = (targets: ReadonlyArray<Target>): Server => {
  let next = 0
  return createServer(async (incoming, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    // A request that may be repeated is: reads, and changes under a key.
    const isRepeatable = incoming.method === "GET" || incoming.headers["idempotency-key"] !== undefined
    const first = next++
    for (let attempt = 0; attempt < (isRepeatable ? targets.length : 1); attempt++) {
      const target = targets[(first + attempt) % targets.length]
      if (target !== undefined && (await answered(target, incoming, body, response))) return
    }
    response.writeHead(502, { "content-type": "application/json" }).end('{"status":502}')
  })
}
