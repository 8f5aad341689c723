/** Random HTTP over raw sockets: the server lives, answers others meanwhile, and gives back connections and memory. */
import { once } from "node:events"
import { connect } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { type HostileServer, startHostileServer, until } from "./HostileServer.ts"
import { received } from "./RawClient.ts"
import { conversation, type Step } from "./RawConversation.ts"

/** Conversations. `npm run fuzz -- http 1000000` raises the number. */
const conversations = Number(process.env["COUNTERSIGN_FUZZ"] ?? 200)
/** How many take place at the same time. */
const atOnce = 4

/** How many turns of the event loop another client's request may take. On an idle server it takes about ten. */
const turnsMax = 2_000
const heapBytesMax = 48 * 1024 * 1024
const responseBytesMax = 64 * 1024

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
}

/** Plays the steps and leaves; returns what came back. */
const play = async ({ port }: HostileServer, steps: ReadonlyArray<Step>): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  const { text } = received(socket)
  await once(socket, "connect")
  for (const step of steps) {
    if (socket.destroyed) break
    switch (step._tag) {
      case "Send":
        if (socket.writable) socket.write(Buffer.from(step.bytes, "latin1"))
        break
      case "Wait":
        for (let turns = 0; turns < step.turns; turns += 1) await turn()
        break
      case "StopReading":
        socket.pause()
        break
      case "HalfClose":
        socket.end()
        break
      case "Reset":
        socket.resetAndDestroy()
        break
    }
  }
  for (let turns = 0; turns < 5; turns += 1) await turn()
  socket.destroy()
  return text()
}

/** Asks for a small answer over a new connection; returns how many turns of the event loop it took. */
const probe = async ({ port }: HostileServer): Promise<number> => {
  const socket = connect(port, "127.0.0.1", () =>
    socket.write("GET /counted HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
  )
  const { closed } = received(socket)
  let isAnswered = false
  const answered = closed().then(({ statuses }) => {
    isAnswered = true
    return statuses
  })
  let turns = 0
  for (; !isAnswered; turns += 1) await turn()
  expect(await answered).toEqual([200])
  return turns
}

/** The first line and headers of each response are valid, whatever was sent, and nothing is a defect of the service. */
const expectResponses = (text: string): void => {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/gu)]
  expect(text === "" || heads[0]?.index === 0).toBe(true)
  for (const [, status] of heads) expect(["500", "501", "502"]).not.toContain(status)
  if (!text.includes("aaaaaaaa") && !text.includes("openapi"))
    expect(text.length).toBeLessThan(responseBytesMax * (heads.length + 1))
}

it("survives random conversations, and serves another client during each", { timeout: 0 }, async () => {
  // The limits of time are the defaults: on a busy machine, short ones would cut the other client, too.
  const server = await startHostileServer({ pipelinedRequestsMax: 4 })
  const talk = async (all: ReadonlyArray<ReadonlyArray<Step>>): Promise<void> => {
    const [turns, ...texts] = await Promise.all([probe(server), ...all.map((steps) => play(server, steps))])
    expect(turns).toBeLessThan(turnsMax)
    for (const text of texts) expectResponses(text)
  }
  const run = async (count: number): Promise<number> => {
    const property = fc.asyncProperty(fc.array(conversation, { minLength: atOnce, maxLength: atOnce }), talk)
    await fc.assert(property, { numRuns: Math.ceil(count / atOnce) })
    await until(() => server.openConnections() === 0)
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const warm = await run(conversations / 4)
  expect((await run(conversations)) - warm).toBeLessThan(heapBytesMax)
  expect(await probe(server)).toBeLessThan(turnsMax)
})
