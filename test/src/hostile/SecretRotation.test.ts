/**
 * The rotation of secrets under traffic, over a real socket: no request fails, and the old secret is refused afterwards.
 * Source: D-343, D-344.
 */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { at, basic, bearer, client, textAt } from "../e2e/Client.ts"
import { credentialOptions, credentials, newAgent, newCustomer } from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { startTraffic } from "./Traffic.ts"

describe("under traffic", { timeout: 120_000 }, () => {
  it("a platform changes its client secret without a failed request", async () => {
    await using server = await startServer({ options: credentialOptions })
    const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
    const created = await platform("POST", "/tokens", { body: { name: "Reporting", permissions: ["VIEW", "MANAGE"] } })
    const clientId = textAt(created, "clientId")
    const token = `/tokens/${textAt(created, "id")}`
    const as = (secret: string) => client(server.base, basic(clientId, secret))
    const old = as(textAt(created, "clientSecret"))
    const traffic = startTraffic(old, "/config")
    await traffic.more(20)
    const added = await old("POST", `${token}/secrets`, { body: {} })
    const next = as(textAt(added, "clientSecret"))
    await traffic.more(20)
    traffic.use(next)
    await traffic.more(20)
    const oldId = textAt(created, "secrets", 0, "id")
    expect((await next("DELETE", `${token}/secrets/${oldId}`)).status).toBe(204)
    await traffic.more(20)
    const { count, failures } = await traffic.stop()
    expect(failures).toEqual([])
    expect(count).toBeGreaterThanOrEqual(80)
    expect((await old("GET", "/config")).status).toBe(401)
  })

  it("an agent changes its access token without a failed request", async () => {
    await using server = await startServer({ options: credentialOptions })
    const platform = client(server.base, basic(credentials.clientId, credentials.clientSecret))
    const agent = await newAgent(server.base, platform, await newCustomer(platform))
    const traffic = startTraffic(agent.send, "/agents/me")
    await traffic.more(20)
    const rotated = await platform("POST", `/agents/${agent.agentId}/token`, { body: { overlapSeconds: 3600 } })
    const next = client(server.base, bearer(textAt(rotated, "accessToken")))
    await traffic.more(20)
    traffic.use(next)
    await traffic.more(20)
    const last = await platform("POST", `/agents/${agent.agentId}/token`, { body: { overlapSeconds: 3600 } })
    await traffic.more(20)
    expect((await traffic.stop()).failures).toEqual([])
    expect((await agent.send("GET", "/agents/me")).status).toBe(401)
    expect((await client(server.base, bearer(textAt(last, "accessToken")))("GET", "/agents/me")).status).toBe(200)
  })

  it("a deployment changes the configured client secret over two starts", async () => {
    await using folder = await newFolder()
    const [a = "", b = ""] = [0, 1].map(() => randomBytes(20).toString("hex"))
    const store = ["--store", `pglite:${folder.path}`, "--client-id", "first"]
    const accepted = async (options: ReadonlyArray<string>) => {
      await using server = await startServer({ options: [...store, ...options] })
      const statusOf = async (secret: string) =>
        (await client(server.base, basic("first", secret))("GET", "/config")).status
      return [await statusOf(a), await statusOf(b)]
    }
    expect(await accepted(["--client-secret", a])).toEqual([200, 401])
    expect(await accepted(["--client-secret", a, "--next-client-secret", b])).toEqual([200, 200])
    expect(await accepted(["--client-secret", b])).toEqual([401, 200])
  })

  it("a start gives the configured client secret no end, whatever the platform gave it", async () => {
    await using folder = await newFolder()
    const secret = randomBytes(20).toString("hex")
    const started = async (use: (send: ReturnType<typeof client>) => Promise<unknown>) => {
      const options = ["--store", `pglite:${folder.path}`, "--client-id", "first", "--client-secret", secret]
      await using server = await startServer({ options })
      return await use(client(server.base, basic("first", secret)))
    }
    const ends = async (send: ReturnType<typeof client>) => {
      const { body } = await send("GET", "/tokens")
      const all = at(body, "data", 0, "secrets") as ReadonlyArray<object>
      return all.map((each) => "expiresAt" in each)
    }
    const before = await started(async (send) => {
      const tokenId = at((await send("GET", "/tokens")).body, "data", 0, "id")
      await send("POST", `/tokens/${tokenId}/secrets`, { body: { overlapSeconds: 3600 } })
      return ends(send)
    })
    expect(before).toEqual([true, false])
    expect(await started(ends)).toEqual([false, false])
  })
})
