/**
 * What is written of API tokens and their secrets, and of the setup of a platform and its renewal.
 * Source: wire contract 5.12 and 9; D-006, D-087, D-343.
 */
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import * as Tokens from "../../../packages/core/src/decision/platform/ApiTokenDecision.ts"
import {
  createPlatform,
  type NewPlatform,
  renewPlatform,
} from "../../../packages/core/src/decision/platform/PlatformSetupDecision.ts"
import * as Secrets from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import type { StoredSecret } from "../../../packages/core/src/model/platform/StoredSecret.ts"
import { isEmpty } from "../../../packages/core/src/store/Changes.ts"
import { changesOf, contextOf, now, writtenTo } from "../card/StoredCards.ts"

const platformId = "PlatformConfig:00000000-0000-7000-8000-0000000000a7"
const dated = { platformId, customerId: null, version: 4, createdAt: 0, updatedAt: 0 }
const secretOf = (id: string, more: Partial<StoredSecret> = {}): StoredSecret => ({
  id,
  hash: Secrets.hash(id),
  createdAt: 5,
  ...more,
})
const tokenWith = (secrets: ReadonlyArray<StoredSecret>, id = "Token:1"): Stored<"ApiToken"> => ({
  ...dated,
  kind: "ApiToken",
  id,
  data: { name: "Books", clientId: "client", secrets, permissions: ["VIEW"], isDeleted: false },
})
const [one, two] = [secretOf("Secret:1"), secretOf("Secret:2")]
const auditsOf = (decision: Parameters<typeof changesOf>[0]) => writtenTo(changesOf(decision), "AuditRecord")
const notFound = { _tag: "Refuse", refusal: { code: "TOKEN_NOT_FOUND" }, changes: {} }

describe("a token", () => {
  const request = { name: "Books", permissions: ["VIEW", "MANAGE"] } as const
  const created = (expiresAt?: number) =>
    Tokens.createApiToken(
      { ...request, ...(expiresAt && { expiresAt }) },
      "client",
      "the secret",
    )(undefined, contextOf())

  it("shows its secret once, and stores its hash", () => {
    const decision = created()
    expect(decision).toMatchObject({
      status: 201,
      body: {
        ...request,
        clientId: "client",
        clientSecret: "the secret",
        secrets: [{ createdAt: "2026-03-02T08:00:00Z" }],
      },
    })
    const [data] = writtenTo(changesOf(decision), "ApiToken")
    const secret = { id: expect.stringContaining("Secret:"), hash: Secrets.hash("the secret"), createdAt: now }
    expect(data).toEqual({ ...request, clientId: "client", secrets: [secret], isDeleted: false })
    expect(auditsOf(decision)).toMatchObject([
      { operation: "TOKEN_CREATE", details: { permissions: request.permissions } },
    ])
    expect(JSON.stringify(changesOf(decision))).not.toContain("the secret")
  })

  it("may expire in the future only", () => {
    for (const at of [now, now - 1]) {
      expect(created(at)).toMatchObject({ refusal: { details: { errors: [{ field: "expiresAt" }] } }, changes: {} })
    }
    expect(writtenTo(changesOf(created(now + 1)), "ApiToken")).toMatchObject([{ expiresAt: now + 1 }])
  })

  it("is not removed by a request that it authenticates, nor if it does not exist", () => {
    const token = tokenWith([one])
    const other = tokenWith([two], "Token:2")
    const removed = (
      callerToken: Stored<"ApiToken"> | undefined | null,
      found: Stored<"ApiToken"> | undefined = token,
    ) => Tokens.removeApiToken({ callerToken, token: found }, contextOf())
    expect(removed(undefined)).toMatchObject({ refusal: { code: "UNAUTHORIZED" }, changes: {} })
    expect(Tokens.removeApiToken({ callerToken: null, token: undefined }, contextOf())).toMatchObject(notFound)
    expect(removed(token)).toMatchObject({
      refusal: { code: "INVALID_INPUT", details: { reason: "TOKEN_IN_USE" } },
      changes: {},
    })
    for (const [caller, guards] of [
      [null, []],
      [other, [{ kind: "ApiToken", id: "Token:2", version: 4 }]],
    ] as const) {
      const decision = removed(caller)
      expect(decision).toMatchObject({ status: 204, body: null })
      expect(writtenTo(changesOf(decision), "ApiToken")).toEqual([{ ...token.data, isDeleted: true }])
      expect(changesOf(decision).guards).toEqual(guards)
      expect(auditsOf(decision)).toMatchObject([{ operation: "TOKEN_DELETE", target: "Token:1" }])
    }
  })
})

