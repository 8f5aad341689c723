/** The scenario of a new sandbox: who sets it up, how long it waits for the sandbox, and what is printed of it. Source: D-234. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { handleLines, startScenario } from "../../../packages/cli/src/StartScenario.ts"

const root = "http://127.0.0.1:8787/v1"

afterEach(() => {
  vi.useRealTimers()
})

/** Starts a scenario at a sandbox whose card has these states, one at each look; the last one stays. */
const started = (name: Parameters<typeof startScenario>[0], states: ReadonlyArray<string> = ["ACTIVE"]) => {
  const requests: Array<{ readonly request: string; readonly authorization: string | null }> = []
  let looks = 0
  const handler = async (request: Request) => {
    const { pathname } = new URL(request.url)
    requests.push({ request: `${request.method} ${pathname}`, authorization: request.headers.get("authorization") })
    if (!request.url.startsWith(root)) throw new Error(request.url)
    if (pathname === "/v1/cards/x") return Response.json({ id: "x", state: states[looks++] ?? states.at(-1) })
    if (request.method === "GET") return Response.json({ data: [{ id: "a" }] })
    return Response.json({ id: "x" }, { status: 201 })
  }
  const credentials = { clientId: "first", clientSecret: "s", handler, root, serviceName: "Acme" }
  return { handles: Effect.runPromise(startScenario(name, credentials)), requests, looks: () => looks }
}

describe("a scenario", () => {
  it("is set up by the platform over the interface", async () => {
    const { handles, requests } = started("active-card")
    expect(await handles).toEqual({ customerId: "x", accountId: "a", cardId: "x" })
    expect(requests.every(({ authorization }) => authorization === `Basic ${btoa("first:s")}`)).toBe(true)
    expect(requests.map(({ request }) => request).at(-1)).toBe("GET /v1/cards/x")
  })

  it("may be empty", async () => {
    const { handles, requests } = started("empty")
    expect([await handles, requests]).toEqual([{}, []])
  })

  it("signs with the headers of a service that has a name of its own", async () => {
    const service = await embed({
      store: MemoryStore.layer,
      ports: Sandbox.layer,
      sandbox: true,
      serviceName: "Acme",
      platforms: [{ clientId: "first", clientSecret: "s" }],
    })
    const at = {
      clientId: "first",
      clientSecret: "s",
      handler: service.handler,
      root: "http://host.example/2025-10-13",
    }
    const set = Effect.runPromise(startScenario("funded-wallet-with-session", { ...at, serviceName: "Acme" }))
    expect(await set.finally(service.dispose)).toMatchObject({ sessionId: expect.stringMatching(/^Session:/u) })
  })

  it("waits for the sandbox, a tenth of a second at a time", async () => {
    vi.useFakeTimers()
    const { handles, looks } = started("active-card", ["PENDING", "PENDING", "ACTIVE"])
    while (looks() === 0) await vi.advanceTimersByTimeAsync(0)
    await vi.advanceTimersByTimeAsync(99)
    expect(looks()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(looks()).toBe(2)
    await vi.advanceTimersByTimeAsync(100)
    expect((await handles) satisfies object).toMatchObject({ cardId: "x" })
    expect(looks()).toBe(3)
  })

  it("fails if the sandbox is not ready after half a minute", async () => {
    vi.useFakeTimers()
    const { handles, looks } = started("active-card", ["PENDING"])
    const failed = handles.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(31_000)
    expect(await failed).toMatchObject({
      reason: "usage",
      message: "--world active-card: the sandbox did not reach the expected state",
    })
    expect(looks()).toBe(301)
  })

  it("fails with the refusal of the sandbox", async () => {
    const handler = async () => Response.json({ status: 409, code: "CONFLICT", message: "It exists." }, { status: 409 })
    const credentials = { clientId: "first", clientSecret: "s", handler, root, serviceName: "Acme" }
    const failed = await Effect.runPromise(Effect.flip(startScenario("demo", credentials)))
    expect(failed).toMatchObject({ reason: "usage", message: "--world demo: It exists." })
  })
})

describe("the lines of a scenario", () => {
  it.each<readonly [handles: object, lines: ReadonlyArray<string>]>([
    [{}, []],
    [{ customerId: "Customer:1" }, ["customerId                Customer:1"]],
    [
      { agent: { id: "Agent:1", keys: { public: "p" } } },
      ["agent.id                  Agent:1", "agent.keys.public         p"],
    ],
    [{ ids: ["a", "b"] }, ["ids.0                     a", "ids.1                     b"]],
    [{ none: null, count: 2 }, ["none                      null", "count                     2"]],
    [{ aNameOfMoreThan24Characters: "a" }, ["aNameOfMoreThan24Characters  a"]],
  ])("of %j are %j", (handles, lines) => {
    expect(handleLines(handles)).toEqual(lines)
  })
})
