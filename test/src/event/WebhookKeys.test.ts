/** Webhook keys of platforms over HTTP: created with the platform, rotated with an overlap, and derived from the roots of the process. D-328 to D-330. */
import { generateKeyPairSync } from "node:crypto"
import { type EmbedOptions, embed } from "@countersign/adapter-http"
import { type Memory, MemoryStore } from "@countersign/adapter-memory"
import { verifyWebhook, type WebhookKeys } from "@countersign/client/webhook"
import { Platforms } from "@countersign/core"
import { Sandbox } from "@countersign/core/sandbox"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import * as SeededKey from "../../../packages/test/src/harness/SeededKey.ts"

interface Key {
  readonly id: string
  readonly publicKey: string
  readonly state: string
  readonly retiresAt?: string
}

const keysOf = async (pay: Harness): Promise<ReadonlyArray<Key>> =>
  ((await pay.send("GET", "/webhooks/keys")).body as { readonly data: ReadonlyArray<Key> }).data

const listOf = (key: Key | undefined) => (key === undefined ? [] : [key])
const pemOf = (key: Key | undefined) => ({ publicKey: key?.publicKey ?? "" })

const rotate = (pay: Harness, body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  pay.send("POST", "/webhooks/keys/rotate", { body, headers })

const publicKeyOf = async (pay: Harness) => {
  const authorization = `Basic ${btoa(`${pay.credentials.clientId}:${pay.credentials.clientSecret}`)}`
  return (await pay.fetch(new URL("/webhooks/public-key", pay.baseUrl).href, { headers: { authorization } })).text()
}

/** Sends a test event, and returns whether it verifies with these keys. */
const accepts = async (pay: Harness, keys: WebhookKeys) => {
  expect((await pay.send("POST", "/webhooks/test")).status).toBe(200)
  const event = pay.inbox.received.at(-1)
  if (event === undefined) throw new Error("nothing was delivered")
  const now = await pay.clock.now()
  return verifyWebhook(event.headers, event.body, keys, { platformId: pay.platformId, now: () => now }).then(
    () => true,
    () => false,
  )
}

describe("the webhook keys of a platform", () => {
  it("begin with one key, which differs from the keys of other platforms and signs its events", async () => {
    await using pay = await harness()
    const [first, ...others] = await keysOf(pay)
    expect(others).toEqual([])
    expect(first).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/u),
      publicKey: await publicKeyOf(pay),
      state: "ACTIVE",
      createdAt: "2026-11-21T12:00:00Z",
    })
    const otherId = await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: "other",
          clientSecret: Redacted.make("other"),
          name: "Other",
          currencies: ["USD"],
        }),
      ),
    )
    expect(otherId).not.toBe(pay.platformId)
    const asOther = { headers: { authorization: `Basic ${btoa("other:other")}` } }
    const { data }: { readonly data: ReadonlyArray<Key> } = JSON.parse(
      await (await pay.fetch("/webhooks/keys", asOther)).text(),
    )
    expect(data[0]?.id).not.toBe(first?.id)
    expect(await accepts(pay, listOf(first))).toBe(true)
    expect(await accepts(pay, data)).toBe(false)
  })

  it("both sign during an overlap, and the specified header changes only at its end", async () => {
    await using pay = await harness()
    const [old] = await keysOf(pay)
    expect(await rotate(pay, { overlapSeconds: 3600 })).toMatchObject({ status: 201 })
    const both = await keysOf(pay)
    expect(both).toMatchObject([{ state: "ACTIVE" }, { ...old, state: "RETIRING", retiresAt: "2026-11-21T13:00:00Z" }])
    const [young] = both
    expect(await publicKeyOf(pay)).toBe(old?.publicKey)
    for (const options of [listOf(old), listOf(young), pemOf(old)]) {
      expect(await accepts(pay, options)).toBe(true)
    }
    expect(await accepts(pay, pemOf(young))).toBe(false)
    await pay.clock.advance("3599 seconds")
    expect(await accepts(pay, listOf(old))).toBe(true)
    await pay.clock.advance("1 second")
    expect((await keysOf(pay)).map(({ state }) => state)).toEqual(["ACTIVE", "RETIRED"])
    expect(await publicKeyOf(pay)).toBe(young?.publicKey)
    for (const options of [listOf(young), pemOf(young)]) expect(await accepts(pay, options)).toBe(true)
    for (const options of [listOf(old), pemOf(old)]) expect(await accepts(pay, options)).toBe(false)
  })

  it("overlap for a day by default, and a second rotation waits or retires the others at once", async () => {
    await using pay = await harness()
    expect((await rotate(pay)).status).toBe(201)
    expect((await keysOf(pay))[1]?.retiresAt).toBe("2026-11-22T12:00:00Z")
    expect(await rotate(pay)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "ROTATION_IN_PROGRESS", retiresAt: "2026-11-22T12:00:00Z" } },
    })
    expect((await rotate(pay, { overlapSeconds: 0 })).status).toBe(201)
    expect((await keysOf(pay)).map(({ state }) => state)).toEqual(["ACTIVE", "RETIRED", "RETIRED"])
    expect((await rotate(pay)).status).toBe(201)
    await pay.clock.advance("1 day")
    expect((await rotate(pay)).status).toBe(201)
  })

  it("are remembered up to ten", async () => {
    await using pay = await harness()
    const ids = new Set<string>()
    for (let count = 0; count < 12; count++) {
      await rotate(pay, { overlapSeconds: 0 })
      ids.add((await keysOf(pay))[0]?.id ?? "")
    }
    expect(ids.size).toBe(12)
    expect(await keysOf(pay)).toHaveLength(10)
  })

  it.each([-1, 604_801, 1.5, "60", null])("refuse an overlap of %j seconds", async (overlapSeconds) => {
    await using pay = await harness()
    expect(await rotate(pay, { overlapSeconds })).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    expect(await keysOf(pay)).toHaveLength(1)
  })

  it("rotate once for a repeated Idempotency-Key", async () => {
    await using pay = await harness()
    const once = await rotate(pay, {}, { "Idempotency-Key": "r-1" })
    const again = await rotate(pay, {}, { "Idempotency-Key": "r-1" })
    expect([once.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"])
    expect(again.body).toEqual(once.body)
    expect(await keysOf(pay)).toHaveLength(2)
  })

  it("are in the repeated response of a rotation as they were then, also after the overlap", async () => {
    await using pay = await harness()
    const once = await rotate(pay, { overlapSeconds: 60 }, { "Idempotency-Key": "r-1" })
    await pay.clock.advance("1 hour")
    const again = await rotate(pay, { overlapSeconds: 60 }, { "Idempotency-Key": "r-1" })
    expect(again).toMatchObject({ status: 201, body: once.body as object })
    expect((await keysOf(pay)).map(({ state }) => state)).toEqual(["ACTIVE", "RETIRED"])
  })

  it("have secrets that only a signing key shows, each time with an audit record", async () => {
    await using pay = await harness()
    const [old] = await keysOf(pay)
    const reveal = (id?: string) => pay.send("POST", `/webhooks/keys/${id}/reveal`)
    const { secret } = (await reveal(old?.id)).body as { readonly secret: string }
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/u)
    expect(await accepts(pay, { secrets: [secret] })).toBe(true)
    await rotate(pay, { overlapSeconds: 0 })
    expect(await reveal(old?.id)).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    expect(await accepts(pay, { secrets: [secret] })).toBe(false)
    const { data } = (await pay.send("GET", "/audit-records")).body as { readonly data: ReadonlyArray<object> }
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ operation: "WEBHOOK_KEY_ROTATE", details: { overlapSeconds: 0 } }),
        expect.objectContaining({ operation: "WEBHOOK_SECRET_REVEAL", details: { number: 1 } }),
      ]),
    )
    expect(JSON.stringify(await pay.snapshot())).not.toContain(secret.slice(6))
  })
})