describe("a new secret of a token", () => {
  const added = (secrets: ReadonlyArray<StoredSecret>, overlapSeconds?: number) =>
    Tokens.addTokenSecret(overlapSeconds === undefined ? {} : { overlapSeconds }, "the secret")(
      { token: tokenWith(secrets) },
      contextOf(),
    )
  const fresh = { id: expect.stringContaining("Secret:"), hash: Secrets.hash("the secret"), createdAt: now }

  it.each<
    [what: string, before: ReadonlyArray<StoredSecret>, overlap: number | undefined, after: ReadonlyArray<object>]
  >([
    ["beside one that stays", [one], undefined, [one, fresh]],
    ["beside one that stays for an hour", [one], 3600, [{ ...one, expiresAt: now + 3_600_000 }, fresh]],
    [
      "beside one that ends earlier anyway",
      [secretOf("Secret:1", { expiresAt: now + 5 })],
      3600,
      [secretOf("Secret:1", { expiresAt: now + 5 }), fresh],
    ],
    ["in the place of one that ends now", [one], 0, [fresh]],
    ["in the place of two that end now", [one, two], 0, [fresh]],
    ["and not beside one that has ended", [secretOf("Secret:1", { expiresAt: now }), two], undefined, [two, fresh]],
  ])("is valid %s", (_, before, overlap, after) => {
    const decision = added(before, overlap)
    expect(decision).toMatchObject({ status: 201, body: { clientSecret: "the secret" } })
    expect(writtenTo(changesOf(decision), "ApiToken")).toMatchObject([{ name: "Books", secrets: after }])
    expect(writtenTo(changesOf(decision), "ApiToken")[0]).toHaveProperty("secrets.length", after.length)
    expect(auditsOf(decision)).toMatchObject([{ operation: "TOKEN_SECRET_ADD", details: { secretId: fresh.id } }])
  })

  it("is refused beside two, and of a token that does not exist", () => {
    for (const overlap of [undefined, 3600]) {
      expect(added([one, two], overlap)).toMatchObject({
        refusal: { details: { reason: "TOO_MANY_SECRETS" } },
        changes: {},
      })
    }
    expect(Tokens.addTokenSecret({}, "s")({ token: undefined }, contextOf())).toMatchObject(notFound)
  })
})

describe("a secret that is retired", () => {
  const retired = (secrets: ReadonlyArray<StoredSecret>, secretId = "Secret:1", by = "Secret:2") => {
    const context = contextOf()
    return Tokens.retireTokenSecret(secretId)(
      { token: tokenWith(secrets) },
      { ...context, caller: { ...context.caller, secretId: by } as typeof context.caller },
    )
  }

  it("leaves the other one", () => {
    const decision = retired([one, two])
    expect(decision).toMatchObject({ status: 204, body: null })
    expect(writtenTo(changesOf(decision), "ApiToken")).toMatchObject([{ secrets: [two] }])
    expect(auditsOf(decision)).toMatchObject([{ operation: "TOKEN_SECRET_RETIRE", details: { secretId: "Secret:1" } }])
  })

  it.each<[ReadonlyArray<StoredSecret>, string, string, object]>([
    [[one, two], "Secret:1", "Secret:1", { reason: "SECRET_IN_USE" }],
    [[one], "Secret:1", "Secret:2", { reason: "LAST_SECRET" }],
    [[one], "Secret:1", "Secret:1", { reason: "SECRET_IN_USE" }],
    [[one, secretOf("Secret:2", { expiresAt: now })], "Secret:1", "Secret:2", { reason: "LAST_SECRET" }],
  ])("is refused: %j, %s by %s", (secrets, secretId, by, details) => {
    expect(retired(secrets, secretId, by)).toMatchObject({ refusal: { code: "INVALID_INPUT", details }, changes: {} })
  })

  it("is not found once it has ended, or where it never was", () => {
    for (const id of ["Secret:2", "Secret:9"]) {
      const decision = retired([one, secretOf("Secret:2", { expiresAt: now })], id, "Secret:1")
      expect(decision).toMatchObject({ refusal: { code: "REFERENCE_NOT_FOUND" }, changes: {} })
    }
    expect(Tokens.retireTokenSecret("Secret:1")({ token: undefined }, contextOf())).toMatchObject(notFound)
  })
})

