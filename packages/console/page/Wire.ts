/** What the page reads: resources of the interface, by their own types. */
import type {
  AgentActionResource,
  AgentPolicyEvaluation,
  AgentResource,
  CustomerResource,
  EventDetailResource,
  EventResource,
  ExternalAccountResource,
  InternalAccountResource,
} from "@countersign/core/models"

export type Action = AgentActionResource
export type Evaluation = AgentPolicyEvaluation
export type Agent = AgentResource
export type Customer = CustomerResource
export type ListedEvent = EventResource
export type EventDetail = EventDetailResource
export type ExternalAccount = ExternalAccountResource
export type InternalAccount = InternalAccountResource

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly hasMore: boolean
  readonly nextCursor?: string
  /** Absent above 10,000. */
  readonly totalCount?: number
}
