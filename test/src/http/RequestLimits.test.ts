/** The limits on reads and writes of callers, and the headers that tell what is left. Source: wire contract 11 (3, 30); D-338. */
import { type Caller, ServiceError } from "@countersign/core"
import { StoreUnavailable } from "@countersign/core/store"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { answerFailures, limitHeaders, refuse, respond } from "../../../packages/adapter-http/src/middleware/Answers.ts"
import * as RequestLimits from "../../../packages/adapter-http/src/middleware/RequestLimits.ts"

type Counts = Parameters<typeof RequestLimits.make>[0]["counts"]

const token = (tokenId: string | null, platformId = "PlatformConfig:1"): Caller => ({
  _tag: "Platform",
  platformId,
  tokenId,
  permissions: [],
})
const agent = (agentId: string, platformId = "PlatformConfig:1"): Caller => ({
  _tag: "Agent",
  platformId,
  customerId: "Customer:1",
  agentId,
  budget: "",
})
const made = (counts: Counts, processes = 1) => RequestLimits.make({ counts, prices: {} as never, processes })

/** What is left after each request; a code for a refusal. */
const taken = (
  counts: Counts,
  requests: ReadonlyArray<readonly [caller: Caller, isRead: boolean, now: number]>,
  processes = 1,
) => {
  const limits = made(counts, processes)
  return requests.map(([caller, isRead, now]) => {
    const found = limits?.take(caller, isRead, now) ?? {}
    return found instanceof ServiceError ? found.code : found["ratelimit-remaining"]
  })
}

describe("the limits of a deployment", () => {
  it("are none, unless it has one of reads or writes", () => {
    expect(made({})).toBeUndefined()
    for (const name of ["READS", "WRITES", "READS_OF_PLATFORM", "WRITES_OF_PLATFORM"] as const)
      expect(made({ [name]: 1 })).toBeDefined()
  })

  it("count reads and writes apart", () => {
    const [a] = [token("a")]
    const requests = [true, true, false, true, false, false].map((isRead) => [a, isRead, 0] as const)
    expect(taken({ READS: 2, WRITES: 2 }, requests)).toEqual(["1", "0", "1", "RATE_LIMITED", "0", "RATE_LIMITED"])
  })

  it("count each token and agent for itself, and a platform with all of them", () => {
    const each = [token("a"), token("b"), agent("c"), agent("d")].map((caller) => [caller, true, 0] as const)
    expect(taken({ READS: 1 }, [...each, ...each.slice(0, 1)])).toEqual(["0", "0", "0", "0", "RATE_LIMITED"])
    const other = [token("a", "PlatformConfig:2"), true, 0] as const
    expect(taken({ READS_OF_PLATFORM: 4 }, [...each, ...each.slice(0, 1), other])).toEqual([
      "3",
      "2",
      "1",
      "0",
      "RATE_LIMITED",
      "3",
    ])
    const writes = each.map(([caller]) => [caller, false, 0] as const)
    expect(taken({ WRITES_OF_PLATFORM: 3 }, writes)).toEqual(["2", "1", "0", "RATE_LIMITED"])
  })

  it("tell of the limit of which less is left", () => {
    const limits = made({ READS: 5, READS_OF_PLATFORM: 2 })
    expect(limits?.take(token("a"), true, 0)).toMatchObject({ "ratelimit-limit": "2", "ratelimit-remaining": "1" })
    const tight = made({ READS: 2, READS_OF_PLATFORM: 5 })
    expect(tight?.take(token("a"), true, 0)).toMatchObject({ "ratelimit-limit": "2", "ratelimit-remaining": "1" })
    const equal = made({ READS: 2, READS_OF_PLATFORM: 3 })
    equal?.take(token("a"), true, 0)
    expect(equal?.take(token("b"), true, 0)).toMatchObject({ "ratelimit-limit": "2", "ratelimit-remaining": "1" })
  })

  it("are shared by the processes, each of which allows one request at least", () => {
    const request = [token("a"), true, 0] as const
    expect(taken({ READS: 5 }, [request, request, request], 2)).toEqual(["1", "0", "RATE_LIMITED"])
    expect(taken({ READS: 1 }, [request, request], 3)).toEqual(["0", "RATE_LIMITED"])
  })

  it("refuse with the time of the next request, which is then allowed", () => {
    const limits = made({ READS: 1 })
    limits?.take(token("a"), true, 0)
    const refusal = limits?.take(token("a"), true, 30_000)
    expect(refusal).toMatchObject({ code: "RATE_LIMITED", details: { retryAfterSeconds: 30 } })
    expect(limits?.take(token("a"), true, 60_000)).toMatchObject({
      "ratelimit-remaining": "0",
      "ratelimit-reset": "60",
    })
  })
})

