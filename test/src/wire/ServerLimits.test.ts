/** The table of limits: its page, and values that are not limits. */
import { readFileSync } from "node:fs"
import { embed, parseLimit, serverLimits, startNodeServer } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { type WebhookResult, WebhookTransport } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Deferred, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { fakeService } from "./FakeService.ts"

describe("the limits of a server", () => {
  it("are in the guide for operations, with their defaults", () => {
    const guide = readFileSync(new URL("../../../docs/guides/operations.md", import.meta.url), "utf8")
    const section = /^\| Limit \| Default[\s\S]*?\n\n/mu.exec(guide)?.[0]
    const rows = Object.entries(serverLimits).map(
      ([name, { byDefault, meaning }]) => `| \`${name}\` | ${byDefault.toLocaleString("en-US")} | ${meaning} |\n`,
    )
    expect(section).toBe(`| Limit | Default | Meaning |\n|---|---|---|\n${rows.join("")}\n`)
  })

  it("are parsed from NAME=NUMBER", () => {
    expect(parseLimit("connectionsMax=5")).toEqual({ connectionsMax: 5 })
    const invalid = ["connectionsMax", "connectionsMax=", "connectionsMax=0", "connectionsMax=-1", "connectionsMax=1.5"]
    const around = [
      "-connectionsMax=5",
      " connectionsMax=5",
      "connectionsMax=5 ",
      "connectionsMax=5\n",
      "a=1,connectionsMax=5",
    ]
    for (const text of [...invalid, ...around, "connectionsMax=99999999999", "toString=5", "=5", ""]) {
      expect(parseLimit(text)).toBeUndefined()
    }
  })

  it("are positive integers in every program", async () => {
    const { handler } = fakeService()
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(startNodeServer({ handler, port: 0, connectionsMax: value })).rejects.toThrow(
        "connectionsMax must be a positive integer",
      )
      expect(() => fakeService({ requestsInFlightMax: value })).toThrow(
        "requestsInFlightMax must be a positive integer",
      )
      const limits = { requestsInFlightMax: value, bodyBytesMax: value }
      await expect(embed({ store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true, limits })).rejects.toThrow(
        "limits.bodyBytesMax must be a positive integer; limits.requestsInFlightMax must be a positive integer",
      )
    }
  })

  it("of requests hold in an embedded handler", async () => {
    const answer = Deferred.makeUnsafe<WebhookResult>()
    let sent = 0
    const send = () =>
      Effect.andThen(
        Effect.sync(() => {
          sent += 1
        }),
        Deferred.await(answer),
      )
    const platforms = ["one", "two"].map((clientId) => ({
      clientId,
      clientSecret: `secret-of-${clientId}`,
      webhookEndpoint: "https://platform.test/",
    }))
    const embedded = await embed({
      store: MemoryStore.layer,
      ports: Sandbox.layer,
      sandbox: true,
      platforms,
      webhookTransport: Layer.succeed(WebhookTransport, { send, check: () => Effect.undefined }),
      workers: false,
      limits: { requestsInFlightPerTenantMax: 1 },
    })
    const test = async (clientId: string) => {
      const authorization = `Basic ${btoa(`${clientId}:secret-of-${clientId}`)}`
      const url = "http://service.test/2025-10-13/webhooks/test"
      return (await embedded.handler(new Request(url, { method: "POST", headers: { authorization } }))).status
    }
    const first = test("one")
    while (sent < 1) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await test("one")).toBe(503)
    const second = test("two")
    while (sent < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    Deferred.doneUnsafe(answer, Effect.succeed({ _tag: "Answered", status: 200, body: "" }))
    expect([await first, await second, await test("one")]).toEqual([200, 200, 200])
    await embedded.dispose()
  })
})
