/**
 * A platform points its webhook endpoint at the receiver of another platform.
 * Source: wire contract 6.2; D-328, D-331.
 */

import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from "@countersign/client/webhook"
import { expect, it } from "vitest"
import { basic, client, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { newFolder } from "../e2e/Folder.ts"
import { receiver } from "../e2e/Receiver.ts"
import { startServer } from "../e2e/ServerProcess.ts"

it("cannot make the receiver of another platform accept its events", { timeout: 120_000 }, async () => {
  await using server = await startServer({
    options: ["--client-id", "victim", "--client-secret", "victim-secret", "--platform", "attacker:attacker-secret"],
  })
  const victim = client(server.base, basic("victim", "victim-secret"))
  const attacker = client(server.base, basic("attacker", "attacker-secret"))
  const keys = (await victim("GET", "/webhooks/keys")).body["data"]
  const { text: publicKey } = await client(server.origin, basic("victim", "victim-secret"))(
    "GET",
    "/webhooks/public-key",
  )
  const platformId = textAt(await victim("GET", "/config"), "id")
  // As the documentation shows: with the platform's keys, and with the specified header alone.
  const verifications: ReadonlyArray<(headers: WebhookHeaders, body: Uint8Array) => Promise<WebhookEvent>> = [
    (headers, body) => verifyWebhook(headers, body, Array.isArray(keys) ? keys : [], { platformId }),
    (headers, body) => verifyWebhook(headers, body, { publicKey }, { platformId }),
    (headers, body) => verifyWebhook(headers, body, { publicKey }),
  ]
  const accepted: Array<string> = []
  const refused: Array<string> = []
  const shared = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    for (const verify of verifications) {
      await verify(request.headers, body).then(
        ({ data }) => accepted.push(JSON.stringify(data)),
        ({ reason }) => refused.push(reason),
      )
    }
    response.end("noted")
  }).listen(0, "127.0.0.1")
  await once(shared, "listening")
  const webhookEndpoint = `http://127.0.0.1:${(shared.address() as AddressInfo).port}/hooks`
  try {
    expect((await attacker("PATCH", "/config", { body: { webhookEndpoint } })).status).toBe(200)
    const customer = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const customerId = textAt(await attacker("POST", "/customers", { body: customer }), "id")
    const accounts = await attacker("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
    const accountId = textAt(accounts, "data", 0, "id")
    await attacker("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 1_000_000 } })
    await eventually(
      "the attacker's events",
      () => refused.length + accepted.length,
      (count) => count >= 9,
    )
    expect(accepted).toEqual([])
    expect(new Set(refused)).toEqual(new Set(["UNKNOWN_KEY", "SIGNATURE_MISMATCH"]))

    // The victim's own events are accepted by all of them.
    expect((await victim("PATCH", "/config", { body: { webhookEndpoint } })).status).toBe(200)
    await eventually(
      "the victim's test event",
      () => accepted.length,
      (count) => count >= 3,
    )
    expect(accepted).toEqual(["{}", "{}", "{}"])
  } finally {
    shared.closeAllConnections()
    shared.close()
  }
})

const ports = fileURLToPath(new URL("../e2e/SandboxPorts.ts", import.meta.url))

const attackerSecret = `attacker-${randomBytes(16).toString("hex")}`

it("makes a live service send nothing but a few challenges to it", { timeout: 120_000 }, async () => {
  await using folder = await newFolder()
  await using victim = await receiver({ answersChallenges: false })
  await using server = await startServer({
    options: [
      "--mode",
      "live",
      "--ports",
      ports,
      "--store",
      `pglite:${folder.path}`,
      "--client-id",
      "attacker",
      "--client-secret",
      attackerSecret,
    ],
    env: { COUNTERSIGN_WEBHOOK_ALLOW: "127.0.0.1" },
  })
  const attacker = client(server.base, basic("attacker", attackerSecret))
  for (let count = 0; count < 30; count++) {
    const body = { webhookEndpoint: `${victim.url}?${count}` }
    expect((await attacker("PATCH", "/config", { body })).status).toBe(200)
    await attacker("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } })
    await attacker("POST", "/webhooks/endpoint/enable")
  }
  await eventually(
    "the last challenge",
    () => victim.received.length,
    (count) => count >= 10,
  )
  expect(victim.received.map(({ event }) => event.type)).toEqual(Array(10).fill("WEBHOOK_ENDPOINT.VERIFICATION"))
  expect((await attacker("GET", "/webhooks/endpoint")).body).toMatchObject({ state: "PENDING" })
})
