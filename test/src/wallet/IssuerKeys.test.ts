/** Keys of an OIDC issuer on a real socket: caching, renewal and timeouts. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { WalletChecks } from "@countersign/adapter-http"
import { OidcChecks } from "@countersign/core/ports"
import { it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { oidcPerson } from "../../../packages/test/src/harness/OidcPerson.ts"
import { type OidcProvider, oidcProvider } from "../../../packages/test/src/harness/OidcProvider.ts"

const provider = Effect.acquireDisposable(Effect.promise(() => oidcProvider()))

/** Checks a token that is signed by the newest key. */
const check = Effect.fnUntraced(function* (
  { issuer, token }: OidcProvider,
  header: { readonly [member: string]: unknown } = {},
) {
  const now = yield* Clock.currentTimeMillis
  const checks = yield* OidcChecks
  return yield* checks.check(token(oidcPerson({ issuer }).claims(now), header), now).pipe(
    Effect.as("accepted"),
    Effect.catchTags({
      OidcRefused: ({ reason }) => Effect.succeed(reason),
      OidcUnavailable: () => Effect.succeed("unavailable"),
    }),
  )
})

const within = <A, E>(test: (provider: OidcProvider) => Effect.Effect<A, E, OidcChecks>) =>
  Effect.gen(function* () {
    const opened = yield* provider
    return yield* Effect.provide(test(opened), WalletChecks.layer({ issuers: [opened.issuer] }))
  })

/** The address of a server that sends every request to another one. */
const redirecting = (to: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) =>
        response.writeHead(307, { location: `${to}${request.url}` }).end(),
      )
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const refused = "Invalid token signature"

describe("issuer keys", () => {
  it.effect("reads the keys once for concurrent checks and caches them for ten minutes", () =>
    within((issuer) =>
      Effect.gen(function* () {
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => check(issuer)),
          { concurrency: "unbounded" },
        )
        expect(new Set(answers)).toEqual(new Set(["accepted"]))
        expect(issuer.asked).toEqual({ discovery: 1, keys: 1 })
        yield* TestClock.adjust("599 seconds")
        expect(yield* check(issuer)).toBe("accepted")
        expect(issuer.asked.keys).toBe(1)
        yield* TestClock.adjust("1 second")
        expect(yield* check(issuer)).toBe("accepted")
        expect(issuer.asked.keys).toBe(2)
      }),
    ),
  )

  it.effect("reads the keys again for an unknown key, at most once in 30 seconds", () =>
    within((issuer) =>
      Effect.gen(function* () {
        expect(yield* check(issuer)).toBe("accepted")
        issuer.rotate()
        expect(yield* check(issuer)).toBe(refused)
        expect(issuer.asked.keys).toBe(1)
        yield* TestClock.adjust("30 seconds")
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => check(issuer)),
          { concurrency: "unbounded" },
        )
        expect(new Set(answers)).toEqual(new Set(["accepted"]))
        expect(issuer.asked.keys).toBe(2)
        // Tokens with unknown keys do not cause further requests to the issuer.
        yield* Effect.all(Array.from({ length: 20 }, () => check(issuer, { kid: "nowhere" })))
        expect(issuer.asked.keys).toBe(2)
      }),
    ),
  )

  it.effect("refuses a withdrawn key once the keys are read again", () =>
    within((issuer) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const old = issuer.token(oidcPerson({ issuer: issuer.issuer }).claims(now + 600_000))
        expect(yield* check(issuer)).toBe("accepted")
        issuer.rotate({ keepsOld: false })
        yield* TestClock.adjust("10 minutes")
        expect(yield* check(issuer)).toBe("accepted")
        const later = yield* Clock.currentTimeMillis
        const checks = yield* OidcChecks
        expect((yield* Effect.flip(checks.check(old, later)))._tag).toBe("OidcRefused")
      }),
    ),
  )

  it.effect("tries every key for a token without a key id", () =>
    within((issuer) =>
      Effect.gen(function* () {
        issuer.rotate()
        expect(yield* check(issuer, { kid: undefined })).toBe("accepted")
        issuer.rotate()
        expect(yield* check(issuer, { kid: undefined })).toBe(refused)
      }),
    ),
  )

  it.effect("accepts keys of several algorithms", () =>
    within((issuer) =>
      Effect.gen(function* () {
        issuer.rotate({ algorithm: "RS256" })
        expect(yield* check(issuer)).toBe("accepted")
      }),
    ),
  )
})

