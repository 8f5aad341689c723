/** What `countersign doctor` finds of a running server: each answer with its finding. Source: D-459. */
import { makeClient } from "@countersign/client"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import {
  accessError,
  type CommandError,
  negativeAnswer,
  serverError,
  usageError,
} from "../../../packages/cli/src/CommandError.ts"
import type { Finding } from "../../../packages/cli/src/doctor/Finding.ts"
import { checkRemote } from "../../../packages/cli/src/doctor/ServerChecks.ts"
import type { RemoteServer } from "../../../packages/cli/src/remote/RemoteServer.ts"

const base = "https://pay.example.com/2025-10-13"
const now = Date.UTC(2026, 0, 31)
const url = "https://receiver.example.com/"

/** The answers of a server, by the path of the request. A number is the status of a refusal. */
interface Answers {
  readonly config?: unknown
  readonly clock?: unknown
  readonly endpoint?: unknown
  readonly test?: unknown
}

const clockOf = (more: object = {}) => ({ aheadMillis: 0, realTime: new Date(now).toISOString(), ...more })
const good: Answers = {
  config: {},
  clock: clockOf(),
  endpoint: { state: "ACTIVE", circuit: "CLOSED", url },
  test: { response_status: 200 },
}
const paths = {
  "/config": "config",
  "/sandbox/clock": "clock",
  "/webhooks/endpoint": "endpoint",
  "/sandbox/webhooks/test": "test",
} as const

const serverWith = (answers: Answers): { readonly server: RemoteServer; readonly sent: ReadonlyArray<string> } => {
  const sent: Array<string> = []
  const clientOf = () =>
    makeClient({
      baseUrl: base,
      credentials: "none",
      fetch: async (request) => {
        const path = request.url.slice(base.length)
        sent.push(path)
        const name = Object.entries(paths).find(([known]) => known === path)?.[1]
        const answer = name === undefined ? 404 : { ...good, ...answers }[name]
        return typeof answer === "number"
          ? Response.json({ status: answer, code: "CONFLICT", message: "it is refused" }, { status: answer })
          : Response.json(answer)
      },
    })
  const toError = (error: unknown) => negativeAnswer(error instanceof Error ? error.message : "unknown")
  const server: RemoteServer = {
    base,
    clientId: "first",
    serviceName: "Service",
    authorization: Redacted.make(""),
    clientOf,
    toError,
    call: (request) => Effect.tryPromise({ try: () => request(clientOf()), catch: toError }),
  }
  return { server, sent }
}

const findingsOf = (answers: Answers, mode: "sandbox" | "live" = "sandbox") =>
  Effect.andThen(TestClock.setTime(now), checkRemote(Effect.succeed(serverWith(answers).server), { mode }))
const findingOf = (check: string, answers: Answers, mode?: "sandbox" | "live") =>
  Effect.map(findingsOf(answers, mode), (all) => all.find((each) => each.check === check))

describe("a running server", () => {
  it.effect("without a problem has five findings, in their order", () =>
    Effect.gen(function* () {
      expect(yield* findingsOf({})).toEqual([
        { check: "server", status: "ok", text: base },
        { check: "credentials", status: "ok", text: "first is signed in" },
        { check: "clock", status: "ok", text: "the sandbox is at real time" },
        { check: "time", status: "ok", text: "the server's time is that of this machine" },
        { check: "webhook", status: "ok", text: `${url} answered a test event with 200` },
      ])
    }),
  )

  it.effect("that refuses the credentials is asked nothing else", () =>
    Effect.gen(function* () {
      const { sent, server } = serverWith({ config: 401 })
      expect(yield* checkRemote(Effect.succeed(server), { mode: "sandbox" })).toEqual([
        {
          check: "credentials",
          status: "problem",
          text: "it is refused",
          fix: "correct COUNTERSIGN_CLIENT_ID and COUNTERSIGN_CLIENT_SECRET, or add a secret with `countersign rotate client-secret`",
        },
      ])
      expect(sent).toEqual(["/config"])
    }),
  )

  it.effect.each<readonly [error: CommandError, finding: Partial<Finding>]>([
    [serverError("no server answers"), { check: "server", status: "skipped", text: "no server answers" }],
    [
      usageError("credentials are missing"),
      {
        check: "credentials",
        status: "warning",
        text: "credentials are missing",
        fix: "set the variables, or run in a folder of `countersign init`",
      },
    ],
    [accessError("they are refused"), { check: "credentials", status: "problem", text: "they are refused" }],
  ])("that is not found is one finding: %s", ([error, finding]) =>
    Effect.gen(function* () {
      const found = yield* checkRemote(Effect.fail(error), { mode: "sandbox" })
      expect(found).toEqual([expect.objectContaining(finding)])
    }),
  )
})

