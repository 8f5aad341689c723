/**
 * What rails are asked about a transaction, what its submission stores, and what the ledger tells a reconciliation.
 * Source: architecture, "Jobs, external calls and time"; wire contract 5.7; D-055, D-321, D-535.
 */
import { describe, expect, it } from "vitest"
import { depositInquiryOf } from "../../../packages/core/src/decision/transaction/DepositDecision.ts"
import { ledgerFactOf, submittedPaymentOf } from "../../../packages/core/src/decision/transaction/LedgerFacts.ts"
import {
  cancelRequestOf,
  confirmRequestOf,
  isOpen,
  originatorAccountOf,
  railAccountOf,
  refundRequestOf,
  submitRequestOf,
} from "../../../packages/core/src/decision/transaction/RailRequests.ts"
import { decideSubmission } from "../../../packages/core/src/decision/transaction/SubmissionDecision.ts"
import {
  accountInfo,
  changesOf,
  contextOf,
  dataOf,
  depositOf,
  exchangeOf,
  externalOf,
  incomingOf,
  now,
  outgoingOf,
  pullOf,
  transactionId,
} from "./StoredTransactions.ts"

const account = { accountId: "ExternalAccount:1", currency: "USD", accountInfo } as const
const inEuro = { ...account, currency: "EUR" } as const
const submittedAt = now - 3000
const exchange = exchangeOf()
const processing = { status: "PROCESSING", exchange } as const
const { submittedAt: _, ...unsubmitted } = outgoingOf().data
const newPush = { ...outgoingOf(), data: unsubmitted }

describe("the account of a rail", () => {
  it("is the copy that the transaction has, in the currency that is paid", () => {
    expect(railAccountOf(pullOf())).toEqual(account)
    expect(railAccountOf(outgoingOf())).toEqual(account)
    expect(railAccountOf(outgoingOf({ exchange }))).toEqual(inEuro)
    expect(railAccountOf(depositOf())).toBeUndefined()
    expect(railAccountOf(incomingOf({ externalAccount: { accountInfo } }))).toBeUndefined()
  })

  it("of a deposit is its originator", () => {
    expect(
      originatorAccountOf(depositOf({ deposit: { source: { accountIdentifier: "123", bankName: "Bank" } } })),
    ).toEqual({
      accountId: "123",
      currency: "USD",
      accountInfo: { accountType: "DEPOSIT_ORIGINATOR", accountIdentifier: "123", bankName: "Bank" },
    })
    for (const stored of [depositOf(), incomingOf()])
      expect(originatorAccountOf(stored)).toEqual({
        accountId: "",
        currency: "USD",
        accountInfo: { accountType: "DEPOSIT_ORIGINATOR" },
      })
  })
})

it("a transaction is open until the rail's outcome is known", () => {
  expect([pullOf(), depositOf(), outgoingOf(), outgoingOf(processing)].map(isOpen)).toEqual([true, true, true, true])
  const closed = [pullOf({ status: "COMPLETED" }), outgoingOf({ status: "COMPLETED" }), outgoingOf({ exchange })]
  expect(closed.map(isOpen)).toEqual([false, false, false])
})

describe("the submission to a rail", () => {
  it("of a push has the amount that is paid, and only the details that the transaction has", () => {
    const push = { reference: transactionId, submittedAt, destination: account, amount: 400, rail: "ACH" }
    expect(submitRequestOf(outgoingOf())).toEqual({ _tag: "Push", request: push })
    expect(submitRequestOf(outgoingOf({ externalAccount: { accountInfo }, remittanceInformation: "rent" }))).toEqual({
      _tag: "Push",
      request: { reference: transactionId, submittedAt, destination: account, amount: 400 },
    })
    expect(submitRequestOf(outgoingOf({ remittanceInformation: "" }))).toEqual({ _tag: "Push", request: push })
    expect(
      submitRequestOf(
        outgoingOf({
          ...processing,
          remittanceInformation: "rent",
          purposeOfPayment: "GIFT",
          payerInformation: { FULL_NAME: "Ada" },
        }),
      ),
    ).toEqual({
      _tag: "Push",
      request: {
        ...push,
        destination: inEuro,
        amount: 350,
        quoteId: "Quote:1",
        remittance: { field: "addenda", text: "rent" },
        purposeOfPayment: "GIFT",
        payerInformation: { FULL_NAME: "Ada" },
      },
    })
  })

  it("of a pull has the amount that is collected", () => {
    expect(submitRequestOf(pullOf())).toEqual({
      _tag: "Pull",
      request: { reference: transactionId, amount: 400, submittedAt, source: account },
    })
  })

  it("does not take place once the outcome is known, without an account, or before it is stored", () => {
    for (const stored of [outgoingOf({ status: "COMPLETED" }), depositOf({ submittedAt }), newPush])
      expect(submitRequestOf(stored)).toBeUndefined()
  })
})

