/**
 * The secrets of API tokens: two valid at once, their retirement, their expiry and their last use.
 * Source: D-343.
 */
import { Platforms } from "@countersign/core"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, idOf } from "../customer/CustomerRequests.ts"

const permissions = ["VIEW", "MANAGE"]
const newToken = (pay: Harness, more: object = {}) =>
  pay.send("POST", "/tokens", { body: { name: "Reporting", permissions, ...more } })

/** Sends requests with a client id and a secret. */
const sendAs =
  (pay: Harness, clientId: string) =>
  (secret: string, method = "GET", path = "/config", body?: object) =>
    pay.send(method, path, {
      as: "nobody",
      headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
      ...(body === undefined ? {} : { body }),
    })

const start = async (pay: Harness, more: object = {}) => {
  const created = await newToken(pay, more)
  const path = `/tokens/${idOf(created)}`
  return {
    path,
    first: String(at(created, "clientSecret")),
    firstId: String(at(created, "secrets", 0, "id")),
    as: sendAs(pay, String(at(created, "clientId"))),
    add: (body: object = {}) => pay.send("POST", `${path}/secrets`, { body }),
  }
}

describe("the secrets of a token", () => {
  it("are two at once until the old one is retired by a request with the new one", async () => {
    await using pay = await harness()
    const { add, as, first, firstId, path } = await start(pay)
    const added = await add()
    expect(added).toMatchObject({
      status: 201,
      body: { clientSecret: expect.stringMatching(/^secret_[0-9a-f]{48}$/u) },
    })
    const [second, secondId] = [String(at(added, "clientSecret")), idOf(added)]
    for (const secret of [first, second]) expect((await as(secret)).status).toBe(200)
    expect(await add()).toMatchObject({ status: 409, body: { details: { reason: "TOO_MANY_SECRETS" } } })
    const shown = JSON.stringify((await pay.send("GET", path)).body)
    expect(shown).toContain(secondId)
    for (const secret of [first, second]) expect(shown).not.toContain(secret)

    expect(await as(first, "DELETE", `${path}/secrets/${firstId}`)).toMatchObject({
      status: 400,
      body: { details: { reason: "SECRET_IN_USE" } },
    })
    expect((await as(second, "DELETE", `${path}/secrets/${firstId}`)).status).toBe(204)
    expect((await as(first)).status).toBe(401)
    expect((await as(second)).status).toBe(200)
    expect((await pay.send("DELETE", `${path}/secrets/${firstId}`)).status).toBe(404)
    expect(await pay.send("DELETE", `${path}/secrets/${secondId}`)).toMatchObject({
      status: 400,
      body: { details: { reason: "LAST_SECRET" } },
    })
    expect((await add()).status).toBe(201)
  })

  it("overlap for the given time, to the millisecond", async () => {
    await using pay = await harness()
    const { add, as, first } = await start(pay)
    const second = String(at(await add({ overlapSeconds: 60 }), "clientSecret"))
    await pay.clock.advance("59999 millis")
    expect((await as(first)).status).toBe(200)
    await pay.clock.advance("1 millis")
    expect((await as(first)).status).toBe(401)
    expect((await as(second)).status).toBe(200)
    const third = String(at(await add({ overlapSeconds: 0 }), "clientSecret"))
    expect([(await as(second)).status, (await as(third)).status]).toEqual([401, 200])
  })

  it("refuse an overlap of more than a week, an unknown token and another platform's", async () => {
    await using pay = await harness()
    const { add } = await start(pay)
    expect((await add({ overlapSeconds: 7 * 24 * 60 * 60 + 1 })).status).toBe(400)
    expect((await add({ overlapSeconds: -1 })).status).toBe(400)
    const unknown = "/tokens/Token:00000000-0000-4000-8000-000000000000/secrets"
    expect(await pay.send("POST", unknown, { body: {} })).toMatchObject({
      status: 404,
      body: { code: "TOKEN_NOT_FOUND" },
    })
  })

  it("show their last use by the hour, without a commit of the request", async () => {
    await using pay = await harness()
    const { as, first, path } = await start(pay)
    const lastUse = async () => (await pay.send("GET", path)).body
    expect(await lastUse()).not.toHaveProperty("lastUsedAt")
    await as(first)
    await as(first)
    await pay.clock.advance("31 seconds")
    const { lastUsedAt } = (await lastUse()) as { readonly lastUsedAt: string }
    expect(lastUsedAt).toMatch(/T\d\d:00:00Z$/u)
    await pay.clock.advance("2 hours")
    await as(first)
    await pay.clock.advance("31 seconds")
    expect(Date.parse(String(at(await pay.send("GET", path), "lastUsedAt"))) - Date.parse(lastUsedAt)).toBe(7_200_000)
  })

  it("are audited when they are added and retired", async () => {
    await using pay = await harness()
    const { add, firstId, path } = await start(pay)
    await add()
    await pay.send("DELETE", `${path}/secrets/${firstId}`)
    const { body } = await pay.send("GET", "/audit-records")
    const records = JSON.stringify(body)
    expect(records).toContain('"TOKEN_SECRET_ADD"')
    expect(records).toContain('"TOKEN_SECRET_RETIRE"')
    expect(records).toContain(firstId)
  })
})

