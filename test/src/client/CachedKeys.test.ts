/** The cache of the keys that verify webhooks: when it fetches, and what it does with failures. Source: D-443. */
import { cachedKeys, verifyWebhook, type WebhookKeySource, type WebhookPublicKey } from "@countersign/client/webhook"
import { describe, expect, it } from "vitest"
import { foreignKey, sentAt, signedWebhook, webhookKeys } from "./SignedWebhook.ts"

const [newKey] = webhookKeys
const { body, event, headers } = await signedWebhook()

/** A service that lists these keys, and counts how often it is asked. */
const service = (...keys: ReadonlyArray<WebhookPublicKey>) => {
  const own = { keys, fetches: 0, now: sentAt, fails: false }
  const fetchKeys = async () => {
    own.fetches += 1
    if (own.fails) throw new Error("the service does not answer")
    return own.keys
  }
  return { own, source: cachedKeys(fetchKeys, { now: () => own.now }) }
}

const verify = (source: WebhookKeySource) => verifyWebhook(headers, body, source, { now: () => sentAt })

describe("cached keys", () => {
  it("are fetched once for many webhooks, also for those that arrive together", async () => {
    const { own, source } = service(newKey)
    expect(await Promise.all([verify(source), verify(source), verify(source)])).toEqual([event, event, event])
    await verify(source)
    expect(own.fetches).toBe(1)
  })

  it("are fetched again for an unknown key, which then verifies", async () => {
    const { own, source } = service(foreignKey)
    await source.current()
    Object.assign(own, { keys: [newKey], now: sentAt + 10_000 })
    expect(await verify(source)).toEqual(event)
    expect(own.fetches).toBe(2)
  })

  it("are not fetched more often than allowed, however many unknown keys arrive", async () => {
    const { own, source } = service(foreignKey)
    for (let n = 0; n < 20; n++) await expect(verify(source)).rejects.toMatchObject({ reason: "UNKNOWN_KEY" })
    expect(own.fetches).toBe(1)
    own.now += 9_999
    await expect(verify(source)).rejects.toMatchObject({ reason: "UNKNOWN_KEY" })
    expect(own.fetches).toBe(1)
    own.now += 1
    await expect(verify(source)).rejects.toMatchObject({ reason: "UNKNOWN_KEY" })
    expect(own.fetches).toBe(2)
  })

  it("are fetched again after an hour, so that a retired key ends", async () => {
    const { own, source } = service(newKey)
    await verify(source)
    own.keys = [{ ...newKey, state: "RETIRED" }]
    own.now += 3_599_999
    await verify(source)
    own.now += 1
    await expect(verify(source)).rejects.toMatchObject({ reason: "UNKNOWN_KEY" })
    expect(own.fetches).toBe(2)
  })

  it("reject with the error of a fetch, and are fetched again by the next webhook", async () => {
    const { own, source } = service(newKey)
    own.fails = true
    await expect(verify(source)).rejects.toThrow("the service does not answer")
    own.fails = false
    expect(await verify(source)).toEqual(event)
    expect(own.fetches).toBe(2)
  })

  it("reject an answer that is not a list, and do not remember it", async () => {
    const answers: Array<unknown> = [{ data: [newKey] }, [newKey]]
    const source = cachedKeys(async () => answers.shift() as ReadonlyArray<WebhookPublicKey>, { now: () => sentAt })
    await expect(verify(source)).rejects.toThrow("must be the `data` of `GET /webhooks/keys`")
    expect(await verify(source)).toEqual(event)
  })
})