describe("an answer", () => {
  const headersOf = (response: HttpServerResponse.HttpServerResponse) =>
    Object.fromEntries(Object.entries(response.headers).filter(([name]) => !name.startsWith("content-")))
  const textOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
    body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  const message = "It is refused."

  it("has the fields of a limit", () => {
    expect(limitHeaders(5, 4, 60)).toEqual({
      "ratelimit-limit": "5",
      "ratelimit-remaining": "4",
      "ratelimit-reset": "60",
    })
  })

  it.each<readonly [headers: object, refusal: Parameters<typeof refuse>[0]]>([
    [{}, { code: "CONFLICT", message, details: { retryAfterSeconds: 9, limit: 5 } }],
    [{ "retry-after": "1" }, { code: "SERVICE_UNAVAILABLE", message }],
    [{ "retry-after": "1" }, { code: "SERVICE_UNAVAILABLE", message, details: { retryAfterSeconds: "soon" } }],
    [{ "retry-after": "9" }, { code: "RATE_LIMITED", message, details: { retryAfterSeconds: 9 } }],
    [
      { "retry-after": "9", ...limitHeaders(5, 0, 9) },
      { code: "RATE_LIMITED", message, details: { retryAfterSeconds: 9, limit: 5 } },
    ],
  ])("of a refusal has the headers %j", (headers, refusal) => {
    expect(headersOf(refuse(refusal))).toEqual(headers)
    expect(headersOf(refuse(refusal, { allow: "GET", "retry-after": "3" }))).toMatchObject({
      allow: "GET",
      "retry-after": "3",
    })
  })

  it("of a replay is marked, of a success as of a refusal", async () => {
    const replayed = { "idempotency-replayed": "true" }
    const answer = (more: object) =>
      Effect.runPromise(respond(Effect.succeed({ status: 201, body: { a: 1 }, ...more })))
    expect(headersOf(await answer({ replayed: true }))).toEqual(replayed)
    expect(headersOf(await answer({ replayed: false }))).toEqual({})
    const refused = (more: object) =>
      Effect.runPromise(answerFailures(Effect.fail(new ServiceError({ code: "CONFLICT", message, ...more }))))
    expect([(await refused({})).status, headersOf(await refused({}))]).toEqual([409, {}])
    expect(headersOf(await refused({ replayed: true }))).toEqual(replayed)
  })

  it("of 204 has no body, and of another status its body", async () => {
    const answer = async (status: number) => {
      const response = await Effect.runPromise(respond(Effect.succeed({ status, body: { a: 1 } })))
      return [response.status, textOf(response)]
    }
    expect([await answer(204), await answer(200)]).toEqual([
      [204, ""],
      [200, '{"a":1}'],
    ])
  })

  it("of an unavailable store says nothing of its cause", async () => {
    const cause = new StoreUnavailable({ unknown: false, cause: new Error("secret host name") })
    const response = await Effect.runPromise(answerFailures(Effect.fail(cause)))
    expect([response.status, response.headers["retry-after"]]).toEqual([503, "1"])
    expect(textOf(response)).toContain("The service cannot answer now. Try again.")
    expect(textOf(response)).not.toContain("secret")
  })
})
