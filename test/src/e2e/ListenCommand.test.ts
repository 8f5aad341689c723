/**
 * `countersign listen` verifies webhooks, passes them on unchanged, and restores the endpoint at its end.
 * Source: D-460.
 */
import { expect, it } from "vitest"
import { basic, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { isSigned, receiver } from "./Receiver.ts"
import { run, startServer } from "./ServerProcess.ts"

it("passes verified webhooks on with their bytes and signatures", { timeout: 120_000 }, async () => {
  await using folder = await newFolder()
  await using server = await startServer({ cwd: folder.path, options: credentialOptions })
  const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
  await using program = await receiver()
  await platform("PATCH", "/config", { body: { webhookEndpoint: "http://127.0.0.1:1/before" } })

  await using listening = run({
    command: "listen",
    options: ["--forward-to", program.url, "--json"],
    cwd: folder.path,
    env: { COUNTERSIGN_CLIENT_SECRET: credentials.clientSecret },
  })
  const endpoint = await eventually(
    "the listening line",
    () => /listening on (\S+),/u.exec(listening.stderr())?.[1],
    (found) => found !== undefined,
    60_000,
  )
  await program.delivered(({ event }) => event.type === "TEST", 30_000)

  // A failure of the program is the answer that the sandbox gets, which sends the event again.
  program.answerNext(500)
  await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } })
  const delivery = await program.delivered(({ event }) => event.type === "CUSTOMER.KYC_APPROVED", 30_000)
  const key = await fetch(`${server.origin}/webhooks/public-key`, {
    headers: { authorization: basic(credentials.clientId, credentials.clientSecret) },
  })
  expect(isSigned(delivery, await key.text())).toBe(true)
  await eventually(
    "the redelivery",
    () => program.ofType("CUSTOMER.KYC_APPROVED").length,
    (count) => count > 1,
    30_000,
  )

  const before = program.received.length
  const forged = await fetch(endpoint ?? "", { method: "POST", body: delivery.body.toString("utf8") })
  expect(forged.status).toBe(400)
  expect(program.received).toHaveLength(before)

  listening.terminate()
  expect((await listening.exited).code).toBe(0)
  const lines = listening
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual(
    expect.objectContaining({
      outcome: "Forwarded",
      status: 500,
      event: expect.objectContaining({ type: "CUSTOMER.KYC_APPROVED" }),
    }),
  )
  expect(lines).toContainEqual({ outcome: "Refused", reason: expect.stringMatching(/^INVALID_/u) })
  expect((await platform("GET", "/config")).body).toMatchObject({ webhookEndpoint: "http://127.0.0.1:1/before" })
  expect(`${listening.stdout()}${listening.stderr()}`).not.toContain(credentials.clientSecret)
})

it("needs an address by which a server elsewhere reaches it", async () => {
  await using folder = await newFolder()
  await using listening = run({
    command: "listen",
    options: ["--server", "https://sandbox.example.com", "--client-id", "first"],
    cwd: folder.path,
    env: { COUNTERSIGN_CLIENT_SECRET: credentials.clientSecret },
  })
  expect((await listening.exited).code).toBe(2)
  expect(listening.stderr()).toContain("--endpoint")
})
