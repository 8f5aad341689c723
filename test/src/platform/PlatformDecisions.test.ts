/**
 * What the setup of a platform and updates of its configuration write, and when they are refused.
 * Source: wire contract 5.8, 5.12 and 6.1; D-115, D-348.
 */
import { describe, expect, it } from "vitest"
import type { CommitRejection } from "../../../packages/core/src/decision/Decision.ts"
import {
  type ConfigUpdateLoaded,
  endpointRefused,
  updatePlatformConfig,
} from "../../../packages/core/src/decision/platform/PlatformConfigDecision.ts"
import { createPlatform, type NewPlatform } from "../../../packages/core/src/decision/platform/PlatformSetupDecision.ts"
import type { Platform } from "../../../packages/core/src/model/platform/Platform.ts"
import type { PlatformConfigUpdateRequest } from "../../../packages/core/src/model/platform/PlatformConfigResource.ts"
import type { StoredSecret } from "../../../packages/core/src/model/platform/StoredSecret.ts"
import { contextOf, now, writtenTo } from "../card/StoredCards.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { creation } from "../quote/CreationFacts.ts"

const platformId = "PlatformConfig:1"
const stored = creation.platform
const [dollars] = stored.data.supportedCurrencies
const currency = (currencyCode: "USD" | "EUR" | "GBP", more: object = {}) => ({
  ...dollars,
  minAmount: 1,
  maxAmount: 2,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ["OUTGOING" as const],
  currencyCode,
  ...more,
})
const taken = (key: string): CommitRejection => ({ _tag: "Taken", claim: { scope: "global", key } })
const refused = (refusal: object) => ({ _tag: "Refuse", refusal, changes: {} })
const auditsOf = (changes: Parameters<typeof writtenTo>[0]) => writtenTo(changes, "AuditRecord")
const jobsOf = ({ jobs = [] }: Parameters<typeof writtenTo>[0]) =>
  jobs.map(({ customerId, dueAt, kind, payload }) => [kind, dueAt - now, customerId, payload])

