/**
 * Which way `countersign listen` takes, and how it follows an inbox while the server is away and when too much arrives at once.
 * Source: D-483.
 */
import { makeClient } from "@countersign/client"
import { Clock, Console, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type CommandError, negativeAnswer, serverError } from "../../../packages/cli/src/CommandError.ts"
import { followInbox } from "../../../packages/cli/src/listen/InboxFollowing.ts"
import type { Outcome } from "../../../packages/cli/src/listen/PassOn.ts"
import type { RemoteServer } from "../../../packages/cli/src/remote/RemoteServer.ts"
import { inProcess } from "./InProcess.ts"

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })

describe("countersign listen of a server elsewhere", () => {
  afterEach(() => void vi.unstubAllGlobals())
  const remote = ["--server", "https://sandbox.example.com", "--client-id", "a", "--client-secret", "b"]

  it("takes the inbox, and says what to do if the server has none", async () => {
    const asked: Array<string> = []
    vi.stubGlobal("fetch", async (request: Request) => {
      const { pathname } = new URL(request.url)
      asked.push(`${request.method} ${pathname}`)
      return pathname.endsWith("/config")
        ? json(200, { id: "PlatformConfig:1" })
        : json(501, { status: 501, code: "NOT_IMPLEMENTED", message: "This deployment has no inboxes." })
    })
    const ended = await inProcess(["listen", ...remote])
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/no inbox.*--endpoint/su) })
    expect(asked.at(-1)).toBe("GET /2025-10-13/sandbox/inbox")
    expect(asked.some((line) => line.startsWith("PATCH"))).toBe(false)
  })

  it.each([
    [["--through", "port"], "--endpoint, and where that arrives"],
    [["--through", "inbox", "--endpoint", "https://me.example"], "belongs to --through port"],
    [["--through", "carrier"], "--through"],
  ])("refuses %j", async (options, message) => {
    const ended = await inProcess(["listen", ...remote, ...options])
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})

/** A server whose inbox has these messages, or which does not answer. */
const inboxOf = (state: {
  ids: ReadonlyArray<string>
  isAway: boolean
  /** The messages for which it does not answer. */
  unanswered: ReadonlyArray<string>
  readonly gone: ReadonlySet<string>
}): RemoteServer => {
  const answer = async (request: Request): Promise<Response> => {
    if (state.isAway) throw new TypeError("fetch failed")
    const [, id] = /\/messages\/([^/?]+)$/u.exec(new URL(request.url).pathname) ?? []
    if (id === undefined) return json(200, { data: state.ids.map(summary), hasMore: false })
    if (state.unanswered.includes(id)) throw new TypeError("fetch failed")
    if (state.gone.has(id)) return json(404, { status: 404, code: "NOT_FOUND", message: "No such message." })
    return json(200, { ...summary(id), headers: { "webhook-id": id }, body: "{}" })
  }
  const summary = (id: string) => ({
    id,
    receivedAt: "2026-01-01T00:00:00Z",
    verification: { isVerified: true },
    answeredStatus: 200,
    bytes: 2,
  })
  const credentials = { clientId: "a", clientSecret: "b" }
  const clientOf = () => makeClient({ baseUrl: "https://sandbox.example.com/x", credentials, fetch: answer })
  const toError = (error: unknown): CommandError =>
    state.isAway || error instanceof TypeError ? serverError("no server answers") : negativeAnswer(String(error))
  return {
    base: "https://sandbox.example.com/x",
    clientId: "a",
    serviceName: "Service",
    authorization: Redacted.make(""),
    toError,
    clientOf,
    call: (request) => Effect.tryPromise({ try: () => request(clientOf()), catch: toError }),
  }
}

/** Follows an inbox, and returns what was passed on and printed after each change of the state. */
const followed = (
  changes: ReadonlyArray<{
    readonly ids: ReadonlyArray<string>
    readonly isAway?: boolean
    readonly unanswered?: ReadonlyArray<string>
  }>,
  gone = new Set<string>(),
) =>
  Effect.gen(function* () {
    const passed: Array<string> = []
    const printed: Array<string> = []
    const outcomes: Array<Outcome> = []
    const state: Parameters<typeof inboxOf>[0] = { ids: ["old"], isAway: false, unanswered: [], gone }
    let polls = 0
    const server = inboxOf(state)
    const counting: RemoteServer = {
      ...server,
      call: (request) =>
        Effect.tap(server.call(request), () => Effect.sync(() => polls++)).pipe(
          Effect.tapError(() => Effect.sync(() => polls++)),
        ),
    }
    const capturing: Console.Console = Object.assign(Object.create(console), {
      error: (line: string) => printed.push(line),
    })
    const options = {
      forwardTo: undefined,
      clock: yield* Clock.Clock,
      verify: async (headers: Headers) => {
        passed.push(headers.get("webhook-id") ?? "")
        return Object({ id: "x", type: "TEST", data: {} })
      },
      onOutcome: (outcome: Outcome) => Effect.sync(() => void outcomes.push(outcome)),
    }
    const following = yield* followInbox(counting, options)
    const fiber = yield* Effect.forkChild(Effect.provideService(following, Console.Console, capturing))
    for (const { ids, isAway = false, unanswered = [] } of changes) {
      state.ids = ids
      state.unanswered = unanswered
      state.isAway = isAway
      const before = polls
      yield* TestClock.adjust("1 second")
      // The requests are promises, which the test's clock does not await.
      while (polls === before) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      for (let turn = 0; turn < 50; turn++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    yield* Fiber.interrupt(fiber)
    return { passed, printed, outcomes }
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

describe("an inbox that is followed", () => {
  it("passes each new message on once, the oldest first, and none from before", async () => {
    const { outcomes, passed, printed } = await followed([
      { ids: ["old"] },
      { ids: ["b", "a", "old"] },
      { ids: ["c", "b", "a", "old"] },
      { ids: ["c", "b", "a", "old"] },
    ])
    expect(passed).toEqual(["a", "b", "c"])
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Received", "Received", "Received"])
    expect(printed).toEqual([])
  })

  it("goes on after the server was away, which it says once", async () => {
    const { passed, printed } = await followed([
      { ids: ["a", "old"] },
      { ids: [], isAway: true },
      { ids: [], isAway: true },
      { ids: [], isAway: true },
      { ids: ["b", "a", "old"] },
    ])
    expect(passed).toEqual(["a", "b"])
    expect(printed).toEqual(["no server answers; trying again", "the server answers again"])
  })

  it("passes on once what it had before the server went away between two messages", async () => {
    const ids = ["c", "b", "a", "old"]
    const { passed } = await followed([{ ids, unanswered: ["c"] }, { ids, unanswered: ["b", "c"] }, { ids }])
    expect(passed).toEqual(["a", "b", "c"])
  })

  it("leaves out a message that was deleted meanwhile", async () => {
    const { passed } = await followed([{ ids: ["b", "a", "old"] }, { ids: [] }, { ids: ["c"] }], new Set(["a"]))
    expect(passed).toEqual(["b", "c"])
  })

  it("says that messages were lost if more arrived at once than an inbox keeps", async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `m${index}`)
    const { printed } = await followed([{ ids: ids.slice(0, 99) }, { ids: ids.map((id) => `n${id}`) }])
    expect(printed).toEqual([expect.stringContaining("more than 100 webhooks")])
  })
})
