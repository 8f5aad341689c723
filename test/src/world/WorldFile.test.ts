/**
 * The file of a saved world on another server: what it contains, what it never contains, and which files are refused.
 * Source: D-470, D-471.
 */
import { createHash } from "node:crypto"
import { gunzipSync, gzipSync } from "node:zlib"
import { type WorldFile, withChecksum } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { fileOf, importFile, list, load, save, seen } from "./WorldCalls.ts"

describe("the file of a world", () => {
  const stateOf = ({ state }: WorldFile) => gunzipSync(Buffer.from(state, "base64")).toString()
  const stored = (state: string) => gzipSync(state).toString("base64")
  const tokens = (token: string) =>
    JSON.stringify([{ id: "1", hash: createHash("sha256").update(token).digest("hex"), createdAt: 0 }])
  const withLead = (state: string, aheadMillis: number) =>
    JSON.stringify({ ...JSON.parse(state), time: { aheadMillis, mover: "", heldUntil: 0 } })

  it("is loaded by another server with the records under its own platform", async () => {
    await using pay = await agentHarness()
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 321 } })
    await pay.send("PATCH", `/customers/${pay.customerId}`, {
      body: { customerType: "INDIVIDUAL", fullName: `\\"${"[".repeat(120)}` },
    })
    await save(pay, "shared")
    const file = await fileOf(pay, "shared")
    await using other = await harness({ seed: 7 })
    expect(other.platformId).not.toBe(pay.platformId)
    expect((await importFile(other, file)).status).toBe(201)
    expect((await fileOf(other, "shared")).platformId).toBe(other.platformId)
    await load(other, "shared")
    expect(at(await other.send("GET", `/internal-accounts/${pay.accountId}`), "balance", "amount")).toBe(321)
    expect(at(await other.send("GET", "/customers"), "data", 0, "id")).toBe(pay.customerId)
    expect(await other.settle()).toBeGreaterThanOrEqual(0)
  })

  it("contains no credential, neither in clear nor as a hash", async () => {
    await using pay = await agentHarness()
    const token = await pay.send("POST", "/tokens", { body: { name: "canary", permissions: ["VIEW"] } })
    const agent = { name: "Second", customerId: pay.customerId, policy: policy() }
    const installing = await pay.send("POST", "/agents", { body: agent })
    const inviterUma = String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
    const invitation = await pay.send("POST", "/invitations", {
      body: { inviterUma },
      headers: { "idempotency-key": "invite-1" },
    })
    await save(pay, "shared")
    const file = await fileOf(pay, "shared")
    const text = JSON.stringify(file) + stateOf(file)
    const shown = [at(token, "clientSecret"), at(installing, "deviceCode", "code"), at(invitation, "code")].map(String)
    const secrets = [pay.credentials.clientSecret, pay.accessToken, ...shown]
    for (const secret of secrets) {
      expect(secret).toMatch(/^\S{11}/u)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(createHash("sha256").update(secret).digest("hex"))
    }
    expect(text).not.toContain(pay.credentials.clientId)
    expect(text).not.toContain("PRIVATE KEY")
  })

  it("has the unique keys of its records, except those that are hashes of credentials", async () => {
    await using pay = await agentHarness()
    const body = { customerType: "INDIVIDUAL", fullName: "Ada", platformCustomerId: "unique-1" }
    await pay.send("POST", "/customers", { body })
    await save(pay, "shared")
    const file = await fileOf(pay, "shared")
    const { claims }: { readonly claims: ReadonlyArray<readonly [string, { readonly kind: string }]> } = JSON.parse(
      stateOf(file),
    )
    const kinds = new Set(claims.map(([, { kind }]) => kind))
    expect(kinds).toContain("Customer")
    for (const kind of ["Agent", "DeviceCode", "Invitation", "ApiToken"]) expect(kinds).not.toContain(kind)
    await using other = await harness({ seed: 7 })
    expect((await importFile(other, file)).status).toBe(201)
    await load(other, "shared")
    expect((await other.send("POST", "/customers", { body })).status).toBe(409)
  })

  it("gives nobody access who has a token of the server that saved it", async () => {
    await using pay = await agentHarness()
    const before = await pay.send("GET", "/agents/me", { as: { token: pay.accessToken } })
    await save(pay, "own")
    await using other = await harness({ seed: 7 })
    // As another program could make it: with all that the saved world has.
    const state = stateOf(await fileOf(pay, "own")).replace('"tokens":[]', `"tokens":${tokens(pay.accessToken)}`)
    const file = withChecksum({ ...(await fileOf(pay, "own")), state: stored(state) })
    expect((await importFile(other, file)).status).toBe(201)
    await load(other, "own")
    const as = { token: pay.accessToken }
    expect(before.status).toBe(200)
    expect((await other.send("GET", "/agents/me", { as })).status).toBe(401)
    expect(at(await other.send("GET", `/agents/${pay.agentId}`), "isConnected")).toBe(false)
    expect((await other.send("POST", `/agents/${pay.agentId}/device-codes`)).status).toBe(201)
    // The world itself stays as it was, for the server that saved it.
    await load(pay, "own")
    expect((await pay.send("GET", "/agents/me", { as })).body).toEqual(before.body)
  })

  it("has no stored responses: a key sends its request anew on another server", async () => {
    await using pay = await agentHarness()
    const inviterUma = String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
    const request = { headers: { "idempotency-key": "invite-1" }, body: { inviterUma } }
    const first = await pay.send("POST", "/invitations", request)
    await save(pay, "own")
    await using other = await harness({ seed: 7 })
    await load(pay, "own")
    const again = await pay.send("POST", "/invitations", request)
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([first.status, "true"])
    expect((await importFile(other, await fileOf(pay, "own"))).status).toBe(201)
    await load(other, "own")
    const anew = await other.send("POST", "/invitations", request)
    expect([anew.status, anew.headers.get("idempotency-replayed")]).toEqual([201, null])
  })

  it.each<readonly [what: string, change: (file: WorldFile) => object, message: string]>([
    ["a damaged one", (file) => ({ ...file, name: "other" }), "checksum"],
    ["one of a newer version", (file) => withChecksum({ ...file, version: 2 }), "newer version"],
    ["one of another store", (file) => withChecksum({ ...file, store: "pglite 2" }), "pglite 2"],
    ["one with foreign wallets", (file) => withChecksum({ ...file, walletRoots: ["abc"] }), "wallets"],
    ["one that does not expand", (file) => withChecksum({ ...file, state: "AAAA" }), "expanded"],
    [
      "one that expands without end",
      (file) => withChecksum({ ...file, state: stored(" ".repeat(70_000_000)) }),
      "expanded",
    ],
    [
      "one that expands to more than a real one",
      (file) => withChecksum({ ...file, state: stored(" ".repeat(17_000_000)) }),
      "expanded",
    ],
    [
      "one that is nested too deeply",
      (file) => withChecksum({ ...file, state: stored(`["\\"]",${"[".repeat(200)}${"]".repeat(200)}]`) }),
      "nested",
    ],
    ["one of another format", (file) => ({ ...file, format: "tape" }), "format"],
    ["one without a state", ({ state: _, ...file }) => file, "state"],
  ])("is refused, and nothing changes: %s", async (_what, change, message) => {
    await using pay = await harness()
    await save(pay, "own")
    const file = await fileOf(pay, "own")
    await pay.send("DELETE", "/sandbox/worlds/own")
    const reply = await importFile(pay, change(file))
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    expect(JSON.stringify(reply.body)).toContain(message)
    expect(await list(pay)).toEqual({ data: [] })
  })

  it.each<readonly [what: string, change: (state: string) => string]>([
    ["is not JSON", () => "{"],
    ["is no state", () => "{}"],
    ["has a record that does not decode", (state) => state.replace('"customerType":"INDIVIDUAL"', '"customerType":7')],
    ["has a clock from before real time", (state) => withLead(state, -1)],
    ["has a clock beyond every calendar", (state) => withLead(state, 8.64e15)],
    [
      "has records of another platform",
      (state) => state.replace(/"platformId":"PlatformConfig:[0-9a-f]{8}/u, '"platformId":"PlatformConfig:00000000'),
    ],
  ])("is refused by a load whose state %s, and the running world stays", async (_what, change) => {
    await using pay = await agentHarness()
    await save(pay, "good")
    const file = await fileOf(pay, "good")
    const before = await seen(pay)
    const hostile = withChecksum({ ...file, name: "hostile", state: stored(change(stateOf(file))) })
    expect((await importFile(pay, hostile)).status).toBe(201)
    const reply = await pay.send("POST", "/sandbox/worlds/hostile/load")
    expect(reply).toMatchObject({ status: 400, body: { details: { reason: "WORLD_INVALID" } } })
    expect(String(at(reply, "message")).length).toBeLessThan(400)
    expect(await seen(pay)).toEqual(before)
  })
})
