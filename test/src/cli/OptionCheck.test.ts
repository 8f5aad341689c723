/** The rules between the options of `serve`: each with what breaks it and what just keeps it. Source: D-029, D-030, D-036, D-341, D-342. */
import { clientSecretMin, vaultSecretMin } from "@countersign/core/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Collected } from "../../../packages/cli/src/CheckedFlags.ts"
import { checkOptions, limitsOf } from "../../../packages/cli/src/OptionCheck.ts"
import type { ServeOptions } from "../../../packages/cli/src/ServeFlags.ts"
import { optionsWith, secret, secretFlag, some } from "./ServeOptionsOf.ts"

type Given = Partial<ServeOptions>
type Names = ReadonlyArray<keyof ServeOptions>

const check = (collected: Collected<ServeOptions>) => Effect.runPromise(checkOptions(collected))
/** Reason, options and message of each problem. */
const problemsOf = async (given: Given, sources: Partial<Collected<ServeOptions>["sources"]> = {}) =>
  (await check(optionsWith(given, sources))).problems

const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
const clientSecret = letters.slice(0, clientSecretMin)
const walletSecret = letters.slice(-vaultSecretMin)
const memory: Given = { store: "memory" }
const server: Given = { store: "postgres://pay@db.example/pay" }
/** A start in live mode without a problem. */
const live: Given = {
  ...server,
  mode: "live",
  ports: some("ports.ts"),
  clientId: some("first"),
  clientSecret: secret(clientSecret),
  walletSecret: secret(walletSecret),
}

