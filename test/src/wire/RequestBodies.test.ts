/** Request bodies: optional, unreadable and oversized ones; and the idempotency key. */
import { describe, expect, it } from "vitest"
import { basic, bearer, call, json } from "./FakeService.ts"

const post = (path: string, sent: Parameters<typeof call>[1]) => call(path, { method: "POST", ...sent })
const reject = "/agents/x/actions/y/reject"
const text = (value: string) => new TextEncoder().encode(value)
/** Returns an object with this number of levels, including itself. */
const nested = (levels: number) => `{"other":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`
const joined = (...parts: ReadonlyArray<Uint8Array>) => Uint8Array.from(parts.flatMap((part) => [...part]))

describe("an optional body", () => {
  it.each([
    ["nothing", {}],
    ["nothing, with a content type", { headers: { "content-type": "application/json" } }],
    ["nothing, with another content type", { headers: { "content-type": "text/xml" } }],
    ["an empty object", { body: {} }],
    ["an empty object without content type", { body: text("{}"), headers: { "content-type": "" } }],
    ["a charset", { body: text("{}"), headers: { "content-type": 'Application/JSON; charset="UTF-8"' } }],
    ["a byte order mark", { body: joined(Uint8Array.of(0xef, 0xbb, 0xbf), text("{}")) }],
  ])("may be %s", async (_what, sent) => {
    const response = await post(reject, sent)
    expect(response.status).toBe(200)
    expect((await json(response)).payload).toEqual({})
  })

  it("is ignored by an endpoint that takes none", async () => {
    const response = await post("/agents/x/actions/y/approve", { body: "nonsense", headers: { "content-type": "a/b" } })
    expect(response.status).toBe(200)
  })
})

// Proves: CONV-01, ERR-INVALID_REQUEST_FORMAT
describe("a body that cannot be read", () => {
  it.each([
    ["malformed JSON", { body: '{"reason":' }],
    ["two values", { body: "{} {}" }],
    ["invalid UTF-8", { body: joined(text('{"reason":"'), Uint8Array.of(0xff), text('"}')) }],
    ["another content type", { body: "{}", headers: { "content-type": "text/xml" } }],
    ["another content type with a parameter", { body: "{}", headers: { "content-type": "text/xml; charset=utf-8" } }],
    ["a content type that continues", { body: "{}", headers: { "content-type": "application/json-patch+json; a=b" } }],
    ["a content type named by a parameter", { body: "{}", headers: { "content-type": "a/b; c=application/json" } }],
    ["another charset", { body: "{}", headers: { "content-type": "application/json; charset=latin1" } }],
    [
      "another charset after a parameter",
      { body: "{}", headers: { "content-type": "application/json; a=b; charset=x" } },
    ],
    ["compression", { body: "{}", headers: { "content-encoding": "gzip" } }],
    ["more than 1 MiB", { body: `{"reason":"${"a".repeat(1024 * 1024)}"}` }],
    ["101 levels of nesting", { body: nested(101) }],
    ["a million levels of nesting", { body: nested(500_000) }],
  ])("is rejected for %s", async (_what, sent) => {
    const response = await post(reject, sent)
    expect(response.status).toBe(400)
    expect((await json(response)).code).toBe("INVALID_REQUEST_FORMAT")
  })

  it("is accepted with 100 levels, and brackets in texts are not counted", async () => {
    expect((await post(reject, { body: nested(100) })).status).toBe(200)
    const texts = JSON.stringify({ reason: '[{"'.repeat(150), other: "\\" })
    expect((await post(reject, { body: texts })).status).toBe(200)
  })

  it("is accepted with exactly 1 MiB", async () => {
    const filled = `{"other":"${"a".repeat(1024 * 1024 - 12)}"}`
    expect(filled).toHaveLength(1024 * 1024)
    expect((await post(reject, { body: filled })).status).toBe(200)
  })

  it("is abandoned after 1 MiB if it has no length", async () => {
    let sent = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    expect((await post(reject, { body: endless })).status).toBe(400)
    expect(isCancelled).toBe(true)
    expect(sent).toBeLessThan(2 * 1024 * 1024)
  })
})

