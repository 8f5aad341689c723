/** What a mint or burn shows, and what time and its accounts say of it. Source: wire contract areas 1.6.5, 1.6.6. */
import { describe, expect, it } from "vitest"
import {
  customersOfOperation,
  isOpenOperation,
  needsFunding,
  type StablecoinOperation,
  stablecoinOperationAsOf,
} from "../../../packages/core/src/model/stablecoin/StablecoinOperation.ts"
import { toStablecoinOperation } from "../../../packages/core/src/model/stablecoin/StablecoinOperationResource.ts"
import { now, operation } from "./StoredStablecoins.ts"

describe("an operation", () => {
  it("shows what it has, and nothing that it lacks", () => {
    const { request: _, ...data } = operation().data
    const least = {
      id: "StablecoinOperation:1",
      stablecoinId: "Stablecoin:1",
      operationType: "MINT",
      status: "CREATED",
      amount: "1000000",
      provider: "BRALE",
      providerEnvironment: "SANDBOX",
      stablecoinProviderAccountId: "StablecoinProviderAccount:1",
      source: { type: "ACH_DEBIT" },
      destination: { accountId: "ExternalAccount:2" },
      createdAt: "2026-03-02T08:00:00Z",
      updatedAt: "2026-03-02T08:00:00Z",
    }
    expect(toStablecoinOperation({ ...operation(), data })).toEqual(least)
    const more = {
      fundingInstructions: { rail: "WIRE" },
      providerStatus: "queued",
      failureReason: "FUNDING_RETURNED",
      description: "Treasury",
    } as const
    const source = {
      accountId: "ExternalAccount:1",
      currency: "USD",
      accountInfo: { accountType: "USD_ACCOUNT" },
    } as const
    expect(toStablecoinOperation(operation({ ...more, source }))).toEqual({
      ...least,
      ...more,
      source: { type: "ACH_DEBIT", externalAccountId: "ExternalAccount:1" },
    })
  })

  it.each([
    ["WIRE", "same business day"],
    ["ACH_CREDIT", "1-3 business days"],
    ["SAME_DAY_ACH_CREDIT", "same business day"],
    ["RTP_CREDIT", "within minutes"],
  ] as const)("by %s says that its money arrives %s", (rail, timing) => {
    expect(toStablecoinOperation(operation({ rail }))).toMatchObject({
      destination: { rail },
      estimatedDelivery: { rail, amount: "100", currency: "USDB", timing },
    })
  })

  it("shows the end of its time for funding while that matters", () => {
    const statuses = ["PENDING_FUNDING", "EXPIRED", "PROCESSING", "COMPLETED", "FAILED"] as const
    const shown = statuses.map((status) => toStablecoinOperation(operation({ status, expiresAt: now })).expiresAt)
    expect(shown).toEqual(["2026-03-02T08:00:00Z", "2026-03-02T08:00:00Z", undefined, undefined, undefined])
  })

  it("is open while the provider may move money for it", () => {
    const { request: _, ...free } = operation().data
    expect([isOpenOperation(operation().data), isOpenOperation(free)]).toEqual([true, false])
    const open = (status: StablecoinOperation["status"]) => isOpenOperation({ ...free, status })
    expect([open("PENDING_FUNDING"), open("PENDING_PROVIDER"), open("PROCESSING")]).toEqual([true, true, true])
    expect([open("COMPLETED"), open("FAILED"), open("EXPIRED")]).toEqual([false, false, false])
  })

  it("is expired at the end of its time for funding, and only while it waits for funding", () => {
    const at = (data: Partial<StablecoinOperation>) => stablecoinOperationAsOf(operation(data).data, now).status
    expect(at({ status: "PENDING_FUNDING", expiresAt: now })).toBe("EXPIRED")
    expect(at({ status: "PENDING_FUNDING", expiresAt: now + 1 })).toBe("PENDING_FUNDING")
    expect(at({ status: "PENDING_FUNDING" })).toBe("PENDING_FUNDING")
    expect(at({ status: "PROCESSING", expiresAt: now })).toBe("PROCESSING")
  })

  it("needs funding by wire or from any wallet, and names each customer of its accounts once", () => {
    const types = ["WIRE", "EXTERNAL_ACCOUNT", "ACH_DEBIT", "SAME_DAY_ACH_DEBIT", "PROVIDER_INTERNAL_BALANCE"] as const
    expect(types.map(needsFunding)).toEqual([true, true, false, false, false])
    const { destination } = operation().data
    const of = (customerId: string) => ({ ...destination, customerId })
    const customers = (data: Partial<StablecoinOperation>) => customersOfOperation(operation(data).data)
    expect(customers({})).toEqual([])
    expect(customers({ source: of("a"), destination: of("b") })).toEqual(["a", "b"])
    expect(customers({ source: of("a"), destination: of("a") })).toEqual(["a"])
  })
})
