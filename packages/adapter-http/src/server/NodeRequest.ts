/**
 * A `node:http` request in the form that the router takes, without a Fetch API `Request`: creating one, with its headers, signal and body
 * stream, costs as much as reading the request. The semantics are those of `new Request(...)`, which is created for members that the
 * handlers do not use.
 * Source: architecture, "Layers are folders" (server); WHATWG Fetch (headers, URL).
 */
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import { Effect, Inspectable, Option, Stream } from "effect"
import {
  Headers,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  type HttpServerResponse,
  Multipart,
} from "effect/http"
import type { ClientAddress } from "../middleware/ClientAddress.ts"
import type { TenantNoting } from "../middleware/TenantNotes.ts"
import type { ByteBudget } from "./ByteBudget.ts"

/** Members that a framework may add to a request: the address before it removed a mount path, and the parsed body. */
interface FrameworkRequest extends IncomingMessage {
  readonly originalUrl?: unknown
  readonly body?: unknown
}

const origin = "http://localhost"

/** Whether a URL parser would leave an address unchanged: it has no dot segments, escapes or other characters to normalize. */
const isNormalized = (address: string): boolean => /^\/[\w\-~:/]*(?:\?[\w\-~:=&.+]*)?$/u.test(address)

/** Returns the path and query of an address in the normal form of a URL. */
const normalized = (address: string): string => {
  if (isNormalized(address)) return address
  const { pathname, search } = new URL(`${origin}${address}`)
  return `${pathname}${search}`
}

/**
 * Returns the address, with the mount path that a framework may have removed. Nothing connects to it. A server must accept the form with
 * scheme and host, too (RFC 9112, section 3.2.2).
 */
export const addressOf = ({ originalUrl, url }: FrameworkRequest): string => {
  const address = typeof originalUrl === "string" ? originalUrl : url
  if (address?.startsWith("/") === true) return address
  return /^https?:\/\/[^/?#]+(\/.*)$/iu.exec(address ?? "")?.[1] ?? "/"
}

const isBodySent = (method: string | undefined, encoding: string | undefined, length: string | undefined): boolean =>
  method !== "GET" && method !== "HEAD" && (encoding !== undefined || Number(length ?? 0) > 0)

export const hasBody = ({ headers, method }: IncomingMessage): boolean =>
  isBodySent(method, headers["transfer-encoding"], headers["content-length"])

/** Returns a body that a framework has parsed, as JSON; `undefined` if the body is unread. */
export const readByFramework = (request: FrameworkRequest): string | undefined =>
  request.readableEnded && request.body !== undefined ? JSON.stringify(request.body) : undefined

/** Returns the headers, joined as the Fetch API joins them. */
const headersOf = ({ rawHeaders }: IncomingMessage): Headers.Headers => {
  const joined: Record<string, string> = {}
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase()
    const value = rawHeaders[index + 1] ?? ""
    const before = joined[name]
    joined[name] = before === undefined ? value : `${before}${name === "cookie" ? "; " : ", "}${value}`
  }
  return Headers.fromRecordUnsafe(joined)
}

/** Counts the bodies that are being read. */
export type Bodies = ByteBudget<IncomingMessage["socket"]>

class TooLarge extends Error {}

/** Returns a body that has arrived completely, as small ones have when the caller is authenticated; else `undefined`. */
const bufferedBody = (incoming: IncomingMessage, length: number, bytesMax: number): Uint8Array | undefined => {
  if (!(length <= bytesMax) || incoming.readableLength !== length || incoming.readableFlowing !== null) return undefined
  const bytes: unknown = incoming.read()
  return bytes instanceof Uint8Array ? bytes : undefined
}

