/**
 * `countersign world` on a store in a folder: saved worlds survive restarts, files go to other servers, and a process that ends in the
 * middle of a load leaves the old world or the new one.
 * Source: D-470, D-471.
 */
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"

import { commandsIn, serverWithCommands } from "./Commands.ts"
import {
  balanceOf,
  credentialOptions,
  credentials,
  newAgent,
  newCustomer,
  newSource,
  platformAt,
  transfer,
} from "./Flow.ts"
import { startServer } from "./ServerProcess.ts"

describe("countersign world", { timeout: 240_000 }, () => {
  it("saves, loads, forks, resets, exports and imports the state of a folder", async () => {
    await using running = await serverWithCommands()
    const { command, folder, server } = running
    const platform = platformAt(server.base)
    const customer = await newCustomer(platform)
    const source = await newSource(platform, customer)
    const agent = await newAgent(server.base, platform, customer)
    expect(await command(["world", "list"])).toMatchObject({ code: 0, stdout: expect.stringContaining("no world") })

    const paid = await agent.send("POST", "/agents/me/transfer-in", { body: transfer(source, customer, 700) })
    expect(paid.status).toBe(201)
    expect((await command(["clock", "advance", "3d"])).code).toBe(0)
    expect(await balanceOf(platform, customer)).toBe(700)
    const before = await platform("GET", "/operator/events?limit=100")
    const saved = await command(["world", "save", "monday", "--json"])
    expect(JSON.parse(saved.stdout)).toMatchObject({ name: "monday", counts: { customers: 1, transactions: 1 } })
    expect(await command(["world", "save", "monday"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("WORLD_EXISTS"),
    })

    await newCustomer(platform)
    expect((await command(["world", "fork", "tuesday"])).stdout).toContain("goes on as tuesday: 2 customers")
    expect((await command(["world", "list"])).stdout).toMatch(/^\* +tuesday/mu)
    expect(await command(["world", "load", "monday"])).toMatchObject({ code: 0 })
    expect((await platform("GET", "/operator/events?limit=100")).body).toEqual(before.body)
    expect(await balanceOf(platform, customer)).toBe(700)
    expect((await agent.send("GET", "/agents/me")).status).toBe(200)

    const file = join(folder.path, "monday.json")
    expect((await command(["world", "export", "monday", file])).code).toBe(0)
    expect(await command(["world", "export", "monday", file])).toMatchObject({ code: 2 })
    const text = await readFile(file, "utf8")
    const state = gunzipSync(Buffer.from(JSON.parse(text).state, "base64")).toString()
    for (const secret of [credentials.clientSecret, agent.token, credentials.clientId]) {
      expect(text).not.toContain(secret)
      expect(state).not.toContain(createHash("sha256").update(secret).digest("hex"))
    }
    expect(state).not.toContain(agent.token)
    expect(state).not.toMatch(/"codeHash"|"fingerprint"/u)
    expect(state).toContain('"is_connected":false')
    expect((await command(["world", "reset"])).stdout).toContain("the world is empty")
    expect((await platform("GET", "/customers")).body).toMatchObject({ data: [] })
    expect((await command(["world", "delete", "monday"])).code).toBe(0)
    expect(await command(["world", "load", "monday"])).toMatchObject({ code: 1 })
    expect((await command(["world", "import", file])).stdout).toContain("imported monday: 1 customers")
    await writeFile(join(folder.path, "broken.json"), text.replace('"version":1', '"version":2'))
    expect(await command(["world", "import", "broken.json"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("newer version"),
    })
    await writeFile(join(folder.path, "other.json"), "{}")
    expect(await command(["world", "import", "other.json"])).toMatchObject({ code: 2 })
    for (const name of ["..%2Fserver", "%2e%2e%2f%2e%2e%2fx", "current"]) {
      expect((await platform("POST", `/sandbox/worlds/${name}/load`)).status).toBe(404)
    }

    server.terminate()
    await server.exited
    await using again = await startServer({ cwd: folder.path, options: credentialOptions })
    const restarted = platformAt(again.base)
    expect((await commandsIn(folder.path)(["world", "load", "monday"])).code).toBe(0)
    expect(await balanceOf(restarted, customer)).toBe(700)
    await newCustomer(restarted)
    expect((await restarted("GET", "/customers")).body).toMatchObject({ totalCount: 2 })
    expect((await commandsIn(folder.path)(["clock", "show", "--json"])).stdout).toMatch(/"aheadMillis": 259\d{6}/u)
  })

  it("leaves the old world or the loaded one when the process is killed in the middle of a load", async () => {
    await using running = await serverWithCommands()
    const { command, folder } = running
    const first = platformAt(running.server.base)
    for (let count = 0; count < 25; count++) await newCustomer(first)
    const countOf = async (platform: typeof first) => {
      const customers = await platform("GET", "/customers?limit=1")
      const accounts = await platform("GET", "/customers/internal-accounts?limit=1")
      const ledger = await platform("GET", "/operator/books/trial-balance")
      return [customers.body["totalCount"], accounts.body["totalCount"], ledger.status]
    }
    expect((await command(["world", "save", "large"])).code).toBe(0)
    const large = await countOf(first)
    expect((await command(["world", "reset"])).code).toBe(0)
    await newCustomer(first)
    const small = await countOf(first)
    expect((await command(["world", "save", "small"])).code).toBe(0)
    expect(large).not.toEqual(small)

    let server = running.server
    for (const [name, millis] of [
      ["large", 10],
      ["small", 40],
      ["large", 90],
      ["small", 20],
    ] as const) {
      const loading = platformAt(server.base)("POST", `/sandbox/worlds/${name}/load`).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, millis))
      server.kill()
      await Promise.all([server.exited, loading])
      server = await startServer({ cwd: folder.path, options: credentialOptions })
      const found = JSON.stringify(await countOf(platformAt(server.base)))
      expect([JSON.stringify(large), JSON.stringify(small)]).toContain(found)
    }
    expect((await platformAt(server.base)("POST", "/sandbox/worlds/large/load")).status).toBe(200)
    expect(await countOf(platformAt(server.base))).toEqual(large)
    await server[Symbol.asyncDispose]()
  })
})
