/** Steps of the tests of votes: look at a held action, approve what was shown, and read what the audit says. */
import { ActionVotes, AgentActions, AuditRecords, type Caller, type ServiceError } from "@countersign/core"
import type { AgentActionResource } from "@countersign/core/models"
import type { StoreUnavailable } from "@countersign/core/store"
import { Effect, Result } from "effect"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { personOf } from "./Policies.ts"

/** A world with an agent, in whatever harness. */
type Voting = Pick<AgentWorld, "agentId" | "platformId" | "run">

export const look = (pay: Voting, actionId: string, as: Caller | string = "Ada Lovelace") =>
  pay.run(
    ActionVotes.use((votes) => votes.show(pay.agentId, actionId)),
    typeof as === "string" ? personOf(pay, as) : as,
  )

/** What is shown; a decided action, or one that needs no votes, fails the test. */
export const shown = async (pay: Voting, actionId: string, as?: Caller | string) => {
  const found = await look(pay, actionId, as)
  if (found === null) throw new Error("the action needs no votes")
  return found
}

type Voted = Result.Result<AgentActionResource, ServiceError | StoreUnavailable>

/** Approves as a person; `digest`: by default that of what the action is now. */
export const vote = async (pay: Voting, actionId: string, as: Caller | string, digest?: string): Promise<Voted> => {
  const seen = digest ?? (await look(pay, actionId, as))?.digest ?? ""
  return pay.run(
    Effect.result(
      AgentActions.use((actions) => actions.approve(pay.agentId, actionId, { digest: seen })).pipe(
        Effect.map(({ body }) => body),
      ),
    ),
    typeof as === "string" ? personOf(pay, as) : as,
  )
}

/** The status of the action after an approval, or the reason of its refusal. */
export const outcome = (voted: Voted): unknown => {
  if (Result.isSuccess(voted)) return voted.success.status
  const { failure } = voted
  return failure._tag === "ServiceError" ? (failure.details?.["reason"] ?? failure.code) : failure._tag
}

/** The audit records about an action. Those of one moment have no order. */
export const audited = async (pay: Voting, actionId: string) =>
  (await pay.run(AuditRecords.use((records) => records.list({ target: actionId })))).data

/** The audit records of its votes, in the order in which they counted. */
export const auditedVotes = async (pay: Voting, actionId: string) =>
  (await audited(pay, actionId))
    .filter(({ operation }) => operation === "AGENT_ACTION_VOTE")
    .toSorted((one, other) => Number(one.details["votes"]) - Number(other.details["votes"]))
