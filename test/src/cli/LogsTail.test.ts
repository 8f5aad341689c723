/** `countersign logs tail`: what it asks for, and which requests it prints in which order. Source: D-466. */
import { describe, expect, it } from "vitest"
import { commandAt } from "./CommandsAt.ts"

const requestOf = (id: string, more: object = {}) => ({
  id,
  receivedAt: "2026-01-31T12:34:56.789Z",
  method: "GET",
  path: `/agents/${id}`,
  status: 200,
  durationMillis: 7,
  isReplay: false,
  caller: { kind: "PLATFORM", id: "Platform:1", name: "first" },
  ...more,
})

type Requests = ReadonlyArray<ReturnType<typeof requestOf>>
const some = (...ids: ReadonlyArray<string>): Requests => ids.map((id) => requestOf(id))
const numbered = (from: number, to: number) => some(...Array.from({ length: to - from + 1 }, (_, at) => `${to - at}`))

/** Follows requests: each answer is one page, with the cursor of the next one if it has more. After the last one the server refuses. */
const tailed = async (
  pages: ReadonlyArray<{ readonly data: Requests; readonly nextCursor?: string }>,
  ...words: ReadonlyArray<string>
) => {
  const ended = await commandAt(["logs", "tail", ...words], (_, index) => pages[index] ?? 401, { isFollowing: true })
  expect(ended.code).toBe(8)
  const lines = ended.stdout === "" ? [] : ended.stdout.split("\n")
  const ids = lines.map((line) => /agents\/(\w+)/u.exec(line)?.[1])
  return { lines, ids, paths: ended.sent.map(({ path }) => path), pauses: ended.pauses }
}

describe("the requests that are asked for", () => {
  it.each<readonly [query: string, words: ReadonlyArray<string>]>([
    ["limit=100", []],
    ["limit=100&operation=createTransferOut", ["--operation", "createTransferOut"]],
    ["limit=100&outcome=FAILED", ["--failed"]],
    ["limit=100&operation=getPlatformConfig&outcome=FAILED", ["--failed", "--operation", "getPlatformConfig"]],
    ["limit=100", ["--status", "404"]],
  ])("have the query %s", async (query, words) => {
    expect((await tailed([], ...words)).paths).toEqual([`/sandbox/requests?${query}`])
  })

  it("are those of one page at first, and later of each page up to a known request", async () => {
    const { ids, paths } = await tailed([
      { data: some("b", "a"), nextCursor: "old" },
      { data: some("f", "e"), nextCursor: "two" },
      { data: some("d", "c"), nextCursor: "three" },
      { data: some("b", "a"), nextCursor: "four" },
      { data: some("f") },
    ])
    expect(ids).toEqual(["a", "b", "c", "d", "e", "f"])
    const query = "/sandbox/requests?limit=100"
    expect(paths).toEqual([query, query, `${query}&cursor=two`, `${query}&cursor=three`, query, query])
  })

  it("end with the last page, although no request of it is known", async () => {
    const { ids, paths } = await tailed([{ data: [] }, { data: some("b"), nextCursor: "x" }, { data: some("a") }])
    expect(ids).toEqual(["a", "b"])
    expect(paths).toHaveLength(4)
  })

  it("are at most ten pages", async () => {
    const pages = Array.from({ length: 10 }, (_, at) => ({ data: some(`p${at}`), nextCursor: `c${at}` }))
    const { ids, paths } = await tailed([{ data: some("a") }, ...pages])
    expect(ids).toEqual(["a", ...pages.map((_, at) => `p${9 - at}`)])
    expect(paths).toHaveLength(12)
    expect(paths.at(-1)).toBe("/sandbox/requests?limit=100")
  })

  it("are asked for each second", async () => {
    expect((await tailed([{ data: [] }, { data: [] }])).pauses).toEqual([1000, 1000])
  })
})

