/**
 * Text messages by a gateway: what is sent, what is repeated, and which class a failure has.
 * Source: D-528.
 */
import { type GatewayOptions, HttpTexts, TextGateway } from "@countersign/adapter-messages"
import { portChecksOf } from "@countersign/core/ports"
import { Effect, Exit, Redacted } from "effect"
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest"
import { startBrokenServer } from "./BrokenServer.ts"
import { startTextReceiver, type TextFault } from "./TextReceiver.ts"

const server = await startTextReceiver()
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.reset())

const options: GatewayOptions = {
  url: server.url,
  headers: { authorization: Redacted.make("Bearer the-token-of-the-gateway"), "x-sender": "ACME" },
  body: { json: { message: { to: "{to}", text: "{text}" }, tries: 1, tags: ["{id}"] } },
  idempotencyHeader: "Idempotency-Key",
  timeoutMillis: 5000,
  deadlineMillis: 20_000,
}
const message = { to: "+14155550100", text: 'Acme: 731904 "is" your {to} code\nü' }

const send = (more: Partial<GatewayOptions> = {}, sent = message) =>
  Effect.runPromiseExit(
    TextGateway.use((gateway) => gateway.send(sent)).pipe(Effect.provide(HttpTexts.layer({ ...options, ...more }))),
  )
const reasonOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? JSON.stringify(exit) : "sent")
const { idempotencyHeader: _, ...withoutKey } = options
const sendWithoutKey = (more: Partial<GatewayOptions> = {}) =>
  Effect.runPromiseExit(
    TextGateway.use((gateway) => gateway.send(message)).pipe(
      Effect.provide(HttpTexts.layer({ ...withoutKey, ...more })),
    ),
  )

describe("a text message", () => {
  it("is one request with the operator's body and headers; no value changes the form of the body", async () => {
    expect(reasonOf(await send())).toBe("sent")
    expect(server.seen).toMatchObject([
      {
        headers: {
          authorization: "Bearer the-token-of-the-gateway",
          "x-sender": "ACME",
          "content-type": "application/json",
        },
      },
    ])
    const body = JSON.parse(server.seen[0]?.body ?? "")
    expect(body).toEqual({ message, tries: 1, tags: [server.seen[0]?.headers["idempotency-key"]] })
  })

  it("is sent as a form", async () => {
    expect(reasonOf(await send({ body: { form: { to: "{to}", text: "{text}", from: "Acme & Co" } } }))).toBe("sent")
    expect(Object.fromEntries(new URLSearchParams(server.seen[0]?.body))).toEqual({ ...message, from: "Acme & Co" })
  })

  it.each(["14155550100", "+0155550100", "+1415555010\n0", "ada@example.com", ""])("is not sent to %j", async (to) => {
    expect(reasonOf(await send({}, { ...message, to }))).toContain('"reason":"recipient"')
    expect(server.seen).toEqual([])
  })
})

