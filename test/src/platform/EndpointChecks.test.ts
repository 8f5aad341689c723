/**
 * The check of a new webhook endpoint by the transport: at the setup of a platform and in its configuration.
 * Source: wire contract 5.8 and 6.1.
 */
import { Platforms } from "@countersign/core"
import { WebhookTransport } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

const forbidden = "https://forbidden.example/hooks"
const allowed = "https://allowed.example/hooks"

/** The inbox's transport, which notes what it checks, and allows every address but one. */
const service = async () => {
  const checked: Array<string> = []
  const ports = Layer.effect(
    WebhookTransport,
    Effect.map(WebhookTransport, (inner) => ({
      ...inner,
      check: (url: string) =>
        Effect.sync(() => {
          checked.push(url)
          return url === forbidden ? { reason: "must not be forbidden" } : undefined
        }),
    })),
  )
  const pay = await harness({ ports })
  checked.length = 0
  return { checked, pay, patch: (body: object) => pay.send("PATCH", "/config", { body }) }
}

const refusal = {
  code: "INVALID_INPUT",
  details: {
    errors: [{ field: "webhookEndpoint", message: "must not be forbidden", constraint: { format: "uri" } }],
  },
}

it("an endpoint that the transport does not allow is refused, and the configuration stays as it is", async () => {
  const { checked, patch, pay } = await service()
  await using _ = pay
  const before = await pay.send("GET", "/config")
  expect(await patch({ webhookEndpoint: forbidden })).toMatchObject({ status: 400, body: refusal })
  expect((await pay.send("GET", "/config")).body).toEqual(before.body)
  expect(await patch({ webhookEndpoint: allowed })).toMatchObject({ status: 200, body: { webhookEndpoint: allowed } })
  expect(checked).toEqual([forbidden, allowed])
})

it("no endpoint is checked where the update has none, removes it, or has another problem", async () => {
  const { checked, patch, pay } = await service()
  await using _ = pay
  expect((await patch({ embeddedWalletConfig: { appName: "Pay" } })).status).toBe(200)
  expect((await patch({ webhookEndpoint: null })).status).toBe(200)
  expect((await patch({ webhookEndpoint: forbidden, umaDomain: "nowhere" })).status).toBe(400)
  expect(checked).toEqual([])
})

it("a platform is not set up with an endpoint that the transport does not allow", async () => {
  const { checked, pay } = await service()
  await using _ = pay
  const setUp = (webhookEndpoint: string) =>
    Platforms.use((platforms) =>
      platforms.setUp({
        clientId: "second",
        clientSecret: Redacted.make("second"),
        name: "Second",
        currencies: ["USD"],
        webhookEndpoint,
      }),
    )
  expect(await pay.run(Effect.flip(setUp(forbidden)))).toMatchObject({ code: refusal.code, details: refusal.details })
  expect(await pay.run(setUp(allowed))).toMatch(/^PlatformConfig:/u)
  expect(checked).toEqual([forbidden, allowed])
})
