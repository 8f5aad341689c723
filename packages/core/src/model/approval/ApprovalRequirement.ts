/**
 * What a held action needs before it is executed: the row that covered it, who asked for it, and the votes so far.
 * Source: D-532.
 */
import { Schema } from "effect"
import type { ApprovalPolicy, ApprovalRow } from "./ApprovalPolicy.ts"
import { membersOf } from "./ApprovalPolicyShape.ts"
import { ApproverProof, approverKey } from "./Approver.ts"

/** The approval of one approver, over what the console showed. */
export const ApprovalVote = Schema.Struct({
  approverId: Schema.String,
  name: Schema.String,
  /** Unix milliseconds. */
  at: Schema.Int,
  /** How the approver signed in to the console. */
  proof: ApproverProof,
  /** Whether the approver's passkey signed the digest. */
  isSigned: Schema.Boolean,
  /** The digest of what was shown. The vote counts while the action still is what was shown. */
  digest: Schema.String,
})
export type ApprovalVote = typeof ApprovalVote.Type

/** Stored with the held action, so that a change of the policy does not change what it needs. */
export const ApprovalRequirement = Schema.Struct({
  /** The name of the row. */
  row: Schema.String,
  /** The group whose members may approve. Who is in it is looked up at each vote. */
  approvers: Schema.String,
  needed: Schema.Int,
  needsStepUp: Schema.Boolean,
  /** Unix milliseconds. */
  expiresAt: Schema.optionalKey(Schema.Int),
  /** From then on the members of a further group may approve, too. */
  escalation: Schema.optionalKey(Schema.Struct({ at: Schema.Int, to: Schema.String })),
  /** The API tokens whose holders were given a credential of the agent, and the approver at whose word the request was sent again. */
  askedBy: Schema.Struct({ tokenIds: Schema.Array(Schema.String), approverId: Schema.optionalKey(Schema.String) }),
  votes: Schema.Array(ApprovalVote),
})
export type ApprovalRequirement = typeof ApprovalRequirement.Type

/** Returns what an action needs that is held now. */
export const requirementOf = (
  { approvers, escalates, expiresAfterSeconds, name, needed, stepUp = false }: ApprovalRow,
  askedBy: ApprovalRequirement["askedBy"],
  now: number,
): ApprovalRequirement => ({
  row: name,
  approvers,
  needed,
  needsStepUp: stepUp,
  ...(expiresAfterSeconds === undefined ? {} : { expiresAt: now + expiresAfterSeconds * 1000 }),
  ...(escalates === undefined ? {} : { escalation: { at: now + escalates.afterSeconds * 1000, to: escalates.to } }),
  askedBy,
  votes: [],
})

export const isExpired = ({ expiresAt }: ApprovalRequirement, now: number): boolean =>
  expiresAt !== undefined && now >= expiresAt

const noGroups: Pick<ApprovalPolicy, "groups"> = { groups: {} }

/** Returns who may approve now, by the key of the name. A policy that has lost the group lets nobody approve. */
export const eligibleMembers = (
  { approvers, escalation }: ApprovalRequirement,
  policy: ApprovalPolicy | undefined,
  now: number,
): ReadonlyMap<string, string> =>
  membersOf(policy ?? noGroups, [
    approvers,
    ...(escalation !== undefined && now >= escalation.at ? [escalation.to] : []),
  ])

/** Returns the votes that count: those over the digest that the action has now, of each person one. */
export const countedVotes = ({ votes }: ApprovalRequirement, digest: string): ReadonlyArray<ApprovalVote> => {
  const counted = new Map(
    votes.filter((vote) => vote.digest === digest).map((vote) => [approverKey(vote.name), vote] as const),
  )
  return [...counted.values()]
}
