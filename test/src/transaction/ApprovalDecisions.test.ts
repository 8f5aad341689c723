/**
 * The platform's verdict on an announced payment: how its response is read, and what each verdict stores.
 * Source: wire contract 5.7 and 6.3; wire contract areas 2.8; D-095.
 */
import { describe, expect, it } from "vitest"
import { decideByCall, decideByJob } from "../../../packages/core/src/decision/transaction/ApprovalDecision.ts"
import { type Verdict, verdictOf } from "../../../packages/core/src/decision/transaction/ApprovalVerdict.ts"
import {
  decideArrival,
  type PaymentAnnouncement,
} from "../../../packages/core/src/decision/transaction/ArrivalDecision.ts"
import type { IncomingTransaction } from "../../../packages/core/src/model/transaction/Transaction.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import {
  balance,
  beyondRange,
  changesOf,
  contextOf,
  dataOf,
  incomingOf,
  internalOf,
  loadedOf,
  now,
  outgoingOf,
  transactionId,
  unchanged,
  written,
} from "./StoredTransactions.ts"

const requestedFields = [
  { name: "FULL_NAME", mandatory: true },
  { name: "NATIONALITY", mandatory: false },
]
const awaiting = (approval: Partial<NonNullable<IncomingTransaction["approval"]>> = {}) =>
  incomingOf({ senderUmaAddress: "$bob@bank.example", approval: { requestedFields, ...approval } })
const deferred = awaiting({ decideBy: now + 1 })
const info = { FULL_NAME: "Ada" }
const accepted: Verdict = { _tag: "Accept", info }
const fence = { finishes: [{ id: "Job:1", attempt: 1 }] }

