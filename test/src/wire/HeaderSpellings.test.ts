/**
 * Headers mean the same in every spelling that their standards allow, and what only looks like an allowed one is refused.
 * Source: RFC 9110, 5.5, 8.3 and 11.1; W3C Fetch Metadata; D-350.
 */
import { describe, expect, it } from "vitest"
import { basic, bearer, call, json } from "./FakeService.ts"

const change = (headers: Readonly<Record<string, string>>) =>
  call("/tokens", { method: "POST", body: { name: "New", permissions: ["VIEW"] }, headers })

/** In any case, with parameters, and with blanks around them. */
const spellings = (type: string): ReadonlyArray<string> => [
  type,
  type.toUpperCase(),
  `${type}; charset=utf-8`,
  `${type} ; charset=utf-8`,
  `${type};charset=UTF-8`,
]

describe("a content type", () => {
  it.each(spellings("application/json"))("%s is one of JSON", async (type) => {
    expect((await change({ "content-type": type })).status).toBe(201)
  })

  it.each(["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].flatMap(spellings))(
    "%s is one that a form of any site can send",
    async (type) => {
      const response = await change({ "content-type": type })
      expect(response.status).toBe(403)
      expect((await json(response)).details).toMatchObject({ reason: "FORM_CONTENT_TYPE" })
    },
  )

  it.each(["application/jsonp", "text/html", "application/json5", "x application/json"])(
    "%s is neither",
    async (type) => {
      const response = await change({ "content-type": type })
      expect([response.status, (await json(response)).code]).toEqual([400, "INVALID_REQUEST_FORMAT"])
    },
  )
})

describe("a page of another site", () => {
  it.each<Readonly<Record<string, string>>>([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "SAME-ORIGIN" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  ])("sends no change: %o", async (headers) => {
    const response = await change(headers)
    expect(response.status).toBe(403)
    expect((await json(response)).details).toMatchObject({ reason: "CROSS_SITE_REQUEST" })
  })

  it("may read, because it cannot see the answer", async () => {
    expect((await call("/tokens", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(200)
  })

  it("is not a page of the service, nor a person who typed the address", async () => {
    for (const site of ["same-origin", "none"]) expect((await change({ "sec-fetch-site": site })).status).toBe(201)
  })
})

describe("an Authorization header", () => {
  it.each([
    ["/tokens", basic()],
    ["/agents/me", bearer()],
  ])("at %s has its scheme in any case, and blanks after it", async (path, authorization) => {
    const [scheme = "", credentials = ""] = authorization.split(" ")
    for (const spelled of [scheme, scheme.toLowerCase(), scheme.toUpperCase()]) {
      for (const whole of [`${spelled} ${credentials}`, `${spelled}   ${credentials}`, `${spelled} ${credentials}  `]) {
        expect((await call(path, { authorization: whole })).status).toBe(200)
      }
    }
    for (const broken of [
      credentials,
      `${scheme}${credentials}`,
      `${scheme} ${credentials} more`,
      `x${authorization}`,
    ]) {
      expect((await call(path, { authorization: broken })).status).toBe(401)
    }
  })
})

describe("credentials that are missing", () => {
  it("are asked for in a form that a browser does not keep, where a browser sent the request", async () => {
    const challenge = async (headers: Readonly<Record<string, string>>) =>
      (await call("/tokens", { authorization: null, headers })).headers.get("www-authenticate")
    const program = await challenge({})
    expect(program).toMatch(/^Basic /u)
    for (const headers of [
      { accept: "text/html" },
      { accept: "application/json, Text/HTML;q=0.9" },
      { "sec-fetch-site": "same-origin" },
      { origin: "http://service.test" },
    ]) {
      expect(await challenge(headers)).not.toBe(program)
    }
    for (const accept of ["application/json", "*/*", "text/htmlx"]) expect(await challenge({ accept })).toBe(program)
  })
})
