/**
 * The wire format of an agent's action.
 * Spec: AgentAction, 4.1, 4.2; wire contract 1.6.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { QuoteResource } from "../quote/QuoteResource.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Transaction } from "../transaction/Transaction.ts"
import { TransactionResource, toTransaction } from "../transaction/TransactionResource.ts"
import type { AgentAction } from "./AgentAction.ts"
import { AgentActionStatus, AgentActionType, AgentTransferDetails } from "./AgentAction.ts"

export const AgentActionResource = Schema.Struct({
  id: Id("AgentAction"),
  agentId: Id("Agent"),
  customerId: Id("Customer"),
  platformCustomerId: Schema.String.annotate({ description: "The platform's own id of the customer." }),
  status: AgentActionStatus,
  type: AgentActionType,
  quote: Schema.optionalKey(
    QuoteResource.pipe(Schema.annotateKey({ description: "Only for EXECUTE_QUOTE: the quote as it is now." })),
  ),
  transferDetails: Schema.optionalKey(
    AgentTransferDetails.pipe(Schema.annotateKey({ description: "Only for transfers." })),
  ),
  transaction: Schema.optionalKey(
    TransactionResource.pipe(Schema.annotateKey({ description: "From the start of the execution on." })),
  ),
  rejectionReason: Schema.optionalKey(Schema.String.annotate({ description: "Only when status is REJECTED." })),
  details: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({
      description:
        "Why the action needs or needed an approval, or why it failed: the `rule` that decided, a readable `message`, and the rule's numbers.",
    }),
  ),
  createdAt: Timestamp.annotate({ description: "When the agent submitted it." }),
  updatedAt: Timestamp,
}).annotate({ identifier: "AgentAction" })
export type AgentActionResource = typeof AgentActionResource.Type

/** A page of agents' actions, newest first by default. */
export const AgentActionListResponse = PageOf(AgentActionResource, "AgentActionListResponse")

/** Optional body of `POST /agents/{agentId}/actions/{actionId}/reject`. */
export const AgentActionRejectRequest = Schema.Struct({
  reason: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(1024)).annotate({ description: "Shown to the agent as `rejectionReason`." }),
  ),
}).annotate({ identifier: "AgentActionRejectRequest" })

/** The records that an action's response embeds. */
export interface ExpandedRecords {
  /** Absent before the execution begins. */
  readonly transaction?: RecordOf<"Transaction", Transaction> | undefined
  /** The quote that it executes. */
  readonly quote?: QuoteResource | undefined
}

export const toAgentAction = (
  stored: RecordOf<"AgentAction", AgentAction>,
  { quote, transaction }: ExpandedRecords,
): AgentActionResource => {
  const { data } = stored
  return {
    id: stored.id,
    agentId: data.agentId,
    customerId: stored.customerId ?? "",
    platformCustomerId: data.platformCustomerId,
    status: data.status,
    type: data.type,
    ...(quote === undefined ? {} : { quote }),
    ...(data.transferDetails === undefined ? {} : { transferDetails: data.transferDetails }),
    ...(transaction === undefined ? {} : { transaction: toTransaction(transaction) }),
    ...(data.rejectionReason === undefined ? {} : { rejectionReason: data.rejectionReason }),
    ...(data.explanation === undefined ? {} : { details: data.explanation }),
    createdAt: iso(stored.createdAt),
    updatedAt: iso(stored.updatedAt),
  }
}
