/**
 * `countersign replay` sends a tape of the harness to a running server, and compares the statuses.
 * Source: D-474.
 */
import { truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { agentHarness, type Harness, harness } from "@countersign/test"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { serverWithCommands } from "./Commands.ts"
import { credentials } from "./Flow.ts"
import { type Folder, newFolder } from "./Folder.ts"
import { inProcess, servedHarness } from "./InProcess.ts"

/** An agent's pull above the threshold, approved, and settled a minute later; with a request that was refused. */
const approvedPull = async () => {
  await using pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 10_000 } })
  const body = { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 20_000 }
  const held = await pay.send("POST", "/agents/me/transfer-in", { as: { token: pay.accessToken }, body })
  const { id } = held.body as { readonly id: string }
  await pay.send("POST", `/agents/${pay.agentId}/actions/${id}/approve`)
  await pay.clock.advance("1 minute")
  await pay.send("GET", "/customers/Customer:unknown")
  return { tape: pay.tape(), secrets: [pay.accessToken] }
}

const jsonLines = (stdout: string): ReadonlyArray<Record<string, unknown>> =>
  stdout.split("\n").map((line) => JSON.parse(line))

const call = (path: string, status: number, more: object = {}) => ({
  _tag: "Call",
  method: "GET",
  path,
  as: "platform",
  headers: {},
  answer: { status },
  ...more,
})
const tapeOf = (...steps: ReadonlyArray<object>) => ({ format: "countersign tape 1", steps })

it("repeats a whole run on another server, whose values are others, and prints no credential", {
  timeout: 240_000,
}, async () => {
  await using running = await serverWithCommands()
  const { secrets, tape } = await approvedPull()
  await writeFile(join(running.folder.path, "pull.json"), JSON.stringify(tape))
  const before = JSON.parse((await running.command(["clock", "show", "--json"])).stdout)
  const played = await running.command(["replay", "pull.json"])
  const calls = tape.steps.filter(({ _tag }) => _tag === "Call").length
  expect(played).toMatchObject({ code: 0, stderr: "" })
  const lines = played.stdout.split("\n")
  expect(lines.at(-1)).toBe(`${calls} of ${calls} calls sent, all as recorded`)
  expect(lines).toHaveLength(tape.steps.length + 1)
  expect(played.stdout).toMatch(
    /^\d+ +200 {2}POST \/agents\/\{\{\d+:agent\.id\}\}\/actions\/\{\{\d+:id\}\}\/approve$/mu,
  )
  expect(played.stdout).toMatch(/^\d+ +404 {2}GET \/customers\/Customer:unknown$/mu)
  expect(played.stdout).toMatch(/^\d+ +clock {2}60 s forward$/mu)
  const after = JSON.parse((await running.command(["clock", "show", "--json"])).stdout)
  expect(after.aheadMillis - before.aheadMillis).toBeGreaterThan(30_000)
  for (const secret of [...secrets, credentials.clientSecret]) expect(played.stdout).not.toContain(secret)
  // The server did it: it has the agent's action.
  const { body } = await running.platform("GET", "/agents?limit=100")
  expect(JSON.stringify(body)).toContain('"name"')
})

