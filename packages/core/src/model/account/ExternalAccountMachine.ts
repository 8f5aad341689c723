/**
 * The states of an external account. Only an `ACTIVE` account can pay or be paid.
 * Spec: Other state sets; wire contract 2.7; D-050.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

const statusUpdated = ["EXTERNAL_ACCOUNT.STATUS_UPDATED"] as const

export const ExternalAccountMachine = Machine.make({
  name: "ExternalAccount",
  arrows: [
    [null, "AddAwaiting", "PENDING"],
    [null, "AddVerified", "ACTIVE"],
    [null, "AddUnproven", "PENDING_OWNERSHIP_VERIFICATION"],
    ["PENDING_OWNERSHIP_VERIFICATION", "FailProof", "UNVERIFIED", statusUpdated],
    ["PENDING_OWNERSHIP_VERIFICATION", "Prove", "ACTIVE", statusUpdated],
    ["UNVERIFIED", "Challenge", "PENDING_OWNERSHIP_VERIFICATION", statusUpdated],
    [null, "AddForReview", "UNDER_REVIEW"],
    ["PENDING", "Activate", "ACTIVE", statusUpdated],
    ["PENDING", "Review", "UNDER_REVIEW", statusUpdated],
    ["PENDING", "Deactivate", "INACTIVE", statusUpdated],
    ["UNDER_REVIEW", "Activate", "ACTIVE", statusUpdated],
    ["UNDER_REVIEW", "Deactivate", "INACTIVE", statusUpdated],
    ["ACTIVE", "Review", "UNDER_REVIEW", statusUpdated],
    ["ACTIVE", "Deactivate", "INACTIVE", statusUpdated],
    ["INACTIVE", "Activate", "ACTIVE", statusUpdated],
  ],
})

export type ExternalAccountTrigger = Machine.TriggerOf<typeof ExternalAccountMachine>
