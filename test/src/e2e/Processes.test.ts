/**
 * Several processes on one PostgreSQL database: roles, a worker that dies, and decisions that hold in all processes.
 * Source: architecture, "Jobs, external calls and time".
 */
import { generateKeyPairSync } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { basic, bearer, client, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import {
  balanceOf,
  credentialOptions,
  credentials,
  held,
  newAgent,
  newCustomer,
  newSource,
  platformAt,
  receivesInInbox,
  transfer,
} from "./Flow.ts"
import { isSigned, receiver } from "./Receiver.ts"
import { newDatabase, type ServerDatabase } from "./ServerDatabase.ts"
import { type ServerProcess, type StartOptions, startServer } from "./ServerProcess.ts"

const webhookKey = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()

let database: ServerDatabase

beforeAll(async () => {
  database = await newDatabase()
}, 60_000)
afterAll(() => database[Symbol.asyncDispose]())

const start = ({ options = [] }: StartOptions = {}): Promise<ServerProcess> =>
  startServer({
    options: [...credentialOptions, ...database.options, ...options],
    env: { COUNTERSIGN_WEBHOOK_KEY: webhookKey },
  })
const worker = (...options: ReadonlyArray<string>) => start({ options: ["--role", "worker", ...options] })

const asFirst = basic(credentials.clientId, credentials.clientSecret)
describe("processes on one database", { timeout: 120_000 }, () => {
  it("can all start at once on an empty database", async () => {
    await using empty = await newDatabase()
    const options = [...credentialOptions, ...empty.options]
    const started = await Promise.all([startServer({ options }), startServer({ options }), startServer({ options })])
    const replies = await Promise.all(started.map((server) => platformAt(server.base)("GET", "/config")))
    for (const { stderr } of started) {
      expect(stderr()).toMatch(/warning: the webhook key is generated for this process only/u)
    }
    await Promise.all(started.map((server) => server[Symbol.asyncDispose]()))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it("do not start without the root of the platform's webhook key", async () => {
    await using _ = await start()
    const options = [...credentialOptions, ...database.options]
    await expect(startServer({ options })).rejects.toThrow(/are derived from another --webhook-key/u)
  })

  it("share the work: one process answers, another one runs the jobs", async () => {
    await using api = await start({ options: ["--role", "api"] })
    expect(api.printed("store")).toMatch(/^postgres(?:ql)?:\/\/\S+, shared with the other processes/u)
    const customer = await newCustomer(platformAt(api.base))
    const agent = await newAgent(api.base, platformAt(api.base), customer)
    const body = transfer(await newSource(platformAt(api.base), customer), customer, 500)
    const action = await agent.send("POST", "/agents/me/transfer-in", { body })
    expect(action).toMatchObject({ status: 201, body: { status: "APPROVED", transaction: { status: "PENDING" } } })
    const transaction = () => platformAt(api.base)("GET", `/transactions/${textAt(action, "transaction", "id")}`)
    const waiting = await database.pool.query("select count(*)::int as jobs from countersign.job where attempt = 0")
    expect(waiting.rows[0].jobs).toBeGreaterThan(0)
    expect((await transaction()).body["status"]).toBe("PENDING")

    await using working = await worker()
    await eventually("the transfer", transaction, ({ body }) => body["status"] === "COMPLETED")
    expect(await balanceOf(platformAt(api.base), customer)).toBe(500)
    const ask = client(working.origin)
    expect(await ask("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } })
    expect(await ask("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } })
    const keys = await Promise.all(
      [api, working].map(({ origin }) => client(origin, asFirst)("GET", "/webhooks/public-key")),
    )
    expect(keys[0]?.status).toBe(200)
    expect(keys[0]?.text).toBe(keys[1]?.text)
    // The worker sends, and the process that answers receives.
    await receivesInInbox(platformAt(api.base))
    for (const path of ["/docs", "/openapi.json", "/2025-10-13/config", "/config"]) {
      expect(await ask("GET", path)).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    }
    expect(await ask("POST", "/readyz")).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } })
  })

  it("finish the jobs of a killed process", async () => {
    await using hooks = await receiver()
    await using api = await start({ options: ["--role", "api", "--webhook-url", hooks.url] })
    await using dies = await worker("--lease-seconds", "3")
    const customer = await newCustomer(platformAt(api.base))
    const source = await newSource(platformAt(api.base), customer)
    const agent = await newAgent(api.base, platformAt(api.base), customer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
    })
    const isHeld = ({ event }: { readonly event: { readonly type: string } }) =>
      event.type === "AGENT_ACTION.PENDING_APPROVAL"
    const webhookJobs = async () =>
      (await database.pool.query("select state from countersign.job where queue = 'webhook'")).rows
    await eventually("the deliveries of earlier events", webhookJobs, (jobs) => jobs.length === 0)
    // The worker runs the job, and the receiver does not answer.
    const silence = Promise.withResolvers<number>()
    hooks.answerNext(silence.promise)
    const actionId = await held(agent, transfer(source, customer, 100))
    const delivery = await hooks.delivered(isHeld)
    dies.kill()
    expect(await dies.exited).toEqual({ code: null, signal: "SIGKILL" })
    expect(await webhookJobs()).toEqual([{ state: "running" }])
    await using _lives = await worker()
    const again = await eventually(
      "the delivery by the other worker",
      () => hooks.received.filter(isHeld),
      (deliveries) => deliveries.length === 2,
      120_000,
    )
    silence.resolve(200)
    expect(again[1]?.body).toEqual(delivery.body)
    expect(again[1]?.event.data["id"]).toBe(actionId)
    const publicKey = (await client(api.origin, asFirst)("GET", "/webhooks/public-key")).text
    expect(again.every((each) => isSigned(each, publicKey))).toBe(true)
    await eventually(
      "no job left",
      async () => (await database.pool.query("select count(*)::int as jobs from countersign.job")).rows[0].jobs,
      (jobs) => jobs === 0,
    )
  })

  it("decide an action once: later callers of every process see its result", async () => {
    await using one = await start()
    await using two = await start()
    const customer = await newCustomer(platformAt(one.base))
    const source = await newSource(platformAt(one.base), customer)
    const agent = await newAgent(one.base, platformAt(one.base), customer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
    })
    for (let round = 0; round < 8; round++) {
      const actionId = await held(agent, transfer(source, customer, 1))
      const path = `/agents/${agent.agentId}/actions/${actionId}`
      // Both servers receive each decision twice, and the decisions contradict each other.
      const replies = await Promise.all(
        [one, two, one, two].flatMap((server) => [
          platformAt(server.base)("POST", `${path}/approve`),
          platformAt(server.base)("POST", `${path}/reject`, { body: { reason: "no" } }),
        ]),
      )
      const won = replies.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      const status = won[0]?.body["status"]
      for (const lost of replies.filter((reply) => reply !== won[0])) {
        expect(lost).toMatchObject({ status: 409, body: { details: { action: { id: actionId, status } } } })
      }
    }
  })

  it("see decisions about pending actions of other processes at once", async () => {
    await using one = await start()
    await using two = await start()
    const customer = await newCustomer(platformAt(one.base))
    const source = await newSource(platformAt(one.base), customer)
    const policy = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const
    const agent = await newAgent(one.base, platformAt(one.base), customer, policy)
    const path = `/agents/${agent.agentId}`
    const changes: ReadonlyArray<readonly [rule: string, change: () => Promise<unknown>]> = [
      ["NOT_PAUSED", () => platformAt(one.base)("PATCH", path, { body: { isPaused: true } })],
      [
        "PER_TRANSACTION_LIMIT",
        async () => {
          await platformAt(one.base)("PATCH", path, { body: { isPaused: false } })
          await platformAt(one.base)("PATCH", `${path}/policy`, {
            body: { spendingLimits: { perTransactionLimit: 99 } },
          })
        },
      ],
      ["NOT_REVOKED", () => platformAt(one.base)("DELETE", path)],
    ]
    const ids: Array<string> = []
    for (const _ of changes) ids.push(await held(agent, transfer(source, customer, 100)))
    for (const [index, [rule, change]] of changes.entries()) {
      await change()
      expect(await platformAt(two.base)("POST", `${path}/actions/${ids[index]}/approve`)).toMatchObject({
        status: 200,
        body: { status: "FAILED", details: { rule } },
      })
    }
  })

  it("see pauses, policies, revocations and secrets of other processes at once", async () => {
    await using one = await start()
    await using two = await start()
    const customer = await newCustomer(platformAt(one.base))
    const source = await newSource(platformAt(one.base), customer)
    const agent = await newAgent(one.base, platformAt(one.base), customer)
    const inTwo = client(two.base, bearer(agent.token))
    const body = transfer(source, customer, 100)
    const change = (path: string, changed: unknown) =>
      platformAt(one.base)("PATCH", `/agents/${agent.agentId}${path}`, { body: changed })
    for (let round = 0; round < 5; round++) {
      await change("", { isPaused: true })
      expect(await inTwo("POST", "/agents/me/transfer-in", { body })).toMatchObject({ status: 403 })
      await change("", { isPaused: false })
      expect(await inTwo("POST", "/agents/me/transfer-in", { body })).toMatchObject({ status: 201 })
    }
    await change("/policy", { spendingLimits: { perTransactionLimit: 99 } })
    expect(await inTwo("POST", "/agents/me/transfer-in", { body })).toMatchObject({ status: 403 })
    await platformAt(one.base)("DELETE", `/agents/${agent.agentId}`)
    expect((await inTwo("GET", "/agents/me")).status).toBe(401)

    const newSecret = "another-secret-that-is-long-enough"
    const options = ["--client-id", credentials.clientId, "--client-secret", newSecret, ...database.options]
    await using three = await startServer({ options, env: { COUNTERSIGN_WEBHOOK_KEY: webhookKey } })
    expect(three.stderr()).toMatch(/warning: the wallet secret is generated for this process only/u)
    expect((await platformAt(two.base)("GET", "/config")).status).toBe(401)
    expect((await client(two.base, basic(credentials.clientId, newSecret))("GET", "/config")).status).toBe(200)
  })
})