const credentials = { clientId: "client_test", clientSecret: "secret_test" }
const newRoot = () =>
  String(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }))

type Process = Awaited<ReturnType<typeof embed>>

/** A process on this store, with these roots; without any it generates one. */
const startedWith = (memory: Memory, webhookKey: string | undefined, platforms: EmbedOptions["platforms"] = []) =>
  embed({
    store: MemoryStore.layerOf(memory),
    ports: Sandbox.layer,
    sandbox: true,
    workers: false,
    webhookKey,
    platforms,
  })

/** Returns what the route of the public key answers. */
const askedKey = async ({ handler }: Process, { clientId, clientSecret } = credentials) => {
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const response = await handler(new Request("http://host.example/webhooks/public-key", { headers: { authorization } }))
  return { status: response.status, text: await response.text() }
}

describe("the roots of a deployment", () => {
  const root = SeededKey.pem("webhooks")

  it("keep existing keys when a newer root comes first, and lose nothing until the keys have moved", async () => {
    await using pay = await harness()
    const { memory } = await pay.forkState()
    const before = await publicKeyOf(pay)
    const newest = newRoot()
    const both = await startedWith(memory, `${newest}\n${root}`)
    expect(await askedKey(both)).toEqual({ status: 200, text: before })
    const { data } = await both
      .client(credentials)
      .webhooks.rotateWebhookKeys({ headers: {}, payload: { overlapSeconds: 0 } })
    expect(data.map(({ state }) => state)).toEqual(["ACTIVE", "RETIRED"])
    await both.dispose()
    const alone = await startedWith(memory, newest)
    expect(await askedKey(alone)).toEqual({ status: 200, text: data[0]?.publicKey })
    await alone.dispose()
  })

  it.each([newRoot(), undefined])("without the one of a platform's key sign nothing for it", async (webhookKey) => {
    await using pay = await harness()
    const other = await startedWith((await pay.forkState()).memory, webhookKey)
    const answered = await askedKey(other)
    expect(answered.status).toBe(503)
    expect(JSON.parse(answered.text)).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: "This process does not have the root of the platform's webhook key.",
      details: { reason: "WEBHOOK_ROOT_MISSING" },
    })
    await other.dispose()
  })

  it("replace keys of a generated root, which no process can have any more", async () => {
    await using pay = await harness()
    const { memory } = await pay.forkState()
    const own = { clientId: "own", clientSecret: "own-secret" }
    const generated = await startedWith(memory, undefined, [own])
    const before = await askedKey(generated, own)
    expect(before.status).toBe(200)
    await generated.dispose()
    const configured = await startedWith(memory, root)
    const after = await askedKey(configured, own)
    expect(after.status).toBe(200)
    expect(after.text).not.toBe(before.text)
    const { data } = await configured.client(own).webhooks.listWebhookKeys()
    expect(data).toMatchObject([{ state: "ACTIVE", publicKey: after.text }])
    await configured.dispose()
  })

  it("sign nothing as long as one of a platform's two keys is of a root that only another process has", async () => {
    await using pay = await harness()
    const { memory } = await pay.forkState()
    const generated = await startedWith(memory, undefined)
    await generated.client(credentials).webhooks.rotateWebhookKeys({ headers: {}, payload: { overlapSeconds: 60 } })
    await generated.dispose()
    const configured = await startedWith(memory, root)
    expect(await askedKey(configured)).toMatchObject({ status: 503, text: expect.stringContaining("ROOT_MISSING") })
    const { data } = await configured.client(credentials).webhooks.listWebhookKeys()
    expect(data).toMatchObject([{ state: "RETIRING" }])
    await configured.dispose()
  })
})
