/** A bank in this process that answers the contract: as it should, or with a fault that a test chooses. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { buffer } from "node:stream/consumers"

export const serverSecret = "a port secret of the tests, 32 chars+"

/** A signed request, as the bank has read it. */
export interface PortCall {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly platformId: string | null
  readonly businessTime: number
  readonly request: { readonly [name: string]: unknown }
  /** The bytes of the request. */
  readonly body: Buffer
  readonly socket: Socket
}

export type Answers = (call: PortCall) => Promise<object> | object

/** What a reply may do: the response, the right text, and signatures of any text. */
export interface Reply {
  readonly response: ServerResponse
  readonly text: string
  readonly call: PortCall
  readonly sign: (text: string, changes?: SignedParts) => string
}

export interface SignedParts {
  readonly secret?: string
  readonly direction?: string
  readonly status?: string
  readonly path?: string
  readonly timestamp?: string
  readonly id?: string
}

/** The lines of a signature, written here once more, so that a change of the package is noticed. */
export const signatureOf = (secret: string, lines: ReadonlyArray<string>, body: Buffer | string): string => {
  const digest = createHash("sha256").update(body).digest("hex")
  const mac = createHmac("sha256", secret).update(["v1", ...lines, digest].join("\n"))
  return `v1,${mac.digest("base64")}`
}

const asReply = ({ response, sign, text }: Reply): void => {
  response.writeHead(200, { "Content-Type": "application/json", "Port-Signature": sign(text) }).end(text)
}

export interface PortServer extends AsyncDisposable {
  readonly url: string
  /** The calls so far, oldest first. */
  readonly calls: ReadonlyArray<PortCall>
}

/** Starts a bank; `reply` sends its answers. Requests without a valid signature are answered 401. */
export const portServer = async (answers: Answers, reply: (reply: Reply) => void = asReply): Promise<PortServer> => {
  const calls: Array<PortCall> = []
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming)
    const { headers, socket, url: path = "" } = incoming
    const [id, timestamp] = [String(headers["port-request-id"]), String(headers["port-timestamp"])]
    const own = Buffer.from(signatureOf(serverSecret, ["request", "POST", path, timestamp, id], body))
    const given = String(headers["port-signature"]).split(" ")
    const isSigned = given.some((each) => each.length === own.length && timingSafeEqual(Buffer.from(each), own))
    if (!isSigned) return void response.writeHead(401).end()
    const call: PortCall = { ...JSON.parse(body.toString()), path, headers, body, socket }
    calls.push(call)
    const { reference } = call.request
    const text = JSON.stringify({ ...(reference === undefined ? {} : { reference }), ...(await answers(call)) })
    const sign: Reply["sign"] = (signed, changes = {}) => {
      const parts = { secret: serverSecret, direction: "answer", status: "200", path, timestamp, id, ...changes }
      return signatureOf(parts.secret, [parts.direction, parts.status, parts.path, parts.timestamp, parts.id], signed)
    }
    reply({ response, text, call, sign })
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/ports`,
    calls,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
