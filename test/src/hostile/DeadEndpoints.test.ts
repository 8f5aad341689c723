/**
 * A webhook endpoint that never answers, or always fails: how often the service tries it, and what that costs others.
 * Source: wire contract 6.2 and 11 (38); D-333.
 */
import { expect, it } from "vitest"
import { basic, client, type Send, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { receiver } from "../e2e/Receiver.ts"
import { startServer } from "../e2e/ServerProcess.ts"

const newAccount = async (platform: Send): Promise<string> => {
  const customer = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
  const customerId = textAt(await platform("POST", "/customers", { body: customer }), "id")
  return textAt(
    await platform("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`),
    "data",
    0,
    "id",
  )
}

it("is not tried again for each event, while the events of others are delivered", { timeout: 120_000 }, async () => {
  await using dead = await receiver()
  await using alive = await receiver()
  await using server = await startServer({
    options: ["--client-id", "dead", "--client-secret", "dead-secret", "--platform", "alive:alive-secret"],
  })
  const failing = client(server.base, basic("dead", "dead-secret"))
  const healthy = client(server.base, basic("alive", "alive-secret"))
  dead.answerNext(...Array.from({ length: 10_000 }, () => 503))
  for (const [platform, { url }] of [
    [failing, dead],
    [healthy, alive],
  ] as const) {
    expect((await platform("PATCH", "/config", { body: { webhookEndpoint: url } })).status).toBe(200)
  }
  const [account, other] = [await newAccount(failing), await newAccount(healthy)]
  const fund = (platform: Send, accountId: string) =>
    platform("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 1 } })
  for (let count = 0; count < 10; count++) await fund(failing, account)
  const endpoint = async (platform: Send) => (await platform("GET", "/webhooks/endpoint")).body
  await eventually(
    "the circuit to open",
    () => endpoint(failing),
    ({ circuit }) => circuit === "OPEN",
  )

  // Every one of these 200 events was tried at once before, and again after 5, 10, 20 seconds.
  const before = dead.received.length
  for (let count = 0; count < 100; count++) await fund(failing, account)
  await fund(healthy, other)
  await alive.delivered(({ event }) => event.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED")
  expect(dead.received.length - before).toBeLessThanOrEqual(16)
  expect(await endpoint(failing)).toMatchObject({
    state: "ACTIVE",
    url: dead.url,
    lastFailure: { reason: "the endpoint answered 503" },
    nextAttemptAt: expect.any(String),
  })
  expect((await endpoint(failing))["waitingEvents"]).toBeGreaterThan(100)
  expect(await endpoint(healthy)).toMatchObject({ circuit: "CLOSED", consecutiveFailures: 0 })
})