/** Reads the body to its end. Beyond the limit it fails and leaves the rest unread. */
const bytesOf = (incoming: IncomingMessage, length: number, bytesMax: number, bodies: Bodies): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (length > bytesMax) return reject(new TooLarge())
    if (incoming.readableEnded) return resolve(new Uint8Array(0))
    if (incoming.destroyed) return reject(new Error("the connection is closed"))
    const chunks: Array<Uint8Array> = []
    let read = 0
    const stop = () => {
      bodies.add(incoming.socket, -read)
      incoming.off("data", onData)
      incoming.off("end", onEnd)
      incoming.off("error", onError)
      incoming.off("close", onClose)
    }
    const onData = (chunk: Uint8Array) => {
      read += chunk.byteLength
      bodies.add(incoming.socket, chunk.byteLength)
      if (read > bytesMax) {
        stop()
        incoming.pause()
        reject(new TooLarge())
        return
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
    }
    const onError = (cause: Error) => {
      stop()
      reject(cause)
    }
    const onClose = () => onError(new Error("the connection was closed"))
    incoming.on("data", onData)
    incoming.on("end", onEnd)
    incoming.on("error", onError)
    incoming.on("close", onClose)
  })

/** The pieces of a body, each read when the last one has been taken. A consumer that stops leaves the rest unread. */
const piecesOf = async function* (incoming: IncomingMessage, bodies: Bodies): AsyncGenerator<Uint8Array> {
  let held = 0
  const hold = (bytes: number) => {
    bodies.add(incoming.socket, bytes - held)
    held = bytes
  }
  try {
    const pieces: AsyncIterable<Uint8Array> = incoming.iterator({ destroyOnReturn: false })
    for await (const piece of pieces) {
      hold(piece.byteLength)
      yield piece
    }
  } finally {
    hold(0)
  }
}

const utf8 = new TextDecoder()
const encoder = new TextEncoder()

interface Body {
  readonly isSent: boolean
  /** The `content-length`; `NaN` for a chunked body. */
  readonly length: number
  bytes?: Uint8Array | undefined
  /** Pending while the body is being read. */
  pending?: Promise<Uint8Array>
}

interface Parts {
  readonly url: string
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string>
  readonly peerAddress: Option.Option<string> | undefined
  readonly protocol: "http" | "https" | undefined
  /** Shared by all modified copies of a request, because the body is read once. */
  readonly body: Body
  readonly shared: Shared
}

type Answer = (response: HttpServerResponse.HttpServerResponse) => void