describe("the options of a start", () => {
  it.each<readonly [what: string, given: Given]>([
    ["are absent", {}],
    ["have a store in memory", memory],
    ["are those of live mode", live],
    ["are those of a worker", { ...server, role: "worker" }],
    ["have a server that is reached directly", { ...server, storeDirect: some("postgres://db.example/pay") }],
    ["have cells on a server", { ...server, cells: some(2) }],
    ["have one cell in memory", { ...memory, cells: some(1) }],
    ["have two platforms", { clientId: some("a"), platforms: ["b:c", "c:d:e"] }],
    ["set up a world", { scenario: "demo" }],
    ["set up a world for a process that answers", { ...server, scenario: "demo", role: "api" }],
    ["say in the sandbox which quotes pull", { quotePull: "never" }],
    ["name domains of the sandbox", { sandboxUmaDomains: ["uma.example"] }],
    ["name the service twice alike", { serviceName: some("Acme"), headerPrefix: some("Acme") }],
    ["name the service by the old name", { headerPrefix: some("Acme") }],
    ["trust proxies", { trustedProxies: ["10.0.0.0/8", "::1"] }],
    ["have limits", { limits: ["headersMax=1", "headersMax=2"] }],
    ["have short secrets on this machine", { clientSecret: secret("a"), walletSecret: secret("b") }],
    ["have the same secret twice on this machine", { clientSecret: secret("a"), walletSecret: secret("a") }],
    ["are of a loopback address", { host: "::1", publicUrl: some("http://localhost:80"), clientSecret: secret("a") }],
    ["have both secrets of a change", { clientSecret: secret("a"), nextClientSecret: secret("b") }],
    ["have both wallet secrets", { walletSecret: secret("a"), previousWalletSecret: secret("b") }],
    ["send webhooks to this machine", { webhookUrl: some("http://127.0.0.1:9000/") }],
    ["send webhooks to the public internet in live mode", { ...live, webhookUrl: some("https://8.8.8.8/") }],
    [
      "send webhooks to an allowed address",
      { ...live, webhookUrl: some("http://10.0.0.1/"), webhookAllow: ["10.0.0.1"] },
    ],
  ])("have no problem if they %s", async (_what, given) => {
    expect(await problemsOf(given)).toEqual([])
  })

  const domain = ["uma.example"]
  it.each<readonly [message: string, concerns: Names, given: Given]>([
    ["--store takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE", ["store"], { store: "pglite:" }],
    [
      "--store-direct takes postgres://USER@HOST/DATABASE, for a --store that is one",
      ["storeDirect", "store"],
      { ...memory, storeDirect: some("postgres://db.example/pay") },
    ],
    [
      "--store-direct takes postgres://USER@HOST/DATABASE, for a --store that is one",
      ["storeDirect", "store"],
      { ...server, storeDirect: some("memory") },
    ],
    [
      "--cells needs a store that can have cells: --store postgres://...",
      ["cells", "store"],
      { ...memory, cells: some(2) },
    ],
    [
      "--role worker needs a store that processes can share: --store postgres://...",
      ["role", "store"],
      { ...memory, role: "worker" },
    ],
    [
      "--role api needs a store that processes can share: --store postgres://...",
      ["role", "store"],
      { store: "pglite:folder", role: "api" },
    ],
    ["--platform takes ID:SECRET", ["platforms"], { platforms: ["a:b", ":c"] }],
    ["--platform takes ID:SECRET", ["platforms"], { platforms: ["a:"] }],
    ["--platform takes ID:SECRET", ["platforms"], { platforms: ["a"] }],
    ["two platforms have the client id a", ["clientId", "platforms"], { clientId: some("a"), platforms: ["a:b"] }],
    ["two platforms have the client id b", ["clientId", "platforms"], { platforms: ["b:c", "b:d", "b:e"] }],
    [
      "--world sets up a sandbox: it needs --mode sandbox and a role that answers requests",
      ["scenario", "mode", "role"],
      { ...live, scenario: "demo" },
    ],
    [
      "--world sets up a sandbox: it needs --mode sandbox and a role that answers requests",
      ["scenario", "mode", "role"],
      { ...server, role: "worker", scenario: "demo" },
    ],
    [
      "--quote-pull is for the sandbox: in live mode the Rails of --ports decide when a quote pulls",
      ["mode", "quotePull"],
      { ...live, quotePull: "bank-rails" },
    ],
    [
      "--sandbox-uma-domain is for the sandbox: in live mode the UmaNetwork of --ports finds addresses",
      ["mode", "sandboxUmaDomains"],
      { ...live, sandboxUmaDomains: domain },
    ],
    [
      "--service-name and --header-prefix differ: they are two names of one option, so give only the first",
      ["serviceName", "headerPrefix"],
      { serviceName: some("Acme"), headerPrefix: some("Other") },
    ],
    [
      "--trusted-proxy takes an address or a CIDR range, not a",
      ["trustedProxies"],
      { trustedProxies: ["10.0.0.1", "a"] },
    ],
    [
      "--next-client-secret needs --client-secret: it is the second of two",
      ["clientSecret", "nextClientSecret"],
      { nextClientSecret: secret("b") },
    ],
    [
      "--previous-wallet-secret needs --wallet-secret: it is the secret before that one",
      ["walletSecret", "previousWalletSecret"],
      { previousWalletSecret: secret("b") },
    ],
    ["--webhook-url: it is not a URL", ["webhookUrl"], { webhookUrl: some("nowhere") }],
  ])("are refused with: %s", async (message, concerns, given) => {
    expect(await problemsOf(given)).toEqual([{ reason: "usage", concerns, message }])
  })

  it("are refused for each limit and each proxy that is not one", async () => {
    const found = await problemsOf({ limits: ["headersMax=0", "headersMax=5", "nope=1"], trustedProxies: ["a", "b"] })
    expect(found.map(({ message }) => message.replace(/; the names are .*/u, ""))).toEqual([
      "--trusted-proxy takes an address or a CIDR range, not a",
      "--trusted-proxy takes an address or a CIDR range, not b",
      "--limit takes NAME=NUMBER, not headersMax=0",
      "--limit takes NAME=NUMBER, not nope=1",
    ])
    expect(found.at(-1)?.message).toMatch(/; the names are connectionsMax, connectionsPerAddressMax, /u)
  })

  it("are named as they were given", async () => {
    const sources = { store: "COUNTERSIGN_STORE", platforms: "COUNTERSIGN_PLATFORM" }
    const found = await problemsOf({ store: "x", platforms: ["a"] }, sources)
    expect(found.map(({ message }) => message.split(" takes")[0])).toEqual([
      "COUNTERSIGN_STORE",
      "COUNTERSIGN_PLATFORM",
    ])
  })

  it("without a valid value have that problem only", async () => {
    const problem = { reason: "usage", message: "--mode is wrong", concerns: ["mode"] } as const
    const { problems } = await check({
      ...optionsWith({ ...live, quotePull: "never", platforms: ["a"] }),
      problems: [problem],
    })
    expect(problems).toEqual([
      problem,
      { reason: "usage", message: "--platform takes ID:SECRET", concerns: ["platforms"] },
    ])
  })

  it("name a store that is not valid once, whatever depends on it", async () => {
    const given: Given = { store: "x", storeDirect: some("x"), cells: some(2), role: "worker" }
    expect((await problemsOf(given)).map(({ concerns }) => concerns)).toEqual([["store"]])
  })

  it("give the platforms of `--platform`, whose secret begins after the first colon", async () => {
    const { others } = await check(optionsWith({ platforms: ["b:c:d", "x"] }))
    expect(others.map(({ clientId }) => clientId)).toEqual(["b"])
  })
})