describe("earlier requests", () => {
  it.each<readonly [count: number, words: ReadonlyArray<string>]>([
    [10, []],
    [0, ["-n", "0"]],
    [1, ["-n", "1"]],
    [30, ["--last", "30"]],
    [40, ["--last", "100"]],
  ])("are the newest %d of 40 with %j, the oldest first", async (count, words) => {
    const { ids } = await tailed([{ data: numbered(1, 40) }], ...words)
    expect(ids).toEqual(Array.from({ length: count }, (_, at) => `${41 - count + at}`))
  })

  it("are counted after those of another status are left out", async () => {
    const data = [
      requestOf("f", { status: 409 }),
      ...some("e"),
      requestOf("d", { status: 404 }),
      ...some("c"),
      requestOf("b", { status: 404 }),
      requestOf("a", { status: 404 }),
    ]
    expect((await tailed([{ data }], "--status", "404", "-n", "2")).ids).toEqual(["b", "d"])
  })

  it("limit no later ones, which are filtered by the status, too", async () => {
    const later = [requestOf("d", { status: 404 }), ...some("c"), requestOf("b", { status: 404 }), ...some("a")]
    const pages = [{ data: some("a") }, { data: later }]
    expect((await tailed(pages, "--status", "404", "-n", "0")).ids).toEqual(["b", "d"])
    expect((await tailed(pages, "-n", "0")).ids).toEqual(["b", "c", "d"])
  })

  it.each([
    ["--last", "-1", "-n takes a number from 0 to 100"],
    ["--last", "101", "-n takes a number from 0 to 100"],
    ["--status", "99", "--status takes a status from 100 to 599"],
    ["--status", "600", "--status takes a status from 100 to 599"],
    ["--operation", "other", "--operation takes the id of an operation, such as createTransferOut: /docs lists them"],
  ])("are refused with %s %s", async (name, value, message) => {
    const { code, sent, stderr } = await commandAt(["logs", "tail", `${name}=${value}`], () => 401)
    expect([code, sent]).toEqual([2, []])
    expect(stderr).toContain(message)
  })

  it.each(["100", "599"])("may be those of the status %s", async (status) => {
    const { ids } = await tailed([{ data: [requestOf("a", { status: Number(status) })] }], "--status", status)
    expect(ids).toEqual(["a"])
  })
})

describe("the line of a request", () => {
  it.each<readonly [line: string, more: object]>([
    ["12:34:56  200  GET /agents/a  7 ms  first", {}],
    ["12:34:56  399  POST /agents/a  7 ms  first", { status: 399, method: "POST" }],
    ["12:34:56  400  GET /agents/a  7 ms  first  NOT_FOUND", { status: 400, code: "NOT_FOUND" }],
    ["12:34:56  200  GET /agents/a  7 ms  first  A  R  replayed", { code: "A", rule: "R", isReplay: true }],
    ["12:34:56  200  GET /agents/a  7 ms  Agent:1", { caller: { kind: "AGENT", id: "Agent:1" } }],
    ["12:34:56  200  GET /agents/a  7 ms  NOBODY", { caller: { kind: "NOBODY" } }],
    [
      "12:34:56  200  GET /agents/a\\u001b  7 ms  \\u202ename",
      { path: "/agents/a\u001b", caller: { name: "\u202ename" } },
    ],
  ])("is %j", async (line, more) => {
    expect((await tailed([{ data: [requestOf("a", more)] }])).lines).toEqual([line])
  })

  it.each<readonly [status: number, colour: number]>([
    [399, 32],
    [400, 31],
  ])("has the status %d in the colour %d, and a dim caller", async (status, colour) => {
    const answers = (_: unknown, index: number) => (index === 0 ? { data: [requestOf("a", { status })] } : 401)
    const { stdout } = await commandAt(["logs", "tail"], answers, { isColoured: true, isFollowing: true })
    expect(stdout).toContain(`\u001b[${colour}m${status}\u001b[39m`)
    expect(stdout.endsWith("\u001b[2mfirst\u001b[22m")).toBe(true)
  })

  it("with --json is an object", async () => {
    const { lines } = await tailed([{ data: some("a") }], "--json")
    expect(lines).toEqual([JSON.stringify(requestOf("a"))])
  })
})
