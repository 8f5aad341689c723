/** `countersign replay`: which tapes it reads, where it stops, and what it says at the end. Source: D-474. */
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type CommandOptions, commandAt } from "./CommandsAt.ts"

let folder = ""
let tapes = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-replay-"))
})
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => rm(folder, { recursive: true }))

const call = (path: string, status = 200, more: object = {}) => ({
  _tag: "Call",
  method: "GET",
  path,
  as: "nobody",
  headers: {},
  answer: { status, body: { name: path } },
  ...more,
})
const gap = { _tag: "Gap", reason: "a file" }

const fileOf = async (text: string) => {
  const path = join(folder, `tape${tapes++}.json`)
  await writeFile(path, text)
  return path
}
const tapeOf = (...steps: ReadonlyArray<object>) => fileOf(JSON.stringify({ format: "countersign tape 1", steps }))

/** Plays a tape at a server that answers a request with the number in its path, and its own path as the name. */
const played = (file: string, words: ReadonlyArray<string> = [], options?: CommandOptions) =>
  commandAt(
    ["replay", file, ...words],
    ({ path }) => Response.json({ name: path }, { status: Number(/\d{3}/u.exec(path)?.[0] ?? 200) }),
    options,
  )
const lastOf = (text: string) => text.split("\n").at(-1)

describe("a tape", () => {
  it("is played in its order, and summed up", async () => {
    const { code, sent, stdout } = await played(await tapeOf(call("/a"), call("/b"), gap))
    expect(code).toBe(0)
    expect(sent.map(({ path }) => path)).toEqual(["/a", "/b"])
    expect(stdout.split("\n")).toEqual([
      "0     200  GET /a",
      "1     200  GET /b",
      "2     gap  cannot be repeated: a file",
      "2 of 2 calls sent, all as recorded, 1 gap",
    ])
  })

  it.each<readonly [summary: string, steps: ReadonlyArray<object>]>([
    ["0 of 0 calls sent, all as recorded", []],
    ["1 of 1 calls sent, all as recorded", [call("/a")]],
    ["1 of 1 calls sent, all as recorded, 2 gaps", [gap, call("/a"), gap]],
    ["0 of 0 calls sent, all as recorded, 1 gap", [gap]],
  ])("ends with %j", async (summary, steps) => {
    expect(lastOf((await played(await tapeOf(...steps))).stdout)).toBe(summary)
  })

  it("has its clock advanced", async () => {
    const file = await tapeOf({ _tag: "Advance", millis: 1500 }, call("/a"))
    const answer = { now: "b", startedAt: "a", target: "b", steps: 1, jobsRun: 0, isComplete: true, jobsLeft: {} }
    const { sent, stdout } = await commandAt(["replay", file], () => answer)
    expect(sent).toMatchObject([{ path: "/sandbox/clock/advance", body: { by: "PT1.5S" } }, { path: "/a" }])
    expect(stdout.split("\n")[0]).toBe("0     clock  1.5 s forward")
  })

  it("has colours on a terminal", async () => {
    const one = await played(await tapeOf(gap), [], { isColoured: true })
    expect(lastOf(one.stdout)).toBe("0 of 0 calls sent, \u001b[32mall as recorded\u001b[39m, \u001b[33m1 gap\u001b[39m")
    const other = await played(await tapeOf(call("/404")), [], { isColoured: true })
    expect(lastOf(other.stdout)).toBe("1 of 1 calls sent, \u001b[31m1 not as recorded\u001b[39m")
  })
})

describe("another answer", () => {
  const said = "the server did not answer as the tape says"
  const hint = "; later steps may need it: --continue sends them nevertheless"

  it("ends the replay", async () => {
    const { code, sent, stderr, stdout } = await played(await tapeOf(call("/a"), call("/404"), call("/b"), gap))
    expect([code, sent.length]).toEqual([1, 2])
    expect(lastOf(stdout)).toBe("2 of 3 calls sent, 1 not as recorded")
    expect(stderr).toContain(`${said}${hint}`)
  })

  it("of the last call has no hint", async () => {
    const { stderr } = await played(await tapeOf(call("/a"), call("/404"), gap))
    expect(stderr).toContain(said)
    expect(stderr).not.toContain(hint)
  })

  it("does not end the replay with --continue", async () => {
    const file = await tapeOf(call("/404"), call("/a"), call("/500"), gap)
    const { code, sent, stderr, stdout } = await played(file, ["--continue"])
    expect([code, sent.length]).toEqual([1, 3])
    expect(lastOf(stdout)).toBe("3 of 3 calls sent, 2 not as recorded, 1 gap")
    expect(stderr).toContain(said)
    expect(stderr).not.toContain(hint)
  })

  it("is another status, and with --bodies another body", async () => {
    const other = await tapeOf(call("/a", 200, { answer: { status: 200, body: { name: "/b" } } }), call("/c"))
    expect((await played(other)).code).toBe(0)
    const compared = await played(other, ["--bodies"])
    expect([compared.code, compared.sent.length]).toEqual([1, 1])
    expect(compared.stdout).toContain('name: "/a", the tape has "/b"')
    expect((await played(await tapeOf(call("/a")), ["--bodies"])).code).toBe(0)
    expect((await played(await tapeOf(call("/404")), ["--bodies"])).code).toBe(1)
  })

  it("with --json is counted in the last object", async () => {
    const file = await tapeOf(gap, call("/a"), call("/404"), call("/b"))
    const { stdout } = await played(file, ["--json"])
    const objects = stdout.split("\n").map((line): unknown => JSON.parse(line))
    expect(objects).toMatchObject([
      { step: 0, kind: "GAP" },
      { step: 1, kind: "CALL", isAsRecorded: true },
      { step: 2, kind: "CALL", isAsRecorded: false },
      {},
    ])
    expect(objects.at(-1)).toEqual({ kind: "END", calls: 3, sent: 2, different: 1, gaps: 1 })
  })
})