describe("an unsafe start", () => {
  const own = "live mode and addresses that are not loopback need a secret of your own"
  const exposed: Given = { host: "0.0.0.0" }
  const short = letters.slice(0, clientSecretMin - 1)
  const shortVault = letters.slice(0, vaultSecretMin - 1)
  const ofClient = `has fewer than ${clientSecretMin} characters: ${own}`
  const ofVault = `has fewer than ${vaultSecretMin} characters: ${own}`

  it("is live mode with a store in memory", async () => {
    const message =
      "live mode needs a store that keeps its data: --store memory loses all money at the end of the process"
    expect(await problemsOf({ ...live, ...memory })).toEqual([
      { reason: "unsafe", concerns: ["mode", "store"], message },
    ])
    expect(await problemsOf({ ...live, store: "pglite:folder" })).toEqual([])
  })

  it("is live mode on a server without a wallet secret, which a folder generates", async () => {
    const { walletSecret: _, ...without } = live
    expect(await problemsOf(without)).toEqual([
      {
        reason: "unsafe",
        concerns: ["mode", "store", "walletSecret"],
        message: `live mode on a server needs ${secretFlag("wallet")}, from which wallet mnemonics are derived`,
      },
    ])
    expect(await problemsOf({ ...without, store: "pglite:folder" })).toEqual([])
  })

  const places = ["mode", "host", "publicUrl"] as const
  it.each<readonly [message: string, concern: keyof ServeOptions, given: Given]>([
    [`--client-secret ${ofClient}`, "clientSecret", { clientSecret: secret(short) }],
    [
      `--client-secret has fewer than 8 different characters: ${own}`,
      "clientSecret",
      { clientSecret: secret("abcdefg".repeat(5)) },
    ],
    [
      `--next-client-secret ${ofClient}`,
      "nextClientSecret",
      { clientSecret: secret(clientSecret), nextClientSecret: secret(short) },
    ],
    [`the secret of b in --platform ${ofClient}`, "platforms", { platforms: [`b:${short}`] }],
    [`--wallet-secret ${ofVault}`, "walletSecret", { walletSecret: secret(shortVault) }],
    [
      `--previous-wallet-secret ${ofVault}`,
      "previousWalletSecret",
      { walletSecret: secret(walletSecret), previousWalletSecret: secret(shortVault) },
    ],
  ])("is one that others reach, with: %s", async (message, concern, given) => {
    const found = [{ reason: "unsafe", concerns: [...places, concern], message }]
    for (const place of [exposed, { publicUrl: some("https://pay.example.com") }, { host: "::" }])
      expect(await problemsOf({ ...place, ...given })).toEqual(found)
    expect(await problemsOf({ ...live, host: "127.0.0.1", ...given })).toEqual(found)
    expect(await problemsOf(given)).toEqual([])
  })

  it("has no weak secret at the least lengths", async () => {
    const given = {
      clientSecret: secret(clientSecret),
      nextClientSecret: secret(letters.slice(1, clientSecretMin + 1)),
      platforms: [`b:${letters.slice(2, clientSecretMin + 2)}`],
      walletSecret: secret(walletSecret),
      previousWalletSecret: secret(walletSecret),
    }
    expect(await problemsOf({ ...exposed, ...given })).toEqual([])
  })

  const long = letters
  it.each<readonly [what: string, given: Given]>([
    ["the client secret and the next one", { clientSecret: secret(long), nextClientSecret: secret(long) }],
    ["the client secret and the wallet secret", { clientSecret: secret(long), walletSecret: secret(long) }],
    ["the secrets of two platforms", { platforms: [`b:${long}`, `c:${long}`] }],
    [
      "a platform's secret and the next client secret",
      { clientSecret: secret(walletSecret), nextClientSecret: secret(long), platforms: [`b:${long}`] },
    ],
  ])("is one with the same secret twice: %s", async (_what, given) => {
    expect(await problemsOf({ ...exposed, ...given })).toEqual([
      {
        reason: "unsafe",
        concerns: [...places, "clientSecret", "nextClientSecret", "platforms", "walletSecret"],
        message: "two of the secrets are the same: each platform and the wallets need their own",
      },
    ])
    expect(await problemsOf(given)).toEqual([])
  })
})

describe("webhooks", () => {
  it.each<readonly [what: string, given: Given]>([
    ["live mode", live],
    ["a sandbox that others reach", { host: "0.0.0.0" }],
    ["a sandbox with a public address", { publicUrl: some("https://pay.example.com") }],
  ])("go to the public internet only in %s", async (_what, given) => {
    const found = await problemsOf({ ...given, webhookUrl: some("http://127.0.0.1:9000/") })
    expect(found.map(({ concerns, reason }) => [reason, ...concerns])).toEqual([["usage", "webhookUrl"]])
  })

  it("go to the inboxes of a sandbox at its public address, and not in live mode", async () => {
    const inbox = "http://localhost:8787/inbox/00000000-0000-4000-8000-000000000001"
    const given: Given = { host: "0.0.0.0", publicUrl: some("http://localhost:8787/"), webhookUrl: some(inbox) }
    expect(await problemsOf(given)).toEqual([])
    expect((await problemsOf({ ...live, ...given })).map(({ concerns }) => concerns)).toEqual([["webhookUrl"]])
  })

  it("have a key that can be read", async () => {
    const found = await problemsOf({ webhookKey: secret("a key") })
    expect(found).toEqual([
      { reason: "usage", concerns: ["webhookKey"], message: expect.stringMatching(/^--webhook-key: ./u) },
    ])
    expect(found[0]?.message).not.toContain("a key")
  })
})

it("takes the last of a repeated limit", () => {
  const { options } = optionsWith({ limits: ["headersMax=1", "connectionsMax=7", "headersMax=2"] })
  expect(limitsOf(options)).toEqual({ headersMax: 2, connectionsMax: 7 })
})
