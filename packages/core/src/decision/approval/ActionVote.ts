/**
 * The votes on a held action: what an approver is shown, whether the approval counts, and what it changes.
 * Source: D-532.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { digestOf, type ShownAction, withoutName } from "../../model/agent/ShownAction.ts"
import * as Requirement from "../../model/approval/ApprovalRequirement.ts"
import type { SignedAssertion } from "../../model/approval/SignedAssertion.ts"
import { type VoteFacts, VoteRules, VoterRules } from "../../model/approval/VoteRules.ts"
import { tokenIdOf } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import type { DecisionContext } from "../Decision.ts"
import type { ActionFacts, ActionRecords } from "./ActionLoaded.ts"
import { shownActionOf } from "./ShownActionOf.ts"

/** What an approver brings: the digest of what was shown and, where the row needs it, the passkey's signature of it. */
export interface Vote {
  readonly digest: string
  readonly assertion?: SignedAssertion | undefined
}

/** A held action whose row needs votes. */
export interface RequiringAction {
  readonly action: Stored<"AgentAction">
  readonly requirement: Requirement.ApprovalRequirement
  readonly shown: ShownAction
  readonly digest: string
}

/** Returns what the action needs beyond one approval, and what is shown of it now; `undefined` if one approval is enough. */
export const requiringAction = (action: Stored<"AgentAction">, records: ActionRecords): RequiringAction | undefined => {
  const { requirement } = action.data
  if (requirement === undefined) return undefined
  const shown = shownActionOf(action, requirement, records)
  return { action, requirement, shown, digest: digestOf(shown) }
}

type Context = Pick<DecisionContext, "caller" | "now">

/** Returns what the rules of votes compare. */
export const voteFactsOf = (
  { digest, requirement }: RequiringAction,
  { policy }: ActionFacts["approvals"],
  vote: Vote | undefined,
  { caller, now }: Context,
): VoteFacts => ({
  requirement,
  approver: caller._tag === "Platform" ? caller.approver : undefined,
  tokenId: tokenIdOf(caller),
  members: Requirement.eligibleMembers(requirement, policy, now),
  acceptsStatedNames: policy?.acceptsStatedNames === true,
  digest,
  seenDigest: vote?.digest,
  isSigned: vote?.assertion !== undefined,
  now,
})

/** The action after a vote, whether it has all that it needs, and the record of the vote. */
export interface CastVote {
  readonly held: Stored<"AgentAction">
  readonly isDecided: boolean
  readonly changes: Changes.Changes
}

/** Counts the vote, or refuses it. A vote over what the action no longer is stays in the record and does not count. */
export const castVote = (
  requiring: RequiringAction,
  approvals: ActionFacts["approvals"],
  vote: Vote | undefined,
  context: DecisionContext,
): CastVote | Refusal => {
  const { action, digest, requirement, shown } = requiring
  const facts = voteFactsOf(requiring, approvals, vote, context)
  const refused = VoterRules.first(facts) ?? VoteRules.first(facts)
  if (refused !== undefined) return refused.refusal
  const { approver, isSigned, now } = facts
  if (approver === undefined) throw new Error("a vote without an approver is refused")
  const { id: approverId, name, proof } = approver
  const votes = [...requirement.votes, { approverId, name, at: now, proof, isSigned, digest }]
  const after = { ...requirement, votes }
  const count = Requirement.countedVotes(after, digest).length
  const details = {
    row: requirement.row,
    votes: count,
    needed: requirement.needed,
    digest,
    shown: withoutName(shown),
    ...(vote?.assertion === undefined ? {} : { assertion: { ...vote.assertion } }),
  }
  return {
    held: { ...action, data: { ...action.data, requirement: after } },
    isDecided: count >= requirement.needed,
    changes: {
      ...auditRecord(context, "AGENT_ACTION_VOTE", action, { details }),
      ...(requirement.expiresAt === undefined ? {} : { validUntil: requirement.expiresAt }),
    },
  }
}

export const isCast = (cast: CastVote | Refusal): cast is CastVote => !("code" in cast)
