/**
 * API tokens: their secret, their revocation and their permissions.
 * Source: wire contract 5.8, 5.12 and 9.
 */
import { ApiTokens, type Caller } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, idOf } from "../customer/CustomerRequests.ts"

const create = (pay: Harness, permissions: ReadonlyArray<string>, name = "Reporting") =>
  pay.send("POST", "/tokens", { body: { name, permissions } })

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** Sends requests with the credentials of a token. */
const sendAs =
  (pay: Harness, { clientId, clientSecret }: Credentials) =>
  (method: string, path: string, body?: object) =>
    pay.send(method, path, {
      as: "nobody",
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      ...(body === undefined ? {} : { body }),
    })

describe("a token", () => {
  // Proves: ERR-TOKEN_NOT_FOUND
  it("shows its secret once and authenticates by it until it is deleted", async () => {
    await using pay = await harness()
    const created = await create(pay, ["VIEW"])
    expect(created).toMatchObject({ status: 201, body: { name: "Reporting", permissions: ["VIEW"] } })
    const { clientSecret, ...shown } = created.body as Credentials & { readonly id: string }
    expect(clientSecret).toMatch(/^secret_[0-9a-f]{48}$/u)
    const path = `/tokens/${shown.id}`
    expect((await pay.send("GET", path)).body).toEqual(shown)
    expect(JSON.stringify((await pay.send("GET", "/tokens")).body)).not.toContain(clientSecret)
    const as = sendAs(pay, { ...shown, clientSecret })
    expect((await as("GET", "/config")).status).toBe(200)
    expect((await sendAs(pay, { ...shown, clientSecret: "secret_x" })("GET", "/config")).status).toBe(401)

    expect(await pay.send("DELETE", path)).toMatchObject({ status: 204, body: undefined })
    expect((await as("GET", "/config")).status).toBe(401)
    for (const method of ["GET", "DELETE"]) {
      expect(await pay.send(method, path)).toMatchObject({
        status: 404,
        body: { code: "TOKEN_NOT_FOUND", message: "No such token." },
      })
    }
  })

  it("stores its secret only as a hash", async () => {
    await using pay = await harness()
    const created = await create(pay, ["VIEW"])
    const secret = String(at(created, "clientSecret"))
    const versions = await pay.run(Store.use((store) => store.history({ kind: "ApiToken", id: idOf(created) })))
    expect(versions).toHaveLength(1)
    expect(JSON.stringify(versions)).not.toContain(secret)
  })

  it("requires a name and a permission and reports every problem", async () => {
    await using pay = await harness()
    const reply = await pay.send("POST", "/tokens", { body: { name: "", permissions: ["VIEW", "ADMIN"] } })
    expect(reply).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "name" }, { field: "permissions.1" }] } },
    })
    expect((await create(pay, [])).status).toBe(400)
    expect((await create(pay, ["VIEW", "VIEW"])).status).toBe(400)
  })

  it("can be listed by name and time, newest first", async () => {
    await using pay = await harness()
    await pay.clock.advance("1 hour")
    const a = idOf(await create(pay, ["VIEW"], "a"))
    // Records of the same millisecond are ordered by random identifier.
    await pay.clock.advance("1 second")
    const b = idOf(await create(pay, ["MANAGE"], "b"))
    const ids = async (query: string) =>
      (at(await pay.send("GET", `/tokens?${query}`), "data") as ReadonlyArray<{ readonly id: string }>).map(
        ({ id }) => id,
      )
    expect((await ids("")).slice(0, 2)).toEqual([b, a])
    expect(await ids("name=a")).toEqual([a])
    expect(await ids("createdAfter=2026-11-21T12:30:00Z")).toEqual([b, a])
    expect(await ids("updatedBefore=2026-11-21T12:30:00Z")).toHaveLength(1)
    expect((await pay.send("GET", "/tokens?limit=1")).body).toMatchObject({ hasMore: true, totalCount: 3 })
    await pay.clock.advance("1 hour")
    expect((await pay.send("POST", `/tokens/${a}/secrets`, { body: {} })).status).toBe(201)
    expect(await ids("createdAfter=2026-11-21T12:30:00Z&createdBefore=2026-11-21T13:00:00Z")).toEqual([a])
    expect(await ids("updatedAfter=2026-11-21T13:30:00Z")).toEqual([a])
    expect(await ids("updatedAfter=2026-11-21T12:30:00Z&updatedBefore=2026-11-21T13:30:00Z")).toEqual([b])
    await pay.send("DELETE", `/tokens/${b}`)
    expect(await ids("createdAfter=2026-11-21T12:30:00Z")).toEqual([a])
  })

  it("cannot delete itself, and two tokens cannot delete each other", async () => {
    await using pay = await harness({ interleave: 7 })
    const tokens = [await create(pay, ["MANAGE", "VIEW"]), await create(pay, ["MANAGE", "VIEW"])]
    const [first, second] = tokens.map((reply) => ({
      id: idOf(reply),
      as: sendAs(pay, reply.body as Credentials),
    }))
    if (first === undefined || second === undefined) throw new Error("no tokens")
    expect(await first.as("DELETE", `/tokens/${first.id}`)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", message: expect.stringContaining("tokenId"), details: { reason: "TOKEN_IN_USE" } },
    })
    const replies = await Promise.all([
      first.as("DELETE", `/tokens/${second.id}`),
      second.as("DELETE", `/tokens/${first.id}`),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 401])
  })

  it("is deleted by the service itself, which has no token", async () => {
    await using pay = await harness()
    const created = await create(pay, ["VIEW"])
    await pay.run(ApiTokens.use((tokens) => tokens.remove(idOf(created))))
    expect((await pay.send("GET", `/tokens/${idOf(created)}`)).status).toBe(404)
    const { body } = await pay.send("GET", "/audit-records?operation=TOKEN_DELETE")
    expect(body).toMatchObject({ data: [{ actor: { type: "SERVICE" }, target: idOf(created) }], totalCount: 1 })
  })

  it("expires in the future only, and is audited with its permissions", async () => {
    await using pay = await harness()
    const made = (expiresAt: string) =>
      pay.send("POST", "/tokens", { body: { name: "Short", permissions: ["VIEW"], expiresAt } })
    expect(await made("2026-11-21T12:00:00Z")).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "expiresAt", message: "must be in the future" }] } },
    })
    const token = await made("2026-11-21T12:00:01Z")
    expect(token).toMatchObject({ status: 201, body: { expiresAt: "2026-11-21T12:00:01Z" } })
    const { body } = await pay.send("GET", `/audit-records?target=${idOf(token)}`)
    expect(body).toMatchObject({ data: [{ operation: "TOKEN_CREATE", details: { permissions: ["VIEW"] } }] })
  })

  it("cannot be created by an agent", async () => {
    await using pay = await harness()
    const agent: Caller = { _tag: "Agent", platformId: pay.platformId, customerId: "x", agentId: "y", budget: "USD.0" }
    const made = ApiTokens.use((tokens) => tokens.create({ name: "x", permissions: ["MANAGE"] }))
    expect(await pay.run(Effect.flip(made), agent)).toMatchObject({ code: "FORBIDDEN" })
  })
})
