/**
 * The load and ask steps of the approval and the rejection of an agent's action.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.4.
 */
import { Effect } from "effect"
import type { ApprovalFacts, ApprovalRecords, SubmittedAction } from "../../decision/approval/ActionApprovalDecision.ts"
import { requestedActionOf } from "../../decision/approval/ActionLoaded.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Read } from "../../operation/Operation.ts"
import { loadExpanded } from "./ActionReads.ts"
import { actorOf, askAction, loadAction } from "./ActionSteps.ts"

/** Errors: `REFERENCE_NOT_FOUND` if the action does not exist or is another agent's. */
const loadActionAndAgent = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string, actionId: string) {
  const found = yield* read({
    records: [
      { kind: "AgentAction", id: actionId },
      { kind: "Agent", id: agentId },
    ],
  })
  const action = found.record("AgentAction", actionId)
  const agent = found.record("Agent", agentId)
  if (action === undefined || agent === undefined || action.data.agentId !== agentId) {
    return yield* new ServiceError(notFound("action"))
  }
  return { action, agent }
})

/** Loads an action with the records that its response embeds. Errors: `REFERENCE_NOT_FOUND`. */
export const loadSubmitted = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string, actionId: string) {
  const { action } = yield* loadActionAndAgent(read, agentId, actionId)
  const [submitted] = yield* loadExpanded(read, [action])
  return submitted ?? ({ action, transaction: undefined, quote: undefined } satisfies SubmittedAction)
})

/** Loads an action with the records of its execution, unless it has been decided already. Errors: `REFERENCE_NOT_FOUND`. */
export const loadApproval = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string, actionId: string) {
  const { action, agent } = yield* loadActionAndAgent(read, agentId, actionId)
  if (action.data.status !== "PENDING_APPROVAL") {
    const decided: ApprovalRecords = { ...(yield* loadSubmitted(read, agentId, actionId)), execution: undefined }
    return decided
  }
  const requested = requestedActionOf(action.data)
  if (requested === undefined) return yield* Effect.die(new Error(`${actionId} has neither a quote nor a transfer`))
  const execution = yield* loadAction(read, actorOf(agent), requested)
  const loaded: ApprovalRecords = { action, transaction: undefined, quote: undefined, execution }
  return loaded
})

/** Asks the ports about the execution of a held action. The wallet's owner has signed at submission. */
export const askApproval = Effect.fnUntraced(function* ({ execution }: ApprovalRecords, challengeId: string) {
  const answers: ApprovalFacts = { facts: execution && (yield* askAction(execution, { challengeId })) }
  return answers
})