export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest, TenantNoting {
  readonly [HttpServerRequest.TypeId] = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
  readonly source: IncomingMessage
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string>
  readonly peerAddress: Option.Option<string>
  readonly protocol: "http" | "https" | undefined
  /** Sends the response. */
  readonly answer: Answer
  readonly #parts: Parts

  constructor(source: IncomingMessage, answer: Answer, parts: Parts) {
    super()
    this.source = source
    this.answer = answer
    this.method = source.method ?? "GET"
    this.url = parts.url
    this.originalUrl = `${origin}${parts.url}`
    this.headers = parts.headers
    this.remoteAddress = parts.remoteAddress
    this.peerAddress = parts.peerAddress ?? parts.remoteAddress
    this.protocol = parts.protocol
    this.#parts = parts
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> {
    return Effect.map(this.#bytes(), (bytes) => new Uint8Array(bytes).buffer)
  }

  get text(): Effect.Effect<string, HttpServerError.HttpServerError> {
    return Effect.map(this.#bytes(), (bytes) => utf8.decode(bytes))
  }

  /** Returns the body if it is available without waiting. */
  #available(bytesMax: number): Uint8Array | undefined {
    const { body } = this.#parts
    if (body.bytes !== undefined || body.pending !== undefined) return body.bytes
    if (!body.isSent) return new Uint8Array(0)
    const parsed = readByFramework(this.source)
    body.bytes = parsed === undefined ? bufferedBody(this.source, body.length, bytesMax) : encoder.encode(parsed)
    return body.bytes
  }

  #read(bytesMax: number): Promise<Uint8Array> {
    const { body } = this.#parts
    body.pending ??= bytesOf(this.source, body.length, bytesMax, this.#parts.shared.bodies).then((bytes) => {
      body.bytes = bytes
      return bytes
    })
    return body.pending
  }

  #bytes(): Effect.Effect<Uint8Array, HttpServerError.HttpServerError> {
    return Effect.withFiber((fiber) => {
      const bytesMax = Number(fiber.getRef(HttpIncomingMessage.MaxBodySize) ?? Number.POSITIVE_INFINITY)
      const available = this.#available(bytesMax)
      if (available !== undefined) return Effect.succeed(available)
      return Effect.tryPromise({
        try: () => this.#read(bytesMax),
        catch: (cause) => this.#unreadable(cause),
      })
    })
  }

  #unreadable(cause: unknown): HttpServerError.HttpServerError {
    const reason = cause instanceof TooLarge ? "BodyTooLarge" : "Parse"
    return new HttpServerError.HttpServerError({
      reason: new HttpServerError.RequestParseError({ request: this, reason, cause }),
    })
  }

  /** The request as a Fetch API `Request`. */
  get #web(): HttpServerRequest.HttpServerRequest {
    const init = { method: this.method, headers: { ...this.headers } }
    const body = this.#parts.body.isSent ? (Readable.toWeb(this.source) as ReadableStream<Uint8Array>) : undefined
    return HttpServerRequest.fromWeb(
      new Request(this.originalUrl, body === undefined ? init : { ...init, body, duplex: "half" }),
    )
  }

  get json() {
    return this.#web.json
  }
  get urlParamsBody() {
    return this.#web.urlParamsBody
  }
  /** The body as it arrives. It can be read once, and not together with the other forms of the body. */
  get stream(): Stream.Stream<Uint8Array, HttpServerError.HttpServerError> {
    return Stream.suspend(() => {
      const available = this.#available(0)
      return available === undefined
        ? Stream.fromAsyncIterable(piecesOf(this.source, this.#parts.shared.bodies), (cause) => this.#unreadable(cause))
        : Stream.make(available)
    })
  }
  get cookies() {
    return this.#web.cookies
  }
  get multipart() {
    return this.#web.multipart
  }
  get multipartStream(): Stream.Stream<Multipart.Part, Multipart.MultipartError> {
    const bytes = Stream.mapError(this.stream, (cause) => Multipart.MultipartError.fromReason("InternalError", cause))
    return Stream.pipeThroughChannel(bytes, Multipart.makeChannel<Multipart.MultipartError>(this.headers))
  }
  get upgrade() {
    return this.#web.upgrade
  }
  upgradeWith(options: Parameters<HttpServerRequest.HttpServerRequest["upgradeWith"]>[0]) {
    return this.#web.upgradeWith(options)
  }

  modify(changed: Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]): NodeRequest {
    return new NodeRequest(this.source, this.answer, {
      url: changed.url ?? this.url,
      headers: changed.headers ?? this.headers,
      remoteAddress: changed.remoteAddress ?? this.remoteAddress,
      peerAddress: changed.peerAddress ?? this.#parts.peerAddress,
      protocol: changed.protocol ?? this.protocol,
      body: this.#parts.body,
      shared: this.#parts.shared,
    })
  }

  noteTenant(tenant: string | undefined): void {
    this.#parts.shared.noteTenant(this.source, tenant)
  }

  /** Omits the address and the headers, because both may name a person. */
  toJSON() {
    return { _id: "HttpServerRequest", method: this.method }
  }
}

/** Returns the address of a request's client. */
export const clientAddressOf = (incoming: IncomingMessage, addresses: ClientAddress): string | undefined => {
  const forwarded = incoming.headers["x-forwarded-for"]
  return addresses.of(incoming.socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join(",") : forwarded)
}

/** What the requests of a listener share. */
export interface Shared {
  readonly addresses: ClientAddress
  readonly bodies: Bodies
  readonly noteTenant: (request: IncomingMessage, tenant: string | undefined) => void
}

export const make = (incoming: IncomingMessage, shared: Shared, answer: Answer): NodeRequest => {
  const headers = headersOf(incoming)
  const length = headers["content-length"]
  return new NodeRequest(incoming, answer, {
    url: normalized(addressOf(incoming)),
    headers,
    remoteAddress: Option.fromUndefinedOr(clientAddressOf(incoming, shared.addresses)),
    peerAddress: undefined,
    protocol: undefined,
    body: {
      isSent: isBodySent(incoming.method, headers["transfer-encoding"], length),
      length: Number(length ?? Number.NaN),
    },
    shared,
  })
}
