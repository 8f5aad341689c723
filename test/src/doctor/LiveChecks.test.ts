/** What `countersign doctor --live` finds: the checks in their order, and each finding with what to do about it. Source: D-534. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import type { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { certificateFinding, checkCertificate } from "../../../packages/cli/src/doctor/live/CertificateChecks.ts"
import { checkDatabase } from "../../../packages/cli/src/doctor/live/DatabaseChecks.ts"
import { checkLive } from "../../../packages/cli/src/doctor/live/LiveChecks.ts"
import { checkOpenFiles } from "../../../packages/cli/src/doctor/live/OpenFiles.ts"
import { checkRequired } from "../../../packages/cli/src/doctor/live/RequiredSettings.ts"
import { checkSecretFiles } from "../../../packages/cli/src/doctor/live/SecretFiles.ts"
import { checkSources } from "../../../packages/cli/src/doctor/live/SecretSourceChecks.ts"
import { checkVault } from "../../../packages/cli/src/doctor/live/VaultChecks.ts"
import { readSecretSources } from "../../../packages/cli/src/SecretSources.ts"
import { parseStoreLocation } from "../../../packages/cli/src/StoreLocation.ts"
import { optionsWith, secret, some } from "../cli/ServeOptionsOf.ts"

const run = Effect.runPromise
const server = parseStoreLocation("postgres://countersign@127.0.0.1:1/countersign")
let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-live-"))
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => {
  vi.unstubAllGlobals()
})

describe("the checks of live mode", () => {
  const { options } = optionsWith({
    mode: "sandbox",
    store: "memory",
    clientId: some("first"),
    clientSecret: secret("s"),
  })

  it("follow one another, and take the options for those of live mode", async () => {
    const found = await run(checkLive(options))
    expect(found.map(({ check }) => check)).toEqual([
      "settings",
      "settings",
      "secret files",
      "open files",
      "approval policy",
    ])
    expect(found.at(0)?.text).toBe("the settings start a sandbox")
    expect(found.at(-1)).toEqual({
      check: "approval policy",
      status: "ok",
      text: "none: one call of a platform approves",
    })
  })

  it("have the problems of an approval policy, of which live mode accepts no stated names", async () => {
    const path = join(folder, "approvals.json")
    const policyOf = async (content: object) => {
      await writeFile(path, JSON.stringify(content))
      const found = await run(checkLive({ ...options, approvalPolicy: some(path), consolePasskeys: "off" }))
      return found.filter(({ check }) => check === "approval policy")
    }
    expect(await policyOf({ groups: {}, rows: [], acceptsStatedNames: true })).toEqual([
      {
        check: "approval policy",
        status: "problem",
        text: expect.stringContaining("needs --console-passkeys required"),
        fix: "correct the file",
      },
    ])
    const good = { ...options, approvalPolicy: some(path), consolePasskeys: "required" } as const
    expect((await run(checkLive(good))).at(-1)?.text).toBe("every row can be satisfied by its group")
  })
})

describe("the settings", () => {
  const { options: good } = optionsWith({
    mode: "live",
    clientId: some("first"),
    clientSecret: secret("s"),
    webhookKey: secret("k"),
    publicUrl: some("https://pay.example.com"),
    host: "127.0.0.1",
  })
  const { options: none } = optionsWith({ mode: "sandbox", host: "0.0.0.0", webhookAllow: ["10.0.0.0/8", "127.0.0.1"] })

  it("that are all missing are found in their order, each with its remedy", () => {
    const found = checkRequired({ ...none, console: some("on"), consolePasskeys: "off" }, server)
    expect(found.map(({ fix, status }) => [status, fix])).toEqual([
      ["problem", "set COUNTERSIGN_MODE=live"],
      ["problem", "set COUNTERSIGN_CLIENT_ID"],
      ["problem", "set COUNTERSIGN_CLIENT_SECRET: openssl rand -hex 32"],
      ["problem", "set COUNTERSIGN_WEBHOOK_KEY: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"],
      ["warning", "set COUNTERSIGN_PUBLIC_URL to that of a proxy with TLS"],
      ["problem", "listen on 127.0.0.1 behind a proxy with TLS"],
      ["warning", "set COUNTERSIGN_CONSOLE_PASSKEYS=required"],
      ["warning", "remove COUNTERSIGN_WEBHOOK_ALLOW, unless you know these hosts"],
    ])
    expect(found.at(-1)?.text).toBe("webhooks may be sent to private addresses: 10.0.0.0/8, 127.0.0.1")
  })

  it.each<readonly [changes: Partial<typeof good>, statuses: ReadonlyArray<string>]>([
    [{}, ["ok"]],
    [{ host: "0.0.0.0" }, ["ok"]],
    [{ host: "::1", publicUrl: some("http://127.0.0.1") }, ["ok"]],
    [{ host: "0.0.0.0", publicUrl: some("http://127.0.0.1") }, ["problem"]],
    [{ host: "0.0.0.0", publicUrl: some("http://pay.example.com") }, ["problem", "problem"]],
    [{ publicUrl: some("http://pay.example.com") }, ["problem"]],
    [{ console: some("on"), consolePasskeys: "required" }, ["ok"]],
  ])("with %j are %j", (changes, statuses) => {
    expect(checkRequired({ ...good, ...changes }, server).map(({ status }) => status)).toEqual(statuses)
  })

  it("need a key of webhooks only if processes share the store", () => {
    const { options } = optionsWith({ ...good, webhookKey: optionsWith({}).options.webhookKey })
    const statuses = (store: string) => checkRequired(options, parseStoreLocation(store)).map(({ status }) => status)
    expect([statuses("memory"), statuses("pglite:a")]).toEqual([["ok"], ["warning"]])
    expect(statuses("postgres://a@b/c")).toEqual(["problem"])
    expect(checkRequired(options, undefined).map(({ status }) => status)).toEqual(["ok"])
  })
})

describe("open files", () => {
  it.each([
    [{}, 10_256, "ok", "10256 are allowed, for 10000 connections"],
    [{}, 10_255, "problem", "10255 are allowed, and 10000 connections with the rest need 10256"],
    [{ connectionsMax: 1 }, 257, "ok", "257 are allowed, for 1 connections"],
  ])("for %j of %d are: %s", (limits, max, status, text) => {
    expect(checkOpenFiles(limits, max)).toMatchObject({ check: "open files", status, text })
  })

  it("are those of the process", () => {
    expect(checkOpenFiles({ connectionsMax: 1 }).text).toMatch(/^\d+ are allowed|^the system states no limit$/u)
  })
})

it.each<readonly [mode: number, status: string]>([
  [0o600, "ok"],
  [0o700, "ok"],
  [0o640, "problem"],
  [0o620, "problem"],
  [0o610, "problem"],
  [0o604, "problem"],
  [0o602, "problem"],
  [0o601, "problem"],
])("a file of secrets with the mode %o is: %s", async (mode, status) => {
  const path = join(folder, "secret")
  await writeFile(path, "")
  await chmod(path, mode)
  const found = await run(checkSecretFiles({ portsSecretFile: some(path) }))
  expect(found).toEqual([
    status === "ok"
      ? { check: "secret files", status, text: "only their owner can read them" }
      : { check: "secret files", status, text: `other users can read ${path}`, fix: `chmod 600 ${path}` },
  ])
})

describe("the source of a secret", () => {
  const source = { COUNTERSIGN_WALLET_SECRET_FROM: "https://keys.example/mac" }
  const macOf = (byte: number) => Response.json({ mac: Buffer.alloc(32, byte).toString("base64") })
  /** Derives a secret, and checks its source with these answers. */
  const checked = async (answers: ReadonlyArray<() => Response>) => {
    let asked = 0
    vi.stubGlobal("fetch", async () => answers[asked++]?.())
    const environment: NodeJS.ProcessEnv = { ...source }
    await run(readSecretSources(environment))
    return run(checkSources(environment))
  }

  it("derives the same secret twice", async () => {
    expect(await checked([() => macOf(1), () => macOf(1)])).toEqual([
      {
        check: "keys",
        status: "ok",
        text: "COUNTERSIGN_WALLET_SECRET_FROM: the key derives the same secret twice",
      },
    ])
  })

  it("that derives another one, or does not answer, is a problem", async () => {
    expect(await checked([() => macOf(1), () => macOf(2)])).toEqual([
      {
        check: "keys",
        status: "problem",
        text: "COUNTERSIGN_WALLET_SECRET_FROM: the key derives another secret each time",
        fix: "name a key whose values repeat",
      },
    ])
    expect(await checked([() => macOf(1), () => new Response(null, { status: 503 })])).toEqual([
      {
        check: "keys",
        status: "problem",
        text: "COUNTERSIGN_WALLET_SECRET_FROM: the key service answers 503",
        fix: "start the token or the key service, and correct the address and COUNTERSIGN_KEYS_CREDENTIAL",
      },
    ])
  })
})

