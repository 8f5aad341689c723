/** What the client sends for a call, and what it makes of the answer. Source: D-190. */
import { describe, expect, it } from "vitest"
import { ApiError } from "../../../packages/client/src/call/ApiError.ts"
import { type ClientOptions, makeClient } from "../../../packages/client/src/call/Client.ts"

const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init)

/** A client whose requests are kept, and answered alike. */
const clientOf = (options: Partial<ClientOptions> = {}, answer: () => Response = () => json({})) => {
  const requests: Array<Request> = []
  const client = makeClient({
    baseUrl: "https://pay.example.com/2025-10-13",
    credentials: "none",
    fetch: async (request) => {
      requests.push(request)
      return answer()
    },
    ...options,
  })
  const last = () => requests.at(-1) ?? new Request("http://nothing.example")
  return { client, last }
}

describe("a call", () => {
  it.each<readonly [credentials: ClientOptions["credentials"], header: string | null]>([
    ["none", null],
    [{ accessToken: "abc" }, "Bearer abc"],
    [{ clientId: "a", clientSecret: "b:c" }, `Basic ${btoa("a:b:c")}`],
    [{ clientId: "a", clientSecret: "é€" }, `Basic ${Buffer.from("a:é€").toString("base64")}`],
  ])("with the credentials %j has the header %s", async (credentials, header) => {
    const { client, last } = clientOf({ credentials })
    await client.platform.getPlatformConfig()
    expect(last().headers.get("authorization")).toBe(header)
  })

  it.each(["https://pay.example.com/v1", "https://pay.example.com/v1/", new URL("https://pay.example.com/v1//")])(
    "goes below the base address %s",
    async (baseUrl) => {
      const { client, last } = clientOf({ baseUrl })
      await client.platform.getPlatformConfig()
      expect([last().method, last().url]).toEqual(["GET", "https://pay.example.com/v1/config"])
    },
  )

  it.each<readonly [id: string, path: string]>([
    ["Customer:1", "Customer%3A1"],
    ["a/b?c#d%e", "a%2Fb%3Fc%23d%25e"],
    ["", "%3AcustomerId"],
    [".", "%3AcustomerId"],
    ["..", "%3AcustomerId"],
    ["...", "..."],
    [".a", ".a"],
  ])("with the parameter %j calls its own path", async (customerId, path) => {
    const { client, last } = clientOf()
    await client.customers.getCustomerById({ params: { customerId } })
    expect(last().url).toBe(`https://pay.example.com/2025-10-13/customers/${path}`)
  })

  it("has the defined members of its query, each value of a list for itself", async () => {
    const { client, last } = clientOf()
    await client.customers.listCustomers({
      query: { limit: "5", cursor: undefined, platformCustomerId: "a b&c" } as object,
    })
    expect(new URL(last().url).search).toBe("?limit=5&platformCustomerId=a+b%26c")
    await client.customers.listCustomers({ query: { status: ["A", undefined, "B"] } as object })
    expect(new URL(last().url).search).toBe("?status=A&status=B")
    await client.customers.listCustomers({ query: {} })
    expect(last().url).not.toContain("?")
  })

  it("has a body of JSON where the operation takes one, and none elsewhere", async () => {
    const { client, last } = clientOf()
    const payload = { customerType: "INDIVIDUAL" } as const
    await client.customers.createCustomer({ payload })
    expect([last().method, last().headers.get("content-type"), await last().text()]).toEqual([
      "POST",
      "application/json",
      JSON.stringify(payload),
    ])
    await client.agents.rejectAgentAction({ params: { agentId: "a", actionId: "b" } })
    expect([last().headers.get("content-type"), await last().text()]).toEqual(["application/json", "{}"])
    await client.platform.getPlatformConfig()
    expect([last().headers.get("content-type"), await last().text()]).toEqual([null, ""])
  })

  it("has the headers that it is given, and its own credentials", async () => {
    const { client, last } = clientOf({ credentials: { accessToken: "abc" } })
    const headers = { "idempotency-key": "k", authorization: "Bearer other", "x-absent": undefined }
    await client.platform.getPlatformConfig({ headers } as object)
    expect([last().headers.get("idempotency-key"), last().headers.get("authorization")]).toEqual(["k", "Bearer abc"])
    expect(last().headers.has("x-absent")).toBe(false)
  })

  it("uploads a form, whose absent parts are left out", async () => {
    const { client, last } = clientOf()
    const file = new File(["%PDF"], "a.pdf", { type: "application/pdf" })
    const payload = { documentHolder: "Customer:1", documentType: "PASSPORT", country: undefined, pages: 2, file }
    await client.documents.uploadDocument({ payload } as object as Parameters<
      typeof client.documents.uploadDocument
    >[0])
    expect(last().headers.get("content-type")).toMatch(/^multipart\/form-data; ?boundary=/u)
    const form = await last().formData()
    expect([...form.keys()]).toEqual(["documentHolder", "documentType", "pages", "file"])
    const sent = form.get("file")
    expect(form.get("pages")).toBe("2")
    expect(sent instanceof File ? [sent.name, sent.type, await sent.text()] : sent).toEqual([
      "a.pdf",
      "application/pdf",
      "%PDF",
    ])
  })
})

