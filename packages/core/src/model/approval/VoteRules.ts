/**
 * The rule list of a vote: whose approval of a held action counts.
 * Source: D-532.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { type ApprovalRequirement, countedVotes, isExpired } from "./ApprovalRequirement.ts"
import { type ApproverProof, approverKey } from "./Approver.ts"

/** The person of a console session. */
export interface VotingApprover {
  readonly id: string
  readonly name: string
  readonly proof: ApproverProof
}

export interface VoteFacts {
  readonly requirement: ApprovalRequirement
  /** Absent: a program calls. */
  readonly approver: VotingApprover | undefined
  /** The API token of the call, or of the session. */
  readonly tokenId: string | null
  /** Who may approve now, by the key of the name. */
  readonly members: ReadonlyMap<string, string>
  /** Whether a name counts that no passkey has proven. */
  readonly acceptsStatedNames: boolean
  /** The digest of what the action is now. */
  readonly digest: string
  /** The digest of what the approver saw. Absent: it is not known. */
  readonly seenDigest: string | undefined
  /** Whether the approver's passkey signed the digest. */
  readonly isSigned: boolean
  readonly now: number
}

const refusal = (
  code: "FORBIDDEN" | "CONFLICT",
  message: string,
  details: { readonly reason: string; readonly [name: string]: Json },
): Refusal => ({ code, message, details })

/** Whether the person may approve at all, whatever was shown. */
export const VoterRules = Rules.make<VoteFacts, Refusal>("ApprovalVoter", [
  [
    "NOT_EXPIRED",
    ({ now, requirement }) =>
      isExpired(requirement, now)
        ? refusal("CONFLICT", "The time to approve the action is over.", { reason: "APPROVAL_EXPIRED" })
        : undefined,
  ],
  [
    "APPROVER_NAMED",
    ({ approver, requirement: { needed, row } }) =>
      approver === undefined
        ? refusal("FORBIDDEN", "Only named approvers on the console can approve this action.", {
            reason: "NAMED_APPROVER_NEEDED",
            row,
            needed,
          })
        : undefined,
  ],
  [
    "APPROVER_IN_GROUP",
    ({ approver, members, requirement: { row } }) =>
      approver === undefined || !members.has(approverKey(approver.name))
        ? refusal("FORBIDDEN", "You are not among the approvers of this action.", { reason: "NOT_AN_APPROVER", row })
        : undefined,
  ],
  [
    "APPROVER_PROVEN",
    ({ acceptsStatedNames, approver }) =>
      approver?.proof === "PASSKEY" || acceptsStatedNames
        ? undefined
        : refusal(
            "FORBIDDEN",
            "You have signed in without a passkey, and anyone with the client secret can state your name.",
            {
              reason: "PASSKEY_SIGN_IN_NEEDED",
            },
          ),
  ],
  [
    "NOT_ASKED_BY_APPROVER",
    ({ approver, requirement: { askedBy } }) =>
      approver !== undefined && approver.id === askedBy.approverId
        ? refusal("FORBIDDEN", "You have asked for this action, so that others must approve it.", {
            reason: "ASKED_BY_APPROVER",
          })
        : undefined,
  ],
  [
    "NOT_ASKED_BY_TOKEN",
    ({ requirement: { askedBy }, tokenId }) =>
      tokenId !== null && askedBy.tokenIds.includes(tokenId)
        ? refusal(
            "FORBIDDEN",
            "You have signed in with the API token that was given the agent's credentials. Sign in with another one.",
            { reason: "ASKED_BY_TOKEN" },
          )
        : undefined,
  ],
  [
    "NOT_COUNTED_YET",
    ({ approver, digest, requirement }) =>
      countedVotes(requirement, digest).some(({ name }) => approver && approverKey(name) === approverKey(approver.name))
        ? refusal("CONFLICT", "You have approved this action already.", { reason: "APPROVED_ALREADY" })
        : undefined,
  ],
])

/** Whether an approval of this person is one of what the action is now. */
export const VoteRules = Rules.make<VoteFacts, Refusal>("ApprovalVote", [
  [
    "SEEN_AS_IT_IS",
    ({ digest, seenDigest }) =>
      seenDigest === digest
        ? undefined
        : refusal("CONFLICT", "The action is not what was shown. Look at it again.", {
            reason: seenDigest === undefined ? "SHOWN_DIGEST_MISSING" : "SHOWN_DIGEST_DIFFERS",
          }),
  ],
  [
    "SIGNED_BY_PASSKEY",
    ({ isSigned, requirement: { needsStepUp } }) =>
      needsStepUp && !isSigned
        ? refusal("FORBIDDEN", "This approval needs your passkey.", { reason: "PASSKEY_NEEDED" })
        : undefined,
  ],
])
