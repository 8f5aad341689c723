/**
 * The embedded service: mounted under the parsers and paths of a framework, called without a network, started with its options, and
 * rejected with all errors if the options are not valid.
 * Source: D-190, D-191.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type EmbedOptions, embed, type NodeListener } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { ApiError, type Credentials, makeClient } from "@countersign/client"
import { CurrentCaller, Customers, Platforms, tenant } from "@countersign/core"
import { PortFaults, Rails, WebhookInbox, WebhookSigner } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as CapturedTelemetry from "../audit/CapturedTelemetry.ts"
import { ownLayer } from "../e2e/OwnLayer.ts"

const newWebhookKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  }
}

const credentials = { clientId: "host", clientSecret: "sécret:with a colon" }
const options = { store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true, platforms: [credentials] }

/** The secrets that a deployment without the sandbox requires. */
const secrets = { webhookKey: newWebhookKey().privateKey, walletSecret: randomBytes(20).toString("hex") }

const refusalOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

let service: Awaited<ReturnType<typeof embed>>
beforeAll(async () => {
  service = await embed(options)
})
afterAll(() => service.dispose())

describe("the client of an embedded service", () => {
  it("calls with params, query, headers and payload, and returns the wire resource", async () => {
    const { customers, platform } = service.client(credentials)
    const created = await customers.createCustomer({
      payload: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    })
    expect(created.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/u)
    expect(await customers.getCustomerById({ params: { customerId: created.id } })).toEqual(created)
    const query = { createdAfter: created.createdAt, limit: 1 }
    expect((await customers.listCustomers({ query })).data).toEqual([created])
    expect((await customers.listCustomers()).totalCount).toBe(1)
    const updated = await platform.updatePlatformConfig({ payload: { umaDomain: "pay.host.example" } })
    expect(updated.umaDomain).toBe("pay.host.example")
  })

  it("rejects with the service's code, all field problems and the request id", async () => {
    const { customers } = service.client(credentials)
    const unknown = await refusalOf(customers.getCustomerById({ params: { customerId: "../config" } }))
    expect(unknown).toMatchObject({ status: 404, code: "USER_NOT_FOUND", retryAfterSeconds: undefined })
    expect(unknown.requestId).toMatch(/^[0-9a-f-]{36}$/u)
    const payload = { customerType: "INDIVIDUAL" as const, email: "none", birthDate: "today" }
    const invalid = await refusalOf(customers.createCustomer({ payload }))
    expect(invalid).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    expect(JSON.stringify(invalid.details)).toMatch(/birthDate.*email|email.*birthDate/u)
  })

  it.each<readonly [string, Credentials]>([
    ["a wrong secret", { ...credentials, clientSecret: "wrong" }],
    ["an unknown access token", { accessToken: "unknown" }],
    ["no credentials", "none"],
  ])("receives a 401 with %s", async (_, as) => {
    const error = await refusalOf(service.client(as).platform.getPlatformConfig())
    expect([error.status, error.code, typeof error.reason]).toEqual([401, "UNAUTHORIZED", "string"])
  })

  it("encodes every parameter, so that no value reaches another path", async () => {
    const { agents, customers } = service.client(credentials)
    for (const id of ["", ".", "..", "../..", "%2e%2e", "a/b", "?limit=1", "#"]) {
      const found = await refusalOf(customers.getCustomerById({ params: { customerId: id } }))
      expect([id, found.status, found.code]).toEqual([id, 404, "USER_NOT_FOUND"])
      const removed = await refusalOf(agents.deleteAgent({ params: { agentId: id } }))
      expect([id, removed.status]).toEqual([id, 404])
    }
  })

  it("passes on an error code that it does not know", async () => {
    const body = { status: 409, code: "LATER_CODE", message: "Of a later version.", details: { a: 1 } }
    const fetch = async () => Response.json(body, { status: 409 })
    const later = makeClient({ baseUrl: "http://later.example", credentials: "none", fetch })
    expect(await refusalOf(later.platform.getPlatformConfig())).toMatchObject({
      status: 409,
      code: "LATER_CODE",
      details: { a: 1 },
    })
  })

  it("rejects with INTERNAL_ERROR when a proxy responds instead of the service", async () => {
    const clientOf = (response: Response) =>
      makeClient({ baseUrl: "http://other.example/", credentials: "none", fetch: async () => response })
    const proxy = clientOf(new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "7" } }))
    const error = await refusalOf(proxy.platform.getPlatformConfig())
    expect(error).toMatchObject({ status: 502, code: "INTERNAL_ERROR", retryAfterSeconds: 7 })
  })

  it("has a function for each endpoint of the interface", () => {
    const { agents, agentsMe, sandbox } = service.client("none")
    for (const call of [agents.approveAgentAction, agentsMe.agentCreateTransferIn, sandbox.sendTestWebhook])
      expect(call).toBeTypeOf("function")
  })
})

/** Runs `use` with a server around a listener, then closes the server. */
const withServer = async <A>(listener: NodeListener, use: (origin: string) => Promise<A>): Promise<A> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Does what a framework does before its handlers: removes the mount path and parses the body. */
const framework: NodeListener = async (request: IncomingMessage, response: ServerResponse) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8") || "null")
  const url = request.url?.replace("/2025-10-13", "") ?? "/"
  return service.listener(Object.assign(request, { originalUrl: request.url, url, body }), response)
}

