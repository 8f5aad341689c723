/** Clients that open many connections, pipeline many requests, or send bodies slowly, in large numbers or not to their end. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { basic, bearer } from "../wire/FakeService.ts"
import { type HostileServer, startHostileServer, until } from "./HostileServer.ts"
import { exchange, open, type Received, received } from "./RawClient.ts"

const counted = "GET /counted HTTP/1.1\r\nHost: a\r\n\r\n"
const waiting = "GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n"
const closing = "GET /counted HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
const post = `POST /2025-10-13/customers HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic()}\r\nContent-Type: application/json\r\n`

const openFrom = async (port: number, localAddress: string): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", localAddress })
  socket.on("error", () => {})
  await once(socket, "connect")
  return socket
}

const openMany = async (port: number, count: number, bytes = ""): Promise<ReadonlyArray<Socket>> => {
  const sockets = await Promise.all(Array.from({ length: count }, () => openFrom(port, "127.0.0.1")))
  for (const socket of sockets) if (bytes !== "") socket.write(bytes)
  return sockets
}

const jsonOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf("{")))

describe("connections", () => {
  it("of one address are refused beyond the limit, while other addresses connect", async () => {
    const server = await startHostileServer({ connectionsPerAddressMax: 3 })
    const kept = await openMany(server.port, 3)
    await until(() => server.openConnections() === 3)
    const { statuses, text } = await exchange(server.port, counted)
    expect(statuses).toEqual([503])
    expect(text).toMatch(/\r\nconnection: close\r\n/u)
    expect(text).toMatch(/\r\nretry-after: 1\r\n/u)
    expect(jsonOf(text)).toMatchObject({
      status: 503,
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "TOO_MANY_CONNECTIONS" },
    })
    const other = await openFrom(server.port, "127.0.0.2")
    const { closed } = received(other)
    other.write(closing)
    expect((await closed()).statuses).toEqual([200])
    expect(server.counted()).toBe(1)
    kept[0]?.destroy()
    await until(() => server.openConnections() === 2)
    expect((await exchange(server.port, closing)).statuses).toEqual([200])
    for (const socket of kept) socket.destroy()
  })

  it("of a trusted proxy are not counted by address", async () => {
    const server = await startHostileServer({ connectionsPerAddressMax: 1, trustedProxies: ["127.0.0.0/8"] })
    const kept = await openMany(server.port, 4)
    await until(() => server.openConnections() === 4)
    expect((await exchange(server.port, closing)).statuses).toEqual([200])
    for (const socket of kept) socket.destroy()
  })

  it("that are idle give way to new ones, and busy ones do not", async () => {
    const server = await startHostileServer({ connectionsMax: 3 })
    const [first, ...others] = await openMany(server.port, 3)
    await until(() => server.openConnections() === 3)
    for (const socket of others) socket.write(waiting)
    await until(() => server.counted() === 2)
    if (first === undefined) throw new Error("no connection")
    const gone = once(first.resume(), "close")
    const busy = await openMany(server.port, 1, waiting)
    await gone
    await until(() => server.counted() === 3)
    expect((await exchange(server.port, counted)).statuses).toEqual([503])
    server.release()
    for (const socket of [...others, ...busy]) await received(socket).matching(/^HTTP\/1\.1 200 /u)
    expect((await exchange(server.port, closing)).statuses).toEqual([200])
    for (const socket of [...others, ...busy]) socket.destroy()
  })

  it("beyond the limit in great number do not stop the ones that are open", async () => {
    const server = await startHostileServer({ connectionsPerAddressMax: 1 })
    const socket = await open(server.port)
    await until(() => server.openConnections() === 1)
    const refused = await openMany(server.port, 400)
    const { matching } = received(socket)
    socket.write(counted)
    await matching(/counted$/u)
    expect(server.openConnections()).toBe(1)
    for (const each of [socket, ...refused]) each.destroy()
  })
})

describe("pipelined requests", () => {
  it("are answered in order up to the limit", async () => {
    const server = await startHostileServer({ pipelinedRequestsMax: 4 })
    const socket = await open(server.port)
    const { closed } = received(socket)
    socket.write(`${waiting}${counted}${counted}`)
    await until(() => server.counted() === 3)
    socket.write(closing)
    await until(() => server.counted() === 4)
    server.release()
    const { statuses, text } = await closed()
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(text.indexOf("waited")).toBeLessThan(text.indexOf("counted"))
  })

  it("beyond the limit end the connection, and none of the flood behind them is handled", async () => {
    const server = await startHostileServer({ pipelinedRequestsMax: 4 })
    const socket = await open(server.port)
    const { closed } = received(socket)
    for (let index = 0; index < 50; index += 1) socket.write(waiting.repeat(200))
    await until(() => server.counted() === 4)
    // The service has time to do wrong.
    for (let index = 0; index < 20; index += 1) expect((await exchange(server.port, closing)).statuses).toEqual([200])
    expect(server.counted()).toBe(24)
    server.release()
    const { statuses } = await closed().catch(() => ({ statuses: [200, 200, 200, 200] }))
    expect(statuses.filter((status) => status !== 503)).toEqual([200, 200, 200, 200])
    expect(server.counted()).toBe(24)
  })
})

describe("a request that arrives slowly", () => {
  it("is answered 408 when its headers take too long", async () => {
    const server = await startHostileServer({ headersTimeoutMillis: 200 })
    const { statuses, text } = await exchange(server.port, "GET /counted HTTP/1.1\r\nHost: a\r\n")
    expect(statuses).toEqual([408])
    expect(jsonOf(text)).toMatchObject({ status: 408, code: "INVALID_REQUEST_FORMAT" })
  })

  it("is answered 408 when its body arrives below the minimum rate", async () => {
    const server = await startHostileServer({ bodyGraceMillis: 100, bodyBytesPerSecondMin: 10_000 })
    const socket = await open(server.port)
    const { closed } = received(socket)
    socket.write(`${post}Content-Length: 100000\r\n\r\n{`)
    const trickling = setInterval(() => socket.write(" "), 10)
    const { statuses, text } = await closed()
    clearInterval(trickling)
    expect(statuses).toEqual([408])
    expect(jsonOf(text)).toMatchObject({ status: 408, details: { reason: "REQUEST_TIMEOUT" } })
    await until(() => server.openConnections() === 0)
  })

  it("is accepted when its body is faster than that, although it takes longer than the grace", async () => {
    const server = await startHostileServer({ bodyGraceMillis: 50, bodyBytesPerSecondMin: 1 })
    const socket = await open(server.port)
    const { closed } = received(socket)
    const body = '{"customerType":"INDIVIDUAL"}'
    socket.write(`${post}Connection: close\r\nContent-Length: ${body.length + 30}\r\n\r\n${body}`)
    for (let index = 0; index < 30; index += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      socket.write(" ")
    }
    expect((await closed()).statuses).toEqual([201])
  })
})

describe("bodies that do not end", () => {
  const half = " ".repeat(400_000)

  it("give way when all of them together are too many bytes, the longest waiting first", async () => {
    const server = await startHostileServer({ bodyBytesMax: 1_000_000 })
    const holders: Array<Socket> = []
    for (let index = 0; index < 6; index += 1)
      holders.push(...(await openMany(server.port, 1, `${post}Content-Length: 900000\r\n\r\n${half}`)))
    await until(() => server.openConnections() === 2)
    const body = '{"customerType":"INDIVIDUAL"}'
    const { statuses } = await exchange(
      server.port,
      `${post}Connection: close\r\nContent-Length: ${body.length + half.length}\r\n\r\n${body}${half}`,
    )
    expect(statuses).toEqual([201])
    for (const socket of holders) socket.destroy()
  })

  it("count no more when they have ended, although their connections stay open", async () => {
    const server = await startHostileServer({ bodyBytesMax: 1_000_000 })
    const kept = await openMany(server.port, 4)
    for (const round of [1, 2]) {
      for (const socket of kept) {
        const { matching } = received(socket)
        socket.write(`${post}Content-Length: ${half.length}\r\n\r\n`)
        socket.write(half)
        await matching(/^HTTP\/1\.1 400 /u)
      }
      expect([round, server.openConnections()]).toEqual([round, 4])
    }
    for (const socket of kept) socket.destroy()
  })

  it("leave nothing behind when their clients disconnect", async () => {
    const server = await startHostileServer()
    for (let round = 0; round < 5; round += 1) {
      const sockets = await openMany(server.port, 20, `${post}Content-Length: 900000\r\n\r\n${half}`)
      await until(() => server.openConnections() >= 20)
      for (const socket of sockets) socket.resetAndDestroy()
      await until(() => server.openConnections() === 0)
    }
    expect((await exchange(server.port, closing)).statuses).toEqual([200])
  })
})

describe("requests in flight", () => {
  const ask = (client: string, path = "customers/held", connection = "close") =>
    `GET /2025-10-13/${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic(client)}\r\nConnection: ${connection}\r\n\r\n`

  const expectRefused = ({ statuses, text }: Received) => {
    expect(statuses).toEqual([503])
    expect(text).toMatch(/\r\nretry-after: 1\r\n/u)
    expect(jsonOf(text)).toMatchObject({
      status: 503,
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "TOO_MANY_REQUESTS_IN_FLIGHT" },
    })
  }

  const hold = async (server: HostileServer, client: string, count: number, localAddress = "127.0.0.1") => {
    const before = server.counted()
    const sockets = await Promise.all(Array.from({ length: count }, () => openFrom(server.port, localAddress)))
    for (const socket of sockets) socket.write(ask(client))
    await until(() => server.counted() === before + count)
    return sockets.map((socket) => ({ socket, ...received(socket) }))
  }

  it("of one platform beyond the limit are refused at once, while other platforms are served", async () => {
    const server = await startHostileServer({ requestsInFlightPerTenantMax: 3, trustedProxies: ["127.0.0.1"] })
    const held = await hold(server, "all@one", 3)
    // Other addresses, so that only the platform is the same.
    const from = async (localAddress: string, client: string) => {
      const socket = await openFrom(server.port, localAddress)
      const { closed } = received(socket)
      socket.write(ask(client, "customers/x"))
      return closed()
    }
    expectRefused(await from("127.0.0.2", "all@one"))
    expect((await from("127.0.0.3", "all@other")).statuses).toEqual([200])
    expect((await exchange(server.port, closing)).statuses).toEqual([200])
    server.release()
    for (const { closed } of held) expect((await closed()).statuses).toEqual([200])
    expect((await from("127.0.0.2", "all@one")).statuses).toEqual([200])
  })

  it("of a platform's agents count for the platform", async () => {
    const server = await startHostileServer({ requestsInFlightPerTenantMax: 2 })
    const held = await hold(server, "all", 2)
    const socket = await openFrom(server.port, "127.0.0.2")
    const { closed } = received(socket)
    socket.write(
      `GET /2025-10-13/agents/me HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer()}\r\nConnection: close\r\n\r\n`,
    )
    expectRefused(await closed())
    server.release()
    for (const { closed: ended } of held) expect((await ended()).statuses).toEqual([200])
  })

  it("in all beyond the limit are refused, while the routes that report on the process answer", async () => {
    const server = await startHostileServer({ requestsInFlightMax: 3 })
    const held = [...(await hold(server, "all@one", 2)), ...(await hold(server, "all@two", 1))]
    expectRefused(await exchange(server.port, ask("all@three", "customers/x")))
    for (const path of ["healthz", "readyz", "openapi.json"]) {
      const { statuses } = await exchange(server.port, `GET /${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(statuses).toEqual([200])
    }
    server.release()
    for (const { closed } of held) expect((await closed()).statuses).toEqual([200])
    expect((await exchange(server.port, ask("all@three", "customers/x"))).statuses).toEqual([200])
  })

  it("end with their connections", async () => {
    const server = await startHostileServer({ requestsInFlightPerTenantMax: 3 })
    for (let round = 0; round < 3; round += 1) {
      for (const { socket } of await hold(server, "all", 3)) socket.resetAndDestroy()
      await until(() => server.openConnections() === 0)
    }
    expect((await exchange(server.port, ask("all", "customers/x"))).statuses).toEqual([200])
  })

  it("do not include those that wait for the bodies of their clients", async () => {
    const server = await startHostileServer({ requestsInFlightPerTenantMax: 2, requestsInFlightMax: 2 })
    const waitingForBodies = await openMany(server.port, 10, `${post}Content-Length: 100\r\n\r\n{`)
    await until(() => server.openConnections() === 10)
    for (let count = 0; count < 5; count += 1) {
      expect((await exchange(server.port, ask("all", "customers/x"))).statuses).toEqual([200])
    }
    // Their bodies end while others are in flight.
    const held = await hold(server, "all", 2)
    const [late] = waitingForBodies
    if (late === undefined) throw new Error("no connection")
    const { matching } = received(late)
    late.write(" ".repeat(99))
    await matching(/^HTTP\/1\.1 503 [\s\S]*TOO_MANY_REQUESTS_IN_FLIGHT/u)
    server.release()
    for (const { closed } of held) expect((await closed()).statuses).toEqual([200])
    for (const socket of waitingForBodies) socket.destroy()
    await until(() => server.openConnections() === 0)
    expect((await exchange(server.port, ask("all", "customers/x"))).statuses).toEqual([200])
  })
})