describe("an update of a platform's configuration", () => {
  const loaded: ConfigUpdateLoaded = {
    platform: stored,
    accounts: [{ currency: "USD", type: "INTERNAL_FIAT" }],
    endpointRefusal: undefined,
    endpoint: undefined,
    domainAnswer: "PROVEN",
    network: { scenarioDomain: undefined, requirements: [] },
  }
  const updated = (
    update: PlatformConfigUpdateRequest,
    {
      data = {},
      rejections = [],
      ...more
    }: Partial<ConfigUpdateLoaded> & {
      readonly data?: Partial<Platform>
      readonly rejections?: ReadonlyArray<CommitRejection>
    } = {},
  ) =>
    updatePlatformConfig(update, "PROOF")(
      { ...loaded, platform: { ...stored, data: { ...stored.data, ...data } }, ...more },
      contextOf({ rejections }),
    )
  const dataOf = (...of: Parameters<typeof updated>) => writtenTo(updated(...of).changes ?? {}, "Platform")[0]

  it("replaces what it names, shows it as of now and is audited by the names of its fields", () => {
    const decision = updated({ embeddedWalletConfig: {}, supportedCurrencies: [currency("USD")] })
    expect(decision).toMatchObject({
      status: 200,
      body: { id: platformId, embeddedWalletConfig: {}, updatedAt: "2026-03-02T08:00:00Z" },
    })
    const { inserts, updates, ...others } = partsWritten(decision)
    expect(updates).toEqual([
      {
        kind: "Platform",
        id: platformId,
        version: 1,
        data: { ...stored.data, embeddedWalletConfig: {}, supportedCurrencies: [currency("USD")] },
      },
    ])
    expect(inserts).toMatchObject([
      {
        kind: "AuditRecord",
        platformId,
        customerId: null,
        data: {
          operation: "CONFIG_UPDATE",
          target: platformId,
          details: { changed: ["embeddedWalletConfig", "supportedCurrencies"] },
        },
      },
    ])
    expect(others).toEqual({})
  })

  it("merges fees and settings", () => {
    const fee = (sourceCurrency: "USD" | "EUR", variableFeeBps: number) => ({
      feeType: "CROSS_CURRENCY_TRANSACTION" as const,
      sourceCurrency,
      variableFeeBps,
      fixedFee: { amount: 0, currency: "USD" as const },
    })
    const data = {
      feeConfigs: [fee("USD", 1), fee("EUR", 2)],
      embeddedWalletConfig: { appName: "Pay", otpLength: 6 },
      cardTokenization2faConfig: { displayName: "Pay", sms: { bodyText: "x" } },
    }
    expect(dataOf({}, { data })).toEqual({ ...stored.data, ...data })
    expect(dataOf({ feeConfigs: [fee("USD", 3)] }, { data })).toMatchObject({
      feeConfigs: [fee("EUR", 2), fee("USD", 3)],
    })
    expect(dataOf({ feeConfigs: [fee("USD", 3)] })).toMatchObject({ feeConfigs: [fee("USD", 3)] })
    expect(dataOf({ embeddedWalletConfig: { otpLength: 8 } }, { data })).toMatchObject({
      embeddedWalletConfig: { appName: "Pay", otpLength: 8 },
    })
    expect(dataOf({ cardTokenization2faConfig: { displayName: "New" } }, { data })).toMatchObject({
      cardTokenization2faConfig: { displayName: "New", sms: { bodyText: "x" } },
    })
  })

  it("stores a new endpoint, asks for its proof and sends it a TEST event", () => {
    const webhookEndpoint = "https://new.example/hook"
    const data = { webhookEndpoint: "https://old.example/hook" }
    const decision = updated({ webhookEndpoint }, { data })
    expect(writtenTo(decision.changes ?? {}, "Platform")).toEqual([{ ...stored.data, webhookEndpoint }])
    expect(writtenTo(decision.changes ?? {}, "WebhookEndpoint")).toMatchObject([
      { url: webhookEndpoint, state: "PENDING" },
    ])
    expect(decision.changes?.events).toMatchObject([
      { type: "TEST", customerId: null, subject: platformId, data: { body: {}, placeholders: [] } },
    ])
    expect(jobsOf(decision.changes ?? {}).map(([kind, millis]) => [kind, millis])).toEqual([
      ["webhook.prove", 0],
      ["webhook.test", 0],
    ])
  })

  it("leaves an endpoint that it does not name, sends no event to the same one, and unsets it by null", () => {
    const data = { webhookEndpoint: "https://old.example/hook" }
    for (const update of [{}, { webhookEndpoint: data.webhookEndpoint }]) {
      expect(dataOf(update, { data })).toEqual({ ...stored.data, ...data })
      expect(updated(update, { data }).changes?.events).toEqual([])
    }
    expect(dataOf({ webhookEndpoint: null }, { data })).toEqual(stored.data)
    expect(updated({ webhookEndpoint: null }, { data }).changes?.events).toEqual([])
  })

  it("opens the platform's accounts in new currencies that it lacks, and plans those of its customers", () => {
    const supportedCurrencies = [currency("USD"), currency("EUR"), currency("GBP")]
    const decision = updated({ supportedCurrencies }, { accounts: [{ currency: "GBP", type: "INTERNAL_FIAT" }] })
    expect(writtenTo(decision.changes ?? {}, "InternalAccount")).toMatchObject([{ currency: "EUR", isPlatform: true }])
    expect(decision.changes?.inserts?.find(({ kind }) => kind === "InternalAccount")).toMatchObject({
      platformId,
      customerId: null,
    })
    expect(jobsOf(decision.changes ?? {}).filter(([kind]) => kind === "accounts.open")).toEqual([
      ["accounts.open", 0, null, {}],
    ])
    expect(jobsOf(updated({ supportedCurrencies: [currency("USD")] }).changes ?? {})).toEqual([])
    const one = updated({ supportedCurrencies: [currency("USD"), currency("EUR")] }).changes ?? {}
    expect(jobsOf(one)).toEqual([["accounts.open", 0, null, {}]])
  })

  it("gives a new domain its subdomain, with a number after collisions", () => {
    const umaDomain = "pay.example"
    expect(dataOf({ umaDomain })).toMatchObject({ umaDomain, proxyUmaSubdomain: "pay" })
    const rejections = [taken("uma-subdomain:pay"), taken("uma-subdomain:pay2")]
    expect(dataOf({ umaDomain }, { rejections })).toMatchObject({ proxyUmaSubdomain: "pay17" })
    expect(dataOf({ umaDomain: stored.data.umaDomain })).not.toHaveProperty("proxyUmaSubdomain")
    expect(dataOf({}, { data: { proxyUmaSubdomain: "kept" } })).toMatchObject({ proxyUmaSubdomain: "kept" })
  })

  const refusedEndpoint = { reason: "must be a public address" }
  const notProven = { code: "INVALID_INPUT", details: { reason: "DOMAIN_NOT_PROVEN" } }
  const umaDomain = "pay.example"
  it.each<[string, ReturnType<typeof updated>, object]>([
    [
      "a minimum above the maximum, before its endpoint",
      updated({ supportedCurrencies: [currency("USD", { minAmount: 3 })] }, { endpointRefusal: refusedEndpoint }),
      { details: { errors: [{ field: "supportedCurrencies.0.minAmount" }] } },
    ],
    [
      "an endpoint that is not allowed, before its domain",
      updated({ umaDomain }, { endpointRefusal: refusedEndpoint, domainAnswer: "NOT_PROVEN" }),
      endpointRefused(refusedEndpoint),
    ],
    ["a domain that is not proven", updated({ umaDomain }, { domainAnswer: "NOT_PROVEN" }), notProven],
    [
      "a domain that cannot be read",
      updated({ umaDomain }, { domainAnswer: "UNKNOWN" }),
      { code: "SERVICE_UNAVAILABLE" },
    ],
    [
      "a domain of another platform",
      updated({ umaDomain }, { rejections: [taken("uma-subdomain:pay"), taken("uma-domain:pay.example")] }),
      notProven,
    ],
    [
      "a configuration that is too long",
      updated({}, { data: { name: "x".repeat(48_000) } }),
      { details: { errors: [{ field: "body" }] } },
    ],
  ])("is refused for %s", (_, decision, refusal) => {
    expect(decision).toMatchObject(refused(refusal))
    expect(decision.changes).toEqual({})
  })

  it("names the format of an endpoint that is refused", () => {
    expect(endpointRefused(refusedEndpoint)).toMatchObject({
      details: {
        errors: [{ field: "webhookEndpoint", message: refusedEndpoint.reason, constraint: { format: "uri" } }],
      },
    })
  })
})

