/**
 * Persistence in a folder: all state survives a restart and SIGKILL, and one process at a time uses it.
 * Source: D-036, D-037, D-038.
 */
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { basic, bearer, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import {
  balanceOf,
  credentialOptions,
  held,
  inboxPath,
  newAgent,
  newCustomer,
  newSource,
  platformAt,
  receivesInInbox,
  transfer,
} from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { isSigned, receiver } from "./Receiver.ts"
import { run, type ServerProcess, startServer } from "./ServerProcess.ts"

const generatedSecret = (server: ServerProcess): string => server.printed("client secret")?.split(" ")[0] ?? ""

const stopped = async (server: ServerProcess) => {
  server.terminate()
  expect(await server.exited).toEqual({ code: 0, signal: null })
}

describe("npm start", { timeout: 120_000 }, () => {
  it("persists all state in ./.countersign, and continues after a restart", async () => {
    await using folder = await newFolder()
    await using hooks = await receiver()
    const kept = join(folder.path, ".countersign")

    await using before = await startServer({ cwd: folder.path, options: ["--webhook-url", hooks.url] })
    expect(before.printed("store")).toBe("./.countersign, used by this process only")
    const clientId = before.printed("client id") ?? ""
    const clientSecret = generatedSecret(before)
    const platform = client(before.base, basic(clientId, clientSecret))
    const customer = await newCustomer(platform)
    const source = await newSource(platform, customer)
    const agent = await newAgent(before.base, platform, customer, {
      approvalThresholds: { currency: "USD", amount: 1000 },
    })
    const keyed = { body: transfer(source, customer, 700), headers: { "Idempotency-Key": randomUUID() } }
    const done = await agent.send("POST", "/agents/me/transfer-in", keyed)
    expect(done.status).toBe(201)
    await eventually(
      "the money",
      () => balanceOf(platform, customer),
      (amount) => amount === 700,
    )
    const inbox = await inboxPath(platform)
    const publicKey = (await client(before.origin, basic(clientId, clientSecret))("GET", "/webhooks/public-key")).text
    await eventually(
      "the event of the first payment",
      () => hooks.ofType("INCOMING_PAYMENT.COMPLETED").length,
      (count) => count === 1,
    )
    // The endpoint fails now, so this event is delivered after the restart.
    hooks.answerNext(500)
    const actionId = await held(agent, transfer(source, customer, 2000))
    await hooks.delivered(({ event }) => event.data["id"] === actionId)
    await stopped(before)
    expect(existsSync(join(kept, "lock"))).toBe(false)
    for (const secret of ["webhook-key.pem", "wallet-secret"]) {
      expect((await stat(join(kept, secret))).mode & 0o777).toBe(0o600)
    }

    await using after = await startServer({ cwd: folder.path })
    expect(after.printed("client id")).toBe(clientId)
    expect(after.printed("client secret")).toMatch(/^unchanged since an earlier start/u)
    expect(after.stdout()).not.toContain(clientSecret)
    expect((await client(after.origin, basic(clientId, clientSecret))("GET", "/webhooks/public-key")).text).toBe(
      publicKey,
    )
    const again = client(after.base, basic(clientId, clientSecret))
    expect(await balanceOf(again, customer)).toBe(700)
    const asAgent = client(after.base, bearer(agent.token))
    const replayed = await asAgent("POST", "/agents/me/transfer-in", keyed)
    expect([replayed.status, replayed.body]).toEqual([201, done.body])
    expect(await balanceOf(again, customer)).toBe(700)
    expect(await asAgent("GET", `/agents/me/actions/${actionId}`)).toMatchObject({
      status: 200,
      body: { status: "PENDING_APPROVAL" },
    })
    const deliveries = await eventually(
      "the delivery that was still due",
      () => hooks.received.filter(({ event }) => event.data["id"] === actionId),
      (received) => received.length === 2,
      120_000,
    )
    expect(deliveries.map((delivery) => isSigned(delivery, publicKey))).toEqual([true, true])
    expect(deliveries[1]?.body).toEqual(deliveries[0]?.body)
    expect(await inboxPath(again)).toBe(inbox)
    await receivesInInbox(again)
    await stopped(after)
  })

  it("updates the secret and the webhook endpoint of the existing platform", async () => {
    await using folder = await newFolder()
    await using hooks = await receiver()
    const store = ["--store", `pglite:${folder.path}`]
    await using before = await startServer({ options: store })
    const clientId = before.printed("client id") ?? ""
    const oldSecret = generatedSecret(before)
    await stopped(before)

    const newSecret = "a-new-secret-that-is-long-enough"
    await using after = await startServer({
      options: [...store, "--client-secret", newSecret, "--webhook-url", hooks.url],
    })
    expect(after.printed("client id")).toBe(clientId)
    expect(after.printed("client secret")).toBe("as given")
    expect((await client(after.base, basic(clientId, oldSecret))("GET", "/config")).status).toBe(401)
    expect(await client(after.base, basic(clientId, newSecret))("GET", "/config")).toMatchObject({
      status: 200,
      body: { webhookEndpoint: hooks.url },
    })
    await hooks.delivered(({ event }) => event.type === "TEST")
  })

  it("refuses an invalid webhook key file, and names it", async () => {
    await using folder = await newFolder()
    const store = ["--store", `pglite:${folder.path}`]
    await using before = await startServer({ options: store })
    await stopped(before)
    const path = join(folder.path, "webhook-key.pem")
    expect(await readFile(path, "utf8")).toContain("PRIVATE KEY")
    await writeFile(path, "nonsense")
    await using after = run({ options: ["--port", "0", ...store] })
    expect(await after.exited).toEqual({ code: 5, signal: null })
    expect(after.stderr()).toContain(`${path} cannot be used: The webhook key is not an unencrypted PEM private key`)
  })

  it("refuses a wallet secret file that is too short, and names it", async () => {
    await using folder = await newFolder()
    const path = join(folder.path, "wallet-secret")
    await writeFile(path, "short")
    await using server = run({ options: ["--port", "0", "--store", `pglite:${folder.path}`] })
    expect(await server.exited).toEqual({ code: 5, signal: null })
    expect(server.stderr()).toContain(`${path} cannot be used: it has fewer than 32 characters`)
  })
})

describe("a folder", { timeout: 120_000 }, () => {
  it("refuses a second process, and names the first one's process id", async () => {
    await using folder = await newFolder()
    const options = ["--store", `pglite:${folder.path}`]
    await using holder = await startServer({ options })
    for (const command of ["serve", "migrate"] as const) {
      await using second = run({ command, options })
      expect(await second.exited).toEqual({ code: 3, signal: null })
      expect(second.stderr()).toContain(`${folder.path} is in use by process ${holder.pid}, since `)
      expect(second.stdout()).toBe("")
    }
    expect((await client(holder.origin)("GET", "/readyz")).status).toBe(200)
  })

  it("keeps every answered change after SIGKILL, and finishes the jobs", async () => {
    await using folder = await newFolder()
    const options = [...credentialOptions, "--store", `pglite:${folder.path}`, "--lease-seconds", "1"]
    await using killed = await startServer({ options })
    const customer = await newCustomer(platformAt(killed.base))
    const source = await newSource(platformAt(killed.base), customer)
    const agent = await newAgent(killed.base, platformAt(killed.base), customer)

    // Each amount is a power of two, so that the balance shows which transfers were executed, and how often.
    const requests = Array.from({ length: 15 }, (_, index) => ({
      body: transfer(source, customer, 2 ** index),
      headers: { "Idempotency-Key": `transfer-${index}` },
    }))
    const answered = new Map<number, unknown>()
    const submitted = requests.map((request, index) =>
      agent.send("POST", "/agents/me/transfer-in", request).then(
        ({ body, status }) => {
          expect(status).toBe(201)
          answered.set(index, body)
          if (answered.size === 5) killed.kill()
        },
        () => undefined,
      ),
    )
    await Promise.all(submitted)
    expect(await killed.exited).toEqual({ code: null, signal: "SIGKILL" })
    expect(answered.size).toBeGreaterThanOrEqual(5)
    expect(existsSync(join(folder.path, "lock"))).toBe(true)

    await using after = await startServer({ options })
    const asAgent = client(after.base, bearer(agent.token))
    for (const [index, request] of requests.entries()) {
      const reply = await asAgent("POST", "/agents/me/transfer-in", request)
      expect(reply.status).toBe(201)
      if (answered.has(index)) expect(reply.body).toEqual(answered.get(index))
    }
    await eventually(
      "all executed",
      () => balanceOf(platformAt(after.base), customer),
      (amount) => amount === 2 ** 15 - 1,
      120_000,
    )
    await stopped(after)
  })
})
