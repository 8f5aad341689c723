/**
 * The states of an external account. Only an `ACTIVE` account can pay or be paid.
 * Spec: Other state sets; wire contract 2.7; D-050.
 */
import * as Machine from "../../foundation/kit/Machine.ts"
import type { ExternalAccountStatus } from "./ExternalAccount.ts"

const statusUpdated = ["EXTERNAL_ACCOUNT.STATUS_UPDATED"] as const

export const ExternalAccountMachine = Machine.make({
  name: "ExternalAccount",
  states: ["PENDING", "ACTIVE", "PENDING_OWNERSHIP_VERIFICATION", "UNVERIFIED", "UNDER_REVIEW", "INACTIVE"],
  triggers: [
    "AddVerified",
    "AddAwaiting",
    "AddForReview",
    "AddUnproven",
    "Activate",
    "Review",
    "Deactivate",
    "Prove",
    "FailProof",
    "Challenge",
  ],
  arrows: [
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

export type ExternalAccountTrigger = (typeof ExternalAccountMachine.triggers)[number]

/** Returns the trigger of the transition between two states, or `undefined` if the table has none. */
export const triggerBetween = (
  from: ExternalAccountStatus,
  to: ExternalAccountStatus,
): ExternalAccountTrigger | undefined =>
  ExternalAccountMachine.arrows.find(([start, , end]) => start === from && end === to)?.[1]
