/** How many connections a server has open, in all and of one address, and which one makes room. Source: D-315, D-316. */
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import * as ClientAddress from "../../../packages/adapter-http/src/middleware/ClientAddress.ts"
import * as Connections from "../../../packages/adapter-http/src/server/Connections.ts"

const made = (connectionsMax: number, connectionsPerAddressMax: number) =>
  Connections.make({ connectionsMax, connectionsPerAddressMax }, ClientAddress.make({ trustedProxies: ["10.0.0.0/8"] }))

const socketOf = (remoteAddress: string | undefined) => {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress })
  return socket
}

/** Admits a connection of an address, which must have room. */
const admitted = (connections: Connections.Connections, address: string | undefined = "192.0.2.1") => {
  const socket = socketOf(address)
  const connection = connections.admit(socket)
  if (connection === undefined) throw new Error("there is no room")
  return { socket, connection }
}

/** Begins a request; returns how to finish it. */
const begin = (connections: Connections.Connections, { connection, socket }: ReturnType<typeof admitted>) => {
  const request = new IncomingMessage(socket)
  const response = new ServerResponse(request)
  connections.begin(connection, request, response)
  return { request, finish: () => connections.finish(socket, connection, response) }
}

describe("connections of one address", () => {
  it("are as many as its limit, and have room again when one closes", () => {
    const connections = made(9, 2)
    const first = admitted(connections)
    admitted(connections)
    expect(connections.admit(socketOf("192.0.2.1"))).toBeUndefined()
    expect(connections.admit(socketOf("192.0.2.2"))).toBeDefined()
    first.socket.emit("close")
    first.socket.emit("close")
    expect(connections.admit(socketOf("192.0.2.1"))).toBeDefined()
    expect(connections.admit(socketOf("192.0.2.1"))).toBeUndefined()
    expect(connections.count()).toBe(3)
  })

  it.each<readonly [what: string, first: string | undefined, second: string | undefined, isLimited: boolean]>([
    ["one network of IPv6", "2001:db8::1", "2001:db8::2", true],
    ["two networks of IPv6", "2001:db8::1", "2001:db8:0:1::1", false],
    ["a mapped address", "::ffff:192.0.2.1", "192.0.2.1", true],
    ["a trusted proxy", "10.0.0.1", "10.0.0.1", false],
    ["an unknown address", undefined, undefined, false],
  ])("are counted together for %s", (_what, first, second, isLimited) => {
    const connections = made(9, 1)
    expect(connections.admit(socketOf(first))).toBeDefined()
    expect(connections.admit(socketOf(second)) === undefined).toBe(isLimited)
  })
})

describe("connections of all addresses", () => {
  it("beyond the limit take the place of the longest idle one", () => {
    const connections = made(2, 9)
    const [first, second] = [admitted(connections), admitted(connections)]
    const third = admitted(connections)
    expect([first, second, third].map(({ socket }) => socket.destroyed)).toEqual([true, false, false])
    expect([connections.count(), connections.get(first.socket)]).toEqual([2, undefined])
    expect(connections.get(third.socket)).toBe(third.connection)
  })

  it("beyond the limit are refused while all others have requests", () => {
    const connections = made(2, 9)
    const [first, second] = [admitted(connections), admitted(connections)]
    const one = begin(connections, first)
    const two = begin(connections, second)
    const pipelined = begin(connections, second)
    expect(connections.admit(socketOf("192.0.2.9"))).toBeUndefined()
    two.finish()
    expect(connections.admit(socketOf("192.0.2.9"))).toBeUndefined()
    pipelined.finish()
    one.finish()
    admitted(connections)
    expect([first.socket.destroyed, second.socket.destroyed]).toEqual([false, true])
  })

  it("free the place of their address when they are closed for another", () => {
    const connections = made(1, 1)
    const first = admitted(connections)
    admitted(connections, "192.0.2.2")
    expect(first.socket.destroyed).toBe(true)
    expect(connections.admit(socketOf("192.0.2.1"))).toBeDefined()
  })
})

it("remembers the waiting and the latest request of a connection", () => {
  const connections = made(2, 9)
  const one = admitted(connections)
  expect([one.connection.waiting.size, one.connection.latest, one.connection.isEnding]).toEqual([0, undefined, false])
  const first = begin(connections, one)
  const second = begin(connections, one)
  expect(one.connection.waiting.size).toBe(2)
  expect(one.connection.latest).toBe(second.request)
  first.finish()
  expect(one.connection.waiting.size).toBe(1)
})

it("is not idle again after it has closed", () => {
  const connections = made(1, 9)
  const one = admitted(connections)
  const request = begin(connections, one)
  one.socket.emit("close")
  request.finish()
  expect(connections.count()).toBe(0)
  admitted(connections)
  admitted(connections)
  expect(one.socket.destroyed).toBe(false)
})
