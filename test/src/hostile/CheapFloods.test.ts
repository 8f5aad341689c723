/**
 * Tenants that keep many cheap requests outstanding, and others that share the process with them. What the others wait for is counted in
 * answers to the flood, not in time.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { describe, expect, it, onTestFinished } from "vitest"
import { basic } from "../wire/FakeService.ts"
import { type HostileServer, startHostileServer, until } from "./HostileServer.ts"
import { bytesOf, keepOutstanding, oneAtATime } from "./Outstanding.ts"
import { open, received } from "./RawClient.ts"

const path = "/2025-10-13/customers/x"
const many = Array.from({ length: 20 }, (_, index) => `127.0.0.${80 + index}`)
const one = bytesOf(path, basic("all@one"))
const two = bytesOf(path, basic("all@two"))
const held = bytesOf("/2025-10-13/customers/held", basic("all@one"))
const asks = 30

/** Fewer answers than this are a few: without turns there are as many as requests are outstanding. */
const few = 250

interface FloodOptions {
  readonly bytes?: (index: number) => string
  readonly addresses?: ReadonlyArray<string>
  readonly count?: number
}

/** Starts a flood beside a client that has a connection. */
const flooding = async (
  server: Pick<HostileServer, "port" | "openConnections">,
  { addresses = many, bytes = () => one, count = 800 }: FloodOptions,
  request: string,
) => {
  const client = await oneAtATime(server.port, "127.0.0.2")
  expect(await client.ask(request)).toBe("200")
  const flood = await keepOutstanding(server.port, count, bytes, addresses)
  onTestFinished(() => {
    flood.stop()
    client.close()
  })
  await until(() => server.openConnections() === count + 1)
  await flood.more(1_000)
  return {
    flood,
    /** Asks again and again. Returns the statuses, and the median of how many answers the flood gets before each. */
    ask: async (bytes: string) => {
      const statuses: Record<string, number> = {}
      const answersBefore: Array<number> = []
      for (let time = 0; time < asks; time += 1) {
        const before = flood.answers()
        const status = await client.ask(bytes)
        statuses[status] = (statuses[status] ?? 0) + 1
        answersBefore.push(flood.answers() - before)
      }
      answersBefore.sort((less, more) => less - more)
      return { statuses, answersBefore: answersBefore[asks / 2] }
    },
  }
}

const flooded = async (options: FloodOptions = {}) => {
  const server = await startHostileServer()
  server.release()
  return { ...(await flooding(server, options, two)), server, port: server.port }
}

describe("a tenant with 800 cheap requests outstanding", () => {
  it("costs another tenant's request the wait for a few of its own, and its excess gets 503", async () => {
    const { ask, flood } = await flooded()
    const { answersBefore, statuses } = await ask(two)
    expect(statuses).toEqual({ 200: asks })
    expect(answersBefore).toBeLessThan(few)
    expect(Object.keys(flood.statuses)).toEqual(["200", "503"])
    expect(flood.refusal()).toMatch(/\r\nretry-after: 1\r\n/u)
    expect(flood.refusal()).toContain('"reason":"TOO_MANY_REQUESTS_IN_FLIGHT"')
  })

  it("costs another tenant's request little on a server that embeds the service, too", async () => {
    const platforms = ["first", "second"].map((clientId) => ({
      clientId,
      clientSecret: `the long secret of ${clientId}`,
    }))
    const service = await embed({
      store: MemoryStore.layer,
      ports: Sandbox.layer,
      sandbox: true,
      metrics: true,
      platforms,
    })
    // The other client waits for longer than Node's default while the flood's clients connect.
    const server = createServer({ keepAliveTimeout: 65_000 }, service.listener)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await service.dispose()
    })
    const config = (index: 0 | 1) =>
      bytesOf("/2025-10-13/config", basic(platforms[index]?.clientId, platforms[index]?.clientSecret))
    const { port } = server.address() as AddressInfo
    let connections = 0
    server.on("connection", () => {
      connections += 1
    })
    const { ask, flood } = await flooding(
      { port, openConnections: () => connections },
      { bytes: () => config(0) },
      config(1),
    )
    const { answersBefore, statuses } = await ask(config(1))
    expect(statuses).toEqual({ 200: asks })
    expect(answersBefore).toBeLessThan(few)
    expect(Object.keys(flood.statuses)).toEqual(["200", "503"])
    const metrics = await (await service.handler(new Request("http://service.test/metrics"))).text()
    expect(metrics).toMatch(/^countersign_requests_refused_total [1-9]\d*$/mu)
  })

  it("costs a known tenant little when it invents that tenant's credentials, from its address, too", async () => {
    const { ask, flood } = await flooded({
      bytes: (index) => bytesOf(path, basic("all@two", `guess${index}`)),
      addresses: ["127.0.0.2"],
    })
    const { answersBefore, statuses } = await ask(two)
    expect(statuses).toEqual({ 200: asks })
    expect(answersBefore).toBeLessThan(few)
    expect(Object.keys(flood.statuses)).toEqual(["401", "503"])
  })

  it("leaves the health of the process visible, even to its own address", async () => {
    const { ask, flood } = await flooded({ bytes: () => bytesOf(path), addresses: ["127.0.0.2"] })
    const { answersBefore, statuses } = await ask(bytesOf("/healthz"))
    expect(statuses).toEqual({ 200: asks })
    expect(answersBefore).toBeLessThan(few)
    expect(Object.keys(flood.statuses)).toEqual(["401", "503"])
  })

  it("leaves room for new connections", async () => {
    const { flood, port } = await flooded()
    const before = flood.answers()
    const clients = await Promise.all(Array.from({ length: 100 }, () => oneAtATime(port, "127.0.0.3")))
    const statuses = await Promise.all(clients.map((client) => client.ask(two)))
    expect(new Set(statuses)).toEqual(new Set(["200"]))
    expect(flood.answers() - before).toBeLessThan(3_000)
    for (const client of clients) client.close()
  })

  it("costs nothing more when its clients have left", async () => {
    const { ask, flood, server } = await flooded({ bytes: () => held })
    flood.stop()
    await until(() => server.openConnections() === 1)
    const before = server.counted()
    expect((await ask(two)).statuses).toEqual({ 200: asks })
    expect(server.counted() - before).toBeLessThan(20)
  })

  it("gets the answers of one connection in their order", async () => {
    const { port } = await flooded()
    const socket = await open(port)
    const { matching } = received(socket)
    const asked = ["a", "b", "c", "d"].map((id) => bytesOf(`/2025-10-13/customers/${id}`, basic("all@one")))
    socket.write(`${asked.join("")}${bytesOf("/counted")}`)
    const text = await matching(/counted$/u)
    socket.destroy()
    const bodies = [...text.matchAll(/"params":\{"customerId":"(\w)"\}|TOO_MANY|counted$/gu)].map(
      ([body, id]) => id ?? body,
    )
    expect(bodies.length).toBe(5)
    expect(bodies.filter((body) => body !== "TOO_MANY")).toEqual(
      ["a", "b", "c", "d", "counted"].filter((body) => bodies.includes(body)),
    )
  })
})

describe("a tenant alone", () => {
  it("is not refused within the limit", async () => {
    const { flood } = await flooded({ count: 256 })
    await flood.more(2_000)
    expect(Object.keys(flood.statuses)).toEqual(["200"])
  })
})