describe("the certificate of the public address", () => {
  const day = 86_400_000
  it.each([
    [15 * day - 1, "ok", "that of pay.example.com is trusted for 14 more days"],
    [14 * day, "ok", "that of pay.example.com is trusted for 14 more days"],
    [14 * day - 1, "warning", "that of pay.example.com ends in 13 days"],
    [0, "warning", "that of pay.example.com ends in 0 days"],
    ["CERT_HAS_EXPIRED", "problem", "pay.example.com: CERT_HAS_EXPIRED"],
  ])("%s is: %s", (end, status, text) => {
    const found = typeof end === "number" ? end + 1000 : end
    expect(certificateFinding("pay.example.com", found, 1000)).toMatchObject({ check: "certificate", status, text })
  })

  const portOf = async (started: ReturnType<typeof createServer>) => {
    await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve))
    return (started.address() as AddressInfo).port
  }

  it("is asked for over https alone", async () => {
    expect(await run(checkCertificate({ publicUrl: optionsWith({}).options.publicUrl }))).toEqual([])
    expect(await run(checkCertificate({ publicUrl: some("http://127.0.0.1:1") }))).toEqual([])
    expect(await run(checkCertificate({ publicUrl: some("https://127.0.0.1:1/a") }))).toEqual([
      {
        check: "certificate",
        status: "problem",
        text: "127.0.0.1: ECONNREFUSED",
        fix: "let the proxy show a certificate that clients trust",
      },
    ])
  })

  it("does not exist at a server without one", async () => {
    const started = createTlsServer({})
    const port = await portOf(started)
    const [found] = await run(checkCertificate({ publicUrl: some(`https://127.0.0.1:${port}`) }))
    started.close()
    expect([found?.status, found?.text]).toEqual(["problem", expect.stringMatching(/^127\.0\.0\.1: \w+/u)])
  })
})

