/**
 * The body of a webhook, typed by its event: `type` decides which resource `data` is.
 * Source: wire contract 6.1.
 */
import type {
  AgentActionResource,
  CardResource,
  CardTransactionResource,
  CustomerResource,
  EventType,
  EventTypes,
  ExternalAccountResource,
  IncomingTransactionResource,
  InternalAccountResource,
  OutgoingTransactionResource,
  VerificationResource,
} from "@countersign/core/models"

/** The resource of each row of `EventTypes`, as JSON. */
interface EventData {
  readonly AgentAction: (typeof AgentActionResource)["Encoded"]
  readonly ExternalAccount: (typeof ExternalAccountResource)["Encoded"]
  readonly IncomingTransaction: (typeof IncomingTransactionResource)["Encoded"]
  readonly OutgoingTransaction: (typeof OutgoingTransactionResource)["Encoded"]
  readonly InternalAccount: (typeof InternalAccountResource)["Encoded"]
  readonly Card: (typeof CardResource)["Encoded"]
  readonly CardTransaction: (typeof CardTransactionResource)["Encoded"]
  readonly Customer: (typeof CustomerResource)["Encoded"]
  readonly Verification: (typeof VerificationResource)["Encoded"]
  /** The endpoint proves that it is the platform's: see `challengeResponse`. */
  readonly EndpointChallenge: { readonly challenge: string }
  readonly none: Record<never, never>
}

interface Envelope<Type extends EventType> {
  /** The same on every redelivery: receivers drop an event whose `id` they have processed. */
  readonly id: string
  readonly type: Type
  /** Time of the first delivery, ISO 8601. */
  readonly timestamp: string
  /** The platform that the event belongs to. */
  readonly platformId: string
  readonly data: EventData[(typeof EventTypes.rows)[Type]]
}

/** An event of this version of the service. A later version may send further types: handle them in the `default` of a `switch`. */
export type WebhookEvent = { readonly [Type in EventType]: Envelope<Type> }[EventType]
