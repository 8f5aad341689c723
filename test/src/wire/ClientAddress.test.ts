/** The address of a client: the peer, or what trusted proxies report. */

import { request } from "node:http"
import { type NodeServerOptions, startNodeServer } from "@countersign/adapter-http"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import * as ClientAddress from "../../../packages/adapter-http/src/middleware/ClientAddress.ts"
import { fakeService } from "./FakeService.ts"

const direct = ClientAddress.make()
const proxied = ClientAddress.make({ trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"] })

describe("the client's address", () => {
  it.each<readonly [peer: string, forwardedFor: string | undefined, client: string]>([
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["::ffff:203.0.113.7", undefined, "203.0.113.7"],
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.9.8.7", "203.0.113.7", "203.0.113.7"],
    ["10.9.8.7", "198.51.100.1, 203.0.113.7, 10.1.1.1", "203.0.113.7"],
    ["10.9.8.7", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
    ["10.9.8.7", "198.51.100.1, unknown, 10.1.1.1", "10.1.1.1"],
    ["10.9.8.7", "0x7f.1", "10.9.8.7"],
    ["10.9.8.7", "203.0.113.7:4711", "203.0.113.7"],
    ["fd00::1%eth0", "[2001:DB8::0:1]:443", "2001:db8::1"],
    ["10.9.8.7", "::ffff:203.0.113.7", "203.0.113.7"],
    ["10.9.8.7", `203.0.113.7,${"10.1.1.1,".repeat(40)}10.1.1.1`, "10.1.1.1"],
  ])("behind trusted proxies, peer %s with X-Forwarded-For %s is client %s", (peer, forwardedFor, client) => {
    expect(proxied.of(peer, forwardedFor)).toBe(client)
  })

  it("is the peer, whatever the header says, without trusted proxies", () => {
    expect(direct.of("127.0.0.1", "203.0.113.7")).toBe("127.0.0.1")
    expect(direct.of(undefined, "203.0.113.7")).toBeUndefined()
    expect(direct.isTrusted("127.0.0.1")).toBe(false)
  })

  it("counts an IPv6 network of one subscriber as one source", () => {
    expect(ClientAddress.sourceOf("2001:db8:1:2:3::4")).toBe("2001:db8:1:2::/64")
    expect(ClientAddress.sourceOf("2001:db8:1:2:ffff::")).toBe("2001:db8:1:2::/64")
    expect(ClientAddress.sourceOf("203.0.113.7")).toBe("203.0.113.7")
  })

  it("rejects a proxy that is neither an address nor a range", () => {
    expect(() => ClientAddress.make({ trustedProxies: ["10.0.0.0/8", "proxy.test"] })).toThrow("proxy.test")
  })
})

const route = { method: "GET", path: "/address" } as const
const page = {
  route,
  layer: () =>
    HttpRouter.add(
      "GET",
      "/address",
      Effect.map(ClientAddress.current, (address) => HttpServerResponse.text(address ?? "unknown")),
    ),
}

describe("a request's client address", () => {
  const service = fakeService({ pages: [page] })

  const ask = async (served: Pick<NodeServerOptions, "handler" | "exchange" | "trustedProxies">): Promise<string> => {
    const server = await startNodeServer({ ...served, port: 0, host: "127.0.0.1" })
    const headers = { "x-forwarded-for": "198.51.100.1, 203.0.113.7" }
    const text = await new Promise<string>((resolve, reject) => {
      const options = { port: server.port, host: "127.0.0.1", path: "/address", headers, agent: false }
      request(options, (response) => response.on("data", (chunk) => resolve(String(chunk))))
        .on("error", reject)
        .end()
    })
    await server.close()
    return text
  }

  it("reaches the routes through both paths of the listener", async () => {
    expect(await (await service.handler(new Request("http://service.test/address"))).text()).toBe("unknown")
    for (const served of [{ handler: service.handler }, service]) {
      expect(await ask(served)).toBe("127.0.0.1")
      expect(await ask({ ...served, trustedProxies: ["127.0.0.0/8"] })).toBe("203.0.113.7")
    }
  })

  it("is what the embedding program passes", async () => {
    const asked = new Request("http://service.test/address", { headers: { "x-forwarded-for": "198.51.100.1" } })
    expect(await (await service.handler(asked, { clientAddress: "203.0.113.9" })).text()).toBe("203.0.113.9")
  })
})