describe("the response to the event", () => {
  const body = JSON.stringify({ receiverCustomerInfo: info, reason: "not ours" })
  const responded = (status: number, text = body) => verdictOf({ _tag: "Answered", status, body: text })

  it("is a verdict by its status", () => {
    expect(responded(200)).toEqual({ _tag: "Accept", info })
    expect(responded(202)).toEqual({ _tag: "Defer" })
    expect(responded(403)).toEqual({ _tag: "Reject", reason: "not ours" })
    expect(responded(422)).toEqual({ _tag: "Fail", reason: "PAY_REQUEST_FAILED" })
    for (const status of [201, 400, 500])
      expect(responded(status)).toEqual({ _tag: "Fail", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" })
    expect(verdictOf(undefined)).toEqual({ _tag: "Fail", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" })
    expect(verdictOf({ _tag: "Unreachable", reason: "no connection" })).toEqual({
      _tag: "Fail",
      reason: "PAYMENT_APPROVAL_TIMED_OUT",
    })
  })

  it("is a verdict without details where its body has none", () => {
    for (const text of ["", "[]", "null", "{", '{"receiverCustomerInfo":"Ada","reason":5}']) {
      expect(responded(200, text)).toEqual({ _tag: "Accept" })
      expect(responded(403, text)).toEqual({ _tag: "Reject" })
    }
  })
})

describe("a verdict by job", () => {
  const decided = (verdict: Verdict, transaction = awaiting(), isFull = false) =>
    decideByJob(verdict, fence)(loadedOf(transaction), contextOf({ rejections: isFull ? beyondRange : [] }))
  const stored = (...of: Parameters<typeof decided>) => dataOf(changesOf(decided(...of)))

  it.each<readonly [string, Verdict, unknown]>([
    [
      "credits the account and stores the information",
      accepted,
      { status: "COMPLETED", settledAt: now, approval: { requestedFields, receiverCustomerInfo: info } },
    ],
    [
      "fails it where a mandatory field is absent",
      { _tag: "Accept" },
      { status: "FAILED", failureReason: "MISSING_MANDATORY_PAYEE_DATA" },
    ],
    [
      "fails it where a mandatory field is empty",
      { _tag: "Accept", info: { FULL_NAME: "" } },
      { status: "FAILED", failureReason: "MISSING_MANDATORY_PAYEE_DATA" },
    ],
    ["gives the platform five seconds", { _tag: "Defer" }, { approval: { requestedFields, decideBy: now + 5000 } }],
    ["rejects it", { _tag: "Reject" }, { status: "REJECTED" }],
    [
      "stores why it is rejected",
      { _tag: "Reject", reason: "not ours" },
      { status: "REJECTED", approval: { requestedFields, rejectionReason: "not ours" } },
    ],
    [
      "rejects it in the end",
      { _tag: "Fail", reason: "PAYMENT_APPROVAL_TIMED_OUT" },
      { status: "REJECTED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" },
    ],
    [
      "fails it for the response",
      { _tag: "Fail", reason: "PAY_REQUEST_FAILED" },
      { status: "FAILED", failureReason: "PAY_REQUEST_FAILED" },
    ],
  ])("%s", (_, verdict, data) => {
    expect(stored(verdict)).toEqual([{ ...awaiting().data, ...(data as object) }])
    expect(changesOf(decided(verdict)).finishes).toEqual(fence.finishes)
    expect(decided(verdict)).toMatchObject({ status: 200, body: null })
  })

  it("fails a payment that the account cannot hold", () => {
    expect(stored(accepted, awaiting(), true)).toMatchObject([
      { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" },
    ])
  })

  it("accepts without information where no field is mandatory", () => {
    const optional = awaiting({ requestedFields: requestedFields.slice(1) })
    expect(stored({ _tag: "Accept" }, optional)).toEqual([{ ...optional.data, status: "COMPLETED", settledAt: now }])
  })

  it("posts the credit, or lets a job end the time to decide", () => {
    expect(written(changesOf(decided(accepted)))).toEqual({
      ...unchanged,
      statuses: ["COMPLETED"],
      events: ["INCOMING_PAYMENT.COMPLETED", balance],
      postings: ["400 outside:Customer:1:USD available:InternalAccount:1"],
    })
    expect(written(changesOf(decided({ _tag: "Defer" })))).toEqual({
      ...unchanged,
      statuses: ["PENDING"],
      jobs: [["payment.time-out", 5000, "payment.time-out", { transactionId }]],
    })
  })

  it("changes nothing after an earlier decision but ends its job", () => {
    for (const transaction of [incomingOf(), incomingOf({ status: "COMPLETED", approval: { requestedFields } })]) {
      expect(stored(accepted, transaction)).toEqual([])
      expect(changesOf(decided(accepted, transaction)).finishes).toEqual(fence.finishes)
    }
  })

  it("is refused for any other transaction", () => {
    const refusal = { _tag: "Refuse", refusal: { code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" } }
    for (const loaded of [loadedOf(outgoingOf()), loadedOf(awaiting(), { account: undefined })])
      expect(decideByJob(accepted, fence)(loaded, contextOf())).toMatchObject(refusal)
  })
})

describe("a verdict by call", () => {
  const decided = (verdict: Verdict, transaction = deferred, isFull = false) =>
    decideByCall("PAYMENT_APPROVE", verdict)(
      loadedOf(transaction),
      contextOf({ rejections: isFull ? beyondRange : [] }),
    )
  const late = {
    code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
    message: "The transaction does not wait for the platform's approval, or the time for it is over.",
  }

  it("is possible until the time to decide ends", () => {
    expect(decided(accepted)).toMatchObject({ status: 200, body: { id: transactionId, status: "COMPLETED" } })
    for (const transaction of [
      awaiting({ decideBy: now }),
      awaiting(),
      incomingOf(),
      incomingOf({ status: "COMPLETED", approval: { requestedFields, decideBy: now + 1 } }),
    ])
      expect(decided(accepted, transaction)).toMatchObject({ _tag: "Refuse", refusal: late })
    expect(decideByCall("PAYMENT_APPROVE", accepted)(loadedOf(outgoingOf()), contextOf())).toMatchObject({
      refusal: late,
    })
  })

  it("names each mandatory field that is absent, and needs none to reject", () => {
    const errors = [{ field: "receiverCustomerInfo.FULL_NAME", message: "is required" }]
    expect(decided({ _tag: "Accept" })).toMatchObject({ refusal: { code: "INVALID_INPUT", details: { errors } } })
    expect(decided({ _tag: "Reject" })).toMatchObject({ status: 200, body: { status: "REJECTED" } })
  })

  it("is audited with its outcome", () => {
    const audited = (decision: ReturnType<typeof decided>) =>
      (changesOf(decision).inserts ?? []).map(({ data }) => data)
    const audit = { operation: "PAYMENT_APPROVE", target: transactionId, requestId: "Request:1" }
    expect(audited(decided(accepted))).toMatchObject([{ ...audit, outcome: "DONE", details: {} }])
    expect(audited(decided(accepted, deferred, true))).toMatchObject([
      { ...audit, outcome: "FAILED", details: { failureReason: "QUOTE_EXECUTION_FAILED" } },
    ])
  })
})

describe("the announcement of a payment", () => {
  const announcement: PaymentAnnouncement = {
    destinationAccountId: "InternalAccount:1",
    amount: 400,
    senderUmaAddress: "$bob@bank.example",
    requestedFields,
  }
  const decided = (
    more: Partial<PaymentAnnouncement> = {},
    account = internalOf(),
    customer: Parameters<ReturnType<typeof decideArrival>>[0]["customer"] = undefined,
  ) => decideArrival({ ...announcement, ...more })({ account, customer }, contextOf())
  const { status, type, direction, amount, currency } = incomingOf().data

  it("stores a payment that awaits approval, for the platform or its customer", () => {
    const changes = changesOf(decided())
    expect(changes.inserts).toMatchObject([
      {
        kind: "Transaction",
        data: {
          ...{ status, type, direction, amount, currency },
          platformCustomerId: "",
          destinationAccountId: "InternalAccount:1",
          senderUmaAddress: "$bob@bank.example",
          approval: { requestedFields },
        },
      },
    ])
    expect(dataOf(changesOf(decided({}, internalOf(), customerOf())))).toMatchObject([
      { platformCustomerId: "own Customer:1" },
    ])
    expect(decided()).toMatchObject({ status: 201, body: { status: "PENDING" } })
    expect(changes.guards).toEqual([{ kind: "InternalAccount", id: "InternalAccount:1", version: 3 }])
  })

  it("asks the platform by its event", () => {
    const { events, jobs } = changesOf(decided())
    expect(events).toMatchObject([
      {
        type: "INCOMING_PAYMENT.PENDING",
        customerId: "Customer:1",
        data: { body: { requestedReceiverCustomerInfoFields: requestedFields } },
      },
    ])
    expect(jobs).toMatchObject([{ kind: "payment.question", dueAt: now }])
  })

  it("is audited only where the sandbox simulates it", () => {
    const audits = (isSimulated?: boolean) =>
      (changesOf(decided(isSimulated === undefined ? {} : { isSimulated })).inserts ?? []).flatMap(({ data, kind }) =>
        kind === "AuditRecord" ? [data] : [],
      )
    expect([audits(), audits(false)]).toEqual([[], []])
    expect(audits(true)).toMatchObject([
      {
        operation: "SANDBOX_UMA_RECEIVE",
        target: "InternalAccount:1",
        outcome: "DONE",
        details: { transactionId: "Transaction:1", amount: 400, currency: "USD" },
      },
    ])
  })

  it("is refused for an account that is not active, no amount, or details that answers cannot show", () => {
    expect(decided({}, internalOf({ status: "FROZEN" }))).toMatchObject({
      refusal: { code: "INVALID_INPUT", details: { reason: "DESTINATION_NOT_ACTIVE", status: "FROZEN" } },
    })
    expect(decided({ amount: 0 })).toMatchObject({ refusal: { code: "INVALID_AMOUNT" } })
    expect(decided({ amount: 1.5, exchangeRate: 0 })).toMatchObject({
      refusal: {
        code: "INVALID_INPUT",
        details: {
          errors: [
            { field: "amount", message: "must be a positive integer in the smallest unit" },
            { field: "exchangeRate", message: "must be a number above 0" },
          ],
        },
      },
    })
  })
})
