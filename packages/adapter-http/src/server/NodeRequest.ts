/**
 * A request of node:http as the router takes it, without a `Request` of fetch in between: making one, with its headers, its signal and its
 * stream of the body, costs as much as reading the request does. It means what `new Request(...)` would: that is made, where something is
 * asked for that our handlers do not use.
 * Source: architecture, "The rooms" (server); WHATWG Fetch (headers, URL).
 */
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import { Effect, Inspectable, Option, Stream } from "effect"
import { Headers, HttpIncomingMessage, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"

/** What a framework may have added to a request: the address before it cut a mount path off, and the body that it read. */
interface FrameworkRequest extends IncomingMessage {
  readonly originalUrl?: unknown
  readonly body?: unknown
}

const origin = "http://localhost"

/** Addresses that a URL parser leaves as they are: without dot segments, escapes in the path, and whatever else is written anew. */
const isSettled = (address: string): boolean => /^\/[\w\-~:/]*(?:\?[\w\-~:=&.+]*)?$/u.test(address)

/** The path and query of an address, as a URL has them. */
const settled = (address: string): string => {
  if (isSettled(address)) return address
  const { pathname, search } = new URL(`${origin}${address}`)
  return `${pathname}${search}`
}

/** The address; the one before a framework cut its mount path off. It is never used to reach anything. */
export const addressOf = ({ originalUrl, url }: FrameworkRequest): string => {
  const address = typeof originalUrl === "string" ? originalUrl : url
  return address?.startsWith("/") === true ? address : "/"
}

const isBodySent = (method: string | undefined, encoding: string | undefined, length: string | undefined): boolean =>
  method !== "GET" && method !== "HEAD" && (encoding !== undefined || Number(length ?? 0) > 0)

export const hasBody = ({ headers, method }: IncomingMessage): boolean =>
  isBodySent(method, headers["transfer-encoding"], headers["content-length"])

/** What came of a body that a framework's parser has read, as JSON; `undefined`: nobody has read it. */
export const readByFramework = (request: FrameworkRequest): string | undefined =>
  request.readableEnded && request.body !== undefined ? JSON.stringify(request.body) : undefined

/** The headers as fetch joins them. */
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

class TooLarge extends Error {}

/** The body where all of it is there already, as a small one is once its caller is known. */
const arrived = (incoming: IncomingMessage, length: number, bytesMax: number): Uint8Array | undefined => {
  if (!(length <= bytesMax) || incoming.readableLength !== length || incoming.readableFlowing !== null) return undefined
  const bytes: unknown = incoming.read()
  return bytes instanceof Uint8Array ? bytes : undefined
}

/** The body to its end, or its beginning up to a limit: what follows is left unread. */
const bytesOf = (incoming: IncomingMessage, length: number, bytesMax: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (length > bytesMax) return reject(new TooLarge())
    if (incoming.readableEnded) return resolve(new Uint8Array(0))
    if (incoming.destroyed) return reject(new Error("the connection is closed"))
    const chunks: Array<Uint8Array> = []
    let read = 0
    const stop = () => {
      incoming.off("data", onData)
      incoming.off("end", onEnd)
      incoming.off("error", onError)
      incoming.off("close", onClose)
    }
    const onData = (chunk: Uint8Array) => {
      read += chunk.byteLength
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

const utf8 = new TextDecoder()
const encoder = new TextEncoder()

interface Body {
  readonly isSent: boolean
  /** As its header says it; `NaN`: it comes in chunks. */
  readonly length: number
  bytes?: Uint8Array | undefined
  /** While it comes in. */
  coming?: Promise<Uint8Array>
}

interface Parts {
  readonly url: string
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string>
  readonly peerAddress: Option.Option<string> | undefined
  readonly protocol: "http" | "https" | undefined
  /** Shared by all forms of a request: its body is read once. */
  readonly body: Body
}

type Answer = (response: HttpServerResponse.HttpServerResponse) => void

export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
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

  /** What is there of the body without waiting: all of it, or nothing. */
  #known(bytesMax: number): Uint8Array | undefined {
    const { body } = this.#parts
    if (body.bytes !== undefined || body.coming !== undefined) return body.bytes
    if (!body.isSent) return new Uint8Array(0)
    const given = readByFramework(this.source)
    body.bytes = given === undefined ? arrived(this.source, body.length, bytesMax) : encoder.encode(given)
    return body.bytes
  }

  #read(bytesMax: number): Promise<Uint8Array> {
    const { body } = this.#parts
    body.coming ??= bytesOf(this.source, body.length, bytesMax).then((bytes) => {
      body.bytes = bytes
      return bytes
    })
    return body.coming
  }

  #bytes(): Effect.Effect<Uint8Array, HttpServerError.HttpServerError> {
    return Effect.withFiber((fiber) => {
      const bytesMax = Number(fiber.getRef(HttpIncomingMessage.MaxBodySize) ?? Number.POSITIVE_INFINITY)
      const known = this.#known(bytesMax)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tryPromise({
        try: () => this.#read(bytesMax),
        catch: (cause) =>
          new HttpServerError.HttpServerError({
            reason: new HttpServerError.RequestParseError({
              request: this,
              reason: cause instanceof TooLarge ? "BodyTooLarge" : "Parse",
              cause,
            }),
          }),
      })
    })
  }

  /** The same request as fetch has it. */
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
  get stream() {
    return Stream.unwrap(Effect.sync(() => this.#web.stream))
  }
  get cookies() {
    return this.#web.cookies
  }
  get multipart() {
    return this.#web.multipart
  }
  get multipartStream() {
    return this.#web.multipartStream
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
    })
  }

  /** Neither the address nor the headers are told: both may name a person. */
  toJSON() {
    return { _id: "HttpServerRequest", method: this.method }
  }
}

export const make = (incoming: IncomingMessage, answer: Answer): NodeRequest => {
  const headers = headersOf(incoming)
  const length = headers["content-length"]
  return new NodeRequest(incoming, answer, {
    url: settled(addressOf(incoming)),
    headers,
    remoteAddress: Option.none(),
    peerAddress: undefined,
    protocol: undefined,
    body: {
      isSent: isBodySent(incoming.method, headers["transfer-encoding"], length),
      length: Number(length ?? Number.NaN),
    },
  })
}
