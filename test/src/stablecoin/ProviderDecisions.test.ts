/**
 * What the decisions about provider accounts and registered stablecoins write, and when they ask the provider again.
 * Source: wire contract areas 1.6.2, 1.6.3 and 1.6.7; D-391.
 */
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  decideCheck,
  decideLink,
  decideTrouble,
} from "../../../packages/core/src/decision/stablecoin/ProviderAccountDecision.ts"
import {
  decideIssuance,
  decideRegistration,
} from "../../../packages/core/src/decision/stablecoin/RegistrationDecision.ts"
import { isUnissued, type Stablecoin } from "../../../packages/core/src/model/stablecoin/Stablecoin.ts"
import {
  account,
  auditsOf,
  changesOf,
  context,
  dataOf,
  fence,
  jobsOf,
  minute,
  now,
  stablecoin,
} from "./StoredStablecoins.ts"

describe("a provider account", () => {
  const accepted = (more: object = {}) => ({ _tag: "Accepted", providerAccountIds: ["acct"], ...more }) as const
  const checked = (answer: Parameters<typeof decideCheck>[0], data = {}, linkedAt = 5) =>
    decideCheck(answer, linkedAt, fence)({ account: account(data) }, context)
  const check = (wait: number, id = "StablecoinProviderAccount:1", linkedAt = 5) => [
    "stablecoin.check",
    wait,
    undefined,
    { stablecoinProviderAccountId: id, linkedAt },
  ]

  it("is checked again when the provider says, at least a second later, or never", () => {
    expect(jobsOf(checked(accepted({ checkAgainAt: now + 9000 })))).toEqual([check(9000)])
    expect(jobsOf(checked(accepted({ checkAgainAt: now })))).toEqual([check(1000)])
    expect(jobsOf(checked(accepted()))).toEqual([])
    expect(dataOf(checked(accepted()))).toMatchObject([{ lastVerifiedAt: now, status: "ACTIVE" }])
  })

  it("is invalid if its credentials reach it no more, and revoked if it is withdrawn", () => {
    const lost = checked(accepted({ providerAccountIds: ["another"] }))
    expect(dataOf(lost)).toMatchObject([{ status: "INVALID" }])
    expect(auditsOf(lost)).toMatchObject([{ operation: "STABLECOIN_PROVIDER_STATUS", details: { status: "INVALID" } }])
    expect(dataOf(checked({ _tag: "CredentialsRefused" }))).toMatchObject([{ status: "INVALID" }])
    expect(dataOf(checked({ _tag: "Withdrawn" }))).toMatchObject([{ status: "REVOKED" }])
  })

  it("with other credentials, or that is not active, is left as it is", () => {
    const unchanged = [checked({ _tag: "Withdrawn" }, {}, 6), checked({ _tag: "Withdrawn" }, { status: "INVALID" })]
    for (const decided of unchanged)
      expect([decided, dataOf(decided)]).toMatchObject([{ status: 200, changes: fence }, []])
    const trouble = (
      linkedAt: number,
      tag: "Withdrawn" | "CredentialsRefused",
      status: "ACTIVE" | "INVALID" = "ACTIVE",
    ) => dataOf(decideTrouble({ _tag: tag }, linkedAt)({ account: account({ status }) }, context))
    expect(trouble(5, "Withdrawn")).toMatchObject([{ status: "REVOKED" }])
    expect(trouble(5, "CredentialsRefused", "INVALID")).toEqual([])
    expect(trouble(5, "Withdrawn", "INVALID")).toMatchObject([{ status: "REVOKED" }])
    expect(trouble(6, "Withdrawn")).toEqual([])
    expect(dataOf(decideTrouble({ _tag: "Unavailable", cause: "" }, 5)({ account: account() }, context))).toEqual([])
  })

  it("is linked with what the provider says of its credentials, and checked at its time", () => {
    const request = { provider: "BRALE", apiClientId: "new", apiClientSecret: "s" } as const
    const selected = { providerAccountId: "acct", sealedSecret: { encappedPublic: "e", ciphertext: "c" } }
    const linked = (existing: Stored<"StablecoinProviderAccount"> | undefined) =>
      decideLink(request)(
        { answer: accepted({ checkAgainAt: now + 9000 }), selected, existing, environment: "PRODUCTION" },
        context,
      )
    const fresh = linked(undefined)
    expect(fresh).toMatchObject({ status: 201, body: { id: "StablecoinProviderAccount:new", status: "ACTIVE" } })
    expect(changesOf(fresh).inserts).toMatchObject([
      {
        kind: "StablecoinProviderAccount",
        data: {
          ...selected,
          apiClientId: "new",
          providerEnvironment: "PRODUCTION",
          linkedAt: now,
          lastVerifiedAt: now,
        },
      },
      { data: { operation: "STABLECOIN_PROVIDER_LINK", details: { provider: "BRALE", providerAccountId: "acct" } } },
    ])
    expect(jobsOf(fresh)).toEqual([check(9000, "StablecoinProviderAccount:new", now)])
    const again = linked(account({ status: "INVALID" }))
    expect(again).toMatchObject({ body: { id: "StablecoinProviderAccount:1", status: "ACTIVE" } })
    expect(dataOf(again)).toMatchObject([{ apiClientId: "new", linkedAt: now }])
    expect(linked(account())).toMatchObject({ refusal: { details: { reason: "PROVIDER_ACCOUNT_LINKED" } } })
  })
})

