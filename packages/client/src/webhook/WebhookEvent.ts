/**
 * The body of a webhook, typed by its event: `type` decides which resource `data` is.
 * Source: wire contract 6.1.
 */
import type { EventResources, EventType, EventTypes } from "@countersign/core/models"

/** The resource of a row of `EventTypes`, as JSON. */
type EventData<Name extends keyof typeof EventResources.rows> = (typeof EventResources.rows)[Name]["Encoded"]

interface Envelope<Type extends EventType> {
  /** The same on every redelivery: receivers drop an event whose `id` they have processed. */
  readonly id: string
  readonly type: Type
  /** Time of the first delivery, ISO 8601. */
  readonly timestamp: string
  /** The platform that the event belongs to. */
  readonly platformId: string
  readonly data: EventData<(typeof EventTypes.rows)[Type]>
}

/** An event of this version of the service. A later version may send further types: handle them in the `default` of a `switch`. */
export type WebhookEvent = { readonly [Type in EventType]: Envelope<Type> }[EventType]

/** The events of some types: `WebhookEventOf<"OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED">`. */
export type WebhookEventOf<Type extends EventType> = Extract<WebhookEvent, { readonly type: Type }>
