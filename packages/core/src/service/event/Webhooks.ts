/**
 * Delivers events: signed, by background jobs, and retried until the platform acknowledges. A circuit breaker spares failing endpoints.
 * Source: wire contract 6.1, 6.2 and 11 (37, 38); D-332, D-333.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { beginProbe, isNewsOfSuccess, recordFailure, recordSuccess } from "../../decision/event/CircuitDecision.ts"
import { decideDelivery, failureOf } from "../../decision/event/DeliveryDecision.ts"
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
import { type Permit, permitOf } from "../../model/event/Circuit.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobDeferred, JobFailed, type JobHandler, Jobs } from "../../operation/Jobs.ts"
import { unattempted } from "../../operation/LaneRuns.ts"
import * as Metrics from "../../operation/Metrics.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import * as SharedCommit from "../../operation/SharedCommit.ts"
import * as SharedRead from "../../operation/SharedRead.ts"
import { workerLimits } from "../../operation/WorkerLimits.ts"
import { WallTime } from "../../ports/WallTime.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { type Changes, combine } from "../../store/Changes.ts"
import { fill } from "../../store/Placeholders.ts"
import {
  type ClaimedJob,
  type DeliveredEvent,
  Store,
  type StoredEvent,
  type StoreUnavailable,
} from "../../store/Store.ts"
import { makeAccountData } from "./AccountData.ts"
import { loadEndpoint, makeSending, type OutgoingEvent, type Target, timeoutMillis } from "./WebhookSending.ts"

/** Bounds of the wait of an event for the proof of its endpoint: it waits as long again as it has waited. */
const pendingWait = { minMillis: 5000, maxMillis: 30 * 60_000 } as const

const decodeResend = Schema.decodeUnknownEffect(
  Schema.Struct({ resend: Schema.Struct({ eventId: Schema.String, url: Schema.optionalKey(Schema.String) }) }),
)

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ eventId: Schema.String }))

/**
 * The `timestamp` of an event whose first attempt was at `sentAt`: the same on every redelivery, so that the body is. An event that the
 * sandbox's clock dates after that attempt has its own time.
 */
const timestampOf = (event: StoredEvent, sentAt: number): string => iso(Math.max(sentAt, event.createdAt))

/** The event as it is sent for an attempt whose first one was at `sentAt`. */
const outgoing = (event: StoredEvent, sentAt: number, data: Json): OutgoingEvent => ({
  id: event.id,
  type: event.type,
  timestamp: timestampOf(event, sentAt),
  data,
})

/** The `timestamp` of an event that was or will be sent. Before its first claim it is the event's time. */
const knownTimestamp = ({ attempts, event, job }: DeliveredEvent): string =>
  attempts.at(-1)?.timestamp ?? timestampOf(event, job?.firstClaimedAt ?? event.createdAt)

/** How long a run begins further deliveries: a slow endpoint leaves the rest to later claims, long before the lease ends. */
const runMillisMax = 15_000

/** What a delivery of a run came to; its changes are committed with those of the whole run. */
interface Attempted {
  readonly job: ClaimedJob
  readonly changes: Changes
  readonly acknowledged?: { readonly event: StoredEvent; readonly target: Target }
  readonly failure?: { readonly url: string; readonly reason: string }
  /** Why the job is returned. */
  readonly error?: JobFailed | JobDeferred
  /** Whether the run ends here. */
  readonly isLast: boolean
}

const postponed = (job: ClaimedJob, deferral: Pick<JobDeferred, "notBefore" | "reason">): Attempted => ({
  job,
  changes: {},
  error: new JobDeferred({ ...deferral, job }),
  isLast: true,
})

