/** Servers of an attacker: one inside the service's network, and one with a page that a victim opens. */
import { once } from "node:events"
import { createServer, request as httpRequest, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface Rival extends AsyncDisposable {
  readonly port: number
  readonly requests: ReadonlyArray<string>
}

/** A server on a loopback address that answers everything with this text. */
export const rival = async (text: string, type = "text/plain"): Promise<Rival> => {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(200, { "content-type": type }).end(text)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

export interface RawReply {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

/** Sends exactly these headers, which `fetch` would not. */
export const sendRaw = async (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<RawReply> => {
  const request = httpRequest(url, { method, headers, agent: false })
  request.end(body)
  const [response] = (await once(request, "response")) as [IncomingMessage]
  const chunks: Array<Buffer> = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }
}