describe("a body that declares more than 1 MiB", () => {
  it("is not read", async () => {
    let isPulled = false
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          isPulled = true
          controller.enqueue(text("{}"))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const response = await post(reject, { body, headers: { "content-length": String(1024 * 1024 + 1) } })
    expect([response.status, isPulled]).toEqual([400, false])
  })
})

describe("a hostile body", () => {
  it("has members such as __proto__ treated as unknown fields", async () => {
    const body = '{"customerType":"INDIVIDUAL","__proto__":{"fullName":"x"},"constructor":1,"toString":2}'
    const response = await post("/customers", { body })
    expect(response.status).toBe(201)
    expect((await json(response)).payload).toEqual({ customerType: "INDIVIDUAL" })
  })

  it("has the last of two members with the same name decoded", async () => {
    const response = await post(reject, { body: '{"reason":"first","reason":"last"}' })
    expect((await json(response)).payload).toEqual({ reason: "last" })
  })

  it.each(['{"reason":"a\\u0000b"}', '{"reason":"\\ud800"}', '{"other":[{"deep":"\\udfff"}]}'])(
    "is rejected if a text cannot be stored: %s",
    async (body) => {
      const response = await post(reject, { body })
      expect(response.status).toBe(400)
      const [problem] = (await json(response)).details.errors
      expect(["reason", "other.0.deep"]).toContain(problem?.field)
    },
  )

  it("may contain surrogate pairs", async () => {
    expect((await post(reject, { body: '{"reason":"\\ud83d\\ude00"}' })).status).toBe(200)
  })

  it("with deep nesting causes no defect", async () => {
    const depth = 200_000
    const nested = `{"other":${"[".repeat(depth)}"\\u0000"${"]".repeat(depth)}}`
    expect((await post(reject, { body: nested })).status).toBe(400)
  })
})

describe("the idempotency key", () => {
  const sent = {
    authorization: bearer(),
    body: {
      source: { accountId: "ExternalAccount:00000000-0000-4000-8000-000000000001" },
      destination: { accountId: "InternalAccount:00000000-0000-4000-8000-000000000001" },
      amount: 5,
    },
  }
  const transferIn = (headers: Readonly<Record<string, string>>, path = "/agents/me/transfer-in") =>
    post(path, { ...sent, headers })

  it.each(["Idempotency-Key", "idempotency-key", "IDEMPOTENCY-KEY"])("is read from the header %s", async (name) => {
    const response = await transferIn({ [name]: "k 1!" }, "/agents/me/transfer-in/")
    const keyed = { key: "k 1!", method: "POST", path: "/agents/me/transfer-in", body: sent.body }
    expect(await json(response)).toMatchObject({ keyed })
    expect(response.headers.get("idempotency-replayed")).toBeNull()
  })

  it("is optional, and a replay is marked", async () => {
    expect(await json(transferIn({}))).not.toHaveProperty("keyed")
    expect((await transferIn({ "idempotency-key": "again" })).headers.get("idempotency-replayed")).toBe("true")
  })

  it.each(["a".repeat(256), "tab\there", "caf\u00e9"])("rejects the value %s", async (key) => {
    const response = await transferIn({ "idempotency-key": key })
    expect(response.status).toBe(400)
    const { errors } = (await json(response)).details
    expect(errors.map(({ field }) => field)).toContain("Idempotency-Key")
    expect(JSON.stringify(errors)).not.toContain(key)
  })

  it("accepts 255 characters", async () => {
    expect((await transferIn({ "idempotency-key": "a".repeat(255) })).status).toBe(201)
    expect((await call("/config", { authorization: basic(), headers: { "idempotency-key": "" } })).status).toBe(200)
  })
})
