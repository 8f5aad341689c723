/**
 * The delivery of events: signed, in the background, tried again until the platform acknowledges.
 * Source: wire contract 6.1, 6.2 and 11 (37, 38).
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
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

/** The longest that one attempt may take. */
const timeoutMillis = 30_000

/** What an endpoint answered to a test event. */
export interface TestDelivery {
  readonly url: string
  readonly response_status: number
  readonly response_body: string
}

const Payload = Schema.Struct({ eventId: Schema.String })
const decodePayload = Schema.decodeUnknownEffect(Payload)

const isAcknowledged = (status: number): boolean => (status >= 200 && status < 300) || status === 409

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** The handler of delivery jobs. */
    readonly deliver: JobHandler
    /** Sends an event once and answers what the endpoint said; `undefined`: there is no endpoint. */
    readonly ask: (
      event: StoredEvent,
      sentAt: number,
    ) => Effect.Effect<WebhookResult | undefined, StoreUnavailable, CurrentCaller>
    /** Sends a test event at once and answers what the endpoint said. Errors: `WEBHOOK_ENDPOINT_NOT_SET`, `WEBHOOK_DELIVERY_ERROR`. */
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

      const endpoint = Effect.gen(function* () {
        const { platformId } = yield* CurrentCaller
        const read = yield* store.read({ records: [{ kind: "Platform", id: platformId }] })
        return read.record("Platform", platformId)?.data.webhookEndpoint
      })

      const send = Effect.fnUntraced(function* (
        url: string,
        envelope: { readonly id: string; readonly type: EventType; readonly timestamp: string; readonly data: Json },
      ) {
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

      const ask = Effect.fnUntraced(function* (event: StoredEvent, sentAt: number) {
        const url = yield* endpoint
        if (url === undefined) return undefined
        return yield* send(url, {
          id: event.id,
          type: event.type,
          // The time of the first attempt, so that the body stays the same on every redelivery; where business time was moved
          // ahead of it, the time of the event.
          timestamp: iso(Math.max(sentAt, event.createdAt)),
          data: fill(event.data, event.facts),
        })
      })

      const deliver: JobHandler = Effect.fnUntraced(function* (job) {
        const { eventId } = yield* Effect.orDie(decodePayload(job.payload))
        const event = yield* store.event(eventId)
        const result = event === undefined ? undefined : yield* ask(event, job.firstClaimedAt)
        // Without an endpoint events are recorded, not sent (wire contract 6.2).
        if (event === undefined || result === undefined) return yield* finish(job)
        const isDone = result._tag === "Answered" && isAcknowledged(result.status)
        if (isDone) return yield* Effect.andThen(finish(job), Metrics.delivered(event.createdAt))
        const reason = result._tag === "Answered" ? `the endpoint answered ${result.status}` : result.reason
        if (event.type !== "TEST") return yield* new JobFailed({ reason })
        // A test event is tried once, whatever came of it.
        yield* Effect.logWarning("a test event was not acknowledged", { event: event.id, reason })
        return yield* finish(job)
      })

      const recorded = (result: WebhookResult) =>
        Operation.run({
          name: "Webhooks.test",
          load: () => Effect.void,
          decide: (_loaded, context) => {
            const { platformId } = context.caller
            const told = auditRecord(
              context,
              "SANDBOX_WEBHOOK_TEST",
              { id: platformId, platformId, customerId: null },
              result._tag === "Answered" ? { details: { status: result.status } } : { outcome: "FAILED" },
            )
            return Operation.answer(200, null, told)
          },
        }).pipe(Effect.provideContext(services))

      const test = Effect.gen(function* () {
        const url = yield* endpoint
        if (url === undefined) {
          return yield* new ServiceError({
            code: "WEBHOOK_ENDPOINT_NOT_SET",
            message: "No webhookEndpoint is configured; set one with PATCH /config.",
          })
        }
        const pool = yield* IdPool.make(1).pipe(Effect.provideService(SecureRandom.SecureRandom, random))
        const now = yield* Clock.currentTimeMillis
        const id = pool.source()("Webhook")
        const result = yield* send(url, { id, type: "TEST", timestamp: iso(now), data: {} })
        yield* recorded(result)
        if (result._tag === "Unreachable") {
          return yield* new ServiceError({
            code: "WEBHOOK_DELIVERY_ERROR",
            message: "The webhook endpoint gave no answer.",
            details: { reason: result.reason },
          })
        }
        return { url, response_status: result.status, response_body: result.body }
      })

      return Webhooks.of({ deliver, ask, test: platformOnly(test) })
    }),
  )
}
