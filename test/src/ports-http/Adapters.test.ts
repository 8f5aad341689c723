/** What each port asks of its server, and what it makes of the answer. */
import { Cause, Effect, Exit, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { makePortClient, type PortClient } from "../../../packages/ports-http/src/call/PortClient.ts"
import { scaProviderOverHttp } from "../../../packages/ports-http/src/ports/AuthenticationOverHttp.ts"
import { exchangeRatesOverHttp } from "../../../packages/ports-http/src/ports/DirectoryOverHttp.ts"
import { issuerOverHttp } from "../../../packages/ports-http/src/ports/IssuerOverHttp.ts"
import { railsOverHttp } from "../../../packages/ports-http/src/ports/RailsOverHttp.ts"
import { portServer, serverSecret } from "./PortServer.ts"

/** Calls a port of a server with one answer, and returns the request and the result. */
const called = async <A, E>(answer: object, use: (client: PortClient) => Effect.Effect<A, E>) => {
  await using server = await portServer(() => answer)
  const exit = await Effect.runPromiseExit(
    Effect.scoped(
      Effect.flatMap(makePortClient({ url: `${server.url}//`, secrets: [Redacted.make(serverSecret)] }), use),
    ),
  )
  const [call] = server.calls
  const value = Exit.isSuccess(exit) ? exit.value : Cause.squash(exit.cause)
  return { path: call?.path.slice("/ports".length), request: call?.request, value, calls: server.calls.length }
}
const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "12345678", routingNumber: "021000021" } as const
const account = { accountId: "ExternalAccount:1", currency: "USD", accountInfo } as const

describe("the rails", () => {
  const inspection = { pullable: true, funds: "unknown" }
  const inspect = (
    amount: number | undefined,
    purpose: Parameters<ReturnType<typeof railsOverHttp>["inspectPull"]>[2],
  ) => called({ result: inspection }, (client) => railsOverHttp(client).inspectPull(account, amount, purpose))

  it("inspect an account for a transfer or a quote", async () => {
    expect(await inspect(undefined, { _tag: "Transfer" })).toEqual({
      path: "/rails/inspect-pull",
      request: { source: account, purpose: { for: "transfer" } },
      value: inspection,
      calls: 1,
    })
    expect((await inspect(7, { _tag: "Quote", isPayersAccount: true, ownershipType: undefined })).request).toEqual({
      source: account,
      amount: 7,
      purpose: { for: "quote", isPayersAccount: true },
    })
    const owned = { _tag: "Quote", isPayersAccount: false, ownershipType: "FIRST_PARTY" } as const
    expect((await inspect(7, owned)).request).toMatchObject({
      purpose: { for: "quote", isPayersAccount: false, ownershipType: "FIRST_PARTY" },
    })
  })

  it("inquire about an instruction with its direction", async () => {
    const push = { reference: "Transaction:1", destination: account, amount: 5, submittedAt: 1 }
    const pull = { reference: "Transaction:1", source: account, amount: 5, submittedAt: 1 }
    const asked = (instruction: Parameters<ReturnType<typeof railsOverHttp>["inquire"]>[0]) =>
      called({ outcome: "NotReceived" }, (client) => railsOverHttp(client).inquire(instruction))
    const value = { _tag: "NotReceived" }
    const path = "/rails/inquire"
    expect(await asked({ _tag: "Push", request: push })).toEqual({
      path,
      request: { direction: "push", ...push },
      value,
      calls: 1,
    })
    expect(await asked({ _tag: "Pull", request: pull })).toEqual({
      path,
      request: { direction: "pull", ...pull },
      value,
      calls: 1,
    })
  })
})

describe("the issuer", () => {
  it("has the traits that it is given, and safe ones otherwise", async () => {
    const traits = async (given: Parameters<typeof issuerOverHttp>[0]) => {
      const { value } = await called({}, (client) => Effect.succeed(issuerOverHttp(given)(client)))
      return value
    }
    expect(await traits({})).toMatchObject({
      isOffered: true,
      needsDelegatedKeys: true,
      takesThreeDSecurePassword: false,
    })
    const own = { needsDelegatedKeys: false, takesThreeDSecurePassword: true }
    expect(await traits(own)).toMatchObject(own)
  })

  it("admits an account or does not", async () => {
    for (const result of [true, false]) {
      expect(await called({ result }, (client) => issuerOverHttp({})(client).admits("InternalAccount:1"))).toEqual({
        path: "/issuer/admits",
        request: { accountId: "InternalAccount:1" },
        value: result,
        calls: 1,
      })
    }
  })
})

describe("strong authentication", () => {
  it("offers purposes and trust only if the provider has them", async () => {
    const has = async (traits: Parameters<typeof scaProviderOverHttp>[0]) => {
      const { value } = await called({}, (client) => Effect.succeed(Object.keys(scaProviderOverHttp(traits)(client))))
      return Array.isArray(value) ? value.slice(6) : value
    }
    expect([await has({}), await has({ purposes: true }), await has({ challengesTrust: true })]).toEqual([
      [],
      ["purposes"],
      ["challengesTrust"],
    ])
  })
})

it("a rate that the server does not have is not known", async () => {
  expect(await called({ result: null }, (client) => exchangeRatesOverHttp(client).rate("USD", "EUR"))).toEqual({
    path: "/exchange-rates/rate",
    request: { from: "USD", to: "EUR" },
    value: undefined,
    calls: 1,
  })
})
