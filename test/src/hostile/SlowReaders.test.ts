/** Clients that ask for much and read no part of it, or little at a time. */
import { describe, expect, it } from "vitest"
import { largeBytes, startHostileServer, until } from "./HostileServer.ts"
import { open, received } from "./RawClient.ts"

const large = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"

/** Sends bytes and reads nothing. */
const silent = async (port: number, bytes: string) => {
  const socket = await open(port)
  socket.pause()
  socket.write(bytes)
  return socket
}

describe("a client that does not read", () => {
  it("is cut when its response has made no progress for the limit", async () => {
    const server = await startHostileServer({ stallTimeoutMillis: 800 })
    const socket = await silent(server.port, large)
    await until(() => server.counted() === 1)
    await until(() => server.openConnections() === 0)
    let bytes = 0
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength
    })
    socket.on("error", () => {})
    socket.resume()
    await new Promise((resolve) => socket.once("close", resolve))
    expect(bytes).toBeLessThan(largeBytes)
  })

  it("is cut although it keeps sending requests", async () => {
    const server = await startHostileServer({ stallTimeoutMillis: 800 })
    const socket = await silent(server.port, large)
    const sending = setInterval(() => socket.write(large), 20)
    socket.on("error", () => {})
    await until(() => server.counted() > 0)
    await until(() => server.openConnections() === 0)
    clearInterval(sending)
    socket.destroy()
    expect(server.counted()).toBeLessThan(17)
  })

  it("gives way when the unread responses of all clients are too many bytes", async () => {
    const server = await startHostileServer({ unsentBytesMax: largeBytes })
    const sockets = [await silent(server.port, large)]
    await until(() => server.counted() === 1)
    for (let count = 2; count <= 5; count += 1) {
      sockets.push(await silent(server.port, large))
      await until(() => server.counted() === count && server.openConnections() < 3)
    }
    // Another client reads all of its own.
    const reader = await open(server.port)
    const { closed } = received(reader)
    reader.write(large.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    expect((await closed()).text.length).toBeGreaterThan(largeBytes)
    for (const socket of sockets) socket.destroy()
  })
})

describe("a client that reads", () => {
  it("gets the whole response, although that takes longer than the limit", async () => {
    const stallTimeoutMillis = 1_000
    const server = await startHostileServer({ stallTimeoutMillis })
    const socket = await silent(server.port, large.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    const intervalMillis = 10
    let bytes = 0
    let reads = 0
    const reading = setInterval(() => {
      // At most the 64 KiB that the socket buffers.
      const chunk: unknown = socket.read()
      if (!(chunk instanceof Uint8Array)) return
      bytes += chunk.byteLength
      reads += 1
    }, intervalMillis)
    socket.on("readable", () => {})
    socket.on("error", () => {})
    await new Promise((resolve) => socket.once("close", resolve))
    clearInterval(reading)
    expect(bytes).toBeGreaterThan(largeBytes)
    expect(reads * intervalMillis).toBeGreaterThan(stallTimeoutMillis)
  })

  it("counts no more when it has read its response, although its connection stays open", async () => {
    const server = await startHostileServer({ unsentBytesMax: largeBytes })
    const sockets = await Promise.all([open(server.port), open(server.port), open(server.port)])
    for (const socket of sockets) {
      const read = received(socket)
      socket.write(large)
      await until(() => read.text().length > largeBytes)
      expect(server.openConnections()).toBe(3)
    }
    for (const socket of sockets) socket.destroy()
  })

  it("is not cut while the service works on its request", async () => {
    const server = await startHostileServer({ stallTimeoutMillis: 400 })
    const socket = await open(server.port)
    const { matching } = received(socket)
    socket.write("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n")
    await until(() => server.counted() === 1)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    server.release()
    await matching(/^HTTP\/1\.1 200 /u)
    socket.destroy()
  })
})
