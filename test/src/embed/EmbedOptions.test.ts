/**
 * The options of an embedded service: all problems in one error before anything starts, and the console only on request.
 * Source: D-191, D-275, D-446.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type EmbedOptions, EmbedOptionsError, embed, type NodeListener } from "@countersign/adapter-http"
import { MemoryStore, MemoryVault } from "@countersign/adapter-memory"
import { PostgresStore } from "@countersign/adapter-postgres"
import { consolePage } from "@countersign/console"
import { OtpSender } from "@countersign/core/ports"
import { Sandbox, SandboxOtp } from "@countersign/core/sandbox"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { ownLayer } from "../e2e/OwnLayer.ts"

const pemOf = (namedCurve: string) =>
  generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

const otherCurve = pemOf("secp384r1")

const credentials = { clientId: "host", clientSecret: "sécret:with a colon" }
const options = { store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true, platforms: [credentials] }

/** The secrets that a deployment without the sandbox requires. */
const secrets = { webhookKey: pemOf("P-256"), walletSecret: randomBytes(20).toString("hex") }

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

describe("the embedding program", () => {
  it.each<readonly [string, object | undefined, RegExp]>([
    ["a malformed webhook key", { webhookKey: "none" }, /PEM private key/u],
    ["two platforms with the same client id", { platforms: [credentials, credentials] }, /host/u],
    ["a client id that Basic cannot carry", { platforms: [{ ...credentials, clientId: "a:b" }] }, /client id "a:b"/u],
    ["an empty secret", { platforms: [{ ...credentials, clientSecret: "" }] }, /secret of host must not be empty/u],
    ["no store", { store: undefined }, /store is missing/u],
    ["ports that are not a layer", { ports: Sandbox }, /ports must be a layer/u],
    ["an unknown option", { sandbx: true }, /no option sandbx: store, /u],
    ["neither sandbox nor keys", { sandbox: false }, /webhookKey is required.*; .*walletSecret is required/u],
    ["an unknown encryption", { documentEncryption: "yes" }, /documentEncryption must be off or new or on/u],
    [
      "encrypted files whose secret is generated",
      { documentEncryption: "on", documents: MemoryVault.layer },
      /documentEncryption needs walletSecret/u,
    ],
    ["options that are nothing", undefined, /the options must be an object/u],
    ["a base path that names another host", { basePath: "//other.example/v1" }, /basePath must have segments/u],
    ["a base path with a query", { basePath: "/v1?a=b" }, /basePath must have segments/u],
    ["a console that is no page", { console: true }, /console must be an object/u],
    [
      "a limit beyond the longest timer",
      { limits: { bodyBytesMax: 2 ** 31 } },
      /limits.bodyBytesMax must be a positive/u,
    ],
    ["a platform that is nothing", { platforms: [null] }, /platforms\[0\] must be an object/u],
    ["a webhook key of another curve", { webhookKey: otherCurve }, /webhookKey: .* curve P-256; it is secp384r1/u],
    ["a short wallet secret", { walletSecret: "too-short" }, /walletSecret has fewer than 32 characters/u],
    [
      "all that only a sandbox may use",
      { sandbox: false, platforms: [{ clientId: "a", clientSecret: "demo-secret" }] },
      /store: only a sandbox may use the store in memory; ports: only a sandbox.*; the client secret of a is a secret that/u,
    ],
    [
      "the same secret twice outside the sandbox",
      { sandbox: false, platforms: ["a", "b"].map((clientId) => ({ clientId, clientSecret: secrets.walletSecret })) },
      /two of the secrets are the same/u,
    ],
    [
      "a simulated port among its own",
      {
        ...secrets,
        sandbox: false,
        store: ownLayer(MemoryStore.layer),
        ports: Layer.merge(ownLayer(Sandbox.layer), SandboxOtp.layer),
        platforms: [],
      },
      /SandboxOtp: only a sandbox may use it/u,
    ],
    [
      "a changed copy of a simulated port",
      {
        ...secrets,
        sandbox: false,
        store: ownLayer(MemoryStore.layer),
        ports: Layer.effectContext(
          Effect.map(Layer.build(Sandbox.layer), (context) =>
            Context.add(context, OtpSender, { ...Context.get(context, OtpSender), send: () => Effect.void }),
          ),
        ),
        platforms: [],
      },
      /SandboxOtp.*only a sandbox may use them/u,
    ],
    [
      "a fork of the store in memory",
      {
        ...secrets,
        sandbox: false,
        store: Layer.unwrap(Effect.map(MemoryStore.make, MemoryStore.layerOf)),
        ports: ownLayer(Sandbox.layer),
        platforms: [],
      },
      /the store in memory: only a sandbox may use it/u,
    ],
    [
      "an unreachable database",
      { store: PostgresStore.layerPool({ url: "postgres://nobody@127.0.0.1:1/none" }) },
      /the database cannot be used: connection refused: no server listens there/u,
    ],
    [
      "a store that cannot start",
      { store: Layer.effect(Store, Effect.fail(new StoreUnavailable({ unknown: false, cause: "away" }))) },
      /StoreUnavailable/u,
    ],
  ])("cannot start with %s", async (_, wrong, message) => {
    const starting = embed((wrong === undefined ? wrong : { ...options, ...wrong }) as never)
    const error = await starting.then(
      ({ dispose }) => dispose(),
      (reason: unknown) => reason,
    )
    expect(String(error)).toMatch(message)
  })

  it("learns every problem of its options from one error, before anything starts", async () => {
    let isBuilt = false
    const store = Layer.effect(
      Store,
      Effect.sync(() => {
        isBuilt = true
      }).pipe(Effect.andThen(Effect.fail(new StoreUnavailable({ unknown: false, cause: "away" })))),
    )
    const wrong = {
      store,
      ports: Sandbox.layer,
      sandbox: true,
      publicUrl: "ftp://pay.example.com",
      webhookKey: "none",
      webhookAllow: ["10.0.0.0/99"],
      basePath: "/a b",
      serviceName: "a b",
      walletSecret: "too-short",
      walletChecks: { issuers: ["http://issuer.example"], retryMillis: 0, fetsh: fetch },
      trustedProxies: ["proxy"],
      limits: { bodyBytesMax: 1.5, bodyByteMax: 1 },
      workers: "no",
      settings: {},
      console: { route: "/console" },
      metricss: true,
      platforms: [
        { clientId: "a:b", clientSecret: "", currencies: ["USD", "XXX"], names: "A" },
        { clientId: 7, name: 1 },
      ],
    }
    const error = await embed(wrong as never).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof EmbedOptionsError)) throw new Error(`not refused: ${String(error)}`)
    const expected = [
      /^there is no option metricss: store, /u,
      /^workers must be a boolean$/u,
      /^settings must be a layer$/u,
      /^there is no option platforms\[0\]\.names: clientId, /u,
      /^platforms\[1\]\.clientId must be a string$/u,
      /^platforms\[1\]\.clientSecret is missing: it must be a string$/u,
      /^platforms\[1\]\.name must be a string$/u,
      /^there is no option limits\.bodyByteMax: bodyBytesMax, /u,
      /^limits\.bodyBytesMax must be a positive integer$/u,
      /^there is no option walletChecks\.fetsh: issuers, /u,
      /^walletChecks\.retryMillis must be a positive integer$/u,
      /^console\.route must be an object$/u,
      /^console\.layer is missing: it must be a function$/u,
      /^the client id "a:b" must not be empty/u,
      /^the client secret of a:b must not be empty/u,
      /^the currency "XXX" of a:b does not exist$/u,
      /^trustedProxies must have addresses or CIDR ranges, not "proxy"$/u,
      /^webhookAllow must have hosts, addresses or CIDR ranges, not "10\.0\.0\.0\/99"$/u,
      /^publicUrl must be an http or https address/u,
      /^basePath must have segments/u,
      /^webhookKey: The webhook key is not an unencrypted PEM private key/u,
      /^walletChecks\.issuers must have https addresses, not "http:\/\/issuer\.example"$/u,
      /^serviceName must be a letter/u,
      /^the client secret of a:b has fewer than 20 characters$/u,
      /^walletSecret has fewer than 32 characters$/u,
    ]
    expect(error.problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
    expect(error.message).toBe(`embed: ${error.problems.join("; ")}`)
    expect(error.message).not.toContain("too-short")
    expect(isBuilt).toBe(false)
  })

  it("learns that a platform's webhook endpoint is not allowed together with its other problems", async () => {
    const wrong = { workers: 1, publicUrl: "https://pay.example.com", webhookKey: secrets.webhookKey }
    const own = {
      clientId: "a",
      clientSecret: randomBytes(20).toString("hex"),
      webhookEndpoint: "http://127.0.0.1/hooks",
    }
    const starting = embed({ ...options, ...wrong, platforms: [own] } as never)
    await expect(starting).rejects.toThrow(
      "embed: workers must be a boolean; the webhookEndpoint of a: the address is not on the public internet",
    )
  })

  it("serves the console only where it passes the page", async () => {
    const statusesOf = async (more: Partial<EmbedOptions>) => {
      const embedded = await embed({ ...options, ...more })
      try {
        const paths = ["/console", "/console/session"]
        return await Promise.all(
          paths.map(async (path) => (await embedded.handler(new Request(`http://localhost${path}`))).status),
        )
      } finally {
        await embedded.dispose()
      }
    }
    expect(await statusesOf({})).toEqual([404, 404])
    expect(await statusesOf({ console: undefined })).toEqual([404, 404])
    expect(await statusesOf({ console: consolePage })).toEqual([200, 403])
  })

  it("signs an approver in on its console and approves", async () => {
    const embedded = await embed({ ...options, console: consolePage })
    try {
      await withServer(embedded.listener, async (origin) => {
        expect(await (await fetch(`${origin}/console`)).text()).toContain(
          `<meta name="base-path" content="/2025-10-13">`,
        )
        const authorization = `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64")}`
        const headers = { authorization, "content-type": "application/json", origin, "sec-fetch-site": "same-origin" }
        const body = JSON.stringify({ approver: "Ada" })
        const signedIn = await fetch(`${origin}/console/session`, { method: "POST", headers, body })
        expect(signedIn.status).toBe(201)
        const cookie = signedIn.headers.get("set-cookie")?.replace(/;.*/su, "") ?? ""
        expect(await (await fetch(`${origin}/console/session`, { headers: { cookie } })).json()).toMatchObject({
          session: { approver: "Ada" },
        })
      })
    } finally {
      await embedded.dispose()
    }
  })
})
