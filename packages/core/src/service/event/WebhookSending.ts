/**
 * What deliveries and challenges share: where a platform's events go now, and sending a signed envelope.
 * Source: wire contract 6.1 and 6.2; D-331, D-332.
 */
import { Effect } from "effect"
import { recordAttempt, type SentEvent } from "../../decision/event/AttemptDecision.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { unsetEndpoint, type WebhookEndpoint } from "../../model/event/WebhookEndpoint.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import type * as Operation from "../../operation/Operation.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { WebhookTransport } from "../../ports/WebhookTransport.ts"
import { WebhookTrust } from "../../settings/WebhookTrust.ts"
import { WireNames } from "../../settings/WireNames.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import { Store } from "../../store/Store.ts"
import { signedHeaders } from "./SignedWebhook.ts"
import { spelledData } from "./SpelledData.ts"
import { WebhookKeys } from "./WebhookKeys.ts"

/** The time limit of one attempt. */
export const timeoutMillis = 30_000

/** An event as it is sent. The service adds the platform. */
export interface OutgoingEvent {
  readonly id: string
  readonly type: EventType
  readonly timestamp: string
  readonly data: Json
}

/** Where the events of a platform go now, and the keys that sign them. */
export interface Target {
  readonly url: string
  readonly endpoint: WebhookEndpoint
  readonly ring: Stored<"WebhookKeyRing"> | undefined
}

export const loadEndpoint = Effect.fnUntraced(function* <E>(read: Operation.Read<E>) {
  const { platformId } = yield* CurrentCaller
  const found = yield* read({ records: [{ kind: "WebhookEndpoint", id: platformId }] })
  return { endpoint: found.record("WebhookEndpoint", platformId) }
})

export const makeSending = Effect.gen(function* () {
  const store = yield* Store
  const transport = yield* WebhookTransport
  const keys = yield* WebhookKeys
  const wall = yield* WallTime
  const names = yield* WireNames
  const trust = yield* WebhookTrust
  const dataOf = spelledData(names)

  /** Returns the target, at `address` if it is given; `undefined`: the platform has no endpoint. One round trip. */
  const loadTarget = Effect.fnUntraced(function* (address?: string) {
    const { platformId } = yield* CurrentCaller
    const read = yield* store.read({
      records: [
        { kind: "Platform", id: platformId },
        { kind: "WebhookEndpoint", id: platformId },
        { kind: "WebhookKeyRing", id: platformId },
      ],
    })
    const url = address ?? read.record("Platform", platformId)?.data.webhookEndpoint
    if (url === undefined) return undefined
    // A platform whose endpoint was stored without a state: it has proven nothing.
    const unknown: WebhookEndpoint = { ...unsetEndpoint, url, state: trust === "PROOF" ? "PENDING" : "ACTIVE" }
    const endpoint = read.record("WebhookEndpoint", platformId)?.data ?? unknown
    const target: Target = { url, endpoint, ring: read.record("WebhookKeyRing", platformId) }
    return target
  })

  /** Returns the body of an event's deliveries. */
  const bodyOf = Effect.fnUntraced(function* ({ data, id, timestamp, type }: OutgoingEvent) {
    // Receivers refuse the events of another platform.
    const { platformId } = yield* CurrentCaller
    return JSON.stringify({ id, type, timestamp, platformId, data: dataOf(type, data) })
  })

  /** Sends one event, signed by the platform's keys. */
  const send = Effect.fnUntraced(function* ({ ring, url }: Pick<Target, "ring" | "url">, event: OutgoingEvent) {
    const body = yield* bodyOf(event)
    const signing = yield* keys.signing(ring)
    const at = yield* wall.now
    const headers = yield* signedHeaders({ id: event.id, body, sentAt: at }, signing, names)
    yield* reachFailPoint("webhook.signed")
    const result = yield* transport.send({ url, body, timeoutMillis, headers })
    yield* reachFailPoint("webhook.sent")
    const latencyMillis = Math.max(0, (yield* wall.now) - at)
    const sent: SentEvent = { eventId: event.id, at, timestamp: event.timestamp, url, headers, latencyMillis, result }
    return sent
  })

  /** Returns the change that records an attempt. */
  const attemptOf = (sent: SentEvent, isResend = false): Changes =>
    recordAttempt(sent, { isResend, showsAnswers: transport.showsAnswers === true })

  return { loadTarget, bodyOf, send, attemptOf }
})
