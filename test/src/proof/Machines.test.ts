/**
 * The proofs of all state machines. The expected arrows are copied by hand from their sources.
 * Spec: States and transitions; D-009, D-050, D-091, D-092, D-095, D-120, D-170, D-174; wire contract 3.3, 3.5, 4.11, 5.5 and 5.7.
 */

import { machines } from "@countersign/core/verify"
import { expect, it } from "vitest"
import { isRevealable, triggerForRequestedState } from "../../../packages/core/src/model/card/CardMachine.ts"
import { proveMachine } from "../../../packages/test/src/proof/MachineProof.ts"

const {
  AgentActionMachine,
  CardMachine,
  CardTransactionMachine,
  DelegatedKeyMachine,
  ExternalAccountMachine,
  IncomingMachine,
  IncomingRefundMachine,
  OutgoingMachine,
  KybMachine,
  KycMachine,
  OwnerKycMachine,
  QuoteMachine,
  RefundMachine,
  SessionMachine,
  CircuitMachine,
  WebhookEndpointMachine,
  VerificationMachine,
  ...others
} = machines
const statusUpdated = ["EXTERNAL_ACCOUNT.STATUS_UPDATED"] as const

// Proves: STATE-ACTION-01, STATE-ACTION-04, STATE-ACTION-06, STATE-ACTION-09, STATE-ACTION-12
proveMachine(AgentActionMachine, {
  specified: [
    [null, "SubmitHeld", "PENDING_APPROVAL", ["AGENT_ACTION.PENDING_APPROVAL"]],
    [null, "SubmitAutomatic", "APPROVED"],
    ["PENDING_APPROVAL", "Approve", "APPROVED"],
    ["PENDING_APPROVAL", "Reject", "REJECTED"],
    ["APPROVED", "ExecutionFails", "FAILED"],
  ],
})

