/** The credentials that a request brings: its authorization header, and the cookie of a console session. Source: RFC 7617; RFC 6750; D-352. */
import { Redacted, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { basic, bearer } from "../../../packages/adapter-http/src/middleware/AuthorizationHeader.ts"
import * as ConsoleCookie from "../../../packages/adapter-http/src/middleware/ConsoleCookie.ts"

const shown = <A>(result: Result.Result<A, string>, show: (value: A) => unknown) =>
  Result.match(result, { onFailure: (reason) => reason, onSuccess: show })

describe("an authorization header", () => {
  const basicOf = (header: string | undefined) =>
    shown(basic(header), ({ clientId, clientSecret }) => [clientId, Redacted.value(clientSecret)])
  const bearerOf = (header: string | undefined) => shown(bearer(header), Redacted.value)
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

  it.each<readonly [header: string | undefined, found: unknown]>([
    [undefined, "MISSING_CREDENTIALS"],
    ["", "MISSING_CREDENTIALS"],
    [" ", "MISSING_CREDENTIALS"],
    [encoded("a:b"), ["a", "b"]],
    [encoded("a:b:c"), ["a", "b:c"]],
    [encoded(":"), ["", ""]],
    [encoded("é:ü"), ["é", "ü"]],
    [encoded("a:b").replace("Basic", "bASIC"), ["a", "b"]],
    [encoded("a:b").replace(" ", "   ").concat("  "), ["a", "b"]],
    [encoded("ab"), "MALFORMED_CREDENTIALS"],
    [encoded("a:b\u0000"), "MALFORMED_CREDENTIALS"],
    [encoded("a\u007f:b"), "MALFORMED_CREDENTIALS"],
    ["Basic", "MALFORMED_CREDENTIALS"],
    ["Basic ", "MALFORMED_CREDENTIALS"],
    ["Basic !", "MALFORMED_CREDENTIALS"],
    [`${encoded("a:b")} more`, "MALFORMED_CREDENTIALS"],
    [encoded("a:b").replace("Basic", "Basics"), "MALFORMED_CREDENTIALS"],
    ["Bearer abc", "MALFORMED_CREDENTIALS"],
  ])("%j names a client and its secret: %j", (header, found) => {
    expect(basicOf(header)).toEqual(found)
  })

  it.each<readonly [header: string | undefined, found: string]>([
    [undefined, "MISSING_CREDENTIALS"],
    ["Bearer abc", "abc"],
    ["bearer  abc ", "abc"],
    ["Bearer a b", "MALFORMED_CREDENTIALS"],
    ["Bearer", "MALFORMED_CREDENTIALS"],
    ["Basic abc", "MALFORMED_CREDENTIALS"],
  ])("%j has the token %s", (header, found) => {
    expect(bearerOf(header)).toBe(found)
  })
})

describe("the cookie of a session", () => {
  const requestOf = (cookie?: string, socket?: object) =>
    HttpServerRequest.fromWeb(
      Object.assign(new Request("http://localhost/", { headers: cookie === undefined ? {} : { cookie } }), { socket }),
    )
  const loopback = { localAddress: "127.0.0.1", localPort: 80 }
  const far = { localAddress: "10.0.0.1", localPort: 80 }
  const https = "https://pay.example.com"
  const both = "console-session=local; __Host-console-session=secure"

  it.each<
    readonly [
      secret: string | undefined,
      cookie: string | undefined,
      publicUrl: string | undefined,
      socket: object | undefined,
    ]
  >([
    ["secure", both, https, undefined],
    ["local", both, "http://localhost:8787", undefined],
    ["local", both, "http://127.0.0.1", undefined],
    [undefined, both, "http://pay.example.com", undefined],
    [undefined, both, undefined, undefined],
    ["local", both, undefined, loopback],
    ["secure", both, undefined, { ...far, encrypted: true }],
    [undefined, both, undefined, far],
    [undefined, "console-session=local", https, undefined],
    [undefined, "__Host-console-session=secure", undefined, loopback],
    [undefined, "__Host-console-session=", https, undefined],
    [undefined, undefined, https, undefined],
  ])("has the secret %s of %s at %s", (secret, cookie, publicUrl, socket) => {
    const found = ConsoleCookie.sessionSecret(requestOf(cookie, socket), publicUrl)
    expect(found && Redacted.value(found)).toBe(secret)
  })

  it.each<readonly [canKeep: boolean, publicUrl: string | undefined, socket: object | undefined]>([
    [true, https, undefined],
    [true, "http://localhost", undefined],
    [false, "http://pay.example.com", undefined],
    [true, undefined, loopback],
    [false, undefined, far],
    [false, undefined, undefined],
  ])("can exist: %s at %s", (canKeep, publicUrl, socket) => {
    expect(ConsoleCookie.canKeepSessions(requestOf(undefined, socket), publicUrl)).toBe(canKeep)
  })

  it.each([
    [https, "__Host-console-session", true],
    ["http://localhost", "console-session", false],
  ])("is set at %s for this host and for no script", (publicUrl, name, secure) => {
    const response = HttpServerResponse.empty()
    const set = ConsoleCookie.withSession(requestOf(), publicUrl, response, Redacted.make("abc"), 90)
    const removed = ConsoleCookie.withoutSession(requestOf(), publicUrl, response)
    const attributes = `Path=/; HttpOnly; ${secure ? "Secure; " : ""}SameSite=Strict`
    const lineOf = (answer: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.toWeb(answer).headers.get("set-cookie")?.split("; ").toSorted()
    expect(lineOf(set)).toEqual([`${name}=abc`, "Max-Age=90", ...attributes.split("; ")].toSorted())
    expect(lineOf(removed)).toEqual([`${name}=`, "Max-Age=0", ...attributes.split("; ")].toSorted())
  })
})