describe("a failure", () => {
  const first = (fault: TextFault) => server.fail((times) => (times === 1 ? fault : undefined))

  it.each(["lost", "hang", { status: 500 }, { status: 429 }] satisfies ReadonlyArray<TextFault>)(
    "that passes (%j) is repeated with the same key, and one message arrives",
    async (fault) => {
      first(fault)
      expect(reasonOf(await send({ timeoutMillis: fault === "hang" ? 1000 : 5000 }))).toBe("sent")
      expect(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
      expect([server.seen.length, server.messages.length]).toEqual([2, 1])
    },
  )

  it.each([
    ["lost", 1],
    ["hang", 1],
    [{ status: 500 }, 1],
    [{ status: 429 }, 2],
    [{ status: 503 }, 2],
  ] satisfies ReadonlyArray<readonly [TextFault, number]>)(
    "%j makes at most %i requests if the gateway recognizes no repeated ones",
    async (fault, requests) => {
      first(fault)
      await sendWithoutKey({ timeoutMillis: fault === "hang" ? 1000 : 5000 })
      expect(server.seen).toHaveLength(requests)
    },
  )

  it.each([
    [{ status: 401, body: "+14155550100 731904" }, "credentials"],
    [{ status: 400, body: "+14155550100 731904" }, "refused"],
    [{ status: 302, headers: { location: server.url } }, "refused"],
    [{ status: 422 }, "recipient"],
  ] satisfies ReadonlyArray<readonly [TextFault, string]>)(
    "with %j is %s, without what the gateway says",
    async (fault, reason) => {
      server.fail(() => fault)
      const exit = await send({ recipientStatuses: [422] })
      expect(reasonOf(exit)).toContain(`"reason":"${reason}"`)
      expect(reasonOf(exit)).not.toMatch(/415555|731904/u)
      expect(server.seen).toHaveLength(1)
    },
  )

  it("of an answer that stops or never ends is ignored once its status has accepted the message", async () => {
    for (const fault of ["half", "endless"] as const) {
      server.reset()
      first(fault)
      expect([fault, reasonOf(await send())]).toEqual([fault, "sent"])
      expect(server.seen).toHaveLength(1)
    }
  })

  it("is reported by an accepted answer whose body says so; a giant one says nothing", async () => {
    const isAccepted = (body: string) => body === "{}"
    expect(reasonOf(await send({ isAccepted }))).toBe("sent")
    server.fail(() => ({ status: 202, body: "not enough credit" }))
    expect(reasonOf(await send({ isAccepted }))).toContain('"reason":"refused"')
    server.fail(() => "endless")
    expect(reasonOf(await sendWithoutKey({ isAccepted, timeoutMillis: 5000 }))).toContain('"reason":"unknown"')
  })

  it("of a gateway that nobody runs is repeated until the deadline, as nothing was sent", async () => {
    const gone = await startBrokenServer(() => undefined)
    await gone[Symbol.asyncDispose]()
    const url = `http://127.0.0.1:${gone.port}/`
    expect(reasonOf(await sendWithoutKey({ url, deadlineMillis: 250 }))).toContain('"reason":"unreachable"')
  })

  it("of a certificate that is not trusted sends nothing", async () => {
    await using secure = await startTextReceiver({ isSecure: true })
    expect(reasonOf(await send({ url: secure.url }))).toContain('"reason":"certificate"')
    expect(secure.seen).toEqual([])
  })

  it("ends at the deadline", async () => {
    server.fail(() => "hang")
    expect(reasonOf(await send({ deadlineMillis: 250, timeoutMillis: 100 }))).toContain('"channel":"sms"')
  })
})

it.each([
  [{ url: "http://gateway.example.com/" }, "https"],
  [{ url: "http://127.0.0.1.example.com/" }, "https"],
  [{ url: "ftp://127.0.0.1/" }, "https"],
  [{ url: "https://user:pass@gateway.example.com/" }, "credentials"],
  [{ url: "https://user@gateway.example.com/" }, "credentials"],
  [{ url: "https://:pass@gateway.example.com/" }, "credentials"],
  [{ idempotencyHeader: "bad:name" }, "headers"],
  [{ headers: { "": "x" } }, "headers"],
  [{ url: "gateway" }, "https"],
  [{ headers: { "bad name": "x" } }, "headers"],
  [{ body: { json: { to: "{to}" } } }, "{text}"],
  [{ body: { form: { text: "{text}" } } }, "{to}"],
  [{ timeoutMillis: 0 }, "Time limits"],
  [{ deadlineMillis: 0 }, "Time limits"],
] as const)("options with %j are refused", async (wrong, named) => {
  expect(reasonOf(await send(wrong))).toContain(named)
})

it("without a gateway a text message is a failure of its own class", async () => {
  const exit = await Effect.runPromiseExit(
    TextGateway.use((gateway) => gateway.send(message)).pipe(Effect.provide(HttpTexts.layerNone)),
  )
  expect(reasonOf(exit)).toContain('"reason":"misconfigured"')
})

describe("the check of the gateway", () => {
  const reportOf = (url: string) =>
    Effect.runPromise(
      TextGateway.use((gateway) => portChecksOf(gateway)[0]?.run ?? Effect.die("no check")).pipe(
        Effect.provide(HttpTexts.layer({ ...options, url })),
      ),
    )

  it("asks without credentials and follows no redirect", async () => {
    await using other = await startTextReceiver()
    server.fail(() => ({ status: 307, headers: { location: other.url } }))
    expect(await reportOf(server.url)).toEqual({ status: "ok", text: "the gateway for text messages is reached" })
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]?.headers).not.toHaveProperty("authorization")
    expect(other.seen).toEqual([])
  })

  it("says why it is not reached", async () => {
    const gone = await startTextReceiver()
    await gone[Symbol.asyncDispose]()
    expect(await reportOf(gone.url)).toEqual({
      status: "problem",
      text: "the gateway for text messages is not reached: unreachable",
      fix: "correct its address, or the way to it",
    })
  })
})

it("an answer that is read is not cancelled before, and one that is not read is", async () => {
  const cancelled: Array<string> = []
  const answered = (text: string) =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(text))
          if (text === "accepted") controller.close()
        },
        cancel: () => void cancelled.push(text),
      }),
      { status: 200 },
    )
  const answers = [answered("accepted"), answered("not read")]
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => answers.shift() ?? Response.error())
  const accepted = await send({ isAccepted: (text) => text === "accepted" })
  const unread = await send()
  fetched.mockRestore()
  expect([reasonOf(accepted), reasonOf(unread)]).toEqual(["sent", "sent"])
  expect(cancelled).toEqual(["not read"])
})
