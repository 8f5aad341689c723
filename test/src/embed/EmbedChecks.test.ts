/** The problems of options before anything starts: each by its whole sentence, and what has none. Source: D-191, D-275, D-340, D-341. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import {
  checkOptions,
  EmbedOptionsError,
  isReachableOnlyHere,
  unstableSecrets,
} from "../../../packages/adapter-http/src/embed/EmbedChecks.ts"
import { MemoryStore } from "../../../packages/adapter-memory/src/index.ts"
import { sandboxOnly } from "../../../packages/core/src/ports/SandboxOnly.ts"

const pem = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" })
const random = () => randomBytes(20).toString("hex")
const platform = { clientId: "host", clientSecret: random() }
const sandbox = { store: Layer.empty, ports: Layer.empty, sandbox: true, platforms: [platform] }
const live = { ...sandbox, sandbox: false, webhookKey: pem.toString(), walletSecret: random() }

/** The problems of options, which the error lists in its message too. */
const problemsOf = (options: unknown): ReadonlyArray<string> => {
  try {
    checkOptions(options as never)
    return []
  } catch (error) {
    if (!(error instanceof EmbedOptionsError)) throw error
    expect(error.message).toBe(`embed: ${error.problems.join("; ")}`)
    expect(error.name).toBe("EmbedOptionsError")
    return error.problems
  }
}
const inSandbox = (more: object) => problemsOf({ ...sandbox, ...more })
const inLive = (more: object) => problemsOf({ ...live, ...more })
const withPlatform = (...platforms: ReadonlyArray<object>) => ({
  platforms: platforms.map((each) => ({ ...platform, ...each })),
})

describe("options without a problem", () => {
  it.each<readonly [string, object]>([
    ["nothing but the required ones", {}],
    ["no platform", { platforms: [] }],
    ["two platforms", withPlatform({}, { clientId: "other", clientSecret: random() })],
    ["the currencies of a platform", withPlatform({ currencies: ["USD", "EUR"] })],
    ["a public endpoint", withPlatform({ webhookEndpoint: "https://platform.example/hooks" })],
    ["trusted proxies", { trustedProxies: ["10.0.0.0/8", "::1"] }],
    ["allowed addresses", { webhookAllow: ["hooks.internal", "10.0.0.0/8", "10.0.0.1"] }],
    ["a public address", { publicUrl: "https://pay.example/base" }],
    ["issuers", { walletChecks: { issuers: ["https://login.example", "http://localhost:8080"] } }],
    ["encryption that is off", { documentEncryption: "off", documents: Layer.empty }],
    ["encryption without files of its own", { documentEncryption: "on" }],
    ["a wallet secret and its predecessor", { walletSecret: random(), previousWalletSecret: random() }],
  ])("have %s", (_, more) => {
    expect([inSandbox(more), inLive(more)]).toEqual([[], []])
  })

  it.each(["", "/", "/v1", "v1", "v1/", "/v1/", "/a.b/c~d/e_f-1", "/..."])("have the base path %j", (basePath) => {
    expect(inSandbox({ basePath })).toEqual([])
  })
})

