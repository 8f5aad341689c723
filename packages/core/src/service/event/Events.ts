/**
 * Events for the operator: listed with their deliveries, read with their attempts, and sent again.
 * Source: D-450, D-452.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideResend, decideSend } from "../../decision/event/EventResendDecision.ts"
import { toEvent, toEventDetail } from "../../decision/event/EventView.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Page from "../../foundation/kit/Page.ts"
import type { EventDetailResource, EventResendAccepted, EventResource } from "../../model/event/EventResource.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { type ListQuery, positionAfter } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { WebhookTransport } from "../../ports/WebhookTransport.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadEndpoint } from "./WebhookSending.ts"
import { Webhooks } from "./Webhooks.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** Filters of the events, all of which must hold. */
export interface EventsQuery extends ListQuery {
  readonly type?: EventType
  /** The id of the record that the event is about. */
  readonly subject?: string
  readonly customerId?: string
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

export class Events extends Context.Service<
  Events,
  {
    readonly list: (query: EventsQuery) => Reply<Page.Page<EventResource>>
    /** Errors: 404. */
    readonly get: (eventId: string) => Reply<EventDetailResource>
    /** Sends the event to the endpoint once more. Errors: 404, `WEBHOOK_ENDPOINT_NOT_SET`. */
    readonly resend: (eventId: string, keyed?: Operation.Keyed) => Reply<Operation.Answered<EventResendAccepted>>
    /** Sends the event to any address that the transport allows, for the sandbox. Errors: 404. */
    readonly sendTo: (
      eventId: string,
      url: string,
      keyed?: Operation.Keyed,
    ) => Reply<Operation.Answered<EventResendAccepted>>
  }
>()("@countersign/core/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const store = yield* Store
      const transport = yield* WebhookTransport
      const webhooks = yield* Webhooks
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const list = Effect.fnUntraced(function* ({
        cursor,
        limit = Page.limitDefault,
        sortOrder: order = "desc",
        ...filter
      }: EventsQuery) {
        const bound = { list: "events", ...filter, order }
        const after = yield* positionAfter(cursor, bound)
        const page = yield* store.events(filter, { limit, order, ...(after === undefined ? {} : { after }) })
        const last = page.data.at(-1)?.event
        return {
          ...page,
          data: page.data.map(toEvent),
          ...(page.hasMore && last !== undefined ? { nextCursor: Page.encodeCursor(last, bound) } : {}),
        }
      }, platformOnly)

      const get = Effect.fnUntraced(function* (eventId: string) {
        const delivered = yield* store.delivery(eventId)
        if (delivered === undefined) return yield* new ServiceError(notFound("event"))
        return toEventDetail(delivered, yield* webhooks.bodyOf(delivered))
      }, platformOnly)

      const loadEvent = (eventId: string) =>
        Effect.fnUntraced(function* (read: Operation.Read) {
          const { endpoint } = yield* loadEndpoint(read)
          return { endpoint, event: yield* store.event(eventId) }
        })

      const resend = Effect.fnUntraced(
        function* (eventId: string, keyed?: Operation.Keyed) {
          return yield* Operation.run({ name: "Events.resend", keyed, load: loadEvent(eventId), decide: decideResend })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const sendTo = Effect.fnUntraced(
        function* (eventId: string, url: string, keyed?: Operation.Keyed) {
          const refusal = yield* Effect.cached(transport.check(url))
          return yield* Operation.run({
            name: "Events.sendTo",
            keyed,
            load: loadEvent(eventId),
            ask: () => Effect.map(refusal, (found) => ({ refusal: found })),
            decide: decideSend(url),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Events.of({ list, get, resend, sendTo })
    }),
  )
}