describe("issuer failures", () => {
  it.effect("times out an issuer after five seconds for all waiting checks, and asks again five seconds later", () =>
    within((issuer) =>
      Effect.gen(function* () {
        issuer.answers("nothing")
        const many = Effect.all(
          Array.from({ length: 20 }, () => check(issuer)),
          { concurrency: "unbounded" },
        )
        const waiting = yield* Effect.forkChild(many)
        while (issuer.asked.discovery === 0) yield* Effect.promise(() => new Promise(setImmediate))
        yield* TestClock.adjust("5 seconds")
        expect(new Set(yield* Fiber.join(waiting))).toEqual(new Set(["unavailable"]))
        expect(issuer.asked.discovery).toBe(1)
        issuer.answers("documents")
        expect(yield* check(issuer)).toBe("unavailable")
        yield* TestClock.adjust("5 seconds")
        expect(yield* check(issuer)).toBe("accepted")
      }),
    ),
  )

  it.effect.each([
    ["an error", "error"],
    ["invalid JSON", { discovery: "<html>" }],
    ["null", { discovery: "null" }],
    [
      "the document of another issuer",
      { discovery: { issuer: "https://elsewhere.example", jwks_uri: "https://elsewhere.example" } },
    ],
    ["no key address", { keys: {} }],
    ["invalid keys", { keys: { keys: "none" } }],
    ["a document above the size limit", { discovery: `"${"x".repeat(300_000)}"` }],
  ] as const)("treats an issuer that answers %s as unavailable for five seconds", ([, answer]) =>
    within((issuer) =>
      Effect.gen(function* () {
        issuer.answers(answer)
        expect(yield* check(issuer)).toBe("unavailable")
        issuer.answers("documents")
        const { discovery } = issuer.asked
        expect(yield* check(issuer)).toBe("unavailable")
        expect(issuer.asked.discovery).toBe(discovery)
        yield* TestClock.adjust("5 seconds")
        expect(yield* check(issuer)).toBe("accepted")
      }),
    ),
  )

  it.effect("does not request keys over plain HTTP", () =>
    within((issuer) =>
      Effect.gen(function* () {
        issuer.answers({ discovery: { issuer: issuer.issuer, jwks_uri: "http://keys.example/" } })
        expect(yield* check(issuer)).toBe("unavailable")
        expect(issuer.asked.keys).toBe(0)
      }),
    ),
  )

  it.effect.each(["discovery", "keys"] as const)("does not follow a redirect to its document of %s", (document) =>
    Effect.gen(function* () {
      const opened = yield* provider
      const address = yield* redirecting(opened.issuer)
      // An issuer at the redirecting address, or one whose keys are there: the documents behind it would be accepted.
      const issuer = document === "discovery" ? address : opened.issuer
      opened.answers({ discovery: { issuer, jwks_uri: `${document === "keys" ? address : opened.issuer}/keys` } })
      const answer = yield* Effect.provide(check({ ...opened, issuer }), WalletChecks.layer({ issuers: [issuer] }))
      expect(answer).toBe("unavailable")
      expect(opened.asked[document]).toBe(0)
    }),
  )

  it.effect("keeps the known keys when the issuer fails", () =>
    within((issuer) =>
      Effect.gen(function* () {
        expect(yield* check(issuer)).toBe("accepted")
        yield* TestClock.adjust("30 seconds")
        issuer.answers("error")
        expect(yield* check(issuer, { kid: "nowhere" })).toBe("unavailable")
        expect(yield* check(issuer)).toBe("accepted")
      }),
    ),
  )
})