describe("the clock of a server", () => {
  it.effect("of a sandbox may be ahead", () =>
    Effect.gen(function* () {
      expect(yield* findingOf("clock", { clock: clockOf({ aheadMillis: 90_061_000 }) })).toEqual({
        check: "clock",
        status: "warning",
        text: "the sandbox is 1 days 1 h 1 min 1 s ahead of real time",
        fix: "a new store begins at real time; a clock never moves back",
      })
      expect(yield* findingOf("clock", { clock: clockOf({ aheadMillis: 1 }) })).toMatchObject({ status: "warning" })
    }),
  )

  it.effect("that is no sandbox is not compared", () =>
    Effect.gen(function* () {
      const found = yield* findingsOf({ clock: 404 })
      expect(found.map(({ check, status }) => [check, status])).toEqual([
        ["server", "ok"],
        ["credentials", "ok"],
        ["clock", "skipped"],
        ["webhook", "ok"],
      ])
      expect(found[2]?.text).toBe("real time: the server is no sandbox")
    }),
  )

  it.effect.each([
    [0, "ok"],
    [60_000, "ok"],
    [-60_000, "ok"],
    [60_001, "problem"],
    [-60_001, "problem"],
  ] as const)("that differs by %d ms has the status %s", ([skew, status]) =>
    Effect.gen(function* () {
      const realTime = new Date(now + skew).toISOString()
      expect(yield* findingOf("time", { clock: clockOf({ realTime }) })).toMatchObject({ status })
    }),
  )

  it.effect("that differs says by how much", () =>
    Effect.gen(function* () {
      const realTime = new Date(now - 90_400).toISOString()
      expect(yield* findingOf("time", { clock: clockOf({ realTime }) })).toEqual({
        check: "time",
        status: "problem",
        text: "the server's time differs by -90 s from this machine's",
        fix: "synchronize both with NTP: receivers refuse webhooks that seem old",
      })
    }),
  )
})

describe("the webhook endpoint", () => {
  const unset = "no endpoint is set: events are recorded and not sent"
  const enable = "POST /webhooks/endpoint/enable"
  const failed = { lastFailure: { reason: "it timed out" } }
  const active = { state: "ACTIVE", circuit: "CLOSED", url }

  it.effect.each<readonly [status: Finding["status"], text: string, fix: string, endpoint: object]>([
    ["warning", unset, "run `countersign listen`, or set `webhookEndpoint` with PATCH /config", { state: "UNSET" }],
    ["warning", `${url} is disabled: events are recorded and not sent`, enable, { ...active, state: "DISABLED" }],
    [
      "problem",
      `${url} has not proven that it is yours`,
      `answer WEBHOOK_ENDPOINT.VERIFICATION with its challenge, then ${enable}`,
      { ...active, state: "PENDING" },
    ],
    [
      "problem",
      `${url} has not proven that it is yours: it timed out`,
      `answer WEBHOOK_ENDPOINT.VERIFICATION with its challenge, then ${enable}`,
      { ...active, ...failed, state: "PENDING", circuit: "OPEN" },
    ],
    [
      "problem",
      `${url} failed too often: it timed out`,
      `correct the receiver, then ${enable}`,
      { ...active, ...failed, circuit: "OPEN" },
    ],
    ["problem", `${url} failed too often`, `correct the receiver, then ${enable}`, { ...active, circuit: "OPEN" }],
  ])("has a finding of %s: %s", ([status, text, fix, endpoint]) =>
    Effect.gen(function* () {
      expect(yield* findingOf("webhook", { endpoint })).toEqual({ check: "webhook", status, text, fix })
    }),
  )

  it.effect("of live mode is set by PATCH /config, and is sent no test event", () =>
    Effect.gen(function* () {
      expect(yield* findingOf("webhook", { endpoint: { state: "UNSET" } }, "live")).toEqual({
        check: "webhook",
        status: "warning",
        text: unset,
        fix: "set `webhookEndpoint` with PATCH /config to an https address; COUNTERSIGN_WEBHOOK_ALLOW allows one that is not public",
      })
      const { sent, server } = serverWith({ endpoint: { ...active, url: "http://127.0.0.1:1/" } })
      const found = yield* checkRemote(Effect.succeed(server), { mode: "live" })
      expect(found.at(-1)).toMatchObject({ check: "webhook", status: "problem" })
      expect(sent).not.toContain("/sandbox/webhooks/test")
    }),
  )

  it.effect.each([
    [199, "problem"],
    [200, "ok"],
    [204, "ok"],
    [299, "ok"],
    [300, "problem"],
    [500, "problem"],
  ] as const)("that answers a test event with %d has the status %s", ([responseStatus, status]) =>
    Effect.gen(function* () {
      const found = yield* findingOf("webhook", { test: { response_status: responseStatus } })
      expect(found).toMatchObject({ status, text: `${url} answered a test event with ${responseStatus}` })
      expect(found?.fix).toBe(
        status === "ok" ? undefined : "let the receiver answer 2xx, and check the key by which it verifies",
      )
    }),
  )

  it.effect("that does not take a test event is a problem", () =>
    Effect.gen(function* () {
      expect(yield* findingOf("webhook", { test: 409 })).toEqual({
        check: "webhook",
        status: "problem",
        text: `${url} did not take a test event: it is refused`,
        fix: "start the receiver, or set another endpoint with PATCH /config",
      })
    }),
  )
})