describe("a step that fails", () => {
  it("is named by its number", async () => {
    const file = await tapeOf(gap, call("/a"), call("/b"))
    const { code, stderr } = await commandAt(["replay", file], ({ path }) => {
      if (path === "/b") throw new TypeError("fetch failed")
      return {}
    })
    expect(code).toBe(7)
    expect(stderr).toContain("step 2: no server answers at ")
  })

  it("of the clock has the code of the refusal", async () => {
    const file = await tapeOf({ _tag: "Advance", millis: 1 })
    const { code, stderr } = await commandAt(["replay", file], () => 401)
    expect(code).toBe(8)
    expect(stderr).toMatch(/step 0: \S+ refuses the credentials of first/u)
  })
})

describe("a file", () => {
  it.each<readonly [message: RegExp, path: () => Promise<string>]>([
    [/nowhere\.json cannot be read: it does not exist/u, async () => join(folder, "nowhere.json")],
    [/cannot be read: EISDIR/u, async () => folder],
    [/tape\d+\.json is not a tape: it is not JSON/u, () => fileOf("{")],
    [
      /tape\d+\.json is not a tape: step 0: must be an object/u,
      () => fileOf('{"format":"countersign tape 1","steps":[1]}'),
    ],
  ])("is refused: %s", async (message, path) => {
    const { code, sent, stderr } = await played(await path())
    expect([code, sent]).toEqual([2, []])
    expect(stderr).toMatch(message)
  })

  it("may have 64 MiB, and no byte more", async () => {
    const path = await fileOf("")
    await truncate(path, 67_108_865)
    expect((await played(path)).stderr).toContain(`${path} cannot be read: it has 67108865 bytes, more than 67108864`)
    await truncate(path, 67_108_864)
    expect((await played(path)).stderr).toContain(`${path} is not a tape: it is not JSON`)
  })
})

describe("a value that the tape does not contain", () => {
  const needs = (...names: ReadonlyArray<string>) =>
    tapeOf(...names.map((variable) => call("/a", 200, { as: { variable } })))
  const authorizations = ({ sent }: Awaited<ReturnType<typeof played>>) =>
    sent.map(({ headers }) => headers.get("authorization"))

  it("is that of an option, or of the environment", async () => {
    vi.stubEnv("AUTHORIZATION_1", "Basic from-the-environment")
    vi.stubEnv("AUTHORIZATION_2", "Basic from-the-environment")
    const file = await needs("AUTHORIZATION_1", "AUTHORIZATION_2")
    const ended = await played(file, ["--variable", "AUTHORIZATION_1=Basic given"])
    expect(authorizations(ended)).toEqual(["Basic given", "Basic from-the-environment"])
  })

  it.each(["SECRET", "AUTHORIZATION_1_", "A1", "AUTHORIZATION_"])(
    "with the name %s is not that of the environment",
    async (name) => {
      vi.stubEnv(name, "secret")
      const { code, sent, stderr } = await played(await needs(name))
      expect([code, sent]).toEqual([2, []])
      expect(stderr).toContain(`set ${name}, or pass --variable NAME=VALUE`)
      expect(authorizations(await played(await needs(name), ["--variable", `${name}=a`]))).toEqual(["a"])
    },
  )

  it.each([
    [10, ""],
    [11, " and 1 more"],
    [12, " and 2 more"],
  ])("is one of %d that are named", async (count, more) => {
    const names = Array.from({ length: count }, (_, at) => `MISSING_${at}`)
    const { stderr } = await played(await needs(...names))
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(
      `set ${names.slice(0, 10).join(", ")}${more}, or pass --variable NAME=VALUE`,
    )
  })
})
