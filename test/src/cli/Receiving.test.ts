/** The receiver of `countersign listen`: the requests that it takes, its answers, and its end. Source: D-460. */
import type { WebhookEvent } from "@countersign/client/webhook"
import { Clock, Effect, Exit, Scope } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Outcome } from "../../../packages/cli/src/listen/PassOn.ts"
import { receive } from "../../../packages/cli/src/listen/Receiving.ts"

const event: WebhookEvent = Object({ id: "Webhook:1", type: "TEST", data: {} })
const clock = await Effect.runPromise(Clock.Clock)

const scopes: Array<Scope.Closeable> = []
afterEach(async () => {
  for (const scope of scopes.splice(0)) await Effect.runPromise(Scope.close(scope, Exit.void))
})

/** Starts a receiver; it remembers what it verified and what became of each request. */
const started = async (verified: WebhookEvent | Promise<WebhookEvent> = event, port = 0, host = "127.0.0.1") => {
  const outcomes: Array<Outcome> = []
  const bodies: Array<Uint8Array> = []
  const scope = await Effect.runPromise(Scope.make())
  scopes.push(scope)
  const listening = receive({
    host,
    port,
    clock,
    forwardTo: undefined,
    verify: async (headers, body) => {
      expect(headers.get("host")).toBeNull()
      bodies.push(body)
      return verified
    },
    onOutcome: (outcome) => void outcomes.push(outcome),
  })
  const bound = await Effect.runPromise(Scope.provide(listening, scope))
  return { port: bound, url: `http://127.0.0.1:${bound}/any?path`, scope, outcomes, bodies }
}

const refused = { _tag: "Refused", reason: "no POST with a body of at most 1 MiB" }

describe("the receiver", () => {
  it("verifies the bytes of a POST, and answers it", async () => {
    const { bodies, outcomes, url } = await started()
    const response = await fetch(url, { method: "POST", body: "Łukasz" })
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "application/json",
      "",
    ])
    expect(bodies.map((body) => new TextDecoder().decode(body))).toEqual(["Łukasz"])
    expect(outcomes).toEqual([{ _tag: "Received", event }])
  })

  it("answers a challenge with its body", async () => {
    const challenge: WebhookEvent = Object({
      ...event,
      type: "WEBHOOK_ENDPOINT.VERIFICATION",
      data: { challenge: "c" },
    })
    const { url } = await started(challenge)
    expect(await (await fetch(url, { method: "POST" })).json()).toEqual({ challenge: "c" })
  })

  it.each(["GET", "PUT", "DELETE"])("refuses %s", async (method) => {
    const { bodies, outcomes, url } = await started()
    const response = await fetch(url, { method })
    expect([response.status, response.headers.get("content-type")]).toEqual([400, null])
    expect(outcomes).toEqual([refused])
    expect(bodies).toEqual([])
  })

  it("takes a body of 1 MiB, and refuses a longer one", async () => {
    const { bodies, outcomes, url } = await started()
    const send = async (bytes: number) =>
      (await fetch(url, { method: "POST", body: new Uint8Array(bytes) }).catch(() => undefined))?.status
    expect(await send(1024 * 1024)).toBe(200)
    expect([400, undefined]).toContain(await send(1024 * 1024 + 1))
    expect(outcomes).toEqual([{ _tag: "Received", event }, refused])
    expect(bodies.map(({ byteLength }) => byteLength)).toEqual([1024 * 1024])
  })

  it("ends with its scope", async () => {
    const { scope, url } = await started()
    await fetch(url, { method: "POST" })
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await expect(fetch(url, { method: "POST" })).rejects.toThrow()
  })

  it("ends with its scope also while a webhook has no answer", async () => {
    const pending = new Promise<WebhookEvent>(() => undefined)
    const { bodies, scope, url } = await started(pending)
    const sending = fetch(url, { method: "POST" }).catch(() => "broken")
    await vi.waitFor(() => expect(bodies).toHaveLength(1))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(await sending).toBe("broken")
  })

  it("says that its address is taken", async () => {
    const { port } = await started()
    await expect(started(event, port)).rejects.toMatchObject({
      reason: "address",
      message: expect.stringMatching(`^cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`),
    })
  })
})
