/**
 * A webhook receiver in the world: it verifies each signature and keeps what came, in order. It can lose, repeat and reorder deliveries as
 * a network does, and hands them on to a handler of yours.
 * Source: wire contract 6.2.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { type WebhookRequest, type WebhookResult, WebhookSigner, WebhookTransport } from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"

/** An event as it arrived, verified. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly [key: string]: unknown }
  readonly url: string
  /** The exact body. */
  readonly body: string
  readonly headers: { readonly [name: string]: string }
  /** When it was sent here, by the world's clock (ms). */
  readonly sentAt: number
}

/** What the receiver answers: a status, or silence. */
export type Answer = number | "silence"

/** What happens to a delivery on its way: nothing; it is lost; it comes twice; it is acknowledged and waits for others. */
type Passage = "pass" | "drop" | "duplicate" | "hold"

type Handler = (request: Request) => Promise<Response>

export interface Inbox {
  /** Everything acknowledged or not, in order of arrival. */
  readonly received: ReadonlyArray<Received>
  /** The events of a type, in order of arrival. */
  readonly ofType: (type: string) => ReadonlyArray<Received>
  /** Answers the next deliveries so; afterwards 200 again. */
  readonly answerNext: (...answers: ReadonlyArray<Answer>) => void
  /** Hands every delivery on to your own handler, as it came; what that answers is what the service hears. */
  readonly deliverTo: (handler: Handler) => void
  /** Loses the next deliveries: nobody sees them, and the service sends them again later. */
  readonly dropNext: (count?: number) => void
  /** The next deliveries come twice, as a sender does that did not hear the first answer. */
  readonly duplicateNext: (count?: number) => void
  /** Acknowledges the next `count` deliveries, and hands them on in the opposite order once all of them are there. */
  readonly reorderNext: (count: number) => void
  /** Delivers again what came before: the same bytes, the same signature. */
  readonly replay: (event: Received) => Promise<void>
  /** What signatures are checked with: SPKI PEM. */
  readonly publicKey: () => string
  readonly clear: () => void
  readonly layer: Layer.Layer<WebhookTransport | WebhookSigner>
}

const isSigned = (request: WebhookRequest, publicKey: KeyObject): boolean => {
  const header = JSON.parse(request.headers["X-Service-Signature"] ?? "{}") as {
    readonly v?: string
    readonly s?: string
  }
  const signature = Buffer.from(header.s ?? "", "base64")
  return header.v === "1" && verify("sha256", Buffer.from(request.body), publicKey, signature)
}

const heard = (answer: Answer): WebhookResult =>
  answer === "silence" ? { _tag: "Unreachable", reason: "no answer" } : { _tag: "Answered", status: answer, body: "" }

/** Signs nothing, where signatures are not what is tried and would cost more than all else. */
const unsigned = Layer.succeed(WebhookSigner, { sign: () => Effect.succeed("unsigned"), publicKey: "" })

/** A receiver whose service signs with the given key (PEM), or with one of its own. */
export const make = (privateKeyPem?: string, isUnsigned = false): Inbox => {
  const received: Array<Received> = []
  const answers: Array<Answer> = []
  const passages: Array<Passage> = []
  const held: Array<Received> = []
  let handler: Handler | undefined
  let key: string | undefined

  const arrive = (event: Received): WebhookResult | Promise<WebhookResult> => {
    received.push(event)
    const answer = answers.shift()
    if (handler === undefined || answer !== undefined) return heard(answer ?? 200)
    const request = new Request(event.url, { method: "POST", headers: event.headers, body: event.body })
    return handler(request).then(
      async (response) => ({ _tag: "Answered", status: response.status, body: await response.text() }),
      (): WebhookResult => ({ _tag: "Unreachable", reason: "the handler threw" }),
    )
  }

  /** At once where nobody has to be waited for, so that nothing comes in between. */
  const release = (): Promise<unknown> | undefined =>
    held.splice(0).reduceRight<Promise<unknown> | undefined>((before, event) => {
      const result = before === undefined ? arrive(event) : before.then(() => arrive(event))
      return result instanceof Promise ? result : undefined
    }, undefined)

  const pass = (event: Received): WebhookResult | Promise<WebhookResult> => {
    const passage = passages.shift() ?? "pass"
    if (passage === "drop") return heard("silence")
    if (passage === "pass") return arrive(event)
    if (passage === "duplicate") {
      const first = arrive(event)
      return first instanceof Promise ? first.then(() => arrive(event)) : arrive(event)
    }
    held.push(event)
    return (passages[0] === "hold" ? undefined : release())?.then(() => heard(200)) ?? heard(200)
  }

  const signing = privateKeyPem === undefined ? {} : { privateKeyPem: Redacted.make(privateKeyPem) }
  const signer = isUnsigned ? unsigned : Layer.orDie(NodeWebhookSigner.layer(signing))
  const transport = Layer.effect(
    WebhookTransport,
    Effect.gen(function* () {
      const { publicKey } = yield* WebhookSigner
      key = publicKey
      const verifying = isUnsigned ? undefined : createPublicKey(publicKey)
      return {
        check: () => Effect.undefined,
        send: (request) =>
          Effect.flatMap(Clock.currentTimeMillis, (sentAt) => {
            if (verifying !== undefined && !isSigned(request, verifying))
              throw new Error("a webhook arrived with a wrong signature")
            const event = JSON.parse(request.body) as Omit<Received, "url" | "body" | "headers" | "sentAt">
            const result = pass({ ...event, url: request.url, body: request.body, headers: request.headers, sentAt })
            return result instanceof Promise ? Effect.promise(() => result) : Effect.succeed(result)
          }),
      }
    }),
  )
  const next = (passage: Passage, count: number) => void passages.push(...Array.from({ length: count }, () => passage))
  return {
    received,
    ofType: (type) => received.filter((event) => event.type === type),
    answerNext: (...more) => void answers.push(...more),
    deliverTo: (own) => {
      handler = own
    },
    dropNext: (count = 1) => next("drop", count),
    duplicateNext: (count = 1) => next("duplicate", count),
    reorderNext: (count) => next("hold", count),
    replay: async (event) => void (await arrive(event)),
    publicKey: () => {
      if (key === undefined) throw new Error("the world has not begun")
      return key
    },
    clear: () => void received.splice(0),
    layer: Layer.provideMerge(transport, signer),
  }
}