describe("countersign replay", () => {
  let pay: Harness
  let folder: Folder
  let served: Awaited<ReturnType<typeof servedHarness>>
  const save = async (name: string, content: unknown): Promise<string> => {
    const file = join(folder.path, name)
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
    return file
  }
  const inHarness = ([name, ...words]: ReadonlyArray<string>) => served.command(name ?? "", ...words)
  beforeAll(async () => {
    pay = await harness()
    folder = await newFolder()
    served = await servedHarness(pay)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
    await pay[Symbol.asyncDispose]()
  })

  it("sends each call as its sender, to the interface or to the origin", async () => {
    const { clientId, clientSecret } = pay.credentials
    const redeemed = { _tag: "Call", method: "POST", path: "/agents/device-codes/{{0:id}}/redeem" }
    const file = await save(
      "senders.json",
      tapeOf(
        call("/config", 200),
        call("/config", 401, { as: "nobody" }),
        call("/config", 401, { as: { token: "{{0:id}}" } }),
        call("/config", 200, { as: { clientId, clientSecret } }),
        call("/openapi.json", 200, { isOutside: true }),
        call("/openapi.json", 404),
        { ...call("", 404, { as: "nobody" }), ...redeemed },
        call("/documents", 400, {
          method: "POST",
          form: [{ name: "file", fileName: "a.txt", type: "text/plain", base64: "YQ==" }],
        }),
        call("/customers", 400, {
          method: "POST",
          text: "{ not json",
          headers: { "content-type": "application/json" },
        }),
      ),
    )
    const { code, stdout } = await inHarness(["replay", file, "--json", "--continue"])
    expect(jsonLines(stdout).filter(({ isAsRecorded }) => isAsRecorded === false)).toEqual([])
    expect(code).toBe(0)
    expect(stdout).not.toContain(clientSecret)
  })

  it("stops at the first other status, or goes on to the end", async () => {
    const file = await save(
      "other.json",
      tapeOf(
        call("/config", 200),
        call("/customers/Customer:unknown", 200),
        { _tag: "Gap", reason: "`run` was called" },
        call("/tokens?limit=1", 200),
      ),
    )
    const stopped = await inHarness(["replay", file, "--json"])
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining("--continue") })
    expect(jsonLines(stopped.stdout)).toEqual([
      { step: 0, kind: "CALL", method: "GET", path: "/config", expected: 200, actual: 200, isAsRecorded: true },
      {
        step: 1,
        kind: "CALL",
        method: "GET",
        path: "/customers/Customer:unknown",
        expected: 200,
        actual: 404,
        isAsRecorded: false,
        refusal: expect.stringMatching(/^USER_NOT_FOUND: /u),
      },
      { kind: "END", calls: 3, sent: 2, different: 1, gaps: 0 },
    ])
    const whole = await inHarness(["replay", file, "--continue"])
    expect(whole.code).toBe(1)
    expect(whole.stderr).not.toContain("--continue")
    expect(whole.stdout.split("\n")).toEqual([
      "0     200  GET /config",
      expect.stringMatching(/^1 {5}404 {2}GET \/customers\/Customer:unknown {2}the tape has 200 {2}USER_NOT_FOUND: /u),
      "2     gap  cannot be repeated: `run` was called",
      "3     200  GET /tokens?limit=1",
      "3 of 3 calls sent, 1 not as recorded, 1 gap",
    ])
  })

  it("compares bodies when it is asked to, and leaves out the values that may be secrets", async () => {
    const answer = { status: 200, body: { clientSecret: "hidden-in-tape", serviceName: "Recorded" } }
    const file = await save("bodies.json", tapeOf(call("/config", 200, { answer })))
    expect(await inHarness(["replay", file])).toMatchObject({ code: 0 })
    const compared = await inHarness(["replay", file, "--bodies"])
    expect(compared.code).toBe(1)
    expect(compared.stdout).toContain('serviceName: nothing, the tape has "Recorded"')
    expect(compared.stdout).toContain("clientSecret: nothing, the tape has (not shown)")
    const [step] = jsonLines((await inHarness(["replay", file, "--bodies", "--json"])).stdout)
    expect(step).toMatchObject({ isAsRecorded: false, expected: 200, actual: 200 })
    expect(step?.["differences"]).toContainEqual({ at: "serviceName", expected: "Recorded", actual: null })
    expect(JSON.stringify(step)).not.toContain("hidden-in-tape")
  })

  it("takes the headers that a tape does not contain from the environment or an option, before it sends anything", async () => {
    const { clientId, clientSecret } = pay.credentials
    const header = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`
    const file = await save(
      "variable.json",
      tapeOf(call("/config", 200), call("/tokens", 200, { as: { variable: "AUTHORIZATION_1" } })),
    )
    const none = await inHarness(["replay", file])
    expect(none).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("set AUTHORIZATION_1") })
    vi.stubEnv("AUTHORIZATION_1", header)
    expect(await inHarness(["replay", file])).toMatchObject({ code: 0 })
    vi.stubEnv("AUTHORIZATION_1", "Bearer nobody")
    expect(await inHarness(["replay", file])).toMatchObject({ code: 1 })
    const given = await inHarness(["replay", file, "--variable", `AUTHORIZATION_1=${header}`])
    expect(given).toMatchObject({ code: 0 })
    for (const { stderr, stdout } of [none, given]) expect(`${stdout}${stderr}`).not.toContain(header)
  })

  it("takes no other value from the environment, whatever a tape names", async () => {
    vi.stubEnv("CLOUD_SECRET", "of-this-machine")
    const body = { customerType: "INDIVIDUAL", fullName: "{{env:CLOUD_SECRET}}" }
    const file = await save("curious.json", tapeOf(call("/customers", 201, { method: "POST", body })))
    const refused = await inHarness(["replay", file])
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("CLOUD_SECRET") })
    expect(refused.stderr).not.toContain("of-this-machine")
    expect(await inHarness(["replay", file, "--variable", "CLOUD_SECRET=Ada"])).toMatchObject({ code: 0 })
    expect((await pay.send("GET", "/customers?limit=1")).body).toMatchObject({ data: [{ fullName: "Ada" }] })
  })

  it("shows what a file says as text, not as commands of the terminal", async () => {
    const file = await save(
      "escapes.json",
      tapeOf(call("/config?x=\u001b[2J", 200), { _tag: "Gap", reason: "\u009b31m\u202e" }),
    )
    const { stdout } = await inHarness(["replay", file, "--continue"])
    expect(stdout).toContain(String.raw`GET /config?x=\u001b[2J`)
    expect(stdout).toContain(String.raw`cannot be repeated: \u009b31m\u202e`)
    for (const raw of ["\u001b", "\u009b", "\u202e"]) expect(stdout).not.toContain(raw)
  })

  it("says where a file is broken, and sends no part of it", async () => {
    const requests = async () => pay.tape().steps.length
    const before = await requests()
    const broken = [
      ["absent.json", undefined, "it does not exist"],
      ["text.json", "{ not json", "it is not JSON"],
      ["list.json", [], "it has no `format`"],
      ["host.json", tapeOf(call("@elsewhere.example/", 200)), "step 0: `path` must begin with /"],
      [
        "later.json",
        tapeOf(call("/config", 200), call("/agents/{{1:id}}", 200)),
        "step 1: {{1:id}} must refer to an earlier call",
      ],
    ] as const
    for (const [name, content, message] of broken) {
      const file = content === undefined ? join(folder.path, name) : await save(name, content)
      const refused = await inHarness(["replay", file])
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) })
      expect(refused.stderr.length).toBeLessThan(600)
    }
    expect(await requests()).toEqual(before)
  })

  it("reads no file of more than 64 MiB, and follows no redirect", async () => {
    const large = await save("large.json", tapeOf())
    await truncate(large, 64 * 1024 * 1024 + 1)
    expect(await inHarness(["replay", large])).toMatchObject({ code: 2, stderr: expect.stringContaining("more than") })
    const redirects: Array<string> = []
    vi.stubGlobal("fetch", async ({ redirect }: Request) => {
      redirects.push(redirect)
      return new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } })
    })
    const moved = await save("moved.json", tapeOf(call("/config", 302)))
    expect(await inHarness(["replay", moved])).toMatchObject({ code: 0 })
    expect(redirects).toEqual(["manual"])
  })

  it("names the step at which the server does not answer, or which cannot be sent", async () => {
    const file = await save(
      "sent.json",
      tapeOf(call("/config", 200), call("/tokens", 200, { headers: { "a b": "c" } })),
    )
    const absent = ["--server", "http://127.0.0.1:1", "--client-id", "a", "--client-secret", "b"]
    expect(await inHarness(["replay", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("step 1: the request cannot be sent"),
    })
    expect(await inProcess(["replay", file, ...absent])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("step 0: no server answers at http://127.0.0.1:1"),
    })
  })
})
