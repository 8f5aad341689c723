/** Options that are all read before a problem is reported, each under the name by which it was given. Source: D-342. */
import { ConfigProvider, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Checked, checkedFlags, collect, variablesOf } from "../../../packages/cli/src/CheckedFlags.ts"
import { choice, integer, repeatable, secret, text } from "../../../packages/cli/src/FlagKinds.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"

interface Options {
  readonly port: number
  readonly clientSecret: Option.Option<unknown>
  readonly mode: "sandbox" | "live"
  readonly host: string
  readonly limits: ReadonlyArray<string>
  readonly keyId: Option.Option<string>
}

const flags = checkedFlags<Options>({
  port: integer("port", "PORT", "A port", { defaultValue: 8787, min: 0, max: 65_535, what: "a port" }),
  clientSecret: secret("client-secret", "CLIENT_SECRET", "A secret").pipe(Flag.optional),
  mode: choice("mode", ["sandbox", "live"], "MODE", "A mode").pipe(Flag.withDefault("sandbox" as const)),
  host: text("host", "HOST", "A host", "127.0.0.1").pipe(Flag.withDefault("127.0.0.1")),
  limits: repeatable("limit", "LIMIT", "A limit"),
  keyId: text("s3-access-key-id", "S3_ACCESS_KEY_ID", "A key").pipe(Flag.optional),
})

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Reads one option with these words of the command line, and this environment. */
const read = <A>(
  flag: Flag.Flag<Checked<A>>,
  words: Readonly<Record<string, ReadonlyArray<string>>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Checked<A>> => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return flag.parse({ flags: words, arguments: [] }).pipe(
    Effect.map(([, value]) => value),
    Effect.provide([platform, ConfigProvider.layer(ConfigProvider.fromEnv({ env }))]),
    Effect.runPromise,
  )
}

describe("an option", () => {
  it("that is absent has its default, under its own name", async () => {
    expect(await read(flags.port, {})).toEqual({ value: 8787, source: "--port", problem: undefined })
    expect(await read(flags.limits, {})).toEqual({ value: [], source: "--limit", problem: undefined })
  })

  it("of the command line comes before the one of the environment", async () => {
    const env = { COUNTERSIGN_PORT: "2", COUNTERSIGN_MODE: "pretend" }
    expect(await read(flags.port, { port: ["1"] }, env)).toEqual({ value: 1, source: "--port", problem: undefined })
    expect(await read(flags.mode, { mode: ["live"] }, env)).toEqual({
      value: "live",
      source: "--mode",
      problem: undefined,
    })
  })

  it("of the environment is named by its variable", async () => {
    const port = { value: 2, source: "COUNTERSIGN_PORT", problem: undefined }
    expect(await read(flags.port, {}, { COUNTERSIGN_PORT: "2" })).toEqual(port)
    const limits = { value: ["a", "b"], source: "COUNTERSIGN_LIMIT", problem: undefined }
    expect(await read(flags.limits, {}, { COUNTERSIGN_LIMIT: "a, b,," })).toEqual(limits)
  })

  it.each([0, 65_535])("may be at the bound %d", async (value) => {
    expect(await read(flags.port, { port: [String(value)] })).toMatchObject({ value, problem: undefined })
  })

  it.each<readonly [value: string, expected: string]>([
    ["-1", "a port from 0 to 65535"],
    ["65536", "a port from 0 to 65535"],
  ])("that is %s has that problem from both places, and its default", async (value, expected) => {
    expect(await read(flags.port, { port: [value] })).toEqual({
      value: 8787,
      source: "--port",
      problem: `Invalid value for --port: "${value}". Expected: ${expected}`,
    })
    expect(await read(flags.port, {}, { COUNTERSIGN_PORT: value })).toEqual({
      value: 8787,
      source: "COUNTERSIGN_PORT",
      problem: `Invalid value for COUNTERSIGN_PORT: "${value}". Expected: ${expected}`,
    })
  })

  it("that is not valid ignores the environment, which is read only without it", async () => {
    const env = { COUNTERSIGN_PORT: "2" }
    expect(await read(flags.port, { port: ["-1"] }, env)).toMatchObject({ value: 8787, source: "--port" })
  })

  it("of the environment has the words of one of the command line", async () => {
    const ofWords = (await read(flags.mode, { mode: ["pretend"] })).problem
    const ofVariable = (await read(flags.mode, {}, { COUNTERSIGN_MODE: "pretend" })).problem
    expect(ofWords).toMatch(/^Invalid value for --mode: "pretend"\. Expected: [^:\n]+$/u)
    expect(ofVariable).toBe(ofWords?.replace("--mode", "COUNTERSIGN_MODE"))
  })

  it.each([
    ["--port", { port: ["x"] }, {}],
    ["COUNTERSIGN_PORT", {}, { COUNTERSIGN_PORT: "x" }],
  ])("that is no number has one line of words: %s", async (source, words, env) => {
    const { problem } = await read(flags.port, words, env)
    expect(problem).toBe(`Invalid value for ${source}: "x". Expected: a string representing a finite number`)
  })

  it("that is a secret is never shown", async () => {
    const found = await read(flags.clientSecret, { "client-secret": [""] })
    expect(found).toEqual({
      value: Option.none(),
      source: "--client-secret",
      problem: "Invalid value for --client-secret. Expected: a value that is not empty",
    })
  })
})

describe("the options of a command", () => {
  it("have a variable each", () => {
    expect(variablesOf(flags)).toEqual([
      "COUNTERSIGN_PORT",
      "COUNTERSIGN_CLIENT_SECRET",
      "COUNTERSIGN_MODE",
      "COUNTERSIGN_HOST",
      "COUNTERSIGN_LIMIT",
      "COUNTERSIGN_S3_ACCESS_KEY_ID",
    ])
  })

  it("are collected with the source and the problem of each", () => {
    const collected = collect<{ readonly a: number; readonly b: string }>({
      a: { value: 1, source: "--a", problem: undefined },
      b: { value: "x", source: "COUNTERSIGN_B", problem: "b is wrong" },
    })
    expect(collected).toEqual({
      options: { a: 1, b: "x" },
      sources: { a: "--a", b: "COUNTERSIGN_B" },
      problems: [{ reason: "usage", message: "b is wrong", concerns: ["b"] }],
    })
  })
})
