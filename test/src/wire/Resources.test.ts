/** Wire resources of records: each matches its schema and omits absent fields. */

import {
  AgentActionResource,
  AgentResource,
  CardResource,
  CardTransactionResource,
  CustomerResource,
  DelegatedKeyResource,
  ExternalAccountResource,
  InternalAccountResource,
  iso,
  millisOf,
  PlatformConfigResource,
  TransactionResource,
} from "@countersign/core/models"
import type { Kind, Stored } from "@countersign/core/store"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { toExternalAccount } from "../../../packages/core/src/model/account/ExternalAccountResource.ts"
import { toInternalAccount } from "../../../packages/core/src/model/account/InternalAccountResource.ts"
import { toAgentAction } from "../../../packages/core/src/model/agent/AgentActionResource.ts"
import { toAgent } from "../../../packages/core/src/model/agent/AgentResource.ts"
import { toCard } from "../../../packages/core/src/model/card/CardResource.ts"
import { toCardTransaction } from "../../../packages/core/src/model/card/CardTransactionResource.ts"
import { toDelegatedKey } from "../../../packages/core/src/model/card/DelegatedKey.ts"
import { toCustomer } from "../../../packages/core/src/model/customer/CustomerResource.ts"
import { toPlatformConfig } from "../../../packages/core/src/model/platform/PlatformConfigResource.ts"
import { toTransaction } from "../../../packages/core/src/model/transaction/TransactionResource.ts"

const uuid = "00000000-0000-4000-8000-000000000001"
const id = <T extends string>(type: T) => `${type}:${uuid}` as const
const at = Date.UTC(2025, 11, 31, 23, 59, 59)

const stored = <K extends Kind>(
  kind: K,
  type: string,
  data: Stored<K>["data"],
  customerId: string | null,
): Stored<K> => ({
  kind,
  id: id(type),
  platformId: id("PlatformConfig"),
  customerId,
  version: 1,
  createdAt: at,
  updatedAt: at,
  data,
})

