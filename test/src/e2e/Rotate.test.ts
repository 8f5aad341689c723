/**
 * `countersign rotate` on a real PostgreSQL while a server uses it: both secrets are valid during the overlap, and the old one ends.
 * Source: D-330, D-343, D-344, D-357.
 */
import { generateKeyPairSync } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, basic, bearer, client, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { clear, dump } from "./Dump.ts"
import { credentialOptions, credentials, newAgent, newWorld, type World } from "./Flow.ts"
import { newDatabase, type ServerDatabase } from "./ServerDatabase.ts"
import { run, startServer } from "./ServerProcess.ts"

const newKey = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

describe("countersign rotate", { timeout: 120_000 }, () => {
  const webhookKey = newKey()
  let database: ServerDatabase
  let world: World
  beforeAll(async () => {
    database = await newDatabase()
    world = await newWorld({ options: database.options, env: { COUNTERSIGN_WEBHOOK_KEY: webhookKey } })
  }, 60_000)
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const rotateWith = async (env: Readonly<Record<string, string>>, ...parameters: ReadonlyArray<string>) => {
    await using command = run({
      command: "rotate",
      options: [...parameters, ...database.options, "--operator", "Grace"],
      env,
    })
    const { code } = await command.exited
    return { code, stdout: command.stdout().trim(), stderr: command.stderr().trim() }
  }
  const rotate = (...parameters: ReadonlyArray<string>) => rotateWith({}, ...parameters)
  const audited = async (operation: string) =>
    at((await world.platform("GET", `/audit-records?operation=${operation}`)).body, "data", 0)
  const byGrace = { actor: { type: "SERVICE", operator: "Grace" } }
  /** Nothing that the server printed or the database keeps contains the secret. */
  const isSecret = async (secret: string) => {
    expect(secret.length).toBeGreaterThan(20)
    expect(world.server.stdout() + world.server.stderr()).not.toContain(secret)
    expect(clear(await dump(database), [["the secret", secret]])).toEqual([])
  }
  const statusAs = async (clientId: string, clientSecret: string) =>
    (await client(world.server.base, basic(clientId, clientSecret))("GET", "/config")).status
  const ended = (status: () => Promise<number>) => eventually("the old one to end", status, (found) => found === 401)

  it("adds and retires a client secret while both answer", async () => {
    const { clientId, clientSecret } = credentials
    const added = await rotate("client-secret")
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+$/u) })
    const secretId = /Secret:[\w-]+/u.exec(added.stderr)?.[0] ?? ""
    expect(added.stderr).not.toContain(added.stdout)
    expect([await statusAs(clientId, clientSecret), await statusAs(clientId, added.stdout)]).toEqual([200, 200])
    expect(await audited("TOKEN_SECRET_ADD")).toMatchObject({ ...byGrace, details: { secretId } })
    expect(await rotate("client-secret")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("TOO_MANY_SECRETS"),
    })

    const listed = await rotate("client-secret", "--list", "--json")
    const secrets = at(JSON.parse(listed.stdout), 0, "secrets")
    expect(secrets).toMatchObject([{ id: expect.stringMatching(/^Secret:/u) }, { id: secretId }])
    expect(listed.stdout).not.toContain(added.stdout)
    const old = String(at(secrets, 0, "id"))
    expect(await rotate("client-secret", "--retire", old)).toMatchObject({ code: 0, stdout: `retired ${old}` })
    await ended(() => statusAs(clientId, clientSecret))
    const renewed = client(world.server.base, basic(clientId, added.stdout))
    expect((await renewed("GET", "/config")).status).toBe(200)
    world = { ...world, platform: renewed }
    expect(await audited("TOKEN_SECRET_RETIRE")).toMatchObject({ ...byGrace, details: { secretId: old } })
    expect(await rotate("client-secret", "--retire", secretId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("LAST_SECRET"),
    })
    await isSecret(added.stdout)
  })

  it("gives an API token a second secret, and ends the first after the overlap", async () => {
    const created = await world.platform("POST", "/tokens", { body: { name: "Reports", permissions: ["VIEW"] } })
    const [tokenId, clientId, first] = [
      textAt(created, "id"),
      textAt(created, "clientId"),
      textAt(created, "clientSecret"),
    ]
    const second = await rotate("api-token", tokenId)
    expect(second.code).toBe(0)
    expect([await statusAs(clientId, first), await statusAs(clientId, second.stdout)]).toEqual([200, 200])
    const listed = await rotate("api-token", "--list")
    expect(listed.stdout.split("\n").filter((line) => line.startsWith(tokenId))).toHaveLength(2)
    const secrets = at((await world.platform("GET", `/tokens/${tokenId}`)).body, "secrets")
    expect((await rotate("api-token", tokenId, "--retire", String(at(secrets, 0, "id")))).code).toBe(0)
    const third = await rotate("api-token", tokenId, "--overlap-seconds", "0", "--json")
    const thirdSecret = String(at(JSON.parse(third.stdout), "clientSecret"))
    await ended(() => statusAs(clientId, second.stdout))
    expect([await statusAs(clientId, first), await statusAs(clientId, thirdSecret)]).toEqual([401, 200])
    expect(await audited("TOKEN_SECRET_ADD")).toMatchObject({ ...byGrace, target: tokenId })
    await isSecret(second.stdout)
    await isSecret(thirdSecret)
    expect(await rotate("api-token")).toMatchObject({ code: 2, stdout: "" })
    expect(await rotate("api-token", "Token:none")).toMatchObject({ code: 1, stdout: "" })
    expect(await rotate("api-token", tokenId, "--overlap-seconds", "604801")).toMatchObject({ code: 2, stdout: "" })
  })

  it("gives an agent a second access token, and ends the first after the overlap", async () => {
    const agent = await newAgent(world.server.base, world.platform, world.customer)
    const statusOf = async (token: string) =>
      (await client(world.server.base, bearer(token))("GET", "/agents/me")).status
    const second = await rotate("agent-token", agent.agentId, "--agent-token-days", "30")
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+$/u) })
    expect([await statusOf(agent.token), await statusOf(second.stdout)]).toEqual([200, 200])
    const third = await rotate("agent-token", agent.agentId, "--overlap-seconds", "0", "--json")
    const { accessToken, expiresAt } = JSON.parse(third.stdout)
    expect(expiresAt).toBeUndefined()
    await ended(() => statusOf(second.stdout))
    expect([await statusOf(agent.token), await statusOf(accessToken)]).toEqual([401, 200])
    expect(second.stderr).toMatch(/valid until 20\d\d-/u)
    expect(await audited("AGENT_TOKEN_ROTATE")).toMatchObject({ ...byGrace, target: agent.agentId })
    await isSecret(second.stdout)
    await isSecret(accessToken)
    expect(await rotate("agent-token", "Agent:none")).toMatchObject({ code: 1, stdout: "" })
  })

  it("adds a webhook key with the root of the servers, and with no other", async () => {
    const states = async () =>
      (at((await world.platform("GET", "/webhooks/keys")).body, "data") as ReadonlyArray<{ state: string }>).map(
        ({ state }) => state,
      )
    expect(await states()).toEqual(["ACTIVE"])
    expect(await rotate("webhook-key")).toMatchObject({ code: 2, stderr: expect.stringContaining("--webhook-key") })
    expect(await rotateWith({ COUNTERSIGN_WEBHOOK_KEY: newKey() }, "webhook-key")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("WEBHOOK_ROOT_MISSING"),
    })
    expect(await states()).toEqual(["ACTIVE"])
    const env = { COUNTERSIGN_WEBHOOK_KEY: webhookKey }
    const rotated = await rotateWith(env, "webhook-key", "--overlap-seconds", "3600")
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining("RETIRING") })
    expect((await states()).toSorted()).toEqual(["ACTIVE", "RETIRING"])
    expect(await audited("WEBHOOK_KEY_ROTATE")).toMatchObject(byGrace)
    expect(await rotateWith(env, "webhook-key")).toMatchObject({ code: 1, stdout: "" })
  })

  it("adds a webhook key beside a retired one of a root that a server had generated", async () => {
    await using other = await newDatabase()
    const start = (env: Readonly<Record<string, string>>) =>
      startServer({ options: [...credentialOptions, ...other.options], env })
    const statesAt = async ({ base }: { readonly base: string }) => {
      const platform = client(base, basic(credentials.clientId, credentials.clientSecret))
      const keys = at((await platform("GET", "/webhooks/keys")).body, "data") as ReadonlyArray<{ state: string }>
      return keys.map(({ state }) => state).toSorted()
    }
    {
      await using generated = await start({})
      expect(await statesAt(generated)).toEqual(["ACTIVE"])
    }
    const env = { COUNTERSIGN_WEBHOOK_KEY: webhookKey }
    await using server = await start(env)
    // The key of the generated root is retired, and no process can show it.
    expect(await statesAt(server)).toEqual(["ACTIVE"])
    await using command = run({ command: "rotate", options: ["webhook-key", ...other.options], env })
    expect(await command.exited).toMatchObject({ code: 0 })
    expect(await statesAt(server)).toEqual(["ACTIVE", "RETIRING"])
  })

  it("adds no webhook key that a server with a generated root could not sign with", async () => {
    await using other = await newDatabase()
    await using server = await startServer({ options: [...credentialOptions, ...other.options] })
    const keys = () =>
      client(server.base, basic(credentials.clientId, credentials.clientSecret))("GET", "/webhooks/keys")
    const before = (await keys()).body
    await using command = run({
      command: "rotate",
      options: ["webhook-key", ...other.options],
      env: { COUNTERSIGN_WEBHOOK_KEY: webhookKey },
    })
    expect(await command.exited).toMatchObject({ code: 5 })
    expect(command.stderr()).toContain("POST /webhooks/keys/rotate")
    expect((await keys()).body).toEqual(before)
  })
})
