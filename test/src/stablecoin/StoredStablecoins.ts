/** Stored stablecoins, provider accounts and operations for tests of decisions, and what a decision has written. */
import { tenant } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import type { Decision, DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import type { Stablecoin } from "../../../packages/core/src/model/stablecoin/Stablecoin.ts"
import type { StablecoinOperation } from "../../../packages/core/src/model/stablecoin/StablecoinOperation.ts"
import type { StablecoinProviderAccount } from "../../../packages/core/src/model/stablecoin/StablecoinProviderAccount.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

export const now = Date.parse("2026-03-02T08:00:00Z")
export const minute = 60_000
const ids = (type: string) => `${type}:new`
export const context: DecisionContext = {
  now,
  ids,
  caller: tenant("Platform:1"),
  requestId: "Request:1",
  rejections: [],
}
const dated = { platformId: "Platform:1", customerId: null, version: 1, createdAt: now, updatedAt: now }
export const fence = { finishes: [{ id: "Job:1", attempt: 1 }] }

export const operation = (data: Partial<StablecoinOperation> = {}): Stored<"StablecoinOperation"> => ({
  ...dated,
  kind: "StablecoinOperation",
  id: "StablecoinOperation:1",
  data: {
    stablecoinId: "Stablecoin:1",
    stablecoinProviderAccountId: "StablecoinProviderAccount:1",
    provider: "BRALE",
    providerEnvironment: "SANDBOX",
    operationType: "MINT",
    status: "CREATED",
    amount: "1000000",
    cents: 100,
    sourceType: "ACH_DEBIT",
    destination: { accountId: "ExternalAccount:2", currency: "USDB", accountInfo: { accountType: "SPARK_WALLET" } },
    submittedAt: now,
    providerKey: "key",
    request: { key: "k", fingerprint: "f" },
    attemptedAt: now - minute,
    ...data,
  },
})

export const account = (data: Partial<StablecoinProviderAccount> = {}): Stored<"StablecoinProviderAccount"> => ({
  ...dated,
  kind: "StablecoinProviderAccount",
  id: "StablecoinProviderAccount:1",
  data: {
    provider: "BRALE",
    providerAccountId: "acct",
    providerEnvironment: "SANDBOX",
    status: "ACTIVE",
    apiClientId: "client",
    sealedSecret: { encappedPublic: "", ciphertext: "" },
    linkedAt: 5,
    lastVerifiedAt: 5,
    ...data,
  },
})

export const stablecoin = (data: Partial<Stablecoin> = {}): Stored<"Stablecoin"> => ({
  ...dated,
  kind: "Stablecoin",
  id: "Stablecoin:1",
  data: {
    name: "Acme Dollar",
    symbol: "ACME",
    baseCurrency: "USD",
    network: "SPARK",
    decimals: 6,
    issuanceStatus: "PENDING_REVIEW",
    serviceOperationsStatus: "NOT_ENABLED",
    networkTokenIdentifier: "btkn1",
    provider: "BRALE",
    stablecoinProviderAccountId: "StablecoinProviderAccount:1",
    providerEnvironment: "SANDBOX",
    providerTokenIdentifier: "ACME",
    registeredAt: now,
    ...data,
  },
})

export const external = (
  id: string,
  accountInfo: Stored<"ExternalAccount">["data"]["accountInfo"],
): Stored<"ExternalAccount"> => ({
  ...dated,
  kind: "ExternalAccount",
  id,
  data: { currency: "USD", accountInfo, status: "ACTIVE", defaultUmaDepositAccount: false, isDeleted: false },
})

export const changesOf = (decision: Decision<unknown>): Changes => decision.changes ?? {}
export const dataOf = (decision: Decision<unknown>) => (changesOf(decision).updates ?? []).map(({ data }) => data)
export const jobsOf = (decision: Decision<unknown>) =>
  (changesOf(decision).jobs ?? []).map(({ dueAt, kind, lane, payload }) => [kind, dueAt - now, lane, payload])
export const auditsOf = (decision: Decision<unknown>) =>
  (changesOf(decision).inserts ?? []).flatMap(({ data, kind }) => (kind === "AuditRecord" ? [data] : []))