describe("an answer", () => {
  const answered = (answer: () => Response, options: Partial<ClientOptions> = {}) =>
    clientOf(options, answer).client.platform.getPlatformConfig()
  const errorOf = async (answer: () => Response, options: Partial<ClientOptions> = {}): Promise<ApiError> => {
    const error = await answered(answer, options).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (!(error instanceof ApiError)) throw new Error("the call was not refused")
    return error
  }
  const conflict = { status: 409, code: "CONFLICT", message: "It exists.", details: { reason: "TWICE" } }

  it("of success is its JSON, and nothing without a body", async () => {
    expect(await answered(() => json({ id: "a" }))).toEqual({ id: "a" })
    expect(await answered(() => new Response(null, { status: 204 }))).toBeUndefined()
    expect(await answered(() => new Response("no JSON"))).toBeUndefined()
  })

  it("of a refusal rejects with its members and headers", async () => {
    const headers = { "x-request-id": "r1", "retry-after": "7" }
    const error = await errorOf(() => json(conflict, { status: 409, headers }))
    expect({ ...error, message: error.message }).toEqual({
      name: "CallRefused",
      status: 409,
      code: "CONFLICT",
      message: "It exists.",
      reason: undefined,
      details: { reason: "TWICE" },
      requestId: "r1",
      retryAfterSeconds: 7,
    })
  })

  it("of a refusal without these headers has neither", async () => {
    const error = await errorOf(() => json({ ...conflict, reason: "PAUSED" }, { status: 409 }))
    expect([error.reason, error.requestId, error.retryAfterSeconds]).toEqual(["PAUSED", undefined, undefined])
  })

  it("of a later version may have a code that is not known", async () => {
    expect((await errorOf(() => json({ ...conflict, code: "LATER" }, { status: 409 }))).code).toBe("LATER")
  })

  it.each<readonly [what: string, answer: () => Response]>([
    ["a page", () => new Response("<html>", { status: 502 })],
    ["nothing", () => new Response(null, { status: 502 })],
    ["other JSON", () => json({ error: "bad" }, { status: 502 })],
    ["an error without a message", () => json({ status: 502, code: "CONFLICT" }, { status: 502 })],
  ])("of a proxy with %s is an internal error of its status", async (_what, answer) => {
    const { code, message, status } = await errorOf(answer)
    expect({ code, message, status }).toEqual({
      code: "INTERNAL_ERROR",
      message: "Something answered with the status 502.",
      status: 502,
    })
  })

  const stream =
    (status: number, type = "text/event-stream") =>
    () =>
      new Response("data: 1\n\n", { status, headers: { "content-type": type } })

  it("that is a stream is handed on unread", async () => {
    const received: unknown = await answered(stream(200))
    expect(received).toBeInstanceOf(ReadableStream)
    expect(await new Response(received instanceof ReadableStream ? received : null).text()).toBe("data: 1\n\n")
    expect(await answered(stream(200, "text/plain"))).toBeUndefined()
    expect((await errorOf(stream(500))).status).toBe(500)
  })
})

it("has every operation under its group", () => {
  const { client } = clientOf()
  expect(Object.keys(client)).toContain("operatorChanges")
  expect(typeof client.webhooks.getWebhookEndpoint).toBe("function")
})
