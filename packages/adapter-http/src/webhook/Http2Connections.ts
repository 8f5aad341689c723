/**
 * The open HTTP/2 connections by origin. Deliveries to an origin share a connection up to the receiver's limit of concurrent streams.
 * Source: RFC 9113, sections 5.1.2 (concurrent streams) and 6.8 (GOAWAY); D-510.
 */
import http2 from "node:http2"
import type { TLSSocket } from "node:tls"

/** A connection without deliveries is closed after this time. */
const idleMillis = 15_000

/** Until the receiver names its limit. RFC 9113, section 6.5.2, recommends none below this. */
const streamsMax = 100

export class Http2Connection {
  readonly session: http2.ClientHttp2Session
  readonly socket: TLSSocket
  /** Whether an answer came over it before. */
  hasAnswered = false
  #streams = 0
  /** The last stream that the receiver processes, from its GOAWAY. */
  #lastStreamId = Number.POSITIVE_INFINITY

  constructor(origin: string, socket: TLSSocket) {
    this.socket = socket
    this.session = http2.connect(origin, { createConnection: () => socket, settings: { enablePush: false } })
    // Its streams report the error.
    this.session.on("error", () => {})
    this.session.on("goaway", (_code, lastStreamId) => {
      this.#lastStreamId = lastStreamId
      this.retire()
    })
    this.session.setTimeout(idleMillis, () => (this.#streams === 0 ? this.session.destroy() : this.retire()))
    this.session.unref()
  }

  /** Whether it takes deliveries; beyond the limit of the receiver they wait for others. */
  get isOpen(): boolean {
    return !this.session.closed && !this.session.destroyed
  }

  /** Whether another delivery need not wait. */
  get hasRoom(): boolean {
    const limit = Math.min(this.session.remoteSettings.maxConcurrentStreams ?? streamsMax, streamsMax)
    return this.isOpen && this.#streams < limit
  }

  /** Lets its deliveries end, and takes no more. */
  retire(): void {
    if (!this.session.closed) this.session.close()
  }

  request(headers: http2.OutgoingHttpHeaders): http2.ClientHttp2Stream {
    const stream = this.session.request(headers)
    this.#streams += 1
    // The process does not wait for idle connections.
    this.session.ref()
    stream.once("close", () => {
      this.#streams -= 1
      if (this.#streams === 0) this.session.unref()
    })
    return stream
  }

  /** Whether the receiver has certainly not processed a stream. */
  isUnprocessed({ id, rstCode }: http2.ClientHttp2Stream): boolean {
    return id === undefined || id > this.#lastStreamId || rstCode === http2.constants.NGHTTP2_REFUSED_STREAM
  }
}

export class Http2Connections {
  readonly #byOrigin = new Map<string, Set<Http2Connection>>()

  open(origin: string, socket: TLSSocket): Http2Connection {
    const connection = new Http2Connection(origin, socket)
    const connections = this.#byOrigin.get(origin) ?? new Set()
    this.#byOrigin.set(origin, connections.add(connection))
    connection.session.once("close", () => {
      connections.delete(connection)
      if (connections.size === 0 && this.#byOrigin.get(origin) === connections) this.#byOrigin.delete(origin)
    })
    return connection
  }

  has(origin: string): boolean {
    return this.#byOrigin.has(origin)
  }

  /** A connection that takes another delivery. */
  withRoom(origin: string): Http2Connection | undefined {
    return this.#byOrigin
      .get(origin)
      ?.values()
      .find(({ hasRoom }) => hasRoom)
  }

  destroy(): void {
    for (const connections of this.#byOrigin.values()) for (const { session } of connections) session.destroy()
  }
}
