/**
 * The webhook receiver of a world. It verifies each signature and records the events in order. It can drop, duplicate and
 * reorder deliveries, as a network does, and forwards them to a handler of the test.
 * Source: wire contract 6.2.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import type { WebhookEventOf } from "@countersign/client/webhook"
import { type EventType, spelled } from "@countersign/core/models"
import {
  serviceNameOf,
  type WebhookRequest,
  type WebhookResult,
  WebhookSigner,
  WebhookTransport,
  WireNames,
} from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"

/** An event that was received, with a verified signature. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly platformId: string
  readonly data: { readonly [key: string]: unknown }
  readonly url: string
  /** The exact body of the request. */
  readonly body: string
  readonly headers: { readonly [name: string]: string }
  /** When the service sent it: business time in milliseconds. */
  readonly sentAt: number
}

/** A received event of a type, with the data of this type. In a world with a `serviceName` the data has the names of the service. */
export type ReceivedOf<Type extends EventType> = Type extends EventType
  ? Omit<Received, "type" | "data"> & Pick<WebhookEventOf<Type>, "type" | "data">
  : never

/** How many rotations of a platform's key may lie between two deliveries. */
const rotationsMax = 50

/** What the receiver responds with: an HTTP status, or nothing at all (`silence`). */
export type Answer = number | "silence"

/**
 * What happens to a delivery in transit: it arrives (`pass`), is lost (`drop`), arrives twice (`duplicate`), or is
 * acknowledged and held until the last delivery that is to be reordered arrives (`hold`).
 */
type Transit = "pass" | "drop" | "duplicate" | "hold"

type Handler = (request: Request) => Promise<Response>

/** The received events of a world, and what happens to the next deliveries. */
export interface Inbox {
  /** All received events in order of arrival, acknowledged or not. */
  readonly received: ReadonlyArray<Received>
  /** Returns the received events of a type in order of arrival. */
  readonly ofType: <Type extends EventType>(type: Type) => ReadonlyArray<ReceivedOf<Type>>
  /** Sets the responses to the next deliveries; later ones get 200 again. */
  readonly answerNext: (...answers: ReadonlyArray<Answer>) => void
  /** Forwards every delivery unchanged to the test's own handler, whose response goes to the service. */
  readonly deliverTo: (handler: Handler) => void
  /** Drops the next `count` deliveries (default 1). The service retries them later. */
  readonly dropNext: (count?: number) => void
  /** Delivers each of the next `count` deliveries (default 1) twice, as after a lost response. */
  readonly duplicateNext: (count?: number) => void
  /** Acknowledges the next `count` deliveries, and forwards them in reverse order after the last has arrived. */
  readonly reorderNext: (count: number) => void
  /** Delivers a received event again, with the same bytes and the same signature. */
  readonly replay: (event: Received) => Promise<void>
  /** Returns the public key of the world's platform that signed last, as SPKI PEM. */
  readonly publicKey: () => string
  /** Sets the platform of `publicKey`. */
  readonly usePlatform: (platformId: string) => void
  /** Removes all received events. */
  readonly clear: () => void
  readonly layer: Layer.Layer<WebhookTransport | WebhookSigner>
}

/** The service sends the data that the table has for the type. */
export const isOfType =
  <Type extends EventType>(type: Type) =>
  (event: Received): event is Received & ReceivedOf<Type> =>
    event.type === type

const isSigned = (request: WebhookRequest, header: string, publicKey: KeyObject): boolean => {
  const { s, v } = JSON.parse(request.headers[header] ?? "{}") as {
    readonly v?: string
    readonly s?: string
  }
  const signature = Buffer.from(s ?? "", "base64")
  return v === "1" && verify("sha256", Buffer.from(request.body), publicKey, signature)
}

const resultOf = (answer: Answer): WebhookResult =>
  answer === "silence" ? { _tag: "Unreachable", reason: "no answer" } : { _tag: "Answered", status: answer, body: "" }

/** A signer that does not sign. Real signatures would be the largest cost of a long run that does not test them. */
const unsigned = Layer.succeed(WebhookSigner, {
  sign: () => Effect.succeed("unsigned"),
  publicKey: "",
  roots: ["unsigned"],
  platformKey: () =>
    Effect.succeed({
      id: "unsigned",
      publicKey: "",
      secret: Redacted.make("unsigned"),
      sign: () => Effect.succeed("unsigned"),
      authenticate: () => Effect.succeed("unsigned"),
    }),
})

