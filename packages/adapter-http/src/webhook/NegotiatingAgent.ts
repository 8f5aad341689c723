/**
 * An agent for https that offers HTTP/2. Connections of HTTP/1.1 are kept as by any agent; a receiver that chooses HTTP/2 fails the
 * request before it is sent, with the connection over which to send it.
 * Source: RFC 7301 (ALPN); D-510.
 */
import type { ClientRequestArgs } from "node:http"
import https from "node:https"
import type { Duplex } from "node:stream"
import { type ConnectionOptions, TLSSocket } from "node:tls"
import { Data } from "effect"
import type { Http2Connection, Http2Connections } from "./Http2Connections.ts"
import { hasIdleRoom } from "./KeepingAgent.ts"

export class Http2Chosen extends Data.TaggedError("Http2Chosen")<{ readonly connection: Http2Connection }> {}

/** The connection that a request opens. Its request does not own it before the protocol is known. */
export class Opening {
  readonly origin: string
  #socket: TLSSocket | undefined
  #isCancelled = false

  constructor(origin: string) {
    this.origin = origin
  }

  begin(socket: TLSSocket): void {
    this.#socket = socket
    if (this.#isCancelled) socket.destroy()
  }

  end(): void {
    this.#socket = undefined
  }

  cancel(): void {
    this.#isCancelled = true
    this.#socket?.destroy()
  }
}

/** The options of a request over this agent. */
export interface OpeningOptions extends https.RequestOptions {
  readonly opening: Opening
}

const openingOf = (options: object): Opening | undefined =>
  "opening" in options && options.opening instanceof Opening ? options.opening : undefined

type Created = (error: Error | null, socket: Duplex) => void

/** How a connection was opened: its error, or the chosen protocol. */
type Opened = { readonly error: Error } | { readonly http2: Http2Connection | undefined }

export class NegotiatingAgent extends https.Agent {
  readonly #connections: Http2Connections
  readonly #connecting = new Set<TLSSocket>()
  /** How many connections of HTTP/1.1 are open, by origin. */
  readonly #http1 = new Map<string, number>()
  /** What waits for the first connection to an origin: whether it speaks HTTP/2 decides how many are needed. */
  readonly #waiting = new Map<string, Array<(opened: Opened, socket: TLSSocket) => void>>()

  constructor(options: https.AgentOptions & Pick<ClientRequestArgs, "lookup">, connections: Http2Connections) {
    super(options)
    this.#connections = connections
  }

  override createConnection(options: https.RequestOptions, created: Created = () => {}): undefined {
    const opening = openingOf(options) ?? new Opening(`https://${options.host}:${options.port}`)
    const { origin } = opening
    const settle = (opened: Opened, socket: TLSSocket) => {
      if ("error" in opened) this.#fail(options, opened.error, socket, created)
      else if (opened.http2 === undefined) created(null, socket)
      else this.#fail(options, new Http2Chosen({ connection: opened.http2 }), socket, created)
    }
    const waiting = this.#waiting.get(origin)
    if (this.#connections.has(origin) || this.#http1.has(origin)) this.#connect(options, opening, settle)
    else if (waiting === undefined) {
      this.#waiting.set(origin, [])
      this.#connect(options, opening, (opened, socket) => {
        const others = this.#waiting.get(origin) ?? []
        this.#waiting.delete(origin)
        settle(opened, socket)
        for (const other of others) other(opened, socket)
      })
    } else {
      waiting.push((opened, socket) => {
        if ("http2" in opened && opened.http2 !== undefined) settle(opened, socket)
        else this.#connect(options, opening, settle)
      })
    }
    return undefined
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const isKept: unknown = super.keepSocketAlive(socket)
    return isKept !== false && hasIdleRoom(this)
  }

  override destroy(): void {
    super.destroy()
    for (const socket of this.#connecting) socket.destroy()
  }

  /** Tells the agent that there is no connection. It would keep an empty list for the receiver. */
  #fail(options: https.RequestOptions, error: Error, socket: TLSSocket, created: Created): void {
    created(error, socket)
    const name = this.getName(options)
    if (this.sockets[name]?.length === 0) Reflect.deleteProperty(this.sockets, name)
  }

  #connect(options: https.RequestOptions, opening: Opening, opened: (opened: Opened, socket: TLSSocket) => void): void {
    const offering: https.RequestOptions & Pick<ConnectionOptions, "ALPNProtocols"> = {
      ...options,
      ALPNProtocols: ["h2", "http/1.1"],
    }
    const socket = super.createConnection(offering)
    if (!(socket instanceof TLSSocket)) throw new TypeError("an agent for https opens TLS connections")
    const { origin } = opening
    const end = () => {
      this.#connecting.delete(socket)
      opening.end()
      socket.off("error", onError)
      socket.off("close", onClose)
      socket.off("secureConnect", onConnect)
    }
    const onError = (error: Error) => {
      end()
      opened({ error }, socket)
    }
    const onClose = () => onError(Object.assign(new Error("closed"), { code: "ECONNRESET" }))
    const onConnect = () => {
      end()
      if (socket.alpnProtocol === "h2") {
        opened({ http2: this.#connections.open(origin, socket) }, socket)
      } else {
        this.#http1.set(origin, (this.#http1.get(origin) ?? 0) + 1)
        socket.once("close", () => {
          const left = (this.#http1.get(origin) ?? 1) - 1
          if (left === 0) this.#http1.delete(origin)
          else this.#http1.set(origin, left)
        })
        opened({ http2: undefined }, socket)
      }
    }
    this.#connecting.add(socket)
    socket.once("error", onError)
    socket.once("close", onClose)
    socket.once("secureConnect", onConnect)
    opening.begin(socket)
  }
}