describe("a problem", () => {
  const basePath = "basePath must have segments of letters, digits and `.~_-` between slashes, such as /2025-10-13"

  it.each(["///", "/a//b", "a//b", "a/b//", "/.", "/a/..", "/a b", "/ä", "/a?b", "/a#b", "a:b", "//other.example"])(
    "of the base path %j is its form",
    (path) => {
      expect(inSandbox({ basePath: path })).toEqual([basePath])
    },
  )

  it.each<readonly [problem: string, more: object]>([
    ["two platforms have the client id host", withPlatform({}, { clientSecret: random() })],
    ['the client id "" must not be empty, or contain a colon or a control character', withPlatform({ clientId: "" })],
    [
      'the client id "a:b" must not be empty, or contain a colon or a control character',
      withPlatform({ clientId: "a:b" }),
    ],
    [
      'the client id "a\\n" must not be empty, or contain a colon or a control character',
      withPlatform({ clientId: "a\n" }),
    ],
    ["the client secret of host must not be empty, or contain a control character", withPlatform({ clientSecret: "" })],
    [
      "the client secret of host must not be empty, or contain a control character",
      withPlatform({ nextClientSecret: `${random()}\t` }),
    ],
    ['the currency "XXX" of host does not exist', withPlatform({ currencies: ["USD", "XXX"] })],
    ['the currency "toString" of host does not exist', withPlatform({ currencies: ["toString"] })],
    ['trustedProxies must have addresses or CIDR ranges, not "proxy"', { trustedProxies: ["::1", "proxy"] }],
    ['webhookAllow must have hosts, addresses or CIDR ranges, not "a b"', { webhookAllow: ["a b", "10.0.0.1"] }],
    [
      "the webhookEndpoint of host: the scheme is neither https nor http",
      withPlatform({ webhookEndpoint: "ftp://platform.example" }),
    ],
    [
      "publicUrl must be an http or https address without credentials, query and fragment",
      { publicUrl: "pay.example" },
    ],
    ["webhookKey: The webhook key is not an unencrypted PEM private key (PKCS#8 or SEC1).", { webhookKey: "none" }],
    [
      'walletChecks.issuers must have https addresses, not "http://login.example"',
      { walletChecks: { issuers: ["https://login.example", "http://login.example"] } },
    ],
    ["documentEncryption must be off or new or on", { documentEncryption: "yes" }],
    ["store must be a layer", { store: {} }],
  ])("is: %s", (problem, more) => {
    expect(
      [...inSandbox(more), ...inLive(more)].filter((each) => each !== "two of the secrets are the same"),
    ).toContain(problem)
    const found = inSandbox(more)
    expect(found.length === 0 || found.includes(problem)).toBe(true)
  })

  it("is the only one of options that are nothing or a list", () => {
    for (const options of [undefined, null, [], "options"])
      expect(problemsOf(options)).toEqual(["the options must be an object"])
  })

  it("is a secret that another one needs", () => {
    const previousWalletSecret = random()
    expect(inSandbox({ previousWalletSecret })).toEqual(["previousWalletSecret needs walletSecret"])
    expect(inSandbox({ documentEncryption: "new", documents: Layer.empty })).toEqual([
      expect.stringMatching(
        /^documentEncryption needs walletSecret\W+with one .*, the files are lost with the process$/u,
      ),
    ])
  })

  it("is the private endpoint of a platform, except in a sandbox that only this machine reaches", () => {
    const more = withPlatform({ webhookEndpoint: "http://10.0.0.1/hooks" })
    const refused = ["the webhookEndpoint of host: the address is not on the public internet"]
    expect(inSandbox(more)).toEqual([])
    expect(inSandbox({ ...more, publicUrl: "http://localhost:8080" })).toEqual([])
    expect(inSandbox({ ...more, publicUrl: "https://sandbox.example" })).toEqual(refused)
    expect(inLive(more)).toEqual(refused)
    expect(inLive({ ...more, webhookAllow: ["10.0.0.1"] })).toEqual([])
    expect(inLive({ ...more, webhookTransport: Layer.empty })).toEqual([])
  })
})

describe("a deployment that strangers reach", () => {
  const short = "0123456789abcdefghi"
  const known = "is a secret that documentation or tests show, so everybody knows it"

  it("needs its two secrets unless it is a sandbox", () => {
    expect(inLive({ webhookKey: undefined, walletSecret: undefined })).toEqual([
      "webhookKey is required unless sandbox is true",
      "walletSecret is required unless sandbox is true",
    ])
    expect(inSandbox({ publicUrl: "https://sandbox.example" })).toEqual([])
  })

  it.each<readonly [problem: string, more: object]>([
    ["the client secret of host has fewer than 20 characters", withPlatform({ clientSecret: short })],
    ["the client secret of host has fewer than 20 characters", withPlatform({ nextClientSecret: short })],
    [`the client secret of host ${known}`, withPlatform({ clientSecret: "demo-secret" })],
    ["walletSecret has fewer than 32 characters", { walletSecret: random().slice(0, 31) }],
    ["previousWalletSecret has fewer than 32 characters", { walletSecret: random(), previousWalletSecret: short }],
    ["two of the secrets are the same", { walletSecret: platform.clientSecret }],
  ])("has strong secrets, a public sandbox as well: %s", (problem, more) => {
    expect(inLive(more)).toEqual([problem])
    expect(inSandbox({ ...more, publicUrl: "https://sandbox.example" })).toEqual([problem])
    const isOfLength = /^\w+ has fewer/u.test(problem)
    expect(inSandbox(more)).toEqual(isOfLength ? [problem] : [])
  })

  it("uses nothing that only a sandbox may use", () => {
    const simulated = sandboxOnly("the simulation")(Layer.empty)
    for (const option of ["store", "ports", "documents", "settings"]) {
      expect(inLive({ [option]: simulated })).toEqual([`${option}: only a sandbox may use the simulation`])
      expect(inSandbox({ [option]: simulated })).toEqual([])
    }
  })
})

describe("a sandbox", () => {
  it.each([
    [undefined, true],
    ["http://127.0.0.1:8080", true],
    ["https://sandbox.example", false],
    ["not an address", false],
  ])("with the address %s is reachable only here: %s", (publicUrl, isOnlyHere) => {
    const options = publicUrl === undefined ? {} : { publicUrl }
    expect(isReachableOnlyHere({ ...sandbox, ...options } as never)).toBe(isOnlyHere)
    expect(isReachableOnlyHere({ ...live, ...options } as never)).toBe(false)
  })

  it("generates the secrets that it is not given, which matters if its store keeps data", () => {
    const unstable = (more: object) => unstableSecrets({ ...sandbox, ...more } as never)
    expect(unstable({})).toEqual(["webhookKey", "walletSecret"])
    expect(unstable({ walletSecret: random() })).toEqual(["webhookKey"])
    expect(unstable({ store: MemoryStore.layer })).toEqual([])
  })
})
