/**
 * A webhook receiver in the world: it verifies each signature and keeps what came, in order.
 * Source: wire contract 6.2.
 */
import { createPublicKey, verify } from "node:crypto"
import { NodeWebhookSigner } from "@countersign/adapter-http"
import { type WebhookRequest, type WebhookResult, WebhookSigner, WebhookTransport } from "@countersign/core"
import { Effect, Layer } from "effect"

/** An event as it arrived, verified. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly [key: string]: unknown }
  readonly url: string
  /** The exact body. */
  readonly body: string
}

/** What the receiver answers: a status, or silence. */
export type Answer = number | "silence"

export interface Inbox {
  /** Everything acknowledged or not, in order of arrival. */
  readonly received: ReadonlyArray<Received>
  /** The events of a type, in order of arrival. */
  readonly ofType: (type: string) => ReadonlyArray<Received>
  /** Answers the next deliveries so; afterwards 200 again. */
  readonly answerNext: (...answers: ReadonlyArray<Answer>) => void
  readonly clear: () => void
  readonly layer: Layer.Layer<WebhookTransport | WebhookSigner>
}

const isSigned = (request: WebhookRequest, publicKey: string): boolean => {
  const header = JSON.parse(request.headers["X-Service-Signature"] ?? "{}") as {
    readonly v?: string
    readonly s?: string
  }
  const signature = Buffer.from(header.s ?? "", "base64")
  return header.v === "1" && verify("sha256", Buffer.from(request.body), createPublicKey(publicKey), signature)
}

export const make = (): Inbox => {
  const received: Array<Received> = []
  const answers: Array<Answer> = []
  const signer = Layer.orDie(NodeWebhookSigner.layer({}))
  const transport = Layer.effect(
    WebhookTransport,
    Effect.gen(function* () {
      const { publicKey } = yield* WebhookSigner
      return {
        check: () => Effect.undefined,
        send: (request) =>
          Effect.sync((): WebhookResult => {
            if (!isSigned(request, publicKey)) throw new Error("a webhook arrived with a wrong signature")
            const event = JSON.parse(request.body) as Omit<Received, "url" | "body">
            received.push({ ...event, url: request.url, body: request.body })
            const answer = answers.shift() ?? 200
            return answer === "silence"
              ? { _tag: "Unreachable", reason: "no answer" }
              : { _tag: "Answered", status: answer, body: "" }
          }),
      }
    }),
  )
  return {
    received,
    ofType: (type) => received.filter((event) => event.type === type),
    answerNext: (...next) => void answers.push(...next),
    clear: () => void received.splice(0),
    layer: Layer.provideMerge(transport, signer),
  }
}
