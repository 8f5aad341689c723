/**
 * The open connections of a server: how many there may be, in all and of one address, and the unanswered requests of each.
 * Source: D-315, D-316.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type ClientAddress, sourceOf } from "../middleware/ClientAddress.ts"
import type { ServerLimits } from "../middleware/ServerLimits.ts"

export interface Connection {
  readonly source: string | undefined
  /** The unanswered requests, in the order of their arrival. */
  readonly waiting: Set<ServerResponse>
  /** The request that arrived last. */
  latest?: IncomingMessage
  /** Whether the connection ends with the answers that it waits for: nothing that follows is a request. */
  isEnding: boolean
}

export interface Connections {
  /** Adds a connection, or returns `undefined` if there are too many. It may close the longest idle one. */
  readonly admit: (socket: Socket) => Connection | undefined
  readonly count: () => number
  readonly get: (socket: Socket) => Connection | undefined
  readonly begin: (connection: Connection, request: IncomingMessage, response: ServerResponse) => void
  /** Ends a request; the connection becomes idle after its last one. */
  readonly finish: (socket: Socket, connection: Connection, response: ServerResponse) => void
}

export const make = (
  { connectionsMax, connectionsPerAddressMax }: Pick<ServerLimits, "connectionsMax" | "connectionsPerAddressMax">,
  addresses: ClientAddress,
): Connections => {
  const open = new Map<Socket, Connection>()
  /** The connections without a request, the longest idle one first. */
  const idle = new Set<Socket>()
  const bySource = new Map<string, number>()

  const remove = (socket: Socket): void => {
    const connection = open.get(socket)
    if (connection === undefined) return
    open.delete(socket)
    idle.delete(socket)
    if (connection.source === undefined) return
    const left = (bySource.get(connection.source) ?? 0) - 1
    if (left > 0) bySource.set(connection.source, left)
    else bySource.delete(connection.source)
  }

  /** Makes room for a connection, as servers do that reuse idle ones. */
  const closeLongestIdle = (): boolean => {
    const [longest] = idle
    if (longest === undefined) return false
    remove(longest)
    longest.destroy()
    return true
  }

  /** Connections of trusted proxies, of local sockets and of clients that left already have no source. */
  const limitedSource = ({ remoteAddress }: Socket): string | undefined => {
    const address = addresses.of(remoteAddress, undefined)
    return address === undefined || addresses.isTrusted(address) ? undefined : sourceOf(address)
  }

  return {
    admit: (socket) => {
      const source = limitedSource(socket)
      const count = source === undefined ? 0 : (bySource.get(source) ?? 0)
      if (count >= connectionsPerAddressMax) return undefined
      if (open.size >= connectionsMax && !closeLongestIdle()) return undefined
      if (source !== undefined) bySource.set(source, count + 1)
      const connection: Connection = { source, waiting: new Set(), isEnding: false }
      open.set(socket, connection)
      idle.add(socket)
      socket.once("close", () => remove(socket))
      return connection
    },
    count: () => open.size,
    get: (socket) => open.get(socket),
    begin: (connection, request, response) => {
      connection.waiting.add(response)
      connection.latest = request
      idle.delete(request.socket)
    },
    finish: (socket, connection, response) => {
      connection.waiting.delete(response)
      if (connection.waiting.size === 0 && open.has(socket)) idle.add(socket)
    },
  }
}
