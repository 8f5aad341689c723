/**
 * The states of a verification. It is open until it is approved or rejected; what is sent again goes on with the open one.
 * Source: wire contract 5.12, 6.1 (`READY_FOR_VERIFICATION` is never sent, so that nothing leads there) and 7.6; D-083.
 */
import * as Machine from "../../foundation/kit/Machine.ts"
import type { VerificationStatus } from "./Verification.ts"

const triggers = ["FindErrors", "Begin", "Review", "Approve", "Reject"] as const

export const VerificationMachine = Machine.make({
  name: "Verification",
  states: ["RESOLVE_ERRORS", "IN_PROGRESS", "PENDING_MANUAL_REVIEW", "APPROVED", "REJECTED"],
  triggers,
  arrows: [
    [null, "FindErrors", "RESOLVE_ERRORS", ["VERIFICATION.RESOLVE_ERRORS"]],
    [null, "Begin", "IN_PROGRESS", ["VERIFICATION.IN_PROGRESS"]],
    [null, "Review", "PENDING_MANUAL_REVIEW", ["VERIFICATION.PENDING_MANUAL_REVIEW"]],
    [null, "Approve", "APPROVED", ["VERIFICATION.APPROVED"]],
    [null, "Reject", "REJECTED", ["VERIFICATION.REJECTED"]],
    ["RESOLVE_ERRORS", "FindErrors", "RESOLVE_ERRORS"],
    ["RESOLVE_ERRORS", "Begin", "IN_PROGRESS", ["VERIFICATION.IN_PROGRESS"]],
    ["RESOLVE_ERRORS", "Review", "PENDING_MANUAL_REVIEW", ["VERIFICATION.PENDING_MANUAL_REVIEW"]],
    ["RESOLVE_ERRORS", "Approve", "APPROVED", ["VERIFICATION.APPROVED"]],
    ["RESOLVE_ERRORS", "Reject", "REJECTED", ["VERIFICATION.REJECTED"]],
    ["IN_PROGRESS", "FindErrors", "RESOLVE_ERRORS", ["VERIFICATION.RESOLVE_ERRORS"]],
    ["IN_PROGRESS", "Begin", "IN_PROGRESS"],
    ["IN_PROGRESS", "Review", "PENDING_MANUAL_REVIEW", ["VERIFICATION.PENDING_MANUAL_REVIEW"]],
    ["IN_PROGRESS", "Approve", "APPROVED", ["VERIFICATION.APPROVED"]],
    ["IN_PROGRESS", "Reject", "REJECTED", ["VERIFICATION.REJECTED"]],
    ["PENDING_MANUAL_REVIEW", "FindErrors", "RESOLVE_ERRORS", ["VERIFICATION.RESOLVE_ERRORS"]],
    ["PENDING_MANUAL_REVIEW", "Begin", "IN_PROGRESS", ["VERIFICATION.IN_PROGRESS"]],
    ["PENDING_MANUAL_REVIEW", "Review", "PENDING_MANUAL_REVIEW"],
    ["PENDING_MANUAL_REVIEW", "Approve", "APPROVED", ["VERIFICATION.APPROVED"]],
    ["PENDING_MANUAL_REVIEW", "Reject", "REJECTED", ["VERIFICATION.REJECTED"]],
  ],
})

/** A status that a verification can come to. */
export type ReachedStatus = (typeof VerificationMachine.states)[number]

/** Which trigger leads to a status. */
export const verificationTriggerFor: { readonly [status in ReachedStatus]: (typeof triggers)[number] } = {
  RESOLVE_ERRORS: "FindErrors",
  IN_PROGRESS: "Begin",
  PENDING_MANUAL_REVIEW: "Review",
  APPROVED: "Approve",
  REJECTED: "Reject",
}

export const toReachedStatus = (status: VerificationStatus): ReachedStatus | null =>
  VerificationMachine.states.find((state) => state === status) ?? null
