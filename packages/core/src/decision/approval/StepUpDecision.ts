/**
 * Decides the challenge of a vote that needs the approver's passkey, and its answer.
 * Source: D-532.
 */
import { notFound, type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import type { ActionVotesResource, StepUpChallenge } from "../../model/agent/ActionVotesResource.ts"
import { countedVotes } from "../../model/approval/ApprovalRequirement.ts"
import { approverKey } from "../../model/approval/Approver.ts"
import { challengeMillis, type StepUp } from "../../model/approval/ConsoleSession.ts"
import { VoteRules, VoterRules } from "../../model/approval/VoteRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import type { ActionFacts, ActionRecords } from "./ActionLoaded.ts"
import { type RequiringAction, requiringAction, voteFactsOf } from "./ActionVote.ts"
import type { ProofResult } from "./ConsoleSessionDecision.ts"

export interface VotingRecords {
  readonly action: Stored<"AgentAction">
  /** Absent: the action has been decided already. */
  readonly execution: ActionRecords | undefined
  readonly approvals: ActionFacts["approvals"]
}

export interface VoterRecords {
  readonly session: Stored<"ConsoleSession"> | undefined
  readonly approver: Stored<"Approver"> | undefined
}

const requiringOf = ({ action, execution }: VotingRecords): RequiringAction | undefined =>
  execution && requiringAction(action, execution)

/** Returns the votes as the console shows them to the caller; `undefined` if the action is decided, or one approval is enough. */
export const votesOf = (
  records: VotingRecords,
  context: Pick<DecisionContext, "caller" | "now">,
): ActionVotesResource | undefined => {
  const requiring = requiringOf(records)
  if (requiring === undefined) return undefined
  const { digest, requirement, shown } = requiring
  const { escalation, expiresAt, needed, needsStepUp } = requirement
  const facts = voteFactsOf(requiring, records.approvals, undefined, context)
  const counted = countedVotes(requirement, digest)
  const approved = new Set(counted.map(({ name }) => approverKey(name)))
  const refused = VoterRules.first(facts)?.refusal
  return {
    shown,
    digest,
    needed,
    needsStepUp,
    votes: requirement.votes.map((vote) => {
      const { at, isSigned, name: approver } = vote
      return { approver, at, isSigned, counts: counted.includes(vote) }
    }),
    awaited: [...facts.members].flatMap(([key, name]) => (approved.has(key) ? [] : [name])),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(escalation === undefined || context.now >= escalation.at ? {} : { escalatesAt: escalation.at }),
    ...(refused === undefined
      ? {}
      : { refusal: { reason: String(refused.details?.["reason"]), message: refused.message } }),
  }
}

const noPasskey: Refusal = {
  code: "FORBIDDEN",
  message: "This approval needs your passkey, and you have registered none.",
  details: { reason: "PASSKEY_NOT_REGISTERED" },
}

/** Begins a vote: `null` if it needs no passkey, or the challenge, unless the vote would be refused. `nonce`: random text. */
export const beginVote =
  (digest: string, nonce: string) =>
  (records: VotingRecords & VoterRecords, context: DecisionContext): Decision<StepUpChallenge | null> => {
    const requiring = requiringOf(records)
    if (requiring === undefined || !requiring.requirement.needsStepUp) return answer(200, null)
    const facts = { ...voteFactsOf(requiring, records.approvals, { digest }, context), isSigned: true }
    const refused = VoterRules.first(facts) ?? VoteRules.first(facts)
    if (refused !== undefined) return refuse(refused.refusal)
    const { approver, session } = records
    if (session === undefined) return refuse(unauthorizedFor("CONSOLE_SESSION_ENDED"))
    const credentialId = approver?.data.passkey?.credentialId
    if (credentialId === undefined) return refuse(noPasskey)
    const challenge = `${nonce}${digest}`
    const stepUp: StepUp = {
      actionId: requiring.action.id,
      digest,
      challenge,
      expiresAt: context.now + challengeMillis,
    }
    return answer(202, { challenge, credentialId }, Changes.update(session, { ...session.data, stepUp }))
  }

/** The challenge that a vote answers, if it is still open. */
export const openStepUp = (
  { session }: Pick<VoterRecords, "session">,
  vote: { readonly actionId: string; readonly digest: string },
  now: number,
): StepUp | undefined => {
  const stepUp = session?.data.stepUp
  const isOpen =
    stepUp !== undefined && stepUp.actionId === vote.actionId && stepUp.digest === vote.digest && now < stepUp.expiresAt
  return isOpen ? stepUp : undefined
}

/** Ends the challenge, whatever its answer is, and stores the passkey's counter. */
export const answerStepUp = ({
  approver,
  proof,
  session,
}: VoterRecords & { readonly proof: ProofResult | undefined }): Decision<null> => {
  if (session === undefined || proof === undefined) return refuse(unauthorizedFor("PASSKEY_CHALLENGE_SPENT"))
  const { stepUp: _answered, ...data } = session.data
  const spent = Changes.update(session, data)
  if (proof._tag === "Refused") {
    const { reason } = proof
    return refuse({ code: "UNAUTHORIZED", message: reason, details: { reason } }, spent)
  }
  if (approver === undefined) return refuse(notFound("approver"))
  return answer(
    200,
    null,
    Changes.combine(spent, Changes.update(approver, { ...approver.data, passkey: proof.passkey })),
  )
}
