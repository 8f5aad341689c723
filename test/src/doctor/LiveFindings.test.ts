/** What `countersign doctor --live` decides from facts: each finding with its good and its bad case. Source: D-534. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { usageError } from "../../../packages/cli/src/CommandError.ts"
import { certificateFinding } from "../../../packages/cli/src/doctor/live/CertificateChecks.ts"
import { databaseFindings } from "../../../packages/cli/src/doctor/live/DatabaseChecks.ts"
import type { DatabaseFacts } from "../../../packages/cli/src/doctor/live/DatabaseFacts.ts"
import { checkOpenFiles } from "../../../packages/cli/src/doctor/live/OpenFiles.ts"
import { checkPorts, runCheck } from "../../../packages/cli/src/doctor/live/PortsChecks.ts"
import { checkRequired } from "../../../packages/cli/src/doctor/live/RequiredSettings.ts"
import { checkSecretFiles } from "../../../packages/cli/src/doctor/live/SecretFiles.ts"
import { checkSources, SecretSourceFailure } from "../../../packages/cli/src/doctor/live/SecretSourceChecks.ts"
import { parseStoreLocation } from "../../../packages/cli/src/StoreLocation.ts"

describe("the settings", () => {
  const secret = Option.some(Redacted.make("of-the-test"))
  const good: Parameters<typeof checkRequired>[0] = {
    mode: "live",
    clientId: Option.some("first"),
    clientSecret: secret,
    webhookKey: secret,
    publicUrl: Option.some("https://pay.example.com"),
    host: "127.0.0.1",
    console: Option.none(),
    consolePasskeys: "off",
    webhookAllow: [],
  }
  const server = parseStoreLocation("postgres://countersign@db.example/countersign")

  it("are complete, if nothing is missing", () => {
    expect(checkRequired(good, server)).toMatchObject([{ status: "ok" }])
  })

  const cases: ReadonlyArray<readonly [status: string, text: RegExp, changes: Partial<typeof good>]> = [
    ["problem", /start a sandbox/u, { mode: "sandbox" }],
    ["problem", /no id/u, { clientId: Option.none() }],
    ["problem", /no secret/u, { clientSecret: Option.none() }],
    ["problem", /signs webhooks with a key of its own/u, { webhookKey: Option.none() }],
    ["warning", /no public address/u, { publicUrl: Option.none() }],
    ["problem", /is http/u, { publicUrl: Option.some("http://pay.example.com") }],
    ["problem", /other machines reach 0\.0\.0\.0/u, { host: "0.0.0.0", publicUrl: Option.some("http://localhost") }],
    ["warning", /asks for no passkey/u, { console: Option.some("on") }],
    ["warning", /private addresses: 10\.0\.0\.0\/8/u, { webhookAllow: ["10.0.0.0/8"] }],
  ]
  it.each(cases)("%s: %s", (status, text, changes) => {
    expect(checkRequired({ ...good, ...changes }, server)).toMatchObject([
      { status, text: expect.stringMatching(text) },
    ])
  })

  it("warn about a store in a folder, and accept addresses of this machine and behind TLS", () => {
    const folder = parseStoreLocation("pglite:./store")
    expect(checkRequired(good, folder)).toMatchObject([{ status: "warning", text: expect.stringMatching(/a folder/u) }])
    const accepted = [
      { host: "0.0.0.0" },
      { publicUrl: Option.some("http://localhost:8787") },
      { console: Option.some("off" as const) },
    ]
    for (const changes of accepted)
      expect(checkRequired({ ...good, ...changes }, server)).toMatchObject([{ status: "ok" }])
  })
})

describe("the database", () => {
  const good: DatabaseFacts = {
    now: 1_790_000_000_000,
    isEncrypted: true,
    address: "10.0.0.5",
    isSuperuser: false,
    mayMigrate: true,
    sessionsMax: 97,
    sessions: 81,
    isReplica: false,
    encoding: "UTF8",
    unsafeSettings: [],
  }
  const findings = (changes: Partial<DatabaseFacts>, migrate: "check" | "run" = "run") =>
    databaseFindings({ ...good, ...changes }, 1_790_000_000_000, { migrate })
      .filter(({ status }) => status !== "ok")
      .map(({ status, text }) => `${status}: ${text}`)

  it("has nothing wrong, also without encryption on this machine", () => {
    expect(findings({})).toEqual([])
    expect(findings({ isEncrypted: false, address: null })).toEqual([])
    expect(findings({ isEncrypted: null, address: "127.0.0.1" })).toEqual([])
    expect(findings({ now: good.now - 2000 })).toEqual([])
  })

  const cases: ReadonlyArray<readonly [RegExp, Partial<DatabaseFacts>]> = [
    [/^problem: the database's clock differs by 2001 ms/u, { now: good.now + 2001 }],
    [/^problem: the database's clock differs by -2001 ms/u, { now: good.now - 2001 }],
    [/^problem: the session is not encrypted/u, { isEncrypted: false }],
    [/^problem: the session is not encrypted/u, { isEncrypted: null }],
    [/^problem: the role may not migrate/u, { mayMigrate: false }],
    [/^warning: the role is a superuser/u, { isSuperuser: true }],
    [/^problem: 15 of 97 sessions are free/u, { sessions: 82 }],
    [/^problem: .*fsync, synchronous_commit/u, { unsafeSettings: ["fsync", "synchronous_commit"] }],
    [/^problem: the server is a replica/u, { isReplica: true }],
    [/^problem: its encoding is SQL_ASCII/u, { encoding: "SQL_ASCII" }],
  ]
  it.each(cases)("%s", (text, changes) => {
    expect(findings(changes)).toEqual([expect.stringMatching(text)])
  })

  it("may have a role that migrates nothing, if the processes only check the schema", () => {
    expect(findings({ mayMigrate: false }, "check")).toEqual([expect.stringMatching(/^warning: the role may not/u)])
  })
})

describe("the ports", () => {
  const none: Parameters<typeof checkPorts>[0] = {
    mode: "live",
    ports: Option.none(),
    portsUrl: Option.none(),
    portsSecret: Option.none(),
    portsSecretFile: Option.none(),
    portsOf: [],
  }
  const moduleOf = (name: string) => Option.some(fileURLToPath(new URL(`../e2e/${name}.ts`, import.meta.url)))
  const found = async (changes: Partial<typeof none>) =>
    (await Effect.runPromise(checkPorts({ ...none, ...changes }))).map(({ status, text }) => `${status}: ${text}`)

  it("of a whole module have an implementation, and those that are missing are named", async () => {
    expect(await found({})).toEqual([])
    expect(await found({ ports: moduleOf("SandboxPorts") })).toEqual([
      "ok: Rails, ExchangeRates, Verifier, SecurityCodes, ScaProvider, OtpSender, Issuer have an implementation",
    ])
    expect(await found({ ports: moduleOf("HalfPorts") })).toEqual([
      expect.stringMatching(/^problem: --ports .*: the Layer has no ExchangeRates, no Verifier/u),
    ])
    expect(await found({ ports: moduleOf("Absent") })).toEqual([
      expect.stringMatching(/^problem: --ports .*: the module cannot be loaded/u),
    ])
  })

  it("of a server and a module are complete together", async () => {
    const secret = Option.some(Redacted.make("Kq3v9XwT2mB7rLz5NcHd8PfYgJ4sAe6U"))
    const server = { portsUrl: Option.some("http://127.0.0.1:2"), portsSecret: secret }
    const ports = moduleOf("HalfPorts")
    const others = ["exchange-rates", "verifier", "security-codes", "sca-provider", "otp-sender", "issuer"]
    expect(await found({ ports, ...server, portsOf: ["verifier"] })).toEqual([
      expect.stringMatching(/^problem: .*the Layer has no ExchangeRates, no SecurityCodes/u),
    ])
    expect(await found({ ports, ...server, portsOf: others })).toEqual([
      expect.stringMatching(/^problem: .*live mode cannot use /u),
    ])
    const both = await found({ mode: "sandbox", ports, ...server, portsOf: others })
    expect(both[0]).toMatch(/^ok: .* have an implementation$/u)
    expect(both[1]).toBe("problem: the server does not answer: the connection was refused")
  })
})

it("open files: as many as the connections and the rest need", () => {
  expect(checkOpenFiles({ connectionsMax: 768 }, 1024).status).toBe("ok")
  expect(checkOpenFiles({ connectionsMax: 769 }, 1024).status).toBe("problem")
  expect(checkOpenFiles({}, 1024).status).toBe("problem")
})

it("a certificate: trusted for two weeks at least", () => {
  const day = 86_400_000
  const statuses = [14 * day, 14 * day - 1, "CERT_HAS_EXPIRED"].map((end) => certificateFinding("a", end, 0).status)
  expect(statuses).toEqual(["ok", "warning", "problem"])
})

it("files with secrets: only their owner may read them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-secrets-"))
  const path = join(folder, "ports-secret")
  await writeFile(path, "", { mode: 0o600 })
  const status = async (portsSecretFile: string) =>
    (await Effect.runPromise(checkSecretFiles({ portsSecretFile: Option.some(portsSecretFile) })))[0]?.status
  expect([await status(path), await status(join(folder, "absent"))]).toEqual(["ok", "ok"])
  await chmod(path, 0o640)
  expect(await status(path)).toBe("problem")
  await rm(folder, { recursive: true })
})

it("keys: a source that does not answer is a finding, and without a source nothing is found", async () => {
  expect(await Effect.runPromise(checkSources({}))).toEqual([])
  const failed = Effect.provideService(checkSources({}), SecretSourceFailure, usageError("the token is locked"))
  expect(await Effect.runPromise(failed)).toMatchObject([{ status: "problem", text: "the token is locked" }])
})

it.effect("a check that hangs or dies is a problem, and no check ends the command", () =>
  Effect.gen(function* () {
    const hanging = yield* Effect.forkChild(runCheck({ name: "bank", run: Effect.never }))
    yield* TestClock.adjust("10 seconds")
    expect(yield* Fiber.join(hanging)).toMatchObject({
      check: "bank",
      status: "problem",
      text: "no answer within 10 s",
    })
    const dying = runCheck({ name: "bank", run: Effect.die(new Error("no")) })
    expect(yield* dying).toMatchObject({ status: "problem", text: "the check itself failed: no" })
    const warning = { status: "warning", text: "half", fix: "write it" } as const
    expect(yield* runCheck({ name: "bank", run: Effect.succeed(warning) })).toEqual({ check: "bank", ...warning })
  }),
)
