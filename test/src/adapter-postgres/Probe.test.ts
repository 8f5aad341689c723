/** The question to one host whether it answers: over a kept connection, which no end leaves open. D-508. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createServer, type Socket } from "node:net"
import { expect, it } from "vitest"
import { Probe } from "../../../packages/adapter-postgres/src/connection/Probe.ts"

/** "Signed in", and "ready for a query" outside of a transaction. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
const terminate = 0x58

/** A server that welcomes its clients once the test lets it. */
const host = async (welcomes: (socket: Socket, welcomeIt: () => void) => void) => {
  const sockets: Array<{ readonly received: Array<Buffer>; readonly socket: Socket }> = []
  const server = createServer((socket) => {
    const received: Array<Buffer> = []
    sockets.push({ received, socket })
    socket.on("error", () => undefined)
    socket.on("data", (bytes) => {
      received.push(bytes)
      if (received.length === 1) welcomes(socket, () => void socket.write(welcome))
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://user@127.0.0.1:${port}/database`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const { socket } of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
const closing = async (socket: Socket) => {
  if (!socket.readableEnded) await once(socket, "end")
}

it("asks over one connection, which rests after an error and at the end", async () => {
  await using served = await host((_, welcomeIt) => welcomeIt())
  const wrong = new Error("no answer")
  let asked = 0
  const probe = new Probe({ url: served.url, answerMillisMax: 3_600_000 }, () => {
    asked += 1
    return asked === 3 ? Promise.reject(wrong) : Promise.resolve(asked)
  })
  expect([await probe.answer(), await probe.answer(), probe.problem]).toEqual([1, 2, undefined])
  expect(served.sockets).toHaveLength(1)
  expect([await probe.answer(), probe.problem]).toEqual([undefined, wrong])
  expect([await probe.answer(), probe.problem]).toEqual([4, undefined])
  expect(served.sockets).toHaveLength(2)
  probe.end()
  for (const { received, socket } of served.sockets) {
    await closing(socket)
    expect(received.at(-1)?.[0]).toBe(terminate)
  }
})

it("leaves no connection open that is being opened at its end, and asks nothing over it", async () => {
  const ends: Array<() => void> = []
  await using served = await host((_, welcomeIt) => {
    for (const end of ends) end()
    welcomeIt()
  })
  const probe = new Probe({ url: served.url, answerMillisMax: 3_600_000 }, () => Promise.resolve("asked"))
  ends.push(() => probe.end())
  expect(await probe.answer()).toBeUndefined()
  expect(probe.problem).toEqual(new Error("the pool is closed"))
  const [opened] = served.sockets
  if (opened === undefined) throw new Error("no connection")
  await closing(opened.socket)
  expect(opened.received.at(-1)?.[0]).toBe(terminate)
})

it("has no answer of a host that does not listen, and says why", async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  const probe = new Probe({ url: `postgres://u@127.0.0.1:${port}/d`, answerMillisMax: 3_600_000 }, () =>
    Promise.resolve(1),
  )
  expect(await probe.answer()).toBeUndefined()
  expect(probe.problem).toMatchObject({ code: "ECONNREFUSED" })
})
