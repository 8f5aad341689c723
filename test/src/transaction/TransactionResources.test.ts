/**
 * What a stored transfer shows, member by member, and what reports of arrived money may say.
 * Source: wire contract 5.7; wire contract areas 2.7, 2.8 and 3.7; D-402, D-425, D-428.
 */
import { describe, expect, it } from "vitest"
import { filledSource } from "../../../packages/core/src/decision/transaction/DepositFill.ts"
import type { PaymentInstructions } from "../../../packages/core/src/model/account/PaymentInstruction.ts"
import { arrivedProblems } from "../../../packages/core/src/model/transaction/ArrivedDetails.ts"
import { onChainOf } from "../../../packages/core/src/model/transaction/OnChainTransaction.ts"
import { RailRefusals } from "../../../packages/core/src/model/transaction/RailRefusals.ts"
import { payingOwnerOf, toTransaction } from "../../../packages/core/src/model/transaction/TransactionResource.ts"
import {
  depositOf,
  exchangeOf,
  incomingOf,
  internalOf,
  now,
  outgoingOf,
  owner,
  pullOf,
  transactionId,
} from "./StoredTransactions.ts"

const usd = (amount: number) => ({
  amount,
  currency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
})
const eur = (amount: number) => ({ amount, currency: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 } })
const ofAccount = (accountId: string, currency = "USD") => ({ accountId, currency })
const dated = { createdAt: "2026-03-02T07:59:55Z", updatedAt: "2026-03-02T07:59:56Z" }
const common = { id: transactionId, customerId: "Customer:1", platformCustomerId: "ada", ...dated }
const incoming = {
  ...common,
  type: "INCOMING",
  status: "PENDING",
  direction: "CREDIT",
  receivedAmount: usd(400),
  destination: { destinationType: "ACCOUNT", ...ofAccount("InternalAccount:1") },
}
const outgoing = {
  ...common,
  type: "OUTGOING",
  status: "PENDING",
  direction: "DEBIT",
  source: { sourceType: "ACCOUNT", ...ofAccount("InternalAccount:1") },
  destination: { destinationType: "ACCOUNT", ...ofAccount("ExternalAccount:1") },
  sentAmount: usd(400),
  receivedAmount: usd(400),
  fees: 0,
  paymentRail: "ACH",
  railSelectionMode: "AUTO",
}
const instructionsOf = (accountOrWalletInfo: object) => [{ accountOrWalletInfo }] as ReadonlyArray<PaymentInstructions>
const wallet = { accountInfo: { accountType: "SOLANA_WALLET" } }
const hash = { transactionHash: "0xabc" }
const onSolana = { onChainTransaction: { ...hash, network: "SOLANA" } }

describe("an incoming transaction", () => {
  it("shows only what it has", () => {
    expect(toTransaction(incomingOf())).toEqual({
      ...incoming,
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: "Customer:1" },
    })
    expect(toTransaction({ ...incomingOf(), customerId: null })).toEqual({
      ...incoming,
      customerId: owner.platformId,
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    })
  })

  it("shows each member that it has", () => {
    const refund = { reference: "R1", initiatedAt: now, status: "PENDING", reason: "TIMEOUT" } as const
    const own = {
      exchangeRate: 2,
      fees: 3,
      quoteId: "Quote:1",
      pendingReason: "COMPLIANCE_REVIEW",
      failureReason: "QUOTE_EXPIRED",
      agentId: "Agent:1",
      description: "rent",
      counterpartyInformation: { FULL_NAME: "Sam" },
    } as const
    const stored = pullOf({
      ...own,
      refund,
      sent: { amount: 5, currency: "EUR" },
      reference: "P1",
      settledAt: now,
      receiptDeliveryConfirmedAt: now + 1,
    })
    const shown = {
      ...incoming,
      ...own,
      source: { sourceType: "ACCOUNT", ...ofAccount("ExternalAccount:1") },
      sentAmount: eur(5),
      refund: { ...refund, initiatedAt: "2026-03-02T08:00:00Z" },
      reconciliationInstructions: { reference: "P1" },
      settledAt: "2026-03-02T08:00:00Z",
      receiptDeliveryConfirmedAt: "2026-03-02T08:00:00.001Z",
    }
    expect(toTransaction(stored)).toEqual(shown)
    expect(toTransaction(pullOf({ refund: { ...refund, settledAt: now, submittedAt: 1 } }))).toMatchObject({
      refund: { ...shown.refund, settledAt: "2026-03-02T08:00:00Z" },
    })
  })

  it("shows the sender by its address, or by its masked account", () => {
    expect(toTransaction(incomingOf({ senderUmaAddress: "$bob@bank.example" }))).toMatchObject({
      source: { sourceType: "UMA_ADDRESS", umaAddress: "$bob@bank.example", currency: "USD" },
    })
    const source = { accountIdentifier: "123456789", bankName: "Bank", cryptoNetwork: "SOLANA" } as const
    expect(toTransaction(depositOf({ settledAt: now, deposit: { source, ...hash } }))).toMatchObject({
      source: {
        sourceType: "REALTIME_FUNDING",
        currency: "USD",
        bankName: "Bank",
        cryptoNetwork: "SOLANA",
        accountIdentifier: "****6789",
        ...onSolana,
      },
    })
    expect(toTransaction(incomingOf({ receiverUmaAddress: "$ada@bank.example" }))).toMatchObject({
      destination: { destinationType: "UMA_ADDRESS", umaAddress: "$ada@bank.example", currency: "USD" },
    })
  })

  it("shows its transaction on the chain on the side of the wallet", () => {
    const { destination, source } = toTransaction(pullOf({ externalAccount: wallet, ...hash, settledAt: now }))
    expect(source).toEqual({ sourceType: "ACCOUNT", ...ofAccount("ExternalAccount:1"), ...onSolana })
    expect(destination).toEqual(incoming.destination)
  })
})

