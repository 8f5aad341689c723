/**
 * The states of a verification. It is open until it is approved or rejected; a repeated submission continues the open one.
 * Source: wire contract 5.12, 6.1 (`READY_FOR_VERIFICATION` is never sent, so that no transition leads there) and 7.6; D-083.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const VerificationMachine = Machine.make({
  name: "Verification",
  arrows: [
    [null, "FindErrors", "RESOLVE_ERRORS", ["VERIFICATION.RESOLVE_ERRORS"]],
    [null, "Review", "PENDING_MANUAL_REVIEW", ["VERIFICATION.PENDING_MANUAL_REVIEW"]],
    [null, "Begin", "IN_PROGRESS", ["VERIFICATION.IN_PROGRESS"]],
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

/** A status that a verification can reach. */
export type ReachedStatus = Machine.StateOf<typeof VerificationMachine>
