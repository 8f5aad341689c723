/** The requests that `countersign replay` sends, and to whom. Source: D-474. */
import type { PlayedCall } from "@countersign/client/tape"
import { Effect, Redacted } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { RemoteServer } from "../../../packages/cli/src/remote/RemoteServer.ts"
import { replayTarget } from "../../../packages/cli/src/replay/ReplayTarget.ts"

const advanced: Array<unknown> = []
const server: RemoteServer = {
  base: "https://pay.example.com/v1",
  clientId: "first",
  serviceName: "Service",
  authorization: Redacted.make("Basic of-the-platform"),
  toError: () => {
    throw new Error("no request fails")
  },
  clientOf: () => {
    throw new Error("no other caller")
  },
  call: (request) =>
    Effect.promise(() => {
      const sandboxAdvanceClock = async (sent: unknown) => {
        advanced.push(sent)
        return { steps: 1, jobsRun: 1, isComplete: true }
      }
      return request({ sandbox: { sandboxAdvanceClock } } as never)
    }),
}
const call: PlayedCall = { method: "POST", path: "/agents", isOutside: false, as: "nobody", headers: {} }

afterEach(() => {
  vi.unstubAllGlobals()
  advanced.length = 0
})

/** Sends a call; returns its request and what was made of the answer. */
const send = async (more: Partial<PlayedCall>, answer: () => Response = () => new Response(null, { status: 204 })) => {
  const requests: Array<Request> = []
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(request)
    return answer()
  })
  const reply = await replayTarget(server).send({ ...call, ...more })
  return { request: requests[0] ?? new Request("http://nothing.example"), reply }
}

describe("a request of a tape", () => {
  it("goes to the interface or to the origin of the server, and follows no redirect", async () => {
    const inside = await send({ path: "/agents?a=b" })
    expect([inside.request.method, inside.request.url]).toEqual(["POST", "https://pay.example.com/v1/agents?a=b"])
    expect(inside.request.redirect).toBe("manual")
    expect((await send({ path: "/healthz", isOutside: true })).request.url).toBe("https://pay.example.com/healthz")
  })

  it.each<readonly [as: PlayedCall["as"], header: string | null]>([
    ["nobody", null],
    ["platform", "Basic of-the-platform"],
    [{ token: "abc" }, "Bearer abc"],
  ])("of %j has the authorization %s", async (as, header) => {
    expect((await send({ as })).request.headers.get("authorization")).toBe(header)
    const headers = { authorization: "Basic other" }
    expect((await send({ as, headers })).request.headers.get("authorization")).toBe("Basic other")
  })

  it.each<readonly [more: Partial<PlayedCall>, type: string | null, text: string]>([
    [{}, null, ""],
    [{ body: { a: 1 } }, "application/json", '{"a":1}'],
    [{ body: null }, "application/json", "null"],
    [{ body: "{ no JSON" }, "application/json", "{ no JSON"],
    [{ body: "x", headers: { "content-type": "text/plain" } }, "text/plain", "x"],
  ])("with %j has its type and text", async (more, type, text) => {
    const { request } = await send(more)
    expect([request.headers.get("content-type"), await request.text()]).toEqual([type, text])
  })

  it("with a form has its parts", async () => {
    const form: PlayedCall["form"] = [
      { name: "a", value: "b" },
      { name: "file", fileName: "a.txt", type: "text/plain", base64: "YQ==" },
    ]
    const { request } = await send({ form })
    expect(request.headers.get("content-type")).toMatch(/^multipart\/form-data/u)
    const sent = await request.formData()
    expect([...sent.keys()]).toEqual(["a", "file"])
    expect(sent.get("a")).toBe("b")
  })

  it("that cannot be sent says so without its credentials", async () => {
    const sending = send({ method: "a b", as: { token: "abc" } })
    await expect(sending).rejects.toMatchObject({
      reason: "negative",
      message: expect.stringMatching(/^the request cannot be sent: ./u),
    })
    await expect(send({ method: "a b", as: { token: "abc" } })).rejects.not.toMatchObject({
      message: expect.stringContaining("abc"),
    })
  })
})

describe("the answer of a server", () => {
  it.each<readonly [reply: object, answer: () => Response]>([
    [{ status: 204 }, () => new Response(null, { status: 204 })],
    [{ status: 200, body: { a: 1 } }, () => Response.json({ a: 1 })],
    [{ status: 200, body: null }, () => Response.json(null)],
    [{ status: 200, body: [1] }, () => new Response("[1]", { headers: { "content-type": "text/plain" } })],
    [{ status: 502 }, () => new Response("<html>", { status: 502 })],
    [{ status: 302 }, () => new Response(null, { status: 302, headers: { location: "https://evil.example" } })],
    [{ status: 200 }, () => new Response("1", { headers: { "content-type": "text/event-stream; charset=utf-8" } })],
  ])("is %j", async (reply, answer) => {
    expect((await send({}, answer)).reply).toStrictEqual(reply)
  })

  it("that has no end is not waited for", async () => {
    let isCancelled = false
    const body = new ReadableStream({
      cancel: () => {
        isCancelled = true
      },
    })
    const { reply } = await send({}, () => new Response(body, { headers: { "content-type": "text/event-stream" } }))
    expect([reply, isCancelled]).toEqual([{ status: 200 }, true])
  })
})

it.each([
  [0, "PT0.001S"],
  [1, "PT0.001S"],
  [90_000, "PT90S"],
])("advances the clock by %d ms as %s", async (millis, by) => {
  await replayTarget(server).advance(millis)
  expect(advanced).toEqual([{ payload: { by } }])
})