describe("an outgoing transaction", () => {
  it("shows only what it has", () => {
    expect(toTransaction(outgoingOf())).toEqual(outgoing)
    const { externalAccount: _, ...data } = outgoingOf().data
    const { paymentRail: _rail, ...withoutRail } = outgoing
    expect(toTransaction({ ...outgoingOf(), data })).toEqual(withoutRail)
    expect(toTransaction(outgoingOf({ externalAccount: { accountInfo: { accountType: "USD_ACCOUNT" } } }))).toEqual(
      withoutRail,
    )
  })

  it("shows the exchange of its quote, and where it has an own payer, that one", () => {
    const exchange = exchangeOf({ fees: { service: 2, platform: 3 }, network: "SOLANA", ...hash })
    const shown = {
      ...outgoing,
      destination: { destinationType: "ACCOUNT", ...ofAccount("ExternalAccount:1", "EUR") },
      receivedAmount: eur(350),
      fees: 5,
      platformFees: 3,
      exchangeRate: 0.9,
      quoteId: "Quote:1",
    }
    expect(toTransaction(outgoingOf({ exchange }))).toEqual(shown)
    const rateDetails = {
      counterpartyMultiplier: 1,
      counterpartyFixedFee: 0,
      serviceApiMultiplier: 1,
      serviceApiFixedFee: 0,
      serviceApiVariableFeeRate: 0,
      serviceApiVariableFeeAmount: 0,
    }
    const { sourceAccountId: _, ...paid } = outgoingOf({
      exchange: { ...exchange, rateDetails },
      settledAt: now,
      fundingSource: { currency: "USDC", cryptoNetwork: "SOLANA" },
    }).data
    expect(toTransaction({ ...outgoingOf(), data: paid })).toEqual({
      ...shown,
      rateDetails,
      settledAt: "2026-03-02T08:00:00Z",
      source: { sourceType: "REALTIME_FUNDING", currency: "USDC", cryptoNetwork: "SOLANA", ...onSolana },
    })
  })

  it("shows when it should arrive, and how it is paid while it is pending", () => {
    const paymentInstructions = instructionsOf({ accountType: "LIGHTNING", invoice: "ln" })
    const own = {
      settlementTimelineSeconds: 60,
      remittanceInformation: "rent",
      purposeOfPayment: "GIFT",
      failureReason: "QUOTE_EXPIRED",
    } as const
    const shown = { ...outgoing, ...own, expectedSettlementAt: "2026-03-02T08:00:55Z" }
    expect(toTransaction(outgoingOf({ ...own, paymentInstructions }))).toEqual({ ...shown, paymentInstructions })
    expect(toTransaction(outgoingOf({ ...own, paymentInstructions, status: "EXPIRED" }))).toEqual({
      ...shown,
      status: "EXPIRED",
    })
  })

  it("shows its transaction on the chain on the side of the wallet that it pays", () => {
    const { destination } = toTransaction(outgoingOf({ externalAccount: wallet, ...hash, settledAt: now }))
    expect(destination).toEqual({ ...outgoing.destination, ...onSolana })
  })

  it("is paid by the platform where its quote says so, although it is a customer's", () => {
    const ofPlatform = { ...owner, customerId: null }
    expect(payingOwnerOf(outgoingOf({ exchange: exchangeOf({ isPaidByPlatform: true }) }))).toEqual(ofPlatform)
    for (const stored of [outgoingOf({ exchange: exchangeOf() }), outgoingOf(), pullOf()])
      expect(payingOwnerOf(stored)).toEqual(owner)
  })
})

it("a chain shows a transaction that has settled, except on Lightning", () => {
  const settled = incomingOf({ settledAt: now }).data
  expect(onChainOf(settled, "0xabc", "SOLANA")).toEqual(onSolana)
  expect(onChainOf(settled, "0xabc", "LIGHTNING")).toEqual({})
  expect(onChainOf(settled, "0xabc", undefined)).toEqual({})
  expect(onChainOf(settled, undefined, "SOLANA")).toEqual({})
  expect(onChainOf(incomingOf().data, "0xabc", "SOLANA")).toEqual({})
})

