/**
 * Loads the records that the responses of actions embed: the transaction and the quote of each, in one trip for all.
 * Spec: AgentAction; wire contract 1.6.
 */
import { Clock, Effect } from "effect"
import { type SubmittedAction, toExpandedRecords } from "../../decision/approval/ActionApprovalDecision.ts"
import { toAgentAction } from "../../model/agent/AgentActionResource.ts"
import type { Read } from "../../operation/Operation.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"

const refsOf = ({ data: { quoteId, transactionId } }: Stored<"AgentAction">): ReadonlyArray<RecordRef> => [
  ...(transactionId === undefined ? [] : [{ kind: "Transaction" as const, id: transactionId }]),
  ...(quoteId === undefined ? [] : [{ kind: "Quote" as const, id: quoteId }]),
]

/** Loads each action's transaction and quote. */
export const loadExpanded = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  actions: ReadonlyArray<Stored<"AgentAction">>,
) {
  const records = actions.flatMap(refsOf)
  const found = records.length === 0 ? undefined : yield* read({ records })
  return actions.map((action): SubmittedAction => {
    const { quoteId, transactionId } = action.data
    return {
      action,
      transaction: transactionId === undefined ? undefined : found?.record("Transaction", transactionId),
      quote: quoteId === undefined ? undefined : found?.record("Quote", quoteId),
    }
  })
})

/** Returns the actions as resources. */
export const presentActions = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  actions: ReadonlyArray<Stored<"AgentAction">>,
) {
  const expanded = yield* loadExpanded(read, actions)
  const now = yield* Clock.currentTimeMillis
  return expanded.map((submitted) => toAgentAction(submitted.action, toExpandedRecords(submitted, now)))
})