describe("the database and the vault", () => {
  const { options } = optionsWith({ mode: "live", walletSecret: secret("w".repeat(32)) })

  it("are not asked where there are none", async () => {
    for (const location of [undefined, parseStoreLocation("memory"), parseStoreLocation("pglite:a")])
      expect(await run(checkDatabase({ migrate: "check" }, location))).toEqual([])
    for (const location of [undefined, parseStoreLocation("memory")])
      expect(await run(checkVault(options, location))).toEqual([])
  })

  it("that do not answer are left to the check of the store", async () => {
    expect(await run(checkDatabase({ migrate: "check" }, server))).toEqual([
      { check: "database", status: "skipped", text: "it cannot be asked" },
    ])
    expect(await run(checkVault(options, server))).toEqual([
      { check: "documents", status: "skipped", text: expect.stringMatching(/^the store comes first: cannot use /u) },
    ])
  })

  it("without a wallet secret are not tried", async () => {
    const { options: without } = optionsWith({ mode: "live" })
    expect(await run(checkVault(without, server))).toEqual([
      { check: "documents", status: "skipped", text: "the wallet secret is missing" },
    ])
  })

  it("need a place for documents", async () => {
    const nowhere = { ...options, documents: some("floppy") }
    expect(await run(checkVault(nowhere, server))).toEqual([
      { check: "documents", status: "skipped", text: expect.stringContaining("--documents takes memory") },
    ])
  })
})