describe("the setup of a platform", () => {
  const webhookTrust = { mode: "OPEN" } as never
  const setup: NewPlatform = {
    platformId,
    clientId: "client",
    secretHashes: ["h1", "h2", "h1"],
    name: "Acme",
    currencies: ["USD", "EUR"],
    webhookTrust,
    webhookRootId: "WalletRoot:1",
  }
  const created = (more: Partial<NewPlatform> = {}, keys: ReadonlyArray<string> = []) =>
    createPlatform({ ...setup, ...more }, "pay.example")(
      undefined,
      contextOf({ rejections: keys.map((key) => ({ _tag: "Taken", claim: { scope: "global", key } })) }),
    )
  const platformIn = (decision: ReturnType<typeof created>) => writtenTo(changesOf(decision), "Platform")[0]

  it("has a token with every permission and each secret once, and an account per currency", () => {
    const decision = created()
    expect(decision).toMatchObject({ status: 201, body: platformId })
    expect(platformIn(decision)).toEqual({
      name: "Acme",
      umaDomain: "0000000000a7.pay.example",
      proxyUmaSubdomain: "0000000000a7",
      supportedCurrencies: ["USD", "EUR"].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 10_000_000_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ["INCOMING", "OUTGOING"],
      })),
      isRegulatedFinancialInstitution: true,
    })
    const secret = (hash: string) => ({ id: expect.any(String), hash, createdAt: now, isConfigured: true })
    expect(writtenTo(changesOf(decision), "ApiToken")).toEqual([
      {
        name: "Acme",
        clientId: "client",
        secrets: [secret("h1"), secret("h2")],
        permissions: ["VIEW", "TRANSACT", "MANAGE"],
        isDeleted: false,
      },
    ])
    expect(
      writtenTo(changesOf(decision), "InternalAccount").map((data) => "currency" in data && data.currency),
    ).toEqual(["USD", "EUR"])
    expect(auditsOf(decision)).toMatchObject([{ operation: "TOKEN_CREATE" }])
  })

  it("has what the deployment says of it", () => {
    const more = { umaDomain: "acme.example", isRegulatedFinancialInstitution: false } as const
    expect(platformIn(created(more))).toMatchObject({ ...more, proxyUmaSubdomain: "acme" })
  })

  it("takes another subdomain after a collision, and refuses a domain or a client id of another", () => {
    const collision = "uma-subdomain:0000000000a7"
    expect(platformIn(created({}, [collision]))).toMatchObject({ proxyUmaSubdomain: "0000000000a7168" })
    expect(platformIn(created({}, [collision, "uma-subdomain:x"]))).toMatchObject({
      proxyUmaSubdomain: "0000000000a7169",
    })
    const refused = (key: string) => created({}, [collision, key])
    expect(refused("uma-domain:0000000000a7.pay.example")).toMatchObject({
      refusal: { message: "The UMA domain is taken." },
    })
    expect(refused("client:client")).toMatchObject({ refusal: { message: "The client id is taken." }, changes: {} })
  })

  const renewed = (
    secrets: ReadonlyArray<StoredSecret> | undefined,
    more: Partial<NewPlatform> = {},
    webhookEndpoint?: string,
  ) =>
    renewPlatform({ ...setup, secretHashes: ["h1"], ...more })(
      {
        token: secrets && tokenWith(secrets),
        platform: { ...dated, kind: "Platform", id: platformId, data: { webhookEndpoint } } as Stored<"Platform">,
        endpoint: undefined,
      },
      contextOf(),
    )
  const given = secretOf("Secret:1", { hash: "h1", isConfigured: true })

  it("is renewed to nothing where nothing has changed", () => {
    const ended = secretOf("Secret:4", { expiresAt: now })
    for (const secrets of [
      [given],
      [two, given],
      [ended, given],
      [secretOf("Secret:5", { expiresAt: now + 1 }), given],
      undefined,
    ])
      expect(isEmpty(changesOf(renewed(secrets)))).toBe(true)
    const other = secretOf("Secret:6", { hash: "h2", isConfigured: true })
    expect(isEmpty(changesOf(renewed([other, given], { secretHashes: ["h1", "h2"] })))).toBe(true)
    const endpoint = { webhookEndpoint: "https://a.example/" }
    expect(isEmpty(changesOf(renewed([given], endpoint, "https://a.example/")))).toBe(true)
  })

  it.each<
    [what: string, before: ReadonlyArray<StoredSecret>, hashes: ReadonlyArray<string>, after: ReadonlyArray<object>]
  >([
    ["in the place of the one before", [given], ["h2"], [{ hash: "h2", createdAt: now, isConfigured: true }]],
    ["beside one that the platform added", [two, given], ["h2"], [two, { hash: "h2", isConfigured: true }]],
    [
      "that the platform had added",
      [secretOf("Secret:3", { hash: "h1", expiresAt: now + 1 })],
      ["h1"],
      [{ id: "Secret:3", hash: "h1", isConfigured: true }],
    ],
    ["that the platform gave an end, which it has no more", [{ ...given, expiresAt: now + 1 }], ["h1"], [given]],
    ["that had ended, anew", [{ ...given, expiresAt: now }], ["h1"], [{ hash: "h1", createdAt: now }]],
  ])("is renewed with a secret %s", (_, before, secretHashes, after) => {
    const decision = renewed(before, { secretHashes })
    const [data] = writtenTo(changesOf(decision), "ApiToken")
    expect(data).toMatchObject({ name: "Books", secrets: after })
    expect(data).toHaveProperty("secrets.length", after.length)
    expect(JSON.stringify(data)).not.toContain(`"expiresAt":${now + 1}`)
    expect(auditsOf(decision)).toMatchObject([{ operation: "TOKEN_RENEW", target: "Token:1" }])
  })

  it("is renewed with another endpoint", () => {
    const changes = changesOf(renewed([given], { webhookEndpoint: "https://b.example/" }, "https://a.example/"))
    expect(writtenTo(changes, "Platform")).toEqual([{ webhookEndpoint: "https://b.example/" }])
    expect(writtenTo(changes, "WebhookEndpoint")).toHaveLength(1)
    expect(writtenTo(changes, "ApiToken")).toEqual([])
  })
})
