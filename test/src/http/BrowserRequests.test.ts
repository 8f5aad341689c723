/** Which changes of browsers are refused: each mark of a request with its neighbours. Source: D-350, D-423. */
import { HttpServerRequest } from "effect/http"
import { describe, expect, it } from "vitest"
import {
  browserRefusal,
  isCertainlyOwnPage,
  isFromBrowser,
} from "../../../packages/adapter-http/src/middleware/BrowserRequests.ts"

type Marks = Readonly<Record<string, string>>

const own = "https://pay.example.com"
const crossSite = "CROSS_SITE_REQUEST"
const formType = "FORM_CONTENT_TYPE"

/** A request that a socket of this address received; without one the program that embeds the service passed it. */
const requestOf = (headers: Marks, method = "POST", socket?: object) =>
  HttpServerRequest.fromWeb(
    Object.assign(new Request("http://localhost/", { method, headers: { ...headers } }), { socket }),
  )
const reasonOf = (request: HttpServerRequest.HttpServerRequest, publicUrl: string | undefined, isUpload = false) =>
  browserRefusal(request, publicUrl, isUpload)?.details?.["reason"]

describe("a change", () => {
  it.each<readonly [marks: Marks, reason: string | undefined]>([
    [{}, undefined],
    [{ "sec-fetch-site": "none" }, undefined],
    [{ "sec-fetch-site": "same-origin" }, undefined],
    [{ "sec-fetch-site": "same-site" }, crossSite],
    [{ "sec-fetch-site": "cross-site" }, crossSite],
    [{ "sec-fetch-site": "" }, crossSite],
    [{ origin: own }, undefined],
    [{ origin: own, "sec-fetch-site": "same-origin" }, undefined],
    [{ origin: own, "sec-fetch-site": "cross-site" }, crossSite],
    [{ origin: "http://pay.example.com" }, crossSite],
    [{ origin: `${own}:8443` }, crossSite],
    [{ origin: "null" }, crossSite],
    [{ origin: "https://evil.example", "sec-fetch-site": "same-origin" }, crossSite],
    [{ "content-type": "application/json" }, undefined],
    [{ "content-type": "application/x-www-form-urlencoded" }, formType],
    [{ "content-type": "multipart/form-data; boundary=x" }, formType],
    [{ "content-type": "TEXT/Plain ; charset=utf-8" }, formType],
    [{ "content-type": "text/plain2" }, undefined],
    [{ origin: "null", "content-type": "text/plain" }, crossSite],
    [{ "user-agent": "Mozilla/5.0" }, undefined],
  ])("with %j is refused for %s", (marks, reason) => {
    expect(reasonOf(requestOf(marks), `${own}/mount`)).toBe(reason)
  })

  it.each(["POST", "PUT", "PATCH", "DELETE"])("of %s is refused from another site", (method) => {
    expect(reasonOf(requestOf({ "sec-fetch-site": "cross-site" }, method), own)).toBe(crossSite)
  })

  it.each(["GET", "HEAD", "OPTIONS"])("is not what %s asks for", (method) => {
    expect(reasonOf(requestOf({ "sec-fetch-site": "cross-site", origin: "null" }, method), own)).toBeUndefined()
  })

  it.each<readonly [marks: Marks, reason: string | undefined]>([
    [{ origin: "http://127.0.0.1:8080" }, undefined],
    [{ origin: "http://localhost:8080" }, undefined],
    [{ origin: "http://[::1]:8080" }, undefined],
    [{ origin: "http://127.0.0.1:8081" }, crossSite],
    [{ origin: own, "sec-fetch-site": "same-origin" }, crossSite],
  ])("at the address that the server listens on, with %j, is refused for %s", (marks, reason) => {
    const socket = { localAddress: "::ffff:127.0.0.1", localPort: 8080 }
    expect(reasonOf(requestOf(marks, "POST", socket), undefined)).toBe(reason)
  })

  it.each<readonly [marks: Marks, reason: string | undefined]>([
    [{ origin: own, "sec-fetch-site": "same-origin" }, undefined],
    [{ origin: own, "sec-fetch-site": "none" }, crossSite],
    [{ origin: own }, crossSite],
    [{}, undefined],
  ])("at an unknown address, with %j, is refused for %s", (marks, reason) => {
    expect(reasonOf(requestOf(marks), undefined)).toBe(reason)
  })
})