/** Creates an inbox, and the signer of its service: it signs with the given key (PKCS#8 PEM) or with a generated one. */
export const make = (privateKeyPem?: string, isUnsigned = false): Inbox => {
  const received: Array<Received> = []
  const answers: Array<Answer> = []
  const transits: Array<Transit> = []
  const held: Array<Received> = []
  let handler: Handler | undefined
  let platform = ""
  /** The key of each platform that signed last, by its number. */
  const keyNumbers = new Map<string, number>()
  let keyOf: ((platformId: string, number: number) => string) | undefined

  const arrive = (event: Received): WebhookResult | Promise<WebhookResult> => {
    received.push(event)
    const answer = answers.shift()
    if (handler === undefined || answer !== undefined) return resultOf(answer ?? 200)
    const request = new Request(event.url, { method: "POST", headers: event.headers, body: event.body })
    return handler(request).then(
      async (response) => ({ _tag: "Answered", status: response.status, body: await response.text() }),
      (): WebhookResult => ({ _tag: "Unreachable", reason: "the handler threw" }),
    )
  }

  /** Delivers the held events in reverse order. It stays synchronous if no handler is asynchronous, so nothing interleaves. */
  const release = (): Promise<unknown> | undefined =>
    held.splice(0).reduceRight<Promise<unknown> | undefined>((before, event) => {
      const result = before === undefined ? arrive(event) : before.then(() => arrive(event))
      return result instanceof Promise ? result : undefined
    }, undefined)

  const deliver = (event: Received): WebhookResult | Promise<WebhookResult> => {
    const transit = transits.shift() ?? "pass"
    if (transit === "drop") return resultOf("silence")
    if (transit === "pass") return arrive(event)
    if (transit === "duplicate") {
      const first = arrive(event)
      return first instanceof Promise ? first.then(() => arrive(event)) : arrive(event)
    }
    held.push(event)
    return (transits[0] === "hold" ? undefined : release())?.then(() => resultOf(200)) ?? resultOf(200)
  }

  const signing = privateKeyPem === undefined ? {} : { privateKeyPem: Redacted.make(privateKeyPem) }
  const signer = isUnsigned ? unsigned : Layer.orDie(NodeWebhookSigner.layer(signing))
  const transport = Layer.effect(
    WebhookTransport,
    Effect.gen(function* () {
      const { platformKey, roots } = yield* WebhookSigner
      const publicKeyOf = (platformId: string, number: number): string =>
        Effect.runSync(platformKey({ platformId, number, rootId: roots[0] }))?.publicKey ?? ""
      keyOf = publicKeyOf
      const keys = new Map<string, KeyObject>()
      /** Reading a key takes half as long as a verification with it. */
      const keyObjectOf = (platformId: string, number: number): KeyObject => {
        const pem = publicKeyOf(platformId, number)
        const known = keys.get(pem) ?? createPublicKey(pem)
        keys.set(pem, known)
        return known
      }
      const header = spelled("X-Service-Signature", serviceNameOf(yield* WireNames))

      /**
       * Whether a key of the platform signed the request: the last one, after rotations a later one, or the one before, whose overlap is on
       * again when a reset of the world has moved the time back.
       */
      const isSignedByPlatform = (request: WebhookRequest, platformId: string): boolean => {
        const last = keyNumbers.get(platformId) ?? 1
        const candidates = Array.from({ length: rotationsMax + 2 }, (_, index) => Math.max(1, last - 1) + index)
        const number = candidates.find((each) => isSigned(request, header, keyObjectOf(platformId, each)))
        if (number !== undefined) keyNumbers.set(platformId, number)
        return number !== undefined
      }
      return {
        check: () => Effect.undefined,
        send: (request) =>
          Effect.flatMap(Clock.currentTimeMillis, (sentAt) => {
            const event = JSON.parse(request.body) as Omit<Received, "url" | "body" | "headers" | "sentAt">
            if (!isUnsigned && !isSignedByPlatform(request, event.platformId))
              throw new Error("a webhook was received with an invalid signature")
            const result = deliver({ ...event, url: request.url, body: request.body, headers: request.headers, sentAt })
            return result instanceof Promise ? Effect.promise(() => result) : Effect.succeed(result)
          }),
      }
    }),
  )
  const next = (transit: Transit, count: number) => void transits.push(...Array.from({ length: count }, () => transit))
  return {
    received,
    ofType: (type) => received.filter(isOfType(type)),
    answerNext: (...more) => void answers.push(...more),
    deliverTo: (own) => {
      handler = own
    },
    dropNext: (count = 1) => next("drop", count),
    duplicateNext: (count = 1) => next("duplicate", count),
    reorderNext: (count) => next("hold", count),
    replay: async (event) => void (await arrive(event)),
    publicKey: () => {
      if (keyOf === undefined)
        throw new Error("the public key is not known before the world has started: run something in it first")
      return keyOf(platform, keyNumbers.get(platform) ?? 1)
    },
    usePlatform: (platformId) => {
      platform = platformId
    },
    clear: () => void received.splice(0),
    layer: Layer.provideMerge(transport, signer),
  }
}