describe("an issuance", () => {
  const described = (issuanceStatus: Stablecoin["issuanceStatus"], more: object = {}) =>
    ({ _tag: "Described", name: "A", symbol: "A", baseCurrency: "USD", decimals: 6, issuanceStatus, ...more }) as const
  const decided = (from: Stablecoin["issuanceStatus"], to: Stablecoin["issuanceStatus"], more: object = {}) =>
    decideIssuance(described(to, more), fence)({ stablecoin: stablecoin({ issuanceStatus: from }) }, context)
  const describeAgain = (wait: number, id = "Stablecoin:1") => [
    "stablecoin.describe",
    wait,
    `stablecoin.describe:${id}`,
    { stablecoinId: id },
  ]

  it("goes on to what the provider says, and never back", () => {
    const provisioned = decided("PENDING_REVIEW", "PROVISIONED")
    expect(dataOf(provisioned)).toMatchObject([{ issuanceStatus: "PROVISIONED" }])
    expect(auditsOf(provisioned)).toMatchObject([
      { operation: "STABLECOIN_ISSUANCE_STATUS", details: { issuanceStatus: "PROVISIONED" } },
    ])
    for (const [from, to] of [
      ["PROVISIONED", "PENDING_REVIEW"],
      ["PROVISIONING", "PROVISIONING"],
      ["REJECTED", "PROVISIONED"],
    ] as const)
      expect([dataOf(decided(from, to)), auditsOf(decided(from, to))]).toEqual([[], []])
  })

  it("is asked about every 15 minutes or when the provider says, until its end", () => {
    expect(jobsOf(decided("PENDING_REVIEW", "PENDING_REVIEW"))).toEqual([describeAgain(15 * minute)])
    expect(jobsOf(decided("PENDING_REVIEW", "PROVISIONING", { askAgainAt: now + 9000 }))).toEqual([describeAgain(9000)])
    expect(jobsOf(decided("PENDING_REVIEW", "PROVISIONING", { askAgainAt: 0 }))).toEqual([describeAgain(1000)])
    expect(jobsOf(decided("PENDING_REVIEW", "PROVISIONED"))).toEqual([])
    expect(jobsOf(decided("PROVISIONED", "PROVISIONING"))).toEqual([])
  })

  it("ends the registration of a token that was rejected or failed", () => {
    const states = ["PENDING_REVIEW", "PROVISIONING", "PROVISIONED", "REJECTED", "FAILED"] as const
    expect(states.map((issuanceStatus) => isUnissued(stablecoin({ issuanceStatus }).data))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  const request = { network: "SPARK", networkTokenIdentifier: "btkn1", providerTokenIdentifier: "ACME" } as const
  it("begins with the token's registration, as the provider describes it", () => {
    const registered = decideRegistration(request)(
      { account: account(), areSeveralActive: false, described: described("PROVISIONING") },
      context,
    )
    expect(registered).toMatchObject({
      status: 201,
      body: {
        id: "Stablecoin:new",
        issuanceStatus: "PROVISIONING",
        serviceOperationsStatus: "NOT_ENABLED",
        ...request,
      },
    })
    expect(jobsOf(registered)).toEqual([describeAgain(15 * minute, "Stablecoin:new")])
    expect(auditsOf(registered)).toMatchObject([
      {
        operation: "STABLECOIN_REGISTER",
        details: { stablecoinProviderAccountId: "StablecoinProviderAccount:1", issuanceStatus: "PROVISIONING" },
      },
    ])
  })

  it("of a registration that the provider refuses ends the link", () => {
    const refused = (tag: "CredentialsRefused" | "Withdrawn" | "NotFound") =>
      decideRegistration(request)({ account: account(), areSeveralActive: false, described: { _tag: tag } }, context)
    expect(dataOf(refused("CredentialsRefused"))).toMatchObject([{ status: "INVALID" }])
    expect(dataOf(refused("Withdrawn"))).toMatchObject([{ status: "REVOKED" }])
    expect(refused("NotFound")).toMatchObject({ refusal: { details: { reason: "TOKEN_NOT_FOUND" } } })
    expect(dataOf(refused("NotFound"))).toEqual([])
    expect(
      decideRegistration(request)({ account: undefined, areSeveralActive: false, described: undefined }, context),
    ).toMatchObject({ refusal: { code: "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND" } })
  })
})
