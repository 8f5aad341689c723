/** What `countersign listen` passes on of a webhook, and what becomes of it. Source: D-460. */
import { type WebhookEvent, WebhookRefused } from "@countersign/client/webhook"
import { Clock, Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { passOn, webhookHeaders } from "../../../packages/cli/src/listen/PassOn.ts"

const eventOf = (more: object = {}): WebhookEvent => Object({ id: "Webhook:1", type: "TEST", data: {}, ...more })
const event = eventOf()
const body = new TextEncoder().encode('{"a":"Ł"}')
const realClock = await Effect.runPromise(Clock.Clock)

/** A clock that is 1,000 ms later each time that it is read. */
const clockOf = (): Clock.Clock => {
  let now = 5000
  return Object.assign(Object.create(realClock), { currentTimeMillisUnsafe: () => (now += 1000) })
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const passed = (verified: () => Promise<WebhookEvent>, forwardTo?: string) =>
  passOn({ clock: clockOf(), forwardTo, verify: verified })(new Headers({ "webhook-id": "Webhook:1" }), body)
const to = "http://127.0.0.1:3000/webhooks"
const forwarded = (answer: () => Promise<Response>) => {
  vi.stubGlobal("fetch", answer)
  return passed(async () => event, to)
}

describe("the headers of a webhook", () => {
  it.each([
    "host",
    "connection",
    "keep-alive",
    "content-length",
    "transfer-encoding",
    "expect",
    "upgrade",
    "te",
    "trailer",
    "accept-encoding",
    "Host",
    "Content-Length",
  ])("leave out %s, which belongs to a connection", (name) => {
    expect([...webhookHeaders({ [name]: "1", "webhook-id": "a" })]).toEqual([["webhook-id", "a"]])
  })

  it.each(["content-type", "x-host", "expected", "webhook-timestamp", "user-agent", "x-te", "accept"])(
    "keep %s",
    (name) => {
      expect([...webhookHeaders({ [name]: "1" })]).toEqual([[name, "1"]])
    },
  )

  it("leave out lists and absent values", () => {
    expect([...webhookHeaders({ "set-cookie": ["a", "b"], accept: undefined, a: "" })]).toEqual([["a", ""]])
  })
})

describe("a webhook without a program", () => {
  it("is acknowledged without a body", async () => {
    expect(await passed(async () => event)).toEqual({
      outcome: { _tag: "Received", event },
      status: 200,
      contentType: "application/json",
    })
  })

  it("that is a challenge has it as the answer", async () => {
    const challenge = eventOf({ type: "WEBHOOK_ENDPOINT.VERIFICATION", data: { challenge: "abc" } })
    const answer = await passed(async () => challenge)
    expect(answer).toMatchObject({ outcome: { _tag: "Received", event: challenge }, status: 200 })
    expect(new TextDecoder().decode(answer.body)).toBe('{"challenge":"abc"}')
  })
})

describe("a webhook for a program", () => {
  it("is posted unchanged, and follows no redirect", async () => {
    const timeouts = vi.spyOn(AbortSignal, "timeout")
    const calls: Array<readonly [unknown, RequestInit | undefined]> = []
    vi.stubGlobal("fetch", async (address: unknown, init?: RequestInit) => {
      calls.push([address, init])
      return new Response(null, { status: 204 })
    })
    await passed(async () => event, to)
    const [[address, init = {}] = []] = calls
    expect([address, init.method, init.redirect]).toEqual([to, "POST", "manual"])
    expect(init.body).toBe(body)
    expect(new Headers(init.headers).get("webhook-id")).toBe("Webhook:1")
    expect(timeouts.mock.calls).toEqual([[25_000]])
    expect(init.signal).toBe(timeouts.mock.results[0]?.value)
  })

  it.each<readonly [status: number, type: string | null, text: string]>([
    [200, "text/plain;charset=UTF-8", "done"],
    [302, null, ""],
    [500, "text/plain;charset=UTF-8", "failed"],
  ])("has the program's answer %d", async (status, contentType, text) => {
    const answer = await forwarded(async () => new Response(text === "" ? null : text, { status }))
    expect(answer).toMatchObject({
      outcome: { _tag: "Forwarded", event, status, millis: 1000 },
      status,
      contentType,
    })
    expect(new TextDecoder().decode(answer.body)).toBe(text)
  })

  const coded = (code: string) => Object.assign(new Error("outer"), { code })
  it.each<readonly [reason: string, error: unknown]>([
    ["ECONNREFUSED", new TypeError("fetch failed", { cause: coded("ECONNREFUSED") })],
    ["Error: inner", new TypeError("fetch failed", { cause: new Error("inner") })],
    ["EPIPE", coded("EPIPE")],
    ["TypeError: fetch failed", new TypeError("fetch failed")],
    ["stopped", "stopped"],
  ])("is not answered for the reason %s", async (reason, error) => {
    expect(await forwarded(() => Promise.reject(error))).toEqual({
      outcome: { _tag: "Unreachable", event, reason },
      status: 502,
    })
  })

  it("is not answered if the program's answer breaks off", async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("broken")) })
    expect(await forwarded(async () => new Response(broken))).toMatchObject({
      outcome: { _tag: "Unreachable", reason: "Error: broken" },
      status: 502,
    })
  })
})

it.each<readonly [status: number, reason: string, error: unknown]>([
  [400, "SIGNATURE_MISMATCH", new WebhookRefused("SIGNATURE_MISMATCH")],
  [503, "the keys cannot be read", new Error("SIGNATURE_MISMATCH")],
])("a webhook that is not verified is answered with %d: %s", async (status, reason, error) => {
  const program = vi.fn()
  vi.stubGlobal("fetch", program)
  expect(await passed(() => Promise.reject(error), to)).toEqual({ outcome: { _tag: "Refused", reason }, status })
  expect(program).not.toHaveBeenCalled()
})
