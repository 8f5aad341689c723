/**
 * The states of an external account. Only `ACTIVE` accounts pay or are paid.
 * Spec: Other state sets; wire contract 2.7; D-050.
 */
import * as Machine from "../../foundation/kit/Machine.ts"
import type { ExternalAccountStatus } from "./ExternalAccount.ts"

const told = ["EXTERNAL_ACCOUNT.STATUS_UPDATED"] as const

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
    ["PENDING", "Activate", "ACTIVE", told],
    ["PENDING", "Review", "UNDER_REVIEW", told],
    ["PENDING", "Deactivate", "INACTIVE", told],
    ["UNDER_REVIEW", "Activate", "ACTIVE", told],
    ["UNDER_REVIEW", "Deactivate", "INACTIVE", told],
    ["ACTIVE", "Review", "UNDER_REVIEW", told],
    ["ACTIVE", "Deactivate", "INACTIVE", told],
    ["INACTIVE", "Activate", "ACTIVE", told],
    ["PENDING_OWNERSHIP_VERIFICATION", "Prove", "ACTIVE", told],
    ["PENDING_OWNERSHIP_VERIFICATION", "FailProof", "UNVERIFIED", told],
    ["UNVERIFIED", "Challenge", "PENDING_OWNERSHIP_VERIFICATION", told],
  ],
})

export type ExternalAccountTrigger = (typeof ExternalAccountMachine.triggers)[number]

/** The trigger of the arrow between two states, where there is one. */
export const triggerBetween = (
  from: ExternalAccountStatus,
  to: ExternalAccountStatus,
): ExternalAccountTrigger | undefined =>
  ExternalAccountMachine.arrows.find(([start, , end]) => start === from && end === to)?.[1]
