/** The route of inboxes: what it keeps of a message, how it verifies one, and how it answers. Source: D-473; wire contract 6.2. */
import { CurrentCaller, Inboxes, RequestId, ServiceError, WebhookKeys } from "@countersign/core"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { describe, expect, it } from "vitest"
import * as InboxReceiver from "../../../packages/adapter-http/src/server/InboxReceiver.ts"
import { foreignKey, platformId, sentAt, signedWebhook, webhookKeys } from "../client/SignedWebhook.ts"

type Received = Parameters<Inboxes["Service"]["receive"]>[0]
type Answers = Effect.Success<ReturnType<Inboxes["Service"]["receive"]>>

interface Setting {
  readonly answers?: Answers
  readonly keys?: ReadonlyArray<(typeof webhookKeys)[number]>
  readonly now?: number
  readonly requestId?: string
}

/** Posts to an inbox of the platform; returns the answer and what was kept. */
const posted = async (init: RequestInit, { answers, keys = webhookKeys, now = sentAt, requestId }: Setting = {}) => {
  const kept: Array<Received> = []
  const callers: Array<string> = []
  const caller = Effect.map(CurrentCaller, (each) => void callers.push(`${each._tag} ${each.platformId}`))
  const mocks = Layer.mergeAll(
    Layer.mock(Inboxes, {
      admit: (name) =>
        name === "known"
          ? Effect.succeed({ platformId, now })
          : Effect.fail(new ServiceError({ code: "REFERENCE_NOT_FOUND", message: name })),
      receive: (message) =>
        Effect.andThen(
          caller,
          Effect.sync(() => {
            kept.push(message)
            return answers
          }),
        ),
    }),
    Layer.mock(WebhookKeys, {
      list: Effect.as(
        caller,
        Object({ data: keys.map((key) => ({ ...key, state: "ACTIVE", createdAt: "2026-01-01T00:00:00Z" })) }),
      ),
    }),
  )
  const { dispose, handler } = HttpRouter.toWebHandler(
    InboxReceiver.layer.pipe(Layer.provide(mocks), Layer.provide(HttpServer.layerServices)),
    { disableLogger: true },
  )
  const { path = "known", ...sent } = init as RequestInit & { readonly path?: string }
  const context = requestId === undefined ? Context.empty() : Context.make(RequestId, requestId)
  const request = new Request(`http://host/inbox/${path}`, { method: "POST", ...sent })
  try {
    const response = await handler(request, context as Context.Context<never>)
    return { response, text: await response.text(), kept, callers }
  } finally {
    await dispose()
  }
}

const signed = await signedWebhook()
const challenge = await signedWebhook({ event: { type: "WEBHOOK_ENDPOINT.VERIFICATION", data: { challenge: "abc" } } })

describe("a message", () => {
  it("is kept with its id, body and size, as one of the platform", async () => {
    const { callers, kept, response, text } = await posted({ body: "Łuk" }, { requestId: "r1" })
    expect(kept).toMatchObject([{ id: "r1", body: "Łuk", bytes: 4 }])
    expect([response.status, text]).toEqual([200, "{}"])
    expect(new Set(callers)).toEqual(new Set([`Platform ${platformId}`]))
  })

  it("without an id has an empty one", async () => {
    expect((await posted({ body: "a" })).kept[0]?.id).toBe("")
  })

  it("keeps no cookie and no credentials", async () => {
    const headers = { cookie: "a=b", authorization: "Basic a", "x-cookie": "c", "content-type": "text/plain" }
    const { kept } = await posted({ body: "", headers })
    expect(kept[0]?.headers).toEqual({ "x-cookie": "c", "content-type": "text/plain" })
  })

  it.each([
    [49, 49],
    [50, 50],
    [51, 50],
  ])("of %d headers keeps %d", async (count, left) => {
    const headers = Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, "1"]))
    const { kept } = await posted({ headers: { ...headers, cookie: "a" } })
    expect(Object.keys(kept[0]?.headers ?? {})).toHaveLength(left)
  })

  it("keeps 2,000 characters of a header's name and value", async () => {
    const [name, value] = [`x${"n".repeat(2000)}`, "v".repeat(2001)]
    const { kept } = await posted({ headers: { [name]: value, "x-a": "v".repeat(2000) } })
    expect(kept[0]?.headers).toEqual({ [name.slice(0, 2000)]: "v".repeat(2000), "x-a": "v".repeat(2000) })
  })

  it("may have 256 KiB, and no byte more", async () => {
    const whole = await posted({ body: new Uint8Array(262_144) })
    expect([whole.response.status, whole.kept[0]?.bytes]).toEqual([200, 262_144])
    const more = await posted({ body: new Uint8Array(262_145) })
    expect([more.response.status, more.kept]).toEqual([400, []])
    expect(JSON.parse(more.text)).toMatchObject({
      code: "INVALID_REQUEST_FORMAT",
      message: "The body is larger than 256 KiB, or could not be read to its end.",
    })
  })

  it("for another inbox is refused", async () => {
    const init: RequestInit & { readonly path: string } = { path: "other" }
    const { kept, response, text } = await posted(init)
    expect([response.status, kept]).toEqual([404, []])
    expect(JSON.parse(text)).toMatchObject({ code: "REFERENCE_NOT_FOUND", message: "other" })
  })
})

describe("the verification of a message", () => {
  it("finds the event of a signed one", async () => {
    const { kept } = await posted(signed)
    expect(kept[0]?.verification).toEqual({ isVerified: true })
    expect(kept[0]?.event).toEqual({ id: signed.event.id, type: "TEST" })
  })

  it.each<readonly [reason: string, change: RequestInit, setting: Setting]>([
    ["SIGNATURE_MISMATCH", { body: `${signed.body} ` }, {}],
    ["UNKNOWN_KEY", {}, { keys: [foreignKey] }],
    ["TIMESTAMP_OUT_OF_TOLERANCE", {}, { now: sentAt + 301_000 }],
    ["INVALID_TIMESTAMP", { headers: {} }, {}],
  ])("fails by the reason %s", async (reason, change, setting) => {
    const { kept, response } = await posted({ ...signed, ...change }, setting)
    expect(kept[0]?.verification).toEqual({ isVerified: false, reason })
    expect(Object.hasOwn(kept[0] ?? {}, "event")).toBe(false)
    expect(response.status).toBe(200)
  })

  it("refuses an event of another platform", async () => {
    const foreign = await signedWebhook({ event: { platformId: "PlatformConfig:other" } })
    expect((await posted(foreign)).kept[0]?.verification).toEqual({ isVerified: false, reason: "FOREIGN_PLATFORM" })
  })

  it("holds at the time of the inbox", async () => {
    expect((await posted(signed, { now: sentAt + 299_000 })).kept[0]?.verification).toEqual({ isVerified: true })
  })
})

describe("the answer to a message", () => {
  it("to a challenge has it, unless it is not verified", async () => {
    expect(JSON.parse((await posted(challenge)).text)).toEqual({ challenge: "abc" })
    expect(JSON.parse((await posted(challenge, { keys: [foreignKey] })).text)).toEqual({})
  })

  it.each([
    [200, "{}"],
    [203, "{}"],
    [204, ""],
    [205, ""],
    [206, "{}"],
    [303, "{}"],
    [304, ""],
    [500, "{}"],
  ])("with the chosen status %d is %j", async (status, body) => {
    const { response, text } = await posted({ body: "a" }, { answers: { status, count: 1 } })
    expect([response.status, text]).toEqual([status, body])
    expect(response.headers.get("content-type")).toBe(body === "" ? null : "application/json")
  })
})
