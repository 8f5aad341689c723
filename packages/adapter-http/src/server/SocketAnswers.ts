/**
 * Answers that a server writes itself: for bytes that are not a request, and for requests and connections beyond a limit.
 * Spec: Errors. Source: D-316; RFC 9112, section 9.6 (a close after the client has read the response).
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { bodyOf, type ErrorBody } from "@countersign/core"
import { tooManyInFlight } from "../middleware/RequestsInFlight.ts"

/** How long a client has to read its last response before the connection is destroyed. */
const lingerMillis = 1_000

const format = (status: number, message: string, reason: string): ErrorBody => ({
  ...bodyOf({ code: "INVALID_REQUEST_FORMAT", message, details: { reason } }),
  status,
})

const unavailable = (message: string, reason: string): ErrorBody =>
  bodyOf({ code: "SERVICE_UNAVAILABLE", message, details: { reason } })

const malformed = bodyOf({ code: "INVALID_REQUEST_FORMAT", message: "The request is not valid HTTP." })
const versionUnsupported = bodyOf({
  code: "INVALID_REQUEST_FORMAT",
  message: "The HTTP version must be 1.1 or 1.0.",
})
const hostInvalid = bodyOf({
  code: "INVALID_REQUEST_FORMAT",
  message: "The request must have exactly one Host header.",
})
export const tooSlow = format(408, "The request did not arrive in time.", "REQUEST_TIMEOUT")
const chunkExtensionsTooLarge = format(
  413,
  "The extensions of the body's chunks are too large.",
  "CHUNK_EXTENSIONS_TOO_LARGE",
)
export const expectationFailed = format(417, "Expect must be 100-continue.", "EXPECTATION_FAILED")
const headersTooLarge = format(431, "The headers are too many or too large.", "HEADERS_TOO_LARGE")
export const tooManyPipelined = unavailable(
  "The connection has too many unanswered requests.",
  "TOO_MANY_PIPELINED_REQUESTS",
)
export const tooManyConnections = unavailable("There are too many connections.", "TOO_MANY_CONNECTIONS")

const headersOf = ({ status }: ErrorBody): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "cache-control": "no-store",
  connection: "close",
  ...(status === 503 ? { "retry-after": "1" } : {}),
})

/** Answers a request and closes its connection. Responses to earlier requests of the connection are sent first. */
export const refuse = (response: ServerResponse, error: ErrorBody): void => {
  const body = JSON.stringify(error)
  response.writeHead(error.status, { ...headersOf(error), "content-length": Buffer.byteLength(body) })
  response.end(body)
}

// A text: Node would put the head before the `100 Continue` of a request that waits behind others if the body were bytes.
const unstarted = JSON.stringify(bodyOf(tooManyInFlight))
const unstartedHeaders = {
  "content-type": "application/json",
  "content-length": Buffer.byteLength(unstarted),
  "cache-control": "no-store",
  "retry-after": "1",
}

/** Refuses a request that has not started. The answer is ready, and the connection stays open, because another one would cost more. */
export const refuseUnstarted = (response: ServerResponse): void => {
  response.writeHead(503, unstartedHeaders)
  response.end(unstarted)
}

const textOf = (error: ErrorBody): string => {
  const body = JSON.stringify(error)
  const headers = { ...headersOf(error), "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\n${lines.join("")}\r\n${body}`
}

/** Answers outside any request and closes the connection. What the client still sends is discarded, or it might not read the answer. */
export const endWith = (socket: Socket, error: ErrorBody): void => {
  socket.end(textOf(error))
  const timer = setTimeout(() => socket.destroy(), lingerMillis)
  timer.unref()
  socket.once("end", () => socket.destroy())
  socket.once("close", () => clearTimeout(timer))
  socket.resume()
}

const byErrorCode: Readonly<Record<string, ErrorBody>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: chunkExtensionsTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
}

/** The answer for an error of Node's HTTP parser. */
export const answerOf = (error: Error & { readonly code?: string }): ErrorBody =>
  byErrorCode[error.code ?? ""] ?? malformed

/** Whether a request has the one `Host` header that HTTP/1.1 requires. Node itself keeps the first of several. */
const hasOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}

/** The answer for a request that Node's parser accepts and this server does not. */
export const refusalOf = (request: IncomingMessage, headersMax: number): ErrorBody | undefined => {
  if (request.httpVersionMajor !== 1) return versionUnsupported
  if (request.rawHeaders.length > 2 * headersMax) return headersTooLarge
  return hasOneHost(request) ? undefined : hostInvalid
}
