/** What the page reads: resources of the interface, by their own types. */
import type {
  ActionVotesResource,
  AgentActionResource,
  AgentPolicy,
  AgentPolicyComparison,
  AgentPolicyEvaluation,
  AgentPolicyUpdateRequest,
  AgentResource,
  AuditRecordResource,
  CustomerResource,
  EventDetailResource,
  EventResource,
  ExternalAccountResource,
  FaultPort,
  FaultsResource,
  FoundRecords,
  InboxMessage,
  InboxMessageSummary,
  InboxResource,
  InternalAccountResource,
  RecordDetail,
  RecordSummary,
  RequestDetail,
  RequestSent,
  RequestSummary,
  RequestTape,
} from "@countersign/core/models"

export type Votes = ActionVotesResource
export type Action = AgentActionResource
export type Evaluation = AgentPolicyEvaluation
export type Policy = AgentPolicy
export type PolicyUpdate = AgentPolicyUpdateRequest
export type Comparison = AgentPolicyComparison
export type Agent = AgentResource
export type AuditRecord = AuditRecordResource
export type Customer = CustomerResource
export type ListedEvent = EventResource
export type EventDetail = EventDetailResource
export type ExternalAccount = ExternalAccountResource
export type InternalAccount = InternalAccountResource
export type KeptRequest = RequestDetail
export type ListedRequest = RequestSummary
export type RequestProgram = RequestTape
export type { RequestSent }

export type Inbox = InboxResource
export type Faults = FaultsResource
export type ListedMessage = InboxMessageSummary

export type { FaultPort, FoundRecords, InboxMessage, RecordDetail, RecordSummary }

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly hasMore: boolean
  readonly nextCursor?: string
  /** Absent above 10,000. */
  readonly totalCount?: number
}
