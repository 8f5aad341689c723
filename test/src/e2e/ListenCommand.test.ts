/**
 * `countersign listen` verifies webhooks, passes them on unchanged, and restores the endpoint at its end.
 * Source: D-460.
 */
import { request } from "node:http"
import { expect, it } from "vitest"
import { basic, client } from "./Client.ts"
import { serverWithCommands } from "./Commands.ts"
import { eventually } from "./Deadline.ts"
import { credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { isSigned, receiver } from "./Receiver.ts"
import { run } from "./ServerProcess.ts"

it("passes verified webhooks on with their bytes and signatures", { timeout: 120_000 }, async () => {
  const another = { clientId: "second", clientSecret: `second-${credentials.clientSecret}` }
  await using running = await serverWithCommands(["--platform", `${another.clientId}:${another.clientSecret}`])
  const { platform, server, started } = running
  await using program = await receiver()
  await platform("PATCH", "/config", { body: { webhookEndpoint: "http://127.0.0.1:1/before" } })

  await using listening = started(["listen", "--forward-to", program.url, "--json"])
  const endpoint = await eventually(
    "the listening line",
    () => /listening on (\S+),/u.exec(listening.stderr())?.[1],
    (found) => found !== undefined,
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
  )

  // A redirect is the program's answer, too: webhooks go to the address that was named.
  program.answerNext(302)
  await platform("POST", "/webhooks/test")
  const redirected = () => listening.stdout().includes('"status":302')
  await eventually("the redirect", redirected, Boolean, 30_000)

  const before = program.received.length
  // Another platform's webhooks are signed with a key of its own.
  const rival = client(server.base, basic(another.clientId, another.clientSecret))
  await rival("PATCH", "/config", { body: { webhookEndpoint: endpoint } })
  const isForeign = () => listening.stdout().includes("UNKNOWN_KEY")
  await eventually("the refusal", isForeign, Boolean, 30_000)
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

/** Sends as a program does, without the headers by which browsers say where a request comes from. */
const post = (url: string, body: string) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { "content-type": "application/json" } }, (answer) => {
      answer.resume().on("end", () => resolve())
    })
    sent.on("error", reject).end(body)
  })

it("passes on what arrives in the inbox of a sandbox that cannot reach this machine", {
  timeout: 180_000,
}, async () => {
  await using running = await serverWithCommands()
  const { platform, server, started } = running
  await using program = await receiver()
  // What was in the inbox before is not passed on.
  await platform("POST", "/sandbox/inbox", { body: {} })
  const messages = async () => (await platform("GET", "/sandbox/inbox/messages")).body["data"]
  await eventually("the first message", messages, (found) => Array.isArray(found) && found.length === 1, 60_000)
  await platform("PATCH", "/config", { body: { webhookEndpoint: "http://127.0.0.1:1/before" } })

  await using listening = started(["listen", "--through", "inbox", "--forward-to", program.url, "--json"])
  await eventually("the listening line", listening.stderr, (text) => text.includes("listening on the inbox"), 90_000)
  const { url } = (await platform("GET", "/sandbox/inbox")).body
  expect((await platform("GET", "/config")).body).toMatchObject({ webhookEndpoint: url })
  const test = await program.delivered(({ event }) => event.type === "TEST", 60_000)
  expect(program.ofType("TEST")).toEqual([test])

  program.answerNext(500)
  await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } })
  const delivery = await program.delivered(({ event }) => event.type === "CUSTOMER.KYC_APPROVED", 60_000)
  const key = await fetch(`${server.origin}/webhooks/public-key`, {
    headers: { authorization: basic(credentials.clientId, credentials.clientSecret) },
  })
  expect(isSigned(delivery, await key.text())).toBe(true)
  expect(delivery.headers["webhook-id"]).toBe(delivery.event.id)

  // A stranger who knows the address is not passed on.
  await post(String(url), delivery.body.toString("utf8").replace("Ada", "Eve"))
  await eventually("the refusal", listening.stdout, (text) => text.includes('"Refused"'), 60_000)
  const count = program.received.length

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
  expect(lines.filter(({ outcome }) => outcome === "Refused")).toHaveLength(1)
  expect(program.received).toHaveLength(count)
  expect(listening.stderr()).toContain("the webhook endpoint is http://127.0.0.1:1/before again")
  expect((await platform("GET", "/config")).body).toMatchObject({ webhookEndpoint: "http://127.0.0.1:1/before" })
})

it("needs an address by which a server elsewhere reaches it", async () => {
  await using folder = await newFolder()
  await using listening = run({
    command: "listen",
    options: ["--server", "https://sandbox.example.com", "--client-id", "first", "--through", "port"],
    cwd: folder.path,
    env: { COUNTERSIGN_CLIENT_SECRET: credentials.clientSecret },
  })
  expect((await listening.exited).code).toBe(2)
  expect(listening.stderr()).toContain("--endpoint")
})
