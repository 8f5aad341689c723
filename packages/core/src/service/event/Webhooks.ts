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
import type { WallTime } from "../../ports/WallTime.ts"
import { type WebhookResult, WebhookSigner, WebhookTransport } from "../../ports/WebhookTransport.ts"
import { WireNames } from "../../settings/WireNames.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { fill } from "../../store/Placeholders.ts"
import { Store, type StoredEvent, type StoreUnavailable } from "../../store/Store.ts"

/** The time limit of one attempt. */
const timeoutMillis = 30_000

interface Envelope {
  readonly id: string
  readonly type: EventType
  readonly timestamp: string
  readonly data: Json
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
    ) => Effect.Effect<WebhookResult | undefined, StoreUnavailable, CurrentCaller>
    /** Sends a test event at once and returns the endpoint's answer. Errors: `WEBHOOK_ENDPOINT_NOT_SET`, `WEBHOOK_DELIVERY_ERROR`. */
    readonly test: Effect.Effect<TestDelivery, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const store = yield* Store
      const transport = yield* WebhookTransport
      const signer = yield* WebhookSigner
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const { headerPrefix, signatureForm } = yield* WireNames

      const loadEndpoint = Effect.gen(function* () {
        const { platformId } = yield* CurrentCaller
        const read = yield* store.read({ records: [{ kind: "Platform", id: platformId }] })
        return read.record("Platform", platformId)?.data.webhookEndpoint
      })

      const send = Effect.fnUntraced(function* (url: string, envelope: Envelope) {
        const body = JSON.stringify(envelope)
        const signature = yield* signer.sign(body)
        yield* reachFailPoint("webhook.signed")
        const result = yield* transport.send({
          url,
          body,
          timeoutMillis,
          headers: {
            "Content-Type": "application/json",
            [`X-${headerPrefix}-Signature`]:
              signatureForm === "json" ? JSON.stringify({ v: "1", s: signature }) : signature,
          },
        })
        yield* reachFailPoint("webhook.sent")
        return result
      })

      const sendEvent = Effect.fnUntraced(function* (event: StoredEvent, sentAt: number) {
        const url = yield* loadEndpoint
        if (url === undefined) return undefined
        return yield* send(url, {
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

      const sendTest = Effect.fnUntraced(function* (url: string) {
        const pool = yield* IdPool.make(1).pipe(Effect.provideService(SecureRandom.SecureRandom, random))
        const now = yield* Clock.currentTimeMillis
        return yield* send(url, { id: pool.source()("Webhook"), type: "TEST", timestamp: iso(now), data: {} })
      })

      const recordTest = (result: WebhookResult) =>
        Operation.run({
          name: "Webhooks.test",
          load: () => Effect.void,
          decide: auditTest(result),
        }).pipe(Effect.provideContext(services))

      const test = Effect.gen(function* () {
        const url = yield* loadEndpoint
        if (url === undefined) return yield* new ServiceError(endpointNotSet)
        const result = yield* sendTest(url)
        yield* recordTest(result)
        const delivery = testDeliveryOf(url, result)
        return "code" in delivery ? yield* new ServiceError(delivery) : delivery
      })

      return Webhooks.of({ deliver, sendEvent, test: platformOnly(test) })
    }),
  )
}
