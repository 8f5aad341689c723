/**
 * The server of `npm start`: its printed lines, the routes beside the interface, options and environment variables.
 * Source: wire contract 0.1, 6.2.
 */
import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { WebhookSigner } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { basic, client, textAt } from "./Client.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { isSigned, receiver } from "./Receiver.ts"
import { startServer } from "./ServerProcess.ts"

describe("npm start", { timeout: 120_000 }, () => {
  it("generates credentials, shows the secret once, and prints the ready line last", async () => {
    await using server = await startServer()
    const lines = server.stdout().trimEnd().split("\n")
    expect(lines.at(-1)).toBe(`ready ${server.origin}/2025-10-13`)
    expect(server.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/2025-10-13$/u)
    const clientId = server.printed("client id") ?? ""
    const [clientSecret = ""] = server.printed("client secret")?.split(" ") ?? []
    expect(clientId).toMatch(/^client_[0-9a-f]{24}$/u)
    expect(clientSecret).toMatch(/^secret_[0-9a-f]{48}$/u)
    expect(server.printed("docs")).toContain(`${server.origin}/docs`)

    const config = await client(server.base, basic(clientId, clientSecret))("GET", "/config")
    expect(config.status).toBe(200)
    const currencies = (config.body["supportedCurrencies"] as ReadonlyArray<{ readonly currencyCode: string }>).map(
      ({ currencyCode }) => currencyCode,
    )
    expect(currencies).toEqual(["USD", "EUR", "GBP", "MXN", "BRL", "INR", "USDC", "BTC", "USDB"])
    expect(server.stdout().split(clientSecret)).toHaveLength(2)
    expect(server.stderr()).toBe("")
  })

  it("serves health, readiness, docs, the OpenAPI document and the webhook key beside the interface", async () => {
    await using server = await startServer({ options: credentialOptions })
    const get = client(server.origin)
    expect(server.stdout()).not.toContain(credentials.clientSecret)
    expect(await get("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } })
    expect(await get("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } })
    const document = await get("GET", "/openapi.json")
    expect(document).toMatchObject({ status: 200, body: { openapi: expect.stringMatching(/^3\.1\./u) } })
    const docs = await get("GET", "/docs/static")
    expect(docs.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(docs.text).toContain("/agents/me/transfer-in")
    expect(docs.text).not.toMatch(/(?:src|href)="https?:/u)
    const asFirst = client(server.origin, basic(credentials.clientId, credentials.clientSecret))
    expect((await get("GET", "/webhooks/public-key")).status).toBe(401)
    const key = await asFirst("GET", "/webhooks/public-key")
    expect(createPublicKey(key.text)).toMatchObject({ type: "public", asymmetricKeyType: "ec" })
    expect(server.stdout()).toContain(key.text.trim())
    expect((await client(server.base)("GET", "/healthz")).status).toBe(404)
  })

  it("reads options from the environment, and prefers the command line", async () => {
    await using hooks = await receiver()
    await using server = await startServer({
      env: {
        COUNTERSIGN_PORT: "1",
        COUNTERSIGN_HOST: "127.0.0.1",
        COUNTERSIGN_STORE: "memory",
        COUNTERSIGN_MODE: "sandbox",
        COUNTERSIGN_LOG: "json",
        COUNTERSIGN_CLIENT_ID: "of-the-environment",
        COUNTERSIGN_CLIENT_SECRET: "secret-of-the-environment",
        COUNTERSIGN_PLATFORM: "second:its-secret, third:another:secret",
        COUNTERSIGN_BASE_PATH: "/ignored",
        COUNTERSIGN_HEADER_PREFIX: "Other",
        COUNTERSIGN_WEBHOOK_URL: hooks.url,
      },
      options: ["--base-path", "pay/v1/"],
    })
    expect(server.base).toBe(`${server.origin}/pay/v1`)
    expect(server.printed("client id")).toBe("of-the-environment")
    expect(server.stdout()).not.toContain("secret-of-the-environment")
    for (const [id, secret] of [
      ["of-the-environment", "secret-of-the-environment"],
      ["second", "its-secret"],
      ["third", "another:secret"],
    ] as const) {
      expect((await client(server.base, basic(id, secret))("GET", "/config")).status).toBe(200)
    }
    const platform = client(server.base, basic("of-the-environment", "secret-of-the-environment"))
    expect(await platform("POST", "/sandbox/webhooks/test")).toMatchObject({
      status: 200,
      body: { url: hooks.url, response_status: 200, response_body: "" },
    })
    const [delivery] = hooks.received
    const { text: publicKey } = await client(server.origin, basic("of-the-environment", "secret-of-the-environment"))(
      "GET",
      "/webhooks/public-key",
    )
    expect(delivery && isSigned(delivery, publicKey, "x-other-signature")).toBe(true)
  })

  it("derives the platform's key from the webhook key that it is given", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
    await using server = await startServer({ options: credentialOptions, env: { COUNTERSIGN_WEBHOOK_KEY: pem } })
    const authorization = basic(credentials.clientId, credentials.clientSecret)
    const served = await client(server.origin, authorization)("GET", "/webhooks/public-key")
    const platformId = textAt(await client(server.base, authorization)("GET", "/config"), "id")
    const derived = await Effect.runPromise(
      WebhookSigner.use(({ platformKey, roots: [rootId] }) => platformKey({ platformId, rootId, number: 1 })).pipe(
        Effect.provide(NodeWebhookSigner.layer({ privateKeyPem: Redacted.make(pem) })),
      ),
    )
    expect(served.text).toBe(derived?.publicKey)
  })
})