const transaction = stored(
  "Transaction",
  "Transaction",
  {
    type: "INCOMING",
    status: "COMPLETED",
    direction: "CREDIT",
    platformCustomerId: "ada",
    amount: 5,
    currency: "USD",
    sourceAccountId: id("ExternalAccount"),
    destinationAccountId: id("InternalAccount"),
    submittedAt: at,
    settledAt: at,
  },
  id("Customer"),
)
const action = stored(
  "AgentAction",
  "AgentAction",
  {
    agentId: id("Agent"),
    platformCustomerId: "ada",
    status: "APPROVED",
    type: "TRANSFER_IN",
    charges: [{ period: "secret", budget: "secret", amount: 5 }],
    explanation: { rule: "APPROVAL_THRESHOLD" },
  },
  id("Customer"),
)
const agent = stored(
  "Agent",
  "Agent",
  {
    name: "Payroll",
    isPaused: false,
    isConnected: true,
    isDeleted: false,
    recastCount: 0,
    recasts: [],
    policy: {
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 1, dailyLimit: null },
    },
    tokens: [{ id: "x", hash: "secret", createdAt: 0 }],
  },
  id("Customer"),
)
const customer = stored(
  "Customer",
  "Customer",
  {
    platformCustomerId: "ada",
    customerType: "BUSINESS",
    checkStatus: "UNVERIFIED",
    currencies: ["USD"],
    umaAddress: "$ada@example.com",
    businessInfo: { legalName: "Engines Ltd" },
    isDeleted: false,
  },
  id("Customer"),
)
const platform = stored(
  "Platform",
  "PlatformConfig",
  { name: "secret", umaDomain: "example.com", supportedCurrencies: [], isRegulatedFinancialInstitution: true },
  null,
)
const internal = stored(
  "InternalAccount",
  "InternalAccount",
  { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" },
  null,
)
const external = (beneficiary: Readonly<Record<string, string | Readonly<Record<string, string>>>>) =>
  stored(
    "ExternalAccount",
    "ExternalAccount",
    {
      currency: "USD",
      status: "ACTIVE",
      defaultUmaDepositAccount: false,
      accountInfo: { accountType: "USD_ACCOUNT", accountNumber: "1234", routingNumber: "021000021", beneficiary },
      isDeleted: false,
    },
    id("Customer"),
  )
const card = stored(
  "Card",
  "Card",
  {
    platformCardId: "card-1",
    form: "VIRTUAL",
    state: "CLOSED",
    stateReason: "CLOSED_BY_PLATFORM",
    brand: "VISA",
    last4: "4242",
    expMonth: 12,
    expYear: 2029,
    fundingSources: [{ id: "secret", accountId: id("InternalAccount") }],
    maxSpendPerTransaction: null,
    currency: "USD",
    processorRef: "card_1",
    issuerRef: "issuer_1",
  },
  id("Customer"),
)
const cardTransaction = stored(
  "CardTransaction",
  "CardTransaction",
  {
    cardId: id("Card"),
    platformCustomerId: "ada",
    issuerTransactionToken: "txn_1",
    status: "SETTLED",
    direction: "DEBIT",
    merchant: { descriptor: "Shop", mcc: "5411", country: "US" },
    currency: "USD",
    accountId: id("InternalAccount"),
    authorized: 100,
    held: 0,
    isExpired: true,
    clearings: [100, 20],
    pulls: [{ amount: 120, status: "DONE", requestedAt: at }],
    refunds: [5],
    messageIds: ["secret"],
    authorizedAt: at,
    lastEventAt: at,
  },
  id("Customer"),
)
const key = stored(
  "DelegatedKey",
  "DelegatedKey",
  {
    cardId: id("Card"),
    fundingSourceId: id("CardFundingSource"),
    accountId: id("InternalAccount"),
    publicKey: "02ab",
    nickname: "Settlement",
    status: "ACTIVE",
  },
  id("Customer"),
)
const usage = { dailyCount: 3, dailySpend: 40, monthlySpend: 500 }

describe("every record", () => {
  it.each([
    ["Transaction", TransactionResource, toTransaction(transaction)],
    ["AgentAction", AgentActionResource, toAgentAction(action, { transaction })],
    ["AgentAction without transaction", AgentActionResource, toAgentAction(action, {})],
    ["Agent", AgentResource, toAgent(agent, usage, at)],
    ["Customer", CustomerResource, toCustomer(customer)],
    [
      "PlatformConfig",
      PlatformConfigResource,
      toPlatformConfig(platform, { scenarioDomain: "uma.sandbox.example", requirements: [] }),
    ],
    ["Card", CardResource, toCard(card)],
    ["CardTransaction", CardTransactionResource, toCardTransaction(cardTransaction)],
    ["DelegatedKey", DelegatedKeyResource, toDelegatedKey(key)],
    ["InternalAccount", InternalAccountResource, toInternalAccount(internal, { available: 7, held: 2 })],
    [
      "ExternalAccount",
      ExternalAccountResource,
      toExternalAccount(external({ beneficiaryType: "INDIVIDUAL", fullName: "Ada" })),
    ],
  ] as const)("%s matches its schema and has no internal fields", (_name, schema, resource) => {
    const text = JSON.stringify(resource)
    const strict = Schema.decodeUnknownSync<Schema.ConstraintDecoder<unknown>>(schema, { onExcessProperty: "error" })
    expect(strict(JSON.parse(text))).toEqual(resource)
    expect(text).not.toContain("secret")
    expect(Object.values(resource)).not.toContain(undefined)
  })
})

describe("an external account of a business", () => {
  it.each([
    ["flat", { legalName: "Engines Ltd", taxId: "1" }],
    ["nested", { businessInfo: { legalName: "Engines Ltd", taxId: "1" } }],
    ["both, nested first", { legalName: "Other", taxId: "1", businessInfo: { legalName: "Engines Ltd" } }],
  ])("has both forms of its names if its request was %s", (_form, given) => {
    const { accountInfo } = toExternalAccount(external({ beneficiaryType: "BUSINESS", ...given }))
    const data = { legalName: "Engines Ltd", taxId: "1" }
    expect(accountInfo["beneficiary"]).toEqual({ beneficiaryType: "BUSINESS", ...data, businessInfo: data })
    expect(accountInfo["paymentRails"]).toEqual(["ACH", "WIRE", "RTP", "FEDNOW"])
  })
})

describe("times and sums", () => {
  it("are UTC, with milliseconds only if they are not zero", () => {
    expect([iso(at), iso(at + 5)]).toEqual(["2025-12-31T23:59:59Z", "2025-12-31T23:59:59.005Z"])
    expect(millisOf("2026-01-01T00:59:59+01:00")).toBe(at)
    expect(toAgent(agent, usage, at).usage).toMatchObject({
      dailyResetDate: "2026-01-01",
      monthlyResetMonth: "2026-01",
    })
  })

  it("show the total balance as the sum of available and held amounts", () => {
    const shown = toInternalAccount(internal, { available: 7, held: 2 })
    expect([shown.balance.amount, shown.totalBalance.amount]).toEqual([7, 9])
    expect(shown).not.toHaveProperty("customerId")
  })
})