proveMachine(IncomingMachine, {
  specified: [
    [null, "Pull", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Fund", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    [null, "Receive", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Hold", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Refuse", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
    ["PENDING", "Hold", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    ["PENDING", "Settle", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    ["PENDING", "Reject", "REJECTED", ["INCOMING_PAYMENT.FAILED"]],
    ["PENDING", "Fail", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
    ["COMPLETED", "Return", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
    ["FAILED", "Refund", "REFUNDED"],
  ],
})

proveMachine(IncomingRefundMachine, {
  specified: [
    [null, "Begin", "PENDING", ["INCOMING_PAYMENT.REFUND_PENDING"]],
    ["PENDING", "Complete", "COMPLETED", ["INCOMING_PAYMENT.REFUND_COMPLETED"]],
    ["PENDING", "Fail", "FAILED", ["INCOMING_PAYMENT.REFUND_FAILED"]],
    ["FAILED", "Retry", "PENDING", ["INCOMING_PAYMENT.REFUND_PENDING"]],
  ],
})

proveMachine(OutgoingMachine, {
  specified: [
    [null, "Create", "PENDING", ["OUTGOING_PAYMENT.PENDING"]],
    ["PENDING", "Challenge", "PENDING_AUTHORIZATION", ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION"]],
    ["PENDING_AUTHORIZATION", "Challenge", "PENDING_AUTHORIZATION", ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION"]],
    ["PENDING_AUTHORIZATION", "Authorize", "PENDING"],
    ["PENDING", "Begin", "PROCESSING", ["OUTGOING_PAYMENT.PROCESSING"]],
    ["PENDING_AUTHORIZATION", "Begin", "PROCESSING", ["OUTGOING_PAYMENT.PROCESSING"]],
    ["PENDING_AUTHORIZATION", "Fail", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    ["PENDING", "Expire", "EXPIRED", ["OUTGOING_PAYMENT.EXPIRED"]],
    ["PROCESSING", "Deliver", "COMPLETED", ["OUTGOING_PAYMENT.COMPLETED"]],
    ["PROCESSING", "Conclude", "COMPLETED", ["OUTGOING_PAYMENT.COMPLETED"]],
    ["PROCESSING", "Fail", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
    ["COMPLETED", "Return", "FAILED", ["OUTGOING_PAYMENT.FAILED"]],
  ],
})

proveMachine(QuoteMachine, {
  specified: [
    [null, "Create", "PENDING"],
    ["PENDING", "Challenge", "PENDING_AUTHORIZATION"],
    ["PENDING_AUTHORIZATION", "Challenge", "PENDING_AUTHORIZATION"],
    ["PENDING_AUTHORIZATION", "Authorize", "PENDING"],
    ["PENDING_AUTHORIZATION", "Begin", "PROCESSING"],
    ["PENDING_AUTHORIZATION", "Fail", "FAILED"],
    ["PENDING", "Begin", "PROCESSING"],
    ["PENDING", "Expire", "EXPIRED"],
    ["PROCESSING", "Deliver", "COMPLETED"],
    ["PROCESSING", "Fail", "FAILED"],
    ["PROCESSING", "Conclude", "COMPLETED"],
    ["COMPLETED", "Return", "FAILED"],
  ],
})

it("a quote has the same arrows as its transaction", () => {
  expect(QuoteMachine.arrows.map(({ from, to, trigger }) => [from, trigger, to])).toEqual(
    OutgoingMachine.arrows.map(({ from, to, trigger }) => [from, trigger, to]),
  )
})

proveMachine(RefundMachine, {
  specified: [
    [null, "Begin", "PENDING", ["OUTGOING_PAYMENT.REFUND_PENDING"]],
    ["PENDING", "Complete", "COMPLETED", ["OUTGOING_PAYMENT.REFUND_COMPLETED"]],
    ["PENDING", "Fail", "FAILED", ["OUTGOING_PAYMENT.REFUND_FAILED"]],
    ["FAILED", "Retry", "PENDING", ["OUTGOING_PAYMENT.REFUND_PENDING"]],
  ],
})

proveMachine(ExternalAccountMachine, {
  specified: [
    [null, "AddVerified", "ACTIVE"],
    [null, "AddAwaiting", "PENDING"],
    [null, "AddForReview", "UNDER_REVIEW"],
    [null, "AddUnproven", "PENDING_OWNERSHIP_VERIFICATION"],
    ["PENDING", "Activate", "ACTIVE", statusUpdated],
    ["PENDING", "Review", "UNDER_REVIEW", statusUpdated],
    ["PENDING", "Deactivate", "INACTIVE", statusUpdated],
    ["UNDER_REVIEW", "Activate", "ACTIVE", statusUpdated],
    ["UNDER_REVIEW", "Deactivate", "INACTIVE", statusUpdated],
    ["ACTIVE", "Review", "UNDER_REVIEW", statusUpdated],
    ["ACTIVE", "Deactivate", "INACTIVE", statusUpdated],
    ["INACTIVE", "Activate", "ACTIVE", statusUpdated],
    ["PENDING_OWNERSHIP_VERIFICATION", "Prove", "ACTIVE", statusUpdated],
    ["PENDING_OWNERSHIP_VERIFICATION", "FailProof", "UNVERIFIED", statusUpdated],
    ["UNVERIFIED", "Challenge", "PENDING_OWNERSHIP_VERIFICATION", statusUpdated],
  ],
})

it("`triggerBetween` returns the trigger between two states of an external account, if there is one", () => {
  expect(ExternalAccountMachine.triggerBetween("PENDING", "UNDER_REVIEW")).toBe("Review")
  expect(ExternalAccountMachine.triggerBetween("ACTIVE", "UNDER_REVIEW")).toBe("Review")
  expect(ExternalAccountMachine.triggerBetween("UNVERIFIED", "PENDING_OWNERSHIP_VERIFICATION")).toBe("Challenge")
  expect(ExternalAccountMachine.triggerBetween("INACTIVE", "PENDING")).toBeUndefined()
  expect(ExternalAccountMachine.triggerBetween("UNVERIFIED", "ACTIVE")).toBeUndefined()
})

proveMachine(KycMachine, {
  specified: [
    [null, "Register", "UNVERIFIED"],
    [null, "Await", "PENDING", ["CUSTOMER.KYC_PENDING"]],
    [null, "Approve", "APPROVED", ["CUSTOMER.KYC_APPROVED"]],
    [null, "Reject", "REJECTED", ["CUSTOMER.KYC_REJECTED"]],
    [null, "Suspend", "HOLD"],
    ["UNVERIFIED", "Await", "PENDING", ["CUSTOMER.KYC_PENDING"]],
    ["UNVERIFIED", "Approve", "APPROVED", ["CUSTOMER.KYC_APPROVED"]],
    ["UNVERIFIED", "Reject", "REJECTED", ["CUSTOMER.KYC_REJECTED"]],
    ["UNVERIFIED", "Suspend", "HOLD"],
    ["PENDING", "Approve", "APPROVED", ["CUSTOMER.KYC_APPROVED"]],
    ["PENDING", "Reject", "REJECTED", ["CUSTOMER.KYC_REJECTED"]],
    ["PENDING", "Suspend", "HOLD"],
    ["APPROVED", "Suspend", "HOLD"],
    ["HOLD", "Await", "PENDING", ["CUSTOMER.KYC_PENDING"]],
    ["HOLD", "Approve", "APPROVED", ["CUSTOMER.KYC_APPROVED"]],
    ["HOLD", "Reject", "REJECTED", ["CUSTOMER.KYC_REJECTED"]],
  ],
})

proveMachine(KybMachine, {
  specified: [
    [null, "Register", "UNVERIFIED"],
    [null, "Await", "PENDING", ["CUSTOMER.KYB_PENDING"]],
    [null, "Approve", "APPROVED", ["CUSTOMER.KYB_APPROVED"]],
    [null, "Reject", "REJECTED", ["CUSTOMER.KYB_REJECTED"]],
    [null, "Suspend", "HOLD"],
    ["UNVERIFIED", "Await", "PENDING", ["CUSTOMER.KYB_PENDING"]],
    ["UNVERIFIED", "Approve", "APPROVED", ["CUSTOMER.KYB_APPROVED"]],
    ["UNVERIFIED", "Reject", "REJECTED", ["CUSTOMER.KYB_REJECTED"]],
    ["UNVERIFIED", "Suspend", "HOLD"],
    ["PENDING", "Approve", "APPROVED", ["CUSTOMER.KYB_APPROVED"]],
    ["PENDING", "Reject", "REJECTED", ["CUSTOMER.KYB_REJECTED"]],
    ["PENDING", "Suspend", "HOLD"],
    ["APPROVED", "Suspend", "HOLD"],
    ["HOLD", "Await", "PENDING", ["CUSTOMER.KYB_PENDING"]],
    ["HOLD", "Approve", "APPROVED", ["CUSTOMER.KYB_APPROVED"]],
    ["HOLD", "Reject", "REJECTED", ["CUSTOMER.KYB_REJECTED"]],
  ],
})

// Proves: STATE-SESSION-01, STATE-SESSION-04, STATE-SESSION-08, STATE-SESSION-13
proveMachine(SessionMachine, {
  specified: [
    [null, "Issue", "ACTIVE"],
    ["ACTIVE", "Refresh", "ACTIVE"],
    ["ACTIVE", "Revoke", "REVOKED"],
    ["ACTIVE", "Expire", "EXPIRED"],
  ],
})

proveMachine(WebhookEndpointMachine, {
  specified: [
    [null, "Create", "UNSET"],
    ["UNSET", "RequireProof", "PENDING"],
    ["UNSET", "Trust", "ACTIVE"],
    ["PENDING", "RequireProof", "PENDING"],
    ["PENDING", "Trust", "ACTIVE"],
    ["PENDING", "Prove", "ACTIVE"],
    ["PENDING", "Disable", "DISABLED"],
    ["PENDING", "Unset", "UNSET"],
    ["ACTIVE", "RequireProof", "PENDING"],
    ["ACTIVE", "Trust", "ACTIVE"],
    ["ACTIVE", "Disable", "DISABLED"],
    ["ACTIVE", "Unset", "UNSET"],
    ["DISABLED", "RequireProof", "PENDING"],
    ["DISABLED", "Trust", "ACTIVE"],
    ["DISABLED", "Unset", "UNSET"],
  ],
})

proveMachine(CircuitMachine, {
  specified: [
    [null, "Create", "CLOSED"],
    ["CLOSED", "Trip", "OPEN"],
    ["CLOSED", "Succeed", "CLOSED"],
    ["OPEN", "Probe", "HALF_OPEN"],
    ["OPEN", "Succeed", "CLOSED"],
    ["HALF_OPEN", "Probe", "HALF_OPEN"],
    ["HALF_OPEN", "Fail", "OPEN"],
    ["HALF_OPEN", "Succeed", "CLOSED"],
  ],
})

// Proves: STATE-CARD-01, STATE-CARD-05, STATE-CARD-07, STATE-CARD-11, STATE-CARD-12, STATE-CARD-13, STATE-CARD-14
proveMachine(CardMachine, {
  specified: [
    [null, "Issue", "PROCESSING"],
    ["PROCESSING", "Activate", "ACTIVE", ["CARD.STATE_CHANGE"]],
    ["PROCESSING", "Reject", "CLOSED", ["CARD.STATE_CHANGE"]],
    ["ACTIVE", "Freeze", "FROZEN", ["CARD.STATE_CHANGE"]],
    ["FROZEN", "Unfreeze", "ACTIVE", ["CARD.STATE_CHANGE"]],
    ["ACTIVE", "Close", "CLOSED", ["CARD.STATE_CHANGE"]],
    ["FROZEN", "Close", "CLOSED", ["CARD.STATE_CHANGE"]],
  ],
})

proveMachine(CardTransactionMachine, {
  specified: [
    [null, "Authorize", "AUTHORIZED", ["CARD_TRANSACTION.AUTHORIZED"]],
    ["AUTHORIZED", "SettlePart", "PARTIALLY_SETTLED", ["CARD_TRANSACTION.PARTIALLY_SETTLED"]],
    ["AUTHORIZED", "Settle", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
    ["AUTHORIZED", "FailPull", "EXCEPTION", ["CARD_TRANSACTION.EXCEPTION"]],
    ["PARTIALLY_SETTLED", "Settle", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
    ["PARTIALLY_SETTLED", "FailPull", "EXCEPTION", ["CARD_TRANSACTION.EXCEPTION"]],
    ["SETTLED", "FailPull", "EXCEPTION", ["CARD_TRANSACTION.EXCEPTION"]],
    ["SETTLED", "Refund", "REFUNDED", ["CARD_TRANSACTION.REFUNDED"]],
    ["REFUNDED", "ReverseRefund", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
    ["EXCEPTION", "Collect", "SETTLED", ["CARD_TRANSACTION.SETTLED"]],
  ],
})

proveMachine(DelegatedKeyMachine, {
  specified: [
    [null, "Register", "PENDING"],
    ["PENDING", "Activate", "ACTIVE"],
    ["PENDING", "Revoke", "REVOKED"],
    ["ACTIVE", "Revoke", "REVOKED"],
  ],
})

it("the details of an active or frozen card can be revealed", () => {
  expect(CardMachine.states.filter(isRevealable)).toEqual(["ACTIVE", "FROZEN"])
})

it("each card state that a platform can request has a trigger", () => {
  expect(triggerForRequestedState).toEqual({ ACTIVE: "Unfreeze", FROZEN: "Freeze", CLOSED: "Close" })
})

proveMachine(OwnerKycMachine, {
  specified: [
    [null, "Register", "UNVERIFIED"],
    [null, "Await", "PENDING"],
    [null, "Approve", "APPROVED"],
    [null, "Reject", "REJECTED"],
    [null, "Suspend", "HOLD"],
    ["UNVERIFIED", "Await", "PENDING"],
    ["UNVERIFIED", "Approve", "APPROVED"],
    ["UNVERIFIED", "Reject", "REJECTED"],
    ["UNVERIFIED", "Suspend", "HOLD"],
    ["PENDING", "Approve", "APPROVED"],
    ["PENDING", "Reject", "REJECTED"],
    ["PENDING", "Suspend", "HOLD"],
    ["APPROVED", "Suspend", "HOLD"],
    ["HOLD", "Await", "PENDING"],
    ["HOLD", "Approve", "APPROVED"],
    ["HOLD", "Reject", "REJECTED"],
  ],
})

it("a check starts in each status by a different trigger", () => {
  expect(KycMachine.states.map((state) => [state, KycMachine.triggerBetween(null, state)])).toEqual([
    ["UNVERIFIED", "Register"],
    ["PENDING", "Await"],
    ["APPROVED", "Approve"],
    ["REJECTED", "Reject"],
    ["HOLD", "Suspend"],
  ])
})

const verificationTriggers = {
  RESOLVE_ERRORS: "FindErrors",
  IN_PROGRESS: "Begin",
  PENDING_MANUAL_REVIEW: "Review",
  APPROVED: "Approve",
  REJECTED: "Reject",
} as const
const verificationStates = ["RESOLVE_ERRORS", "IN_PROGRESS", "PENDING_MANUAL_REVIEW", "APPROVED", "REJECTED"] as const

proveMachine(VerificationMachine, {
  // Any open status can change to any status; a change to a new status emits an event.
  specified: ([null, "RESOLVE_ERRORS", "IN_PROGRESS", "PENDING_MANUAL_REVIEW"] as const).flatMap((from) =>
    verificationStates.map(
      (to) => [from, verificationTriggers[to], to, from === to ? [] : ([`VERIFICATION.${to}`] as const)] as const,
    ),
  ),
})

it("a verification starts in each status by a different trigger and has no other status", () => {
  for (const state of verificationStates) {
    expect(VerificationMachine.triggerBetween(null, state)).toBe(verificationTriggers[state])
  }
  expect(VerificationMachine.states.toSorted()).toEqual(verificationStates.toSorted())
})

/** Proved in the rooms of these machines. */
const provedElsewhere = [
  "DocumentMachine",
  "FileMachine",
  "InvitationMachine",
  "BulkImportMachine",
  "ProviderAccountMachine",
  "IssuanceMachine",
  "StablecoinOperationMachine",
]

it("proves every machine", () => {
  expect(Object.keys(others).toSorted()).toEqual(provedElsewhere.toSorted())
})
