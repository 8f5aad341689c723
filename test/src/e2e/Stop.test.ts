/**
 * SIGTERM: the server accepts no new connections, finishes running requests, and exits with code 0.
 */
import { describe, expect, it } from "vitest"
import { client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { newWorld } from "./Flow.ts"
import { receiver } from "./Receiver.ts"

describe("SIGTERM", { timeout: 120_000 }, () => {
  it("finishes a running request, accepts no other, and exits with code 0", async () => {
    await using hooks = await receiver()
    await using world = await newWorld({ options: ["--webhook-url", hooks.url] })
    const { platform, server } = world
    await Promise.all(Array.from({ length: 5 }, () => platform("GET", "/config")))
    await hooks.delivered(({ event }) => event.type === "CUSTOMER.KYC_APPROVED")
    const released = Promise.withResolvers<number>()
    hooks.answerNext(released.promise)
    // This request runs for as long as the receiver keeps silent.
    const running = platform("POST", "/sandbox/webhooks/test")
    await hooks.delivered(({ event }) => event.type === "TEST")

    server.terminate()
    await eventually("the port closed", server.isListening, (isListening) => !isListening)
    await expect(client(server.origin)("GET", "/healthz")).rejects.toThrow()
    released.resolve(202)
    expect(await running).toMatchObject({ status: 200, body: { url: hooks.url, response_status: 202 } })
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(server.stderr()).toBe("")
  })

  it("ends an idle server at once, even with an open client connection", async () => {
    await using world = await newWorld()
    expect((await world.platform("GET", "/config")).status).toBe(200)
    world.server.terminate()
    expect(await world.server.exited).toEqual({ code: 0, signal: null })
  })
})
