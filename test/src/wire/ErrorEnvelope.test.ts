/** Every failure has exactly the specified body and no internal detail. */
import { describe, expect, it } from "vitest"
import { base, call, fakeService, json, send, sendTo } from "./FakeService.ts"

const failures: ReadonlyArray<readonly [string, () => Promise<Response>, number, string]> = [
  ["an unknown path of the interface", () => call("/nope"), 404, "REFERENCE_NOT_FOUND"],
  ["an unknown path outside", () => send("/nope"), 404, "REFERENCE_NOT_FOUND"],
  ["the base path of another version", () => send("/2024-10-13"), 404, "REFERENCE_NOT_FOUND"],
  ["a path that cannot be decoded", () => call("/customers/%ZZ"), 404, "REFERENCE_NOT_FOUND"],
  ["a path id with U+0000", () => call("/customers/a%00b"), 404, "REFERENCE_NOT_FOUND"],
  ["a path in another case", () => call("/Config"), 404, "REFERENCE_NOT_FOUND"],
  ["a method that the path does not have", () => call("/config", { method: "DELETE" }), 405, "METHOD_NOT_ALLOWED"],
  ["a method outside the interface", () => send("/healthz", { method: "POST" }), 405, "METHOD_NOT_ALLOWED"],
  ["no credentials", () => call("/config", { authorization: null }), 401, "UNAUTHORIZED"],
  ["a rejection by the core", () => call("/customers/conflict"), 409, "CONFLICT"],
  ["too many requests", () => call("/customers/limited"), 429, "RATE_LIMITED"],
  ["malformed JSON", () => call("/customers", { method: "POST", body: "{" }), 400, "INVALID_REQUEST_FORMAT"],
  ["a wrong field", () => call("/customers", { method: "POST", body: {} }), 400, "INVALID_INPUT"],
  ["an unavailable store", () => call("/customers/away"), 503, "SERVICE_UNAVAILABLE"],
  ["a defect", () => call("/customers/defect"), 500, "INTERNAL_ERROR"],
]

describe("the error body", () => {
  // Proves: CONV-01, ERR-BODY-01, ERR-BODY-03, ERR-BODY-05, ERR-INVALID_INPUT, ERR-INVALID_REQUEST_FORMAT
  // Proves: ERR-UNAUTHORIZED, ERR-REFERENCE_NOT_FOUND, ERR-INTERNAL_ERROR
  // Proves: EP-AGENT-19
  it.each(failures)("is as specified for %s", async (_what, request, status, code) => {
    const response = await request()
    expect(response.status).toBe(status)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/u)
    expect(response.headers.get("cache-control")).toBe("no-store")
    const body = await json(response)
    expect(body).toMatchObject({ status, code, message: expect.stringMatching(/\S/u) })
    const known = ["status", "code", "message", "reason", "details"]
    expect(Object.keys(body).filter((key) => !known.includes(key))).toEqual([])
    expect(JSON.stringify(body)).not.toContain("secret")
  })

  it("comes with Allow for a 405 and with Retry-After for a 503", async () => {
    expect((await call("/config", { method: "DELETE" })).headers.get("allow")).toBe("GET, PATCH, HEAD, OPTIONS")
    expect((await call("/customers/away")).headers.get("retry-after")).toBe("1")
    expect((await call("/customers/limited")).headers.get("retry-after")).toBe("7")
    expect((await call("/customers/conflict")).headers.get("retry-after")).toBeNull()
  })

  // Proves: ERR-BODY-04
  it("contains the details of a rejection, and a replayed one is marked", async () => {
    expect((await json(call("/customers/conflict"))).details).toEqual({ reason: "TWICE" })
    expect((await call("/customers/replayed")).headers.get("idempotency-replayed")).toBe("true")
    expect((await call("/customers/conflict")).headers.get("idempotency-replayed")).toBeNull()
  })

  it("is logged with the request id for a defect, and not for a rejection", async () => {
    const lines: Array<string> = []
    const service = fakeService({ log: (line) => lines.push(line) })
    const refused = await sendTo(service)(`${base}/customers/conflict`)
    expect(refused.status).toBe(409)
    expect(lines).toEqual([])
    const failed = await sendTo(service)(`${base}/customers/defect`)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("secret inside")
    expect(lines[0]).toContain(failed.headers.get("x-request-id"))
    await service.dispose()
  })

  it("comes with a different request id for every response", async () => {
    const ids = await Promise.all([call("/config"), call("/config"), call("/nope"), send("/healthz")])
    expect(new Set(ids.map((response) => response.headers.get("x-request-id"))).size).toBe(4)
  })
})
