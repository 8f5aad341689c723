/** The votes of the approvals page: who may see and cast them, and what each request passes on. Source: D-352, D-353, D-532. */
import { ActionVotes, Authentication, CurrentCaller, unauthorized } from "@countersign/core"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { describe, expect, it } from "vitest"
import { PublicUrl } from "../../../packages/adapter-http/src/middleware/PublicUrl.ts"
import * as ConsolePage from "../../../packages/adapter-http/src/server/ConsolePage.ts"
import * as ConsoleVotes from "../../../packages/adapter-http/src/server/ConsoleVotes.ts"

const origin = "https://pay.example.com"
const digest = "0123456789abcdef".repeat(4)
const passkey = { credentialId: "c", clientDataJson: "d", authenticatorData: "a", signature: "s" }
const on = { sessionId: "ConsoleSession:1", agentId: "Agent:1", actionId: "Action:1" }

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Setting {
  readonly permissions?: ReadonlyArray<string>
  readonly challenge?: unknown
  readonly publicUrl?: string | undefined
}

/** Sends a request of the page in the session `secret`; returns the answer and the calls of the votes. */
const sent = async (
  { body, headers, method = "GET", path = "" }: Sent,
  { challenge = null, permissions = ["VIEW", "TRANSACT"], publicUrl = origin }: Setting = {},
) => {
  const calls: Array<unknown> = []
  const called =
    (name: string, answer: unknown) =>
    (...given: ReadonlyArray<unknown>) =>
      Effect.map(CurrentCaller, ({ platformId }) => {
        calls.push([name, platformId, ...given])
        return Object(answer)
      })
  const signedIn = {
    caller: { _tag: "Platform", platformId: "Platform:1", permissions },
    session: { id: on.sessionId },
  }
  const mocks = Layer.mergeAll(
    Layer.mock(ActionVotes, {
      show: called("show", { needed: 2 }),
      begin: (vote) => Effect.as(called("begin", {})(vote), challenge === null ? null : Object(challenge)),
      cast: called("cast", { state: "APPROVED" }),
    }),
    Layer.mock(Authentication, {
      console: (secret) =>
        Redacted.value(secret) === "secret"
          ? Effect.succeed(Object(signedIn))
          : Effect.fail(unauthorized("CONSOLE_SESSION_ENDED")),
    }),
  )
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpRouter.use(ConsoleVotes.add).pipe(Layer.provide(mocks), Layer.provide(HttpServer.layerServices)),
    { disableLogger: true },
  )
  const request = new Request(`${origin}/console/votes/Agent:1/Action:1${path}`, {
    method,
    headers: {
      cookie: "__Host-console-session=secret",
      origin,
      "content-type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  try {
    const response = await handler(request, Context.make(PublicUrl, publicUrl) as Context.Context<never>)
    return { status: response.status, body: JSON.parse(await response.text()), calls }
  } finally {
    await dispose()
  }
}

const vote: Sent = { method: "POST", body: { digest } }
const signed: Sent = { method: "POST", path: "/passkey", body: { digest, ...passkey } }

it("has the three routes that it adds", () => {
  const path = "/console/votes/:agentId/:actionId"
  expect(ConsoleVotes.routes).toEqual([
    { method: "GET", path },
    { method: "POST", path },
    { method: "POST", path: `${path}/passkey` },
  ])
})

describe("an approver", () => {
  it("sees the votes on the action of the path", async () => {
    const { body, calls, status } = await sent({})
    expect([status, body]).toEqual([200, { votes: { needed: 2 } }])
    expect(calls).toEqual([["show", "Platform:1", on.agentId, on.actionId]])
  })

  it("votes at once if no passkey is needed", async () => {
    const { body, calls, status } = await sent(vote)
    expect([status, body]).toEqual([200, { action: { state: "APPROVED" } }])
    expect(calls).toEqual([
      ["begin", "Platform:1", { ...on, digest }],
      ["cast", "Platform:1", { ...on, digest }, origin],
    ])
  })

  it("gets the challenge for the passkey, and has not voted then", async () => {
    const { body, calls, status } = await sent(vote, { challenge: { nonce: "n" } })
    expect([status, body]).toEqual([200, { challenge: { nonce: "n" } }])
    expect(calls).toEqual([["begin", "Platform:1", { ...on, digest }]])
  })

  it("votes with the passkey, and begins nothing anew", async () => {
    const { body, calls, status } = await sent(signed)
    expect([status, body]).toEqual([200, { action: { state: "APPROVED" } }])
    expect(calls).toEqual([["cast", "Platform:1", { ...on, digest }, origin, passkey]])
  })
})

describe("the permissions of an approver's token", () => {
  it.each<readonly [request: string, what: Sent, permissions: ReadonlyArray<string>, missing: string | undefined]>([
    ["a look", {}, ["VIEW"], undefined],
    ["a look", {}, ["TRANSACT"], "VIEW"],
    ["a vote", vote, ["TRANSACT"], undefined],
    ["a vote", vote, ["VIEW"], "TRANSACT"],
    ["a signed vote", signed, ["TRANSACT"], undefined],
    ["a signed vote", signed, ["VIEW"], "TRANSACT"],
  ])("for %s", async (_request, what, permissions, missing) => {
    const { body, calls, status } = await sent(what, { permissions })
    expect(status).toBe(missing === undefined ? 200 : 403)
    if (missing === undefined) return
    expect(body).toMatchObject({ details: { reason: "PERMISSION_MISSING", permission: missing } })
    expect(calls).toEqual([])
  })
})

describe("a request of the page", () => {
  const requests: ReadonlyArray<readonly [string, Sent]> = [
    ["a look", {}],
    ["a vote", vote],
    ["a signed vote", signed],
  ]
  it.each(requests)("is refused from another site: %s", async (_what, what) => {
    const { body, calls, status } = await sent({ ...what, headers: { origin: "https://evil.example" } })
    expect([status, calls]).toEqual([403, []])
    expect(body).toMatchObject({ details: { reason: "CROSS_SITE_REQUEST" } })
  })

  it.each(requests)("needs a session: %s", async (_what, what) => {
    for (const cookie of ["", "__Host-console-session=other", "console-session=secret"]) {
      const { body, calls, status } = await sent({ ...what, headers: { cookie } })
      expect([status, calls]).toEqual([401, []])
      expect(body).toMatchObject({ code: "UNAUTHORIZED", reason: "Console session expired or ended" })
    }
  })

  it("needs https or a loopback address", async () => {
    const { body, calls, status } = await sent({}, { publicUrl: "http://pay.example.com" })
    expect([status, calls]).toEqual([403, []])
    expect(body).toMatchObject({
      message: "The approvals page needs https or a loopback address, and a configured public URL behind a proxy.",
      details: { reason: "PUBLIC_URL_NEEDED" },
    })
  })

  it.each<readonly [what: string, request: Sent, fields: ReadonlyArray<string>]>([
    ["no digest", { method: "POST", body: {} }, ["digest"]],
    ["a short digest", { method: "POST", body: { digest: digest.slice(1) } }, ["digest"]],
    ["a long digest", { method: "POST", body: { digest: `${digest}0` } }, ["digest"]],
    ["a digest in capitals", { method: "POST", body: { digest: digest.toUpperCase() } }, ["digest"]],
    ["no passkey", { ...signed, body: { digest } }, ["credentialId", "clientDataJson"]],
    ["neither", { ...signed, body: {} }, ["digest", "credentialId", "clientDataJson"]],
  ])("with %s names every problem", async (_what, request, fields) => {
    const { body, calls, status } = await sent(request)
    expect([status, calls]).toEqual([400, []])
    expect(body).toMatchObject({ code: "INVALID_INPUT" })
    const errors: ReadonlyArray<{ readonly field: string }> = body.details.errors
    expect(errors.map(({ field }) => field).toSorted()).toEqual(fields.toSorted())
  })
})

it("notes whose request it is once its session is known", async () => {
  const noted: Array<string | undefined> = []
  const request = Object.assign(
    HttpServerRequest.fromWeb(new Request(origin, { headers: { cookie: "__Host-console-session=secret" } })),
    { noteTenant: (tenant: string | undefined) => void noted.push(tenant) },
  )
  const session = Effect.gen(function* () {
    return yield* ConsolePage.currentSession(yield* Authentication, { request, publicUrl: origin, origin })
  })
  const authentication = Layer.mock(Authentication, {
    console: () => Effect.succeed(Object({ caller: { platformId: "Platform:1" } })),
  })
  const found = session.pipe(
    Effect.provide(authentication),
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
  )
  expect((await Effect.runPromise(found)).caller.platformId).toBe("Platform:1")
  expect(noted).toEqual(["Platform:1"])
})
