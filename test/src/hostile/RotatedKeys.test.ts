/**
 * Webhook keys are rotated while events are delivered: no delivery fails at a receiver that fetches unknown keys.
 * Source: D-330, D-331.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { cachedKeys, verifyWebhook, type WebhookPublicKey } from "@countersign/client/webhook"
import { expect, it } from "vitest"
import { basic, client, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { startServer } from "../e2e/ServerProcess.ts"

it("loses no delivery, with an overlap and without one", { timeout: 120_000 }, async () => {
  await using server = await startServer({ options: ["--client-id", "first", "--client-secret", "first-secret"] })
  const platform = client(server.base, basic("first", "first-secret"))
  const platformId = textAt(await platform("GET", "/config"), "id")
  const fetchKeys = async () =>
    (await platform("GET", "/webhooks/keys")).body["data"] as ReadonlyArray<WebhookPublicKey>
  let fetches = 0
  const keys = cachedKeys(
    async () => {
      fetches += 1
      return fetchKeys()
    },
    { minAgeSeconds: 0 },
  )
  const verified = new Set<string>()
  const refused: Array<unknown> = []
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    await verifyWebhook(request.headers, body, keys, { platformId }).then(
      ({ id }) => verified.add(id),
      (error: unknown) => refused.push(error),
    )
    response.end("noted")
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  try {
    const webhookEndpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    await platform("PATCH", "/config", { body: { webhookEndpoint } })
    const customer = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const customerId = textAt(await platform("POST", "/customers", { body: customer }), "id")
    const accounts = await platform("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
    const path = `/sandbox/internal-accounts/${textAt(accounts, "data", 0, "id")}/fund`
    const rounds = 60
    for (let round = 0; round < rounds; round++) {
      await platform("POST", path, { body: { amount: 1 } })
      if (round === 15) await platform("POST", "/webhooks/keys/rotate", { body: {} })
      if (round === 30 || round === 45) await platform("POST", "/webhooks/keys/rotate", { body: { overlapSeconds: 0 } })
    }
    await eventually(
      "all events",
      () => verified.size,
      (count) => count >= 2 * rounds + 1,
    )
    expect(refused).toEqual([])
    expect((await fetchKeys()).map((key) => ("state" in key ? key.state : undefined))).toEqual([
      "ACTIVE",
      "RETIRED",
      "RETIRED",
      "RETIRED",
    ])
    // Only the rotations without overlap made a known key disappear.
    expect(fetches).toBeGreaterThanOrEqual(2)
    expect(fetches).toBeLessThan(rounds)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
})
