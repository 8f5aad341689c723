/**
 * Delivers events: signed, by background jobs, and retried until the platform acknowledges.
 * Source: wire contract 6.1, 6.2 and 11 (37, 38).
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { decideDelivery } from "../../decision/event/DeliveryDecision.ts"
import {
  auditTest,
  endpointNotSet,
  type TestDelivery,
  testDeliveryOf,
} from "../../decision/event/WebhookTestDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Metrics from "../../operation/Metrics.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { type WebhookResult, WebhookTransport } from "../../ports/WebhookTransport.ts"
import { WireNames } from "../../settings/WireNames.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { fill } from "../../store/Placeholders.ts"
import { Store, type StoredEvent, type StoreUnavailable } from "../../store/Store.ts"
import { signedHeaders } from "./SignedWebhook.ts"
import { WebhookKeys } from "./WebhookKeys.ts"

/** The time limit of one attempt. */
const timeoutMillis = 30_000

interface Envelope {
  readonly id: string
  readonly type: EventType
  readonly timestamp: string
  /** The platform that the event belongs to: receivers refuse the events of another one. */
  readonly platformId: string
  readonly data: Json
}

/** Where events of a platform go, and the keys that sign them. */
interface Target {
  readonly url: string
  readonly ring: Stored<"WebhookKeyRing"> | undefined
}

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ eventId: Schema.String }))

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** The handler of delivery jobs. */
    readonly deliver: JobHandler
    /** Sends an event once and returns the endpoint's answer; `undefined` when the platform has no endpoint. */
    readonly sendEvent: (
      event: StoredEvent,
      sentAt: number,
    ) => Effect.Effect<WebhookResult | undefined, ServiceError | StoreUnavailable, CurrentCaller>
    /** Sends a test event at once and returns the endpoint's answer. Errors: `WEBHOOK_ENDPOINT_NOT_SET`, `WEBHOOK_DELIVERY_ERROR`. */
    readonly test: Effect.Effect<TestDelivery, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const store = yield* Store
      const transport = yield* WebhookTransport
      const keys = yield* WebhookKeys
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const names = yield* WireNames

      /** Returns the endpoint's URL and the ring; `undefined`: the platform has no endpoint. */
      const loadTarget = Effect.gen(function* () {
        const { platformId } = yield* CurrentCaller
        const read = yield* store.read({
          records: [
            { kind: "Platform", id: platformId },
            { kind: "WebhookKeyRing", id: platformId },
          ],
        })
        const url = read.record("Platform", platformId)?.data.webhookEndpoint
        return url === undefined ? undefined : { url, ring: read.record("WebhookKeyRing", platformId) }
      })

      const send = Effect.fnUntraced(function* ({ ring, url }: Target, event: Omit<Envelope, "platformId">) {
        const { platformId } = yield* CurrentCaller
        const { data, id, timestamp, type } = event
        const envelope: Envelope = { id, type, timestamp, platformId, data }
        const body = JSON.stringify(envelope)
        const signing = yield* keys.signing(ring)
        const headers = yield* signedHeaders({ id, body, sentAt: yield* wall.now }, signing, names)
        yield* reachFailPoint("webhook.signed")
        const result = yield* transport.send({ url, body, timeoutMillis, headers })
        yield* reachFailPoint("webhook.sent")
        return result
      })

      const sendEvent = Effect.fnUntraced(function* (event: StoredEvent, sentAt: number) {
        const target = yield* loadTarget
        if (target === undefined) return undefined
        return yield* send(target, {
          id: event.id,
          type: event.type,
          // The time of the first attempt keeps the body the same on every redelivery. An event that the sandbox's clock dates
          // after that attempt has its own time.
          timestamp: iso(Math.max(sentAt, event.createdAt)),
          data: fill(event.data, event.facts),
        })
      })

      const deliver: JobHandler = Effect.fnUntraced(function* (job) {
        const { eventId } = yield* Effect.orDie(decodePayload(job.payload))
        const event = yield* store.event(eventId)
        const result = event && (yield* sendEvent(event, job.firstClaimedAt))
        // Without an endpoint events are recorded, not sent (wire contract 6.2).
        if (event === undefined || result === undefined) return yield* finish(job)
        const decision = decideDelivery(event.type, result)
        if (decision._tag === "Retry") return yield* new JobFailed({ reason: decision.reason })
        if (decision._tag === "Abandoned") {
          yield* Effect.logWarning("a test event was not acknowledged", { event: event.id, reason: decision.reason })
          return yield* finish(job)
        }
        return yield* Effect.andThen(finish(job), Metrics.delivered(event.createdAt))
      })

      const sendTest = Effect.fnUntraced(function* (target: Target) {
        const pool = yield* IdPool.make(1).pipe(Effect.provideService(SecureRandom.SecureRandom, random))
        const now = yield* Clock.currentTimeMillis
        return yield* send(target, { id: pool.source()("Webhook"), type: "TEST", timestamp: iso(now), data: {} })
      })

      const recordTest = (result: WebhookResult) =>
        Operation.run({
          name: "Webhooks.test",
          load: () => Effect.void,
          decide: auditTest(result),
        }).pipe(Effect.provideContext(services))

      const test = Effect.gen(function* () {
        const target = yield* loadTarget
        if (target === undefined) return yield* new ServiceError(endpointNotSet)
        const result = yield* sendTest(target)
        yield* recordTest(result)
        const delivery = testDeliveryOf(target.url, result)
        return "code" in delivery ? yield* new ServiceError(delivery) : delivery
      })

      return Webhooks.of({ deliver, sendEvent, test: platformOnly(test) })
    }),
  )
}