describe("an upload", () => {
  const files = "multipart/form-data; boundary=x"
  const browser = "Mozilla/5.0 (X11)"
  it.each<readonly [marks: Marks, reason: string | undefined]>([
    [{ "content-type": files }, undefined],
    [{ "content-type": files, "user-agent": "Java/21 Mozilla/5.0" }, undefined],
    [{ "content-type": files, "user-agent": browser }, crossSite],
    [{ "content-type": files, "user-agent": browser, origin: own }, undefined],
    [{ "content-type": files, "user-agent": browser, "sec-fetch-site": "none" }, undefined],
    [{ "content-type": files, origin: "https://evil.example" }, crossSite],
    [{ "content-type": "text/plain" }, formType],
    [{ "content-type": "application/x-www-form-urlencoded" }, formType],
    [{ "content-type": "application/json", "user-agent": browser }, undefined],
  ])("with %j is refused for %s", (marks, reason) => {
    expect(reasonOf(requestOf(marks), own, true)).toBe(reason)
  })
})

it("refuses with messages that say what would be right", () => {
  expect(browserRefusal(requestOf({ origin: "null" }), own, false)).toEqual({
    code: "FORBIDDEN",
    message: "A browser may send this request from the service's own pages only.",
    details: { reason: crossSite },
  })
  expect(browserRefusal(requestOf({ "content-type": "text/plain" }), own, false)).toEqual({
    code: "FORBIDDEN",
    message: "Content-Type must be application/json: a page of any site can send forms.",
    details: { reason: formType },
  })
})

describe("what a cookie authorizes", () => {
  it.each<readonly [method: string, marks: Marks, isOwn: boolean]>([
    ["POST", { origin: own }, true],
    ["POST", { origin: own, "sec-fetch-site": "same-origin" }, true],
    ["POST", { origin: own, "sec-fetch-site": "none" }, false],
    ["POST", { origin: own, "sec-fetch-site": "cross-site" }, false],
    ["POST", { origin: "null" }, false],
    ["POST", {}, false],
    ["DELETE", { "sec-fetch-site": "same-origin" }, false],
    ["GET", {}, true],
    ["HEAD", { "sec-fetch-site": "same-origin" }, true],
    ["OPTIONS", {}, true],
    ["GET", { "sec-fetch-site": "none" }, false],
    ["GET", { origin: "https://evil.example" }, false],
    ["GET", { origin: own }, true],
  ])("is a %s with %j: %s", (method, marks, isOwn) => {
    expect(isCertainlyOwnPage(requestOf(marks, method), own)).toBe(isOwn)
  })

  it("is no change at an unknown address", () => {
    expect(isCertainlyOwnPage(requestOf({ origin: own, "sec-fetch-site": "same-origin" }), undefined)).toBe(false)
  })
})

it.each<readonly [marks: Marks, isBrowser: boolean]>([
  [{}, false],
  [{ "sec-fetch-site": "none" }, true],
  [{ "sec-fetch-mode": "cors" }, false],
  [{ origin: "null" }, true],
  [{ accept: "application/xml, TEXT/HTML;q=0.9" }, true],
  [{ accept: "text/html2" }, false],
  [{ accept: "application/json, */*" }, false],
  [{ "user-agent": "Mozilla/5.0" }, false],
])("knows whether %j comes from a browser: %s", (marks, isBrowser) => {
  expect(isFromBrowser(requestOf(marks))).toBe(isBrowser)
})
