/**
 * What deliveries and challenges share: where a platform's events go now, and sending a signed envelope.
 * Source: wire contract 6.1 and 6.2; D-331, D-332.
 */
import { Effect } from "effect"
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
import { Store } from "../../store/Store.ts"
import { signedHeaders } from "./SignedWebhook.ts"
import { spelledData } from "./SpelledData.ts"
import { WebhookKeys } from "./WebhookKeys.ts"

/** The time limit of one attempt. */
const timeoutMillis = 30_000

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

  /** Returns the target; `undefined`: the platform has no endpoint. One round trip. */
  const loadTarget = Effect.gen(function* () {
    const { platformId } = yield* CurrentCaller
    const read = yield* store.read({
      records: [
        { kind: "Platform", id: platformId },
        { kind: "WebhookEndpoint", id: platformId },
        { kind: "WebhookKeyRing", id: platformId },
      ],
    })
    const url = read.record("Platform", platformId)?.data.webhookEndpoint
    if (url === undefined) return undefined
    // A platform whose endpoint was stored without a state: it has proven nothing.
    const unknown: WebhookEndpoint = { ...unsetEndpoint, url, state: trust === "PROOF" ? "PENDING" : "ACTIVE" }
    const endpoint = read.record("WebhookEndpoint", platformId)?.data ?? unknown
    const target: Target = { url, endpoint, ring: read.record("WebhookKeyRing", platformId) }
    return target
  })

  /** Sends one event, signed by the platform's keys. */
  const send = Effect.fnUntraced(function* ({ ring, url }: Pick<Target, "ring" | "url">, event: OutgoingEvent) {
    const { platformId } = yield* CurrentCaller
    const { data, id, timestamp, type } = event
    // Receivers refuse the events of another platform.
    const body = JSON.stringify({ id, type, timestamp, platformId, data: dataOf(type, data) })
    const signing = yield* keys.signing(ring)
    const headers = yield* signedHeaders({ id, body, sentAt: yield* wall.now }, signing, names)
    yield* reachFailPoint("webhook.signed")
    const result = yield* transport.send({ url, body, timeoutMillis, headers })
    yield* reachFailPoint("webhook.sent")
    return result
  })

  return { loadTarget, send }
})
