/**
 * `countersign events` on a running server.
 * Source: D-450, D-458.
 */
import { expect, it } from "vitest"
import { serverWithCommands } from "./Commands.ts"
import { eventually } from "./Deadline.ts"
import { receiver } from "./Receiver.ts"

it("lists events with their deliveries, shows one, and sends it again", { timeout: 120_000 }, async () => {
  await using running = await serverWithCommands()
  const { command, platform } = running
  await using endpoint = await receiver()
  expect(await command(["events", "list"])).toMatchObject({ code: 0, stdout: "no events" })

  await platform("PATCH", "/config", { body: { webhookEndpoint: endpoint.url } })
  await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } })
  const delivered = await endpoint.delivered(({ event }) => event.type === "CUSTOMER.KYC_APPROVED")
  const { id } = delivered.event

  const acknowledged = await eventually(
    "the acknowledged delivery",
    () => command(["events", "list", "--type", "CUSTOMER.KYC_APPROVED"]),
    ({ stdout }) => stdout.includes("DONE"),
  )
  expect(acknowledged.stdout).toMatch(new RegExp(`${id} +CUSTOMER\\.KYC_APPROVED +DONE +200$`, "u"))
  expect(await command(["events", "list", "--last", "0"])).toMatchObject({ code: 2 })
  const shown = await command(["events", "show", id, "--json"])
  expect(JSON.parse(shown.stdout)).toMatchObject({
    id,
    body: delivered.body.toString("utf8"),
    attempts: [{ status: 200 }],
  })
  expect((await command(["events", "show", id])).stdout).toContain(`attempt   1, `)

  expect(await command(["events", "resend", id])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(endpoint.url),
  })
  await eventually(
    "the second delivery",
    () => endpoint.ofType("CUSTOMER.KYC_APPROVED").length,
    (count) => count === 2,
  )
  expect(await command(["events", "show", "Webhook:none"])).toMatchObject({ code: 1 })
})