describe("the listener of an embedded service", () => {
  it.each([
    ["on a plain server", () => service.listener],
    ["behind a framework that parsed the body and removed the mount path", () => framework],
  ] as const)("responds to requests %s", async (_, listener) => {
    await withServer(listener(), async (origin) => {
      const client = makeClient({ baseUrl: `${origin}/2025-10-13`, credentials })
      const payload = { customerType: "INDIVIDUAL" as const, fullName: "Grace Hopper" }
      expect((await client.customers.createCustomer({ payload })).fullName).toBe("Grace Hopper")
      expect((await client.customers.listCustomers({ query: { limit: 1 } })).data).toHaveLength(1)
      expect((await fetch(`${origin}/elsewhere`)).status).toBe(404)
    })
  })
})

describe("the embedding program", () => {
  it("replaces ports and runs effects with the services", async () => {
    const asked: Array<number> = []
    const own = Layer.succeed(Rails, {
      inspectPull: () => Effect.succeed({ pullable: true, funds: "unknown" }),
      pull: ({ amount }) => Effect.sync(() => asked.push(amount)).pipe(Effect.as({ _tag: "Done" })),
      push: () => Effect.succeed({ _tag: "Done" }),
      inquire: () => Effect.succeed({ _tag: "NotReceived" }),
      refund: () => Effect.succeed({ _tag: "Done" }),
      cancel: () => Effect.succeed({ _tag: "Done" }),
    })
    const other = await embed({ ...options, ports: Layer.merge(Sandbox.layer, own), basePath: "/pay/v1" })
    try {
      const reply = await other.handler(new Request("http://host/pay/v1/config"))
      expect(reply.status).toBe(401)
      const platformId = await other.run(
        Platforms.use((all) =>
          all.setUp({ clientId: "second", clientSecret: Redacted.make("second"), name: "Second", currencies: ["USD"] }),
        ),
      )
      const customer = await other.run(
        Customers.use((all) => all.create({ customerType: "INDIVIDUAL", fullName: "Ada" })).pipe(
          Effect.provideService(CurrentCaller, tenant(platformId)),
        ),
      )
      expect(customer.body.currencies).toEqual(["USD"])
    } finally {
      await other.dispose()
    }
  })

  it("has neither sandbox operations nor webhooks to private addresses unless it enables the sandbox", async () => {
    const own = { clientId: "live", clientSecret: randomBytes(20).toString("hex") }
    const live = await embed({
      ...secrets,
      store: ownLayer(MemoryStore.layer),
      ports: ownLayer(Sandbox.layer),
      platforms: [own],
    })
    try {
      const client = live.client(own)
      expect((await refusalOf(client.sandbox.sendTestWebhook())).status).toBe(404)
      const rail = { kind: "ERROR" } as const
      expect((await refusalOf(client.sandboxFaults.sandboxSetFaults({ payload: { rail } }))).status).toBe(404)
      expect((await refusalOf(client.sandboxScenarios.sandboxListScenarios())).status).toBe(404)
      expect((await refusalOf(client.sandboxInbox.sandboxGetInbox())).status).toBe(404)
      const answers = { status: 500, count: 1 }
      expect((await refusalOf(client.sandboxInbox.sandboxAnswerInbox({ payload: answers }))).status).toBe(404)
      const name = `00000000-0000-4000-8000-000000000001-${"0".repeat(32)}`
      const asked = await Promise.all(
        [
          new Request(`http://live.test/inbox/${name}`, {
            method: "POST",
            body: "{}",
            headers: { "content-type": "application/json" },
          }),
          new Request("http://live.test/openapi.json"),
        ].map((request) => live.handler(request)),
      )
      expect(asked.map(({ status }) => status)).toEqual([404, 200])
      const document: unknown = JSON.parse((await asked[1]?.text()) ?? "")
      expect(Object.keys(Object(document)["paths"]).filter((path) => path.includes("/sandbox/"))).toEqual([])
      expect(await live.run(Effect.map(WebhookInbox, (inbox) => inbox))).toBeUndefined()
      // Neither the routes nor what they would switch.
      expect(await live.run(Effect.map(PortFaults, (faults) => faults))).toBeUndefined()
      const payload = { webhookEndpoint: "http://127.0.0.1/hooks" }
      expect((await refusalOf(client.platform.updatePlatformConfig({ payload }))).code).toBe("INVALID_INPUT")
    } finally {
      await live.dispose()
    }
  })

  it("is warned of each secret that a restart would change although the store keeps its data", async () => {
    const warned = async (more: Partial<EmbedOptions>) => {
      const { layer, lines } = CapturedTelemetry.captureTelemetry()
      const running = await embed({ ...options, ...more, settings: layer })
      await running.dispose()
      return ["webhookKey", "walletSecret"].filter((name) => lines.some((line) => line.includes(`${name} is not set`)))
    }
    const persistent = Layer.fresh(MemoryStore.layer)
    expect(await warned({ store: persistent })).toEqual(["webhookKey", "walletSecret"])
    expect(await warned({ store: persistent, webhookKey: secrets.webhookKey })).toEqual(["walletSecret"])
    expect(await warned({ store: persistent, ...secrets })).toEqual([])
    expect(await warned({})).toEqual([])
  })

  it("signs with its own webhook key", async () => {
    const pair = newWebhookKey()
    const embedded = await embed({ ...options, webhookKey: pair.privateKey })
    try {
      const { publicKey } = await embedded.run(WebhookSigner.use(Effect.succeed))
      expect(publicKey).toBe(pair.publicKey)
    } finally {
      await embedded.dispose()
    }
  })
})
