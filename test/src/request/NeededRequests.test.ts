/** Which earlier requests a program repeats: each reason for which one is needed, and what needs none. Source: D-479. */
import { describe, expect, it } from "vitest"
import type { BoundRequest } from "../../../packages/adapter-http/src/tape/JournalBinding.ts"
import { neededRequests, replacesWorld, textsOf } from "../../../packages/adapter-http/src/tape/NeededRequests.ts"

const customer = "Customer:01a1fdfa-4600-740d-9f0d-2f1fd74d7ce4"
const account = "InternalAccount:01a1fdfa-4600-740d-9f0d-2f1fd74d7ce5"
const shown = (id: string) => `shown ${id}`

interface Sample {
  readonly method?: string
  readonly status?: number
  readonly operation?: string
  readonly path?: string
  readonly as?: object | string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly names?: ReadonlyArray<string>
  readonly commits?: ReadonlyArray<object>
  readonly isGap?: boolean
}

const commit = (records: ReadonlyArray<string>, transfers: ReadonlyArray<readonly [string, string]> = []) => ({
  records: records.map((id) => ({ id })),
  transfers: transfers.map(([from, to]) => ({ from, to })),
})

const request = (sample: Sample): BoundRequest => {
  const { as = "platform", body, commits = [], headers = {}, isGap = false, names = [], path = "/x" } = sample
  const { method = "GET", operation = "any", status = 200 } = sample
  const call = { _tag: "Call", method, path, as, headers, ...(body === undefined ? {} : { body }), answer: { status } }
  const step = isGap ? { _tag: "Gap", reason: "a test" } : call
  return {
    kept: { request: { operation, method, status, commits } },
    step,
    names: new Set(names.map(shown)),
  } as never
}

/** The indexes that lead to the last of these. */
const needed = (...samples: ReadonlyArray<Sample>) => neededRequests(samples.map(request))

const post = { method: "POST", status: 201 } as const
const read = { names: [customer] } as const

describe("an earlier request", () => {
  it.each<readonly [string, Sample]>([
    ["the path", { path: "/x/{{0:id}}" }],
    ["the sender", { as: { token: "{{0:token}}" } }],
    ["a header", { headers: { "idempotency-key": "{{0:id}}" } }],
    ["the body", { method: "POST", body: { a: [{ b: "{{0:id}}" }] } }],
  ])("is needed if %s refers to its answer", (_, last) => {
    expect(needed(post, post, last)).toEqual([0, 2])
  })

  it("is needed if one that is needed refers to its answer", () => {
    expect(needed(post, { ...post, path: "/{{0:id}}" }, post, { path: "/{{1:id}}" })).toEqual([0, 1, 3])
  })

  it("is not needed because of a variable, a literal brace or a gap", () => {
    expect(needed(post, { path: "/{{env:ID}}/{{braces}}0:id}}" })).toEqual([1])
    expect(needed(post, { isGap: true, path: "/{{0:id}}" })).toEqual([1])
  })

  it.each<readonly [string, Sample, boolean]>([
    ["changed what the last one names", { ...post, names: [customer] }, true],
    ["was accepted without a commit", { method: "DELETE", status: 204, names: [customer] }, true],
    ["was refused but wrote", { ...post, status: 400, names: [customer], commits: [commit([])] }, true],
    ["was refused and wrote nothing", { ...post, status: 400, names: [customer] }, false],
    ["only read", { names: [customer] }, false],
    ["read and wrote", { names: [customer], commits: [commit([])] }, true],
    ["changed something else", { ...post, names: [account] }, false],
    ["wrote a record that the last one names", { ...post, commits: [commit([account, customer])] }, true],
    ["wrote other records", { ...post, commits: [commit([account])] }, false],
    ["moved money from it", { ...post, commits: [commit([], [[`${customer}#held`, "outside"]])] }, true],
    ["moved money to it", { ...post, commits: [commit([], [["outside", `${customer}`]])] }, true],
    ["moved other money", { ...post, commits: [commit([], [["outside", account]])] }, false],
    ["was sent again", { ...post, names: [customer], operation: "sandboxSendRequest" }, false],
  ])("that %s is needed or not", (_, earlier, isNeeded) => {
    expect(needed(earlier, post, read)).toEqual(isNeeded ? [0, 2] : [2])
  })

  it.each<readonly [string, Sample, boolean]>([
    ["PATCH", { method: "PATCH" }, true],
    ["PUT", { method: "PUT" }, true],
    ["POST", { method: "POST" }, false],
    ["PATCH that was refused", { method: "PATCH", status: 400, commits: [commit([])] }, false],
    ["PATCH of a record", { method: "PATCH", names: [account] }, false],
  ])("is needed as a change of the platform's settings by %s", (_, earlier, isNeeded) => {
    expect(needed(earlier, read)).toEqual(isNeeded ? [0, 1] : [1])
  })

  it("is needed through names that one of the needed has", () => {
    const both = { ...post, names: [customer, account] }
    expect(needed({ ...post, names: [account] }, both, post, read)).toEqual([0, 1, 3])
  })
})

describe("a move of the clock", () => {
  const move = { ...post, status: 200, operation: "sandboxAdvanceClock" }

  it("is needed after the first needed request, and not before it, nor where it was refused", () => {
    expect(needed(move, post, move, { ...move, status: 409 }, post, { path: "/{{1:id}}" })).toEqual([1, 2, 5])
  })

  it("that comes first of all is needed only for itself", () => {
    expect(needed(move, move)).toEqual([1])
  })
})

describe("another world", () => {
  it.each(["sandboxLoadWorld", "sandboxResetWorld"])("of %s is needed among what is needed", (operation) => {
    const replacing = { ...post, operation }
    expect(needed(replacing, post, replacing, { ...replacing, status: 404 }, { path: "/{{1:id}}" })).toEqual([1, 2, 4])
    expect(replacesWorld(request(replacing))).toBe(true)
    expect(replacesWorld(request({ ...replacing, status: 400 }))).toBe(false)
    expect(replacesWorld(request(post))).toBe(false)
  })
})

it("a request has its references in its path, sender, headers and body", () => {
  const sample = { path: "/p", as: { token: "t" }, headers: { h: "v" }, body: { a: "b", c: ["d"] } }
  expect(textsOf(request(sample))).toEqual(["/p", "t", "v", "b", "d"])
  expect(textsOf(request({ ...sample, as: "nobody", isGap: true }))).toEqual([])
})