const setup: NewPlatform = {
  platformId,
  clientId: "client",
  secretHashes: ["a", "b", "a"],
  name: "Pay",
  currencies: ["USD", "EUR"],
  webhookTrust: "PROOF",
  webhookRootId: "root",
}
const configured = (hash: string, id: string, createdAt = now): StoredSecret => ({
  id,
  hash,
  createdAt,
  isConfigured: true,
})

describe("the setup of a platform", () => {
  const created = (more: Partial<NewPlatform> = {}, rejections: ReadonlyArray<CommitRejection> = []) =>
    createPlatform({ ...setup, ...more }, "deployment.example")({}, contextOf({ rejections }))

  it("inserts it with its token, keys and accounts", () => {
    const decision = created()
    expect(decision).toMatchObject({ status: 201, body: platformId })
    const changes = decision.changes ?? {}
    const limits = {
      minAmount: 1,
      maxAmount: 10_000_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    }
    expect(writtenTo(changes, "Platform")).toEqual([
      {
        name: "Pay",
        umaDomain: `${platformId.slice(-12)}.deployment.example`,
        proxyUmaSubdomain: platformId.slice(-12),
        supportedCurrencies: [
          { currencyCode: "USD", ...limits },
          { currencyCode: "EUR", ...limits },
        ],
        isRegulatedFinancialInstitution: true,
      },
    ])
    expect(writtenTo(changes, "ApiToken")).toEqual([
      {
        name: "Pay",
        clientId: "client",
        secrets: [
          configured("a", expect.stringMatching(/^Secret:/u)),
          configured("b", expect.stringMatching(/^Secret:/u)),
        ],
        permissions: ["VIEW", "TRANSACT", "MANAGE"],
        isDeleted: false,
      },
    ])
    expect(writtenTo(changes, "WebhookKeyRing")).toMatchObject([{ keys: [{ rootId: "root" }] }])
    expect(writtenTo(changes, "WebhookEndpoint")).toEqual([])
    expect(writtenTo(changes, "InternalAccount")).toMatchObject([{ currency: "USD" }, { currency: "EUR" }])
    const token = changes.inserts?.find(({ kind }) => kind === "ApiToken")
    expect(auditsOf(changes)).toMatchObject([{ operation: "TOKEN_CREATE", target: token?.id }])
    expect(changes.inserts?.every(({ customerId }) => customerId === null)).toBe(true)
  })

  it("takes its own domain, endpoint and regulation where they are given", () => {
    const webhookEndpoint = "https://hook.example/"
    const changes =
      created({ umaDomain: "pay.example", webhookEndpoint, isRegulatedFinancialInstitution: false }).changes ?? {}
    expect(writtenTo(changes, "Platform")).toMatchObject([
      { umaDomain: "pay.example", proxyUmaSubdomain: "pay", webhookEndpoint, isRegulatedFinancialInstitution: false },
    ])
    expect(writtenTo(changes, "WebhookEndpoint")).toMatchObject([{ url: webhookEndpoint }])
  })

  it("is refused where its domain or its client id is taken, and numbers a subdomain that is", () => {
    const umaDomain = "pay.example"
    const message = (rejections: ReadonlyArray<CommitRejection>) => {
      const decision = created({ umaDomain }, rejections)
      expect(decision).toMatchObject(refused({ code: "CONFLICT" }))
      return decision._tag === "Refuse" && decision.refusal.message
    }
    const subdomain = taken("uma-subdomain:pay")
    expect(message([subdomain, taken("uma-domain:pay.example")])).toBe("The UMA domain is taken.")
    expect(message([taken("client:client")])).toBe("The client id is taken.")
    const changes = created({ umaDomain }, [subdomain]).changes ?? {}
    expect(writtenTo(changes, "Platform")).toMatchObject([{ proxyUmaSubdomain: "pay16" }])
  })
})
