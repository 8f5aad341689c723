/**
 * The stream of changes: what it says, to whom, how many there may be, and what ends it, over the Fetch API and over `node:http`.
 * Source: D-453.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type Embedded, type EmbedOptions, embed, startNodeServer } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { consolePage } from "@countersign/console"
import { Sandbox } from "@countersign/core/sandbox"
import { describe, expect, it } from "vitest"
import { basic } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type EventStream, eventStream } from "./EventStream.ts"

const one = { clientId: "one", clientSecret: "the secret of one" }
const other = { clientId: "other", clientSecret: "the secret of other" }
const asOne = basic(one.clientId, one.clientSecret)
const asOther = basic(other.clientId, other.clientSecret)
const path = "/2025-10-13/operator/changes"

const withService = async (
  use: (service: Embedded) => Promise<void>,
  options: Partial<EmbedOptions> = {},
): Promise<void> => {
  const service = await embed({
    store: MemoryStore.layer,
    ports: Sandbox.layer,
    sandbox: true,
    platforms: [one, other],
    console: consolePage,
    ...options,
  })
  await use(service).finally(() => service.dispose())
}

const ask = (service: Embedded, authorization = asOne, init: RequestInit = {}): Promise<Response> =>
  service.handler(new Request(`http://localhost${path}`, { headers: { authorization }, ...init }))

const newCustomer = (service: Embedded, credentials = one) =>
  service.client(credentials).customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
  })

/** Serves it with a server of `node:http`; `close` waits for all connections. */
const served = async (service: Embedded) => {
  const server = createServer(service.listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

describe("a stream of changes", () => {
  it("names the topics of a platform's changes, and nothing of what they contain", () =>
    withService(async (service) => {
      const stream = eventStream(await ask(service))
      expect(Object.fromEntries(stream.response.headers)).toMatchObject({
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      })
      const { id } = await newCustomer(service)
      await stream.awaits("records")
      await stream.awaits("jobs")
      await stream.awaits("requests")
      expect(stream.text()).toMatch(/^retry: 2000\n\n(?:event: changed\ndata: \{"topics":\[[a-z",]+\]\}\n\n)+$/u)
      expect(stream.text()).not.toContain(id)
      await stream.leave()
    }))

  it("says that the time was moved", () =>
    withService(
      async (service) => {
        const stream = eventStream(await ask(service))
        await service.client(one).sandbox.sandboxAdvanceClock({ payload: { by: "PT1H" } })
        await stream.awaits("clock")
        await stream.leave()
      },
      { platforms: [one] },
    ))

  it("says that anything may have changed when the world is reset", () =>
    withService(
      async (service) => {
        const stream = eventStream(await ask(service))
        await service.client(one).sandboxWorlds.sandboxResetWorld()
        await stream.awaits("approvals")
        await stream.leave()
      },
      { platforms: [one] },
    ))

  it("says nothing of other platforms", () =>
    withService(async (service) => {
      const [mine, theirs] = [eventStream(await ask(service)), eventStream(await ask(service, asOther))]
      await newCustomer(service, other)
      await theirs.awaits("records")
      expect(mine.events()).toEqual([])
      await Promise.all([mine.leave(), theirs.leave()])
    }))

  it("joins changes that follow one another", () =>
    withService(async (service) => {
      const stream = eventStream(await ask(service))
      await Promise.all(Array.from({ length: 20 }, () => newCustomer(service)))
      await stream.awaits("records")
      await stream.awaits("events")
      // The changes of 20 customers and their jobs take well below two seconds, at four events a second.
      expect(stream.events().length).toBeLessThanOrEqual(12)
      await stream.leave()
    }))

  it("needs credentials with the permission VIEW", () =>
    withService(async (service) => {
      expect((await ask(service, basic("one", "wrong"))).status).toBe(401)
      const { clientId, clientSecret } = await service.client(one).tokens.createToken({
        payload: { name: "writer", permissions: ["TRANSACT"] },
      })
      expect((await ask(service, basic(clientId, clientSecret ?? ""))).status).toBe(403)
    }))

  it("ends when its API token is deleted", () =>
    withService(async (service) => {
      const tokens = service.client(one).tokens
      const token = await tokens.createToken({ payload: { name: "reader", permissions: ["VIEW"] } })
      const stream = eventStream(await ask(service, basic(token.clientId, token.clientSecret ?? "")))
      await tokens.deleteTokenById({ params: { tokenId: token.id } })
      expect(await stream.ended).toBe("ended")
    }))

  it("answers HEAD without a stream", () =>
    withService(
      async (service) => {
        for (let heads = 0; heads < 5; heads++) {
          expect(await (await ask(service, asOne, { method: "HEAD" })).text()).toBe("")
        }
        await eventuallyOpens(service)
      },
      { limits: { changeStreamsPerTenantMax: 1 } },
    ))
})

/** A place is free as soon as the end of another stream has been noticed. */
const eventuallyOpens = async (service: Embedded, authorization = asOne): Promise<EventStream> =>
  eventStream(
    await eventually(
      "a free place",
      () => ask(service, authorization),
      ({ status }) => status === 200,
    ),
  )

describe("the bounds of streams", () => {
  it("refuse one more of a platform with 429, and admit it when another has ended", () =>
    withService(
      async (service) => {
        const streams = [eventStream(await ask(service)), eventStream(await ask(service))]
        const refused = await ask(service)
        expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
          429,
          "30",
          { code: "RATE_LIMITED", details: { reason: "TOO_MANY_STREAMS", limit: 2 } },
        ])
        const theirs = eventStream(await ask(service, asOther))
        await streams[0]?.leave()
        const next = await eventuallyOpens(service)
        await Promise.all([streams[1], theirs, next].map((stream) => stream?.leave()))
      },
      { limits: { changeStreamsPerTenantMax: 2 } },
    ))

  it("refuse one more of all platforms", () =>
    withService(
      async (service) => {
        const stream = eventStream(await ask(service))
        const refused = await ask(service, asOther)
        expect([refused.status, await refused.json()]).toMatchObject([429, { details: { limit: 1 } }])
        await stream.leave()
        await (await eventuallyOpens(service, asOther)).leave()
      },
      { limits: { changeStreamsMax: 1 } },
    ))
})

describe("a stream over a socket", () => {
  it("arrives while it is open, and frees its place when the client leaves", () =>
    withService(
      async (service) => {
        const server = await served(service)
        const get = (signal: AbortSignal) =>
          fetch(`${server.origin}${path}`, { headers: { authorization: asOne }, signal })
        const leaving = new AbortController()
        const stream = eventStream(await get(leaving.signal))
        await newCustomer(service)
        await stream.awaits("records")
        leaving.abort()
        expect(await stream.ended).toBe("broken")
        const next = await eventuallyOpens(service)
        await next.leave()
        await server.close()
      },
      { limits: { changeStreamsPerTenantMax: 1 } },
    ))

  it("ends when the approver signs out", () =>
    withService(async (service) => {
      const server = await served(service)
      const { origin } = server
      const own = { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" }
      const signedIn = await fetch(`${origin}/console/session`, {
        method: "POST",
        headers: { ...own, authorization: asOne },
        body: JSON.stringify({ approver: "Ada" }),
      })
      const cookie = signedIn.headers.get("set-cookie")?.replace(/;.*/su, "") ?? ""
      const stream = eventStream(await fetch(`${origin}${path}`, { headers: { cookie } }))
      await newCustomer(service)
      await stream.awaits("records")
      const out = await fetch(`${origin}/console/session`, { method: "DELETE", headers: { ...own, cookie } })
      expect(out.status).toBe(204)
      expect(await stream.ended).toBe("ended")
      expect((await fetch(`${origin}${path}`, { headers: { cookie } })).status).toBe(401)
      await server.close()
    }))

  it("ends with the service, so that the server can close", async () => {
    let stream: EventStream | undefined
    let close = () => Promise.resolve()
    await withService(async (service) => {
      const server = await served(service)
      close = server.close
      stream = eventStream(await fetch(`${server.origin}${path}`, { headers: { authorization: asOne } }))
    })
    expect(await stream?.ended).toBe("ended")
    await close()
  })

  it("ends with the server, which waits for it no longer than for a request", () =>
    withService(async ({ handler }) => {
      const server = await startNodeServer({ handler, port: 0, host: "127.0.0.1", graceMillis: 600_000 })
      const address = `http://127.0.0.1:${server.port}${path}`
      const stream = eventStream(await fetch(address, { headers: { authorization: asOne } }))
      await server.close()
      expect(await stream.ended).toBe("ended")
      expect(server.openConnections()).toBe(0)
    }))
})
