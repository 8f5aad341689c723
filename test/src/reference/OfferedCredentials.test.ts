/** Credentials are offered to a reader on the same machine only. Source: D-441. */
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { expect, it } from "vitest"
import { answer } from "../../../packages/adapter-http/src/server/OfferedCredentials.ts"
import { send } from "../wire/FakeService.ts"

const offered = { clientId: "first", clientSecret: Redacted.make("a-secret") }

const ask = async (headers: Readonly<Record<string, string>>) => {
  const request = HttpServerRequest.fromWeb(new Request("http://a.test/docs/credentials.json", { headers }))
  const response = HttpServerResponse.toWeb(
    await Effect.runPromise(Effect.provideService(answer(offered), HttpServerRequest.HttpServerRequest, request)),
  )
  expect(response.headers.get("cache-control")).toBe("no-store")
  return { status: response.status, text: await response.text() }
}

it.each(["localhost:8787", "127.0.0.1:8787", "[::1]:8787"])("are offered to a reader of %s", async (host) => {
  const { status, text } = await ask({ host, "sec-fetch-site": "same-origin" })
  expect([status, JSON.parse(text)]).toEqual([200, { clientId: "first", clientSecret: "a-secret" }])
})

it.each([
  ["another name of the machine", { host: "sandbox.example" }],
  ["no name", {}],
  ["a page of another site", { host: "localhost", "sec-fetch-site": "cross-site" }],
  ["a page of a sibling", { host: "localhost", "sec-fetch-site": "same-site" }],
  ["a proxy", { host: "localhost", "x-forwarded-for": "203.0.113.7" }],
  ["a proxy of the standard", { host: "localhost", forwarded: "for=203.0.113.7" }],
])("are not offered to %s", async (_name, headers) => {
  expect(await ask(headers)).toEqual({ status: 204, text: "" })
})

it("are not offered by a service that was given none", async () => {
  const response = await send("/docs/credentials.json", { authorization: null })
  expect([response.status, await response.text()]).toEqual([204, ""])
})