describe("what a report says about arrived money", () => {
  const problemsOf = (more: Partial<Parameters<typeof arrivedProblems>[0]>) => arrivedProblems({ amount: 1, ...more })
  const positive = "must be a positive integer in the smallest unit"

  it.each<readonly [Parameters<typeof problemsOf>[0], string, string]>([
    ...[0, -1, 1.5, Number.NaN, 2 ** 53].map((amount) => [{ amount }, "amount", positive] as const),
    [{ sent: { amount: 0, currency: "EUR" } }, "sent.amount", positive],
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(
      (exchangeRate) => [{ exchangeRate }, "exchangeRate", "must be a number above 0"] as const,
    ),
    ...[-1, 0.5].map((fees) => [{ fees }, "fees", "must be an integer of at least 0"] as const),
    [{ quoteId: transactionId }, "quoteId", "must be the id of a quote"],
  ])("is refused: %j", (more, field, message) => {
    expect(problemsOf(more)).toEqual([{ field, message }])
  })

  it("is accepted at its bounds, and each problem is named", () => {
    const quoteId = transactionId.replace("Transaction", "Quote")
    expect(problemsOf({ sent: { amount: 1, currency: "EUR" }, exchangeRate: 0.1, fees: 0, quoteId })).toEqual([])
    expect(
      problemsOf({ amount: 0, sent: { amount: 0, currency: "EUR" }, exchangeRate: 0, fees: -1, quoteId: "" }).map(
        ({ field }) => field,
      ),
    ).toEqual(["amount", "sent.amount", "exchangeRate", "fees", "quoteId"])
  })
})

it("the refusals of a rail have a reason for each kind of payment", () => {
  expect(RailRefusals.entries.map(([name, row]) => [name, row.pull, row.quotePull, row.push, row.refund])).toEqual([
    [
      "INSUFFICIENT_FUNDS",
      "COLLECTION_FAILED",
      "QUOTE_EXECUTION_FAILED",
      "QUOTE_EXECUTION_FAILED",
      "TRANSACTION_FAILED",
    ],
    ["ACCOUNT_INVALID", "COLLECTION_FAILED", "QUOTE_EXECUTION_FAILED", "ACCOUNT_INVALID", "TRANSACTION_FAILED"],
    ["BANK_REJECTED", "COLLECTION_FAILED", "QUOTE_EXECUTION_FAILED", "ACCOUNT_CANNOT_RECEIVE", "TRANSACTION_FAILED"],
    ["TIMED_OUT", "COLLECTION_FAILED", "QUOTE_EXECUTION_FAILED", "QUOTE_EXECUTION_FAILED", "TIMEOUT"],
    ["EXECUTION_FAILED", "COLLECTION_FAILED", "QUOTE_EXECUTION_FAILED", "QUOTE_EXECUTION_FAILED", "TRANSACTION_FAILED"],
    [
      "COUNTERPARTY_FAILED",
      "COLLECTION_FAILED",
      "QUOTE_EXECUTION_FAILED",
      "COUNTERPARTY_POST_TX_FAILED",
      "TRANSACTION_FAILED",
    ],
    ["COMPLIANCE_REJECTED", "COLLECTION_FAILED", "COMPLIANCE_REJECTED", "COMPLIANCE_REJECTED", "TRANSACTION_FAILED"],
  ])
})

describe("a simulated deposit", () => {
  const bank = {
    accountHolderName: "Sandbox Sender",
    accountIdentifier: "000123456789",
    bankName: "Example Bank",
    bankIdentifier: "021000021",
    endToEndId: "E2E-00000000abcd",
    traceNumber: "0210000000043981",
  }

  it("comes over the first rail that the instructions show, or their type has", () => {
    expect(
      filledSource({}, instructionsOf({ accountType: "USD_ACCOUNT", paymentRails: ["WIRE", "ACH"] }), transactionId),
    ).toEqual({
      ...bank,
      paymentRail: "WIRE",
    })
    for (const info of [{ accountType: "USD_ACCOUNT" }, { accountType: "USD_ACCOUNT", paymentRails: ["unknown"] }])
      expect(filledSource({}, instructionsOf(info), transactionId)).toEqual({ ...bank, paymentRail: "ACH" })
    expect(filledSource({}, [], transactionId)).toEqual(bank)
  })

  it("comes over the network of the wallet, and keeps what its request says", () => {
    const wallets = instructionsOf({ accountType: "SOLANA_WALLET" })
    expect(filledSource({}, wallets, transactionId)).toEqual({
      accountIdentifier: "sandbox-sender-00000000abcdx",
      cryptoNetwork: "SOLANA",
    })
    expect(filledSource({ accountIdentifier: "own", cryptoNetwork: "TRON" }, wallets, transactionId)).toEqual({
      accountIdentifier: "own",
      cryptoNetwork: "TRON",
    })
    expect(filledSource({ bankName: "Own" }, [], transactionId)).toEqual({ ...bank, bankName: "Own" })
  })
})

it("an account without a customer is the platform's own", () => {
  expect(toTransaction({ ...outgoingOf(), customerId: null })).toMatchObject({ customerId: internalOf().platformId })
})