/** The result of an attempt that a running probe forbids. */
const probeRuns: WebhookResult = { _tag: "Unreachable", reason: "the endpoint fails, and a probe is on its way" }

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** The handler of delivery jobs. */
    readonly deliver: JobHandler
    /** The handler of jobs that send an event once more, whatever its own delivery does. */
    readonly resend: JobHandler
    /** Returns the body of an event as it is delivered. */
    readonly bodyOf: (delivered: DeliveredEvent) => Effect.Effect<string, StoreUnavailable, CurrentCaller>
    /**
     * Sends an event once, whose answer cannot wait, and returns the endpoint's answer; `undefined` when the platform has no active
     * endpoint. An open circuit takes it as its probe.
     */
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
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const { attemptOf, bodyOf, loadTarget, send } = yield* makeSending
      const loadSharedTarget = SharedRead.make(loadTarget())
      const withInstructions = yield* makeAccountData

      /** The data with the numbers of its commit, and with the funding instructions of an account. */
      const dataOf = (event: StoredEvent) => withInstructions(event.subject, fill(event.data, event.facts))

      const beginning = Effect.fnUntraced(function* (isUrgent: boolean) {
        const decide = beginProbe(yield* wall.now, isUrgent)
        return (yield* Operation.run({ name: "Webhooks.probe", load: loadEndpoint, decide })).body
      }, Effect.provideContext(services))

      const noteFailure = Effect.fnUntraced(function* (url: string, reason: string, changes: Changes) {
        const decide = recordFailure(url, reason, yield* wall.now, changes)
        yield* Operation.run({ name: "Webhooks.fail", load: loadEndpoint, decide })
      }, Effect.provideContext(services))

      const noteSuccess = Effect.fnUntraced(function* (url: string, changes: Changes) {
        const decide = recordSuccess(url, yield* wall.now, changes)
        yield* Operation.run({ name: "Webhooks.succeed", load: loadEndpoint, decide })
      }, Effect.provideContext(services))

      const commitShared = SharedCommit.make("Webhooks.attempt")
      const write = (changes: Changes) => Effect.provideContext(commitShared(changes), services)

      /** Notes a success. A healthy endpoint costs no read and no conflict. */
      const acknowledge = Effect.fnUntraced(function* ({ endpoint, url }: Target, changes: Changes) {
        const isNews = isNewsOfSuccess(endpoint, yield* wall.now)
        yield* isNews ? noteSuccess(url, changes) : write(changes)
      })

      const permit = Effect.fnUntraced(function* ({ endpoint: { circuit } }: Target) {
        const first: Permit = permitOf(circuit, yield* wall.now)
        return first._tag === "Probe" ? yield* beginning(false) : first
      })

      const attemptDelivery = Effect.fnUntraced(function* (target: Target, event: StoredEvent, job: ClaimedJob) {
        if (target.endpoint.state === "PENDING") {
          const now = yield* wall.now
          const { maxMillis, minMillis } = pendingWait
          const wait = Math.min(maxMillis, Math.max(minMillis, now - job.firstClaimedAt))
          return postponed(job, { reason: "the endpoint has not proven itself", notBefore: now + wait })
        }
        const permitted = yield* permit(target)
        if (permitted._tag === "Wait") {
          return postponed(job, { reason: "the endpoint fails", notBefore: permitted.notBefore })
        }
        const sent = yield* send(target, outgoing(event, job.firstClaimedAt, yield* dataOf(event)))
        const decision = decideDelivery(event.type, sent.result)
        const attempt = attemptOf(sent)
        if (decision._tag === "Acknowledged") {
          // Others may be sent once the success of a probe is stored.
          const isLast = permitted._tag === "Probe"
          const ended: Attempted = {
            job,
            changes: combine(attempt, finishing(job)),
            acknowledged: { event, target },
            isLast,
          }
          return ended
        }
        const { reason } = decision
        if (decision._tag === "Abandoned")
          yield* Effect.logWarning("a test event was not acknowledged", { event: event.id, reason })
        const failed: Attempted = {
          job,
          changes: decision._tag === "Abandoned" ? combine(attempt, finishing(job)) : attempt,
          failure: { url: target.url, reason },
          isLast: true,
          ...(decision._tag === "Retry" ? { error: new JobFailed({ reason, job }) } : {}),
        }
        return failed
      })

      /** Attempts one delivery of a run; its end is not committed yet. */
      const attemptJob = Effect.fnUntraced(function* (event: StoredEvent | undefined, job: ClaimedJob) {
        const target = event && (yield* loadSharedTarget)
        // Without an endpoint events are recorded, not sent (wire contract 6.2); so they are while it is disabled.
        if (event === undefined || target === undefined || target.endpoint.state === "DISABLED") {
          const unsent: Attempted = { job, changes: finishing(job), isLast: false }
          return unsent
        }
        return yield* attemptDelivery(target, event, job)
      })

      /** Commits the ends of a run. A failure is counted after the successes before it. */
      const commitRun = Effect.fnUntraced(function* (
        attempts: ReadonlyArray<Attempted>,
        rest: ReadonlyArray<ClaimedJob>,
      ) {
        const last = attempts.at(-1)
        const ended = last?.failure === undefined ? attempts : attempts.slice(0, -1)
        const success = ended.findLast(({ acknowledged }) => acknowledged !== undefined)?.acknowledged
        const returned = rest.length === 0 ? {} : unattempted(rest, yield* wall.now)
        const changes = combine(...ended.map((each) => each.changes), last?.failure === undefined ? returned : {})
        yield* success === undefined ? write(changes) : acknowledge(success.target, changes)
        for (const [index, { acknowledged, error, job }] of ended.entries()) {
          // The workers count the end of a run's last job.
          if (index < attempts.length - 1 && error === undefined) yield* Metrics.attempted(job.kind, "done")
          if (acknowledged !== undefined) yield* Metrics.delivered(acknowledged.event.createdAt)
        }
        if (last?.failure === undefined) return
        yield* noteFailure(last.failure.url, last.failure.reason, combine(last.changes, returned))
      })

      const deliver: JobHandler = Effect.fnUntraced(function* (head, behind = []) {
        const jobs = [head, ...behind]
        const usableMillis = (yield* Jobs.leaseMillis) * workerLimits.leaseUsable - timeoutMillis
        const until = (yield* wall.now) + Math.min(runMillisMax, usableMillis)
        const events = yield* Effect.forEach(
          jobs,
          ({ payload }) => Effect.flatMap(Effect.orDie(decodePayload(payload)), ({ eventId }) => store.event(eventId)),
          { concurrency: "unbounded" },
        )
        const attempts: Array<Attempted> = []
        for (const [index, job] of jobs.entries()) {
          if (index > 0) {
            if ((yield* wall.now) >= until) break
            yield* reachFailPoint("webhook.next")
          }
          const attempt = yield* attemptJob(events[index], job)
          attempts.push(attempt)
          if (attempt.isLast) break
        }
        yield* commitRun(attempts, jobs.slice(attempts.length))
        const error = attempts.at(-1)?.error
        if (error !== undefined) return yield* error
      })

      /** Notes what an attempt outside the delivery jobs shows about the endpoint, and commits `changes`. */
      const note = Effect.fnUntraced(function* (target: Target, result: WebhookResult, changes: Changes) {
        const failure = failureOf(result)
        yield* failure === undefined ? acknowledge(target, changes) : noteFailure(target.url, failure, changes)
      })

      const resendTo = Effect.fnUntraced(function* (
        delivered: DeliveredEvent,
        url: string | undefined,
        job: ClaimedJob,
      ) {
        const target = yield* loadTarget(url)
        if (target === undefined || (url === undefined && target.endpoint.state !== "ACTIVE")) return yield* finish(job)
        const { event } = delivered
        const again = { ...outgoing(event, 0, yield* dataOf(event)), timestamp: knownTimestamp(delivered) }
        const sent = yield* send(target, again)
        const changes = combine(attemptOf(sent, true), finishing(job))
        // Another address says nothing about the endpoint.
        yield* url === undefined ? note(target, sent.result, changes) : write(changes)
      })

      const resend: JobHandler = Effect.fnUntraced(function* (job) {
        const { eventId, url } = (yield* Effect.orDie(decodeResend(job.payload))).resend
        const delivered = yield* store.delivery(eventId)
        yield* delivered === undefined ? finish(job) : resendTo(delivered, url, job)
      })

      const sendEvent = Effect.fnUntraced(function* (event: StoredEvent, sentAt: number) {
        const target = yield* loadTarget()
        if (target?.endpoint.state !== "ACTIVE") return undefined
        const isClosed = target.endpoint.circuit.state === "CLOSED"
        if (!isClosed && (yield* beginning(true))._tag === "Wait") return probeRuns
        const sent = yield* send(target, outgoing(event, sentAt, yield* dataOf(event)))
        yield* note(target, sent.result, attemptOf(sent))
        return sent.result
      })

      const sendTest = Effect.fnUntraced(function* (target: Target) {
        const id = yield* IdPool.draw("Webhook").pipe(Effect.provideService(SecureRandom.SecureRandom, random))
        const now = yield* Clock.currentTimeMillis
        const sent = yield* send(target, {
          id,
          type: "TEST",
          timestamp: iso(now),
          data: {},
        })
        return sent.result
      })

      const recordTest = (result: WebhookResult) =>
        Operation.run({
          name: "Webhooks.test",
          load: () => Effect.void,
          decide: auditTest(result),
        }).pipe(Effect.provideContext(services))

      const test = Effect.gen(function* () {
        const target = yield* loadTarget()
        if (target?.endpoint.state !== "ACTIVE") return yield* new ServiceError(endpointNotSet)
        const result = yield* sendTest(target)
        yield* recordTest(result)
        yield* note(target, result, {})
        const delivery = testDeliveryOf(target.url, result)
        return "code" in delivery ? yield* new ServiceError(delivery) : delivery
      })

      const bodyOfDelivered = Effect.fnUntraced(function* (delivered: DeliveredEvent) {
        const { event } = delivered
        return yield* bodyOf({ ...outgoing(event, 0, yield* dataOf(event)), timestamp: knownTimestamp(delivered) })
      }, Effect.provideContext(services))

      return Webhooks.of({ deliver, resend, bodyOf: bodyOfDelivered, sendEvent, test: platformOnly(test) })
    }),
  )
}
