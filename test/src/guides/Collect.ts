/** A service that stores its webhooks instead of sending them. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { type WebhookRequest, WebhookTransport } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"

export const collect = async () => {
  const sent: Array<WebhookRequest> = []
  const webhookTransport = Layer.succeed(WebhookTransport, {
    check: () => Effect.undefined,
    send: (request) =>
      Effect.sync(() => {
        sent.push(request)
        return { _tag: "Answered", status: 200, body: "" }
      }),
  })
  const credentials = { clientId: "host", clientSecret: "host-secret" }
  const service = await embed({
    store: MemoryStore.layer,
    ports: Sandbox.layer,
    sandbox: true,
    platforms: [credentials],
    webhookTransport,
  })
  const authorization = `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}`
  const key = new Request("http://host.example/webhooks/public-key", { headers: { authorization } })
  const publicKey = await (await service.handler(key)).text()
  // The service sends a test event to a new endpoint.
  await service
    .client(credentials)
    .platform.updatePlatformConfig({ payload: { webhookEndpoint: "https://host.example/hooks" } })
  return { sent, publicKey, [Symbol.asyncDispose]: service.dispose }
}