describe("a question to a rail", () => {
  const settledAt = now - 1000
  const delivered = outgoingOf({ status: "COMPLETED", settledAt })
  const refund = { reference: "R", initiatedAt: now - 500, status: "PENDING", reason: "TRANSACTION_FAILED" } as const

  it("about a delivered payment has the time of its delivery", () => {
    const request = {
      reference: transactionId,
      submittedAt,
      destination: account,
      amount: 400,
      rail: "ACH",
      deliveredAt: settledAt,
    }
    expect(confirmRequestOf(delivered)).toEqual({ _tag: "Push", request })
    for (const stored of [
      outgoingOf({ settledAt }),
      outgoingOf({ status: "COMPLETED" }),
      pullOf({ status: "COMPLETED", settledAt }),
      { ...delivered, data: { ...unsubmitted, status: "COMPLETED", settledAt } as const },
    ])
      expect(confirmRequestOf(stored)).toBeUndefined()
  })

  it("about a refund has the time of its beginning", () => {
    const request = { reference: transactionId, destination: account, initiatedAt: now - 500, amount: 400 }
    expect(refundRequestOf(outgoingOf({ refund }))).toEqual(request)
    expect(refundRequestOf(outgoingOf({ refund, exchange }))).toEqual({
      ...request,
      destination: inEuro,
      amount: 350,
      quoteId: "Quote:1",
    })
    for (const stored of [outgoingOf(), pullOf({ refund })]) expect(refundRequestOf(stored)).toBeUndefined()
  })

  it("to cancel has the direction of the payment", () => {
    const request = { reference: transactionId, account, submittedAt }
    expect(cancelRequestOf(pullOf())).toEqual({ ...request, direction: "pull" })
    expect(cancelRequestOf(outgoingOf())).toEqual({ ...request, direction: "push" })
    expect(cancelRequestOf(outgoingOf(processing))).toEqual({
      ...request,
      account: inEuro,
      direction: "push",
      quoteId: "Quote:1",
    })
    for (const stored of [newPush, delivered, depositOf({ submittedAt })])
      expect(cancelRequestOf(stored)).toBeUndefined()
  })
})

describe("the stored submission", () => {
  const decided = (transaction: Parameters<typeof decideSubmission>[0]["transaction"], external = externalOf()) =>
    decideSubmission({ transaction, account: external }, contextOf())

  it("marks the transaction at its first attempt, and guards the account", () => {
    const decision = decided(newPush)
    const data = { ...unsubmitted, submittedAt: now }
    expect(decision).toMatchObject({
      status: 200,
      body: { isBlocked: false, isFirst: true, transaction: { data, version: 4, updatedAt: now } },
    })
    expect(dataOf(changesOf(decision))).toEqual([data])
    expect(changesOf(decision).guards).toEqual([{ kind: "ExternalAccount", id: "ExternalAccount:1", version: 3 }])
    const alone = decideSubmission({ transaction: newPush, account: undefined }, contextOf())
    expect([dataOf(changesOf(alone)), changesOf(alone).guards]).toEqual([[data], []])
  })

  it("is blocked by an account that is not active, before the first attempt alone", () => {
    const inactive = externalOf({ status: "INACTIVE" })
    expect(decided(newPush, inactive)).toMatchObject({
      body: { transaction: newPush, isBlocked: true, isFirst: false },
      changes: {},
    })
    for (const stored of [outgoingOf(), outgoingOf({ status: "COMPLETED" })])
      expect(decided(stored, inactive)).toMatchObject({
        body: { transaction: stored, isBlocked: false, isFirst: false },
        changes: {},
      })
  })
})

describe("what the ledger tells a reconciliation", () => {
  const money = { reference: transactionId, amount: 400, currency: "USD" }
  const refund = { reference: "R", initiatedAt: now, status: "PENDING", reason: "TRANSACTION_FAILED" } as const

  it("is whether the money moved, once the transaction has ended", () => {
    expect(ledgerFactOf(outgoingOf())).toEqual(money)
    expect(ledgerFactOf(outgoingOf(processing))).toEqual({ ...money, amount: 350, currency: "EUR" })
    expect(ledgerFactOf(pullOf({ status: "COMPLETED" }))).toEqual({ ...money, isExecuted: true })
    for (const stored of [
      pullOf({ status: "COMPLETED", refund }),
      pullOf({ status: "FAILED" }),
      pullOf({ status: "REJECTED" }),
      pullOf({ status: "REFUNDED" }),
      outgoingOf({ status: "EXPIRED" }),
    ])
      expect(ledgerFactOf(stored)).toEqual({ ...money, isExecuted: false })
  })

  it("is a submitted payment with its rail, if it has one", () => {
    const payment = { reference: transactionId, account, amount: 400, submittedAt, rail: "ACH" }
    expect(submittedPaymentOf(outgoingOf())).toEqual({ ...payment, direction: "push" })
    expect(submittedPaymentOf(pullOf())).toEqual({ ...payment, direction: "pull" })
    const { rail: _rail, ...withoutRail } = payment
    expect(submittedPaymentOf(outgoingOf({ externalAccount: { accountInfo } }))).toEqual({
      ...withoutRail,
      direction: "push",
    })
    for (const stored of [newPush, depositOf({ submittedAt })]) expect(submittedPaymentOf(stored)).toBeUndefined()
  })
})

it("the question about a held deposit has its arrival and its originator", () => {
  const source = { accountId: "", currency: "USD", accountInfo: { accountType: "DEPOSIT_ORIGINATOR" } }
  expect(depositInquiryOf(depositOf())).toEqual({
    _tag: "Pull",
    request: { reference: transactionId, amount: 400, submittedAt: now - 5000, source },
  })
  expect(depositInquiryOf(depositOf({ status: "COMPLETED" }))).toBeUndefined()
})