describe("a token with an expiry", () => {
  it("is refused from then on, with every secret", async () => {
    await using pay = await harness()
    const expiresAt = new Date((await pay.clock.now()) + 60_000).toISOString()
    const { add, as, first, path } = await start(pay, { expiresAt })
    const second = String(at(await add(), "clientSecret"))
    expect(at(await pay.send("GET", path), "expiresAt")).toBe(expiresAt.replace(".000Z", "Z"))
    await pay.clock.advance("59999 millis")
    expect((await as(first)).status).toBe(200)
    await pay.clock.advance("1 millis")
    for (const secret of [first, second]) expect((await as(secret)).status).toBe(401)
  })

  it("cannot be created in the past", async () => {
    await using pay = await harness()
    expect(await newToken(pay, { expiresAt: "2020-01-01T00:00:00Z" })).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "expiresAt" }] } },
    })
  })
})

describe("the configured secrets of a platform", () => {
  const setUp = (pay: Harness, clientSecret: string, nextClientSecret?: string) =>
    pay.run(
      Platforms.use((all) =>
        all.setUp({
          clientId: "configured",
          clientSecret: Redacted.make(clientSecret),
          nextClientSecret: nextClientSecret === undefined ? undefined : Redacted.make(nextClientSecret),
          name: "Configured",
          currencies: ["USD"],
        }),
      ),
    )

  it("are those of the last start, and leave what the platform added itself", async () => {
    await using pay = await harness()
    const as = sendAs(pay, "configured")
    const statuses = (...secrets: ReadonlyArray<string>) =>
      Promise.all(secrets.map(async (secret) => (await as(secret)).status))
    await setUp(pay, "a")
    await setUp(pay, "a", "b")
    expect(await statuses("a", "b", "c")).toEqual([200, 200, 401])
    await setUp(pay, "b")
    expect(await statuses("a", "b")).toEqual([401, 200])
    const [tokenId] = (at(await as("b", "GET", "/tokens"), "data") as ReadonlyArray<{ readonly id: string }>).map(
      ({ id }) => id,
    )
    const added = String(at(await as("b", "POST", `/tokens/${tokenId}/secrets`, {}), "clientSecret"))
    await setUp(pay, "b")
    expect(await statuses("b", added)).toEqual([200, 200])
    await setUp(pay, "c")
    expect(await statuses("b", "c", added)).toEqual([401, 200, 200])
    await setUp(pay, "c", "c")
    expect(at(await as("c", "GET", `/tokens/${tokenId}`), "secrets")).toHaveLength(2)
  })

  it("change nothing when they are the same", async () => {
    await using pay = await harness()
    await setUp(pay, "a", "b")
    const before = at(await sendAs(pay, "configured")("a", "GET", "/tokens"), "data", 0, "updatedAt")
    await pay.clock.advance("1 hour")
    await setUp(pay, "b", "a")
    expect(at(await sendAs(pay, "configured")("a", "GET", "/tokens"), "data", 0, "updatedAt")).toBe(before)
  })
})
