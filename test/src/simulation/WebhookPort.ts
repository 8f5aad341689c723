/**
 * The webhooks of a simulated run: signed by keys that cost little, and sent over a wire that remembers each attempt and is down now and then.
 * Source: wire contract 6.2; D-329, D-331.
 */
import { createHmac } from "node:crypto"
import { WallTime, WebhookSigner, WebhookTransport } from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"
import type { OutsideMemory, SentWebhook } from "./Outside.ts"
import type { PortFaultSource } from "./UncertainCalls.ts"

/** The key with this number: its identifier is its number, and its signatures are authentication codes. */
export const keyNumbered = (number: number) => {
  const codeOf = (use: "signed" | "authenticated", text: string) =>
    createHmac("sha256", `key ${number} ${use}`).update(text).digest("base64")
  return {
    id: `key-${number}`,
    sign: (text: string) => codeOf("signed", text),
    authenticate: (text: string) => codeOf("authenticated", text),
  }
}

const signer = Layer.succeed(WebhookSigner, {
  sign: (body) => Effect.sync(() => keyNumbered(0).sign(body)),
  publicKey: "",
  roots: ["unsigned"],
  platformKey: ({ number }) => {
    const { authenticate, id, sign } = keyNumbered(number)
    return Effect.succeed({
      id,
      publicKey: id,
      secret: Redacted.make(id),
      sign: (text) => Effect.sync(() => sign(text)),
      authenticate: (text) => Effect.sync(() => authenticate(text)),
    })
  },
})

/** The name under which the failures of an outage are counted. */
export const refusedDelivery = "delivery refused in an outage"

const unavailable = { _tag: "Answered", status: 503, body: "" } as const

/** How many attempts an outage makes fail: enough to open the circuit, and a few more. */
const outage = { min: 3, more: 8 } as const

export const webhookPort = (
  { injects, random, rates }: PortFaultSource,
  outside: OutsideMemory,
): Layer.Layer<WebhookSigner | WebhookTransport, never, WebhookTransport | WallTime> => {
  let failing = 0
  const isDown = () => {
    if (failing === 0 && injects("endpointDown", rates.endpointDown)) failing = outage.min + random.below(outage.more)
    // An outage ends with the faults of the run.
    const isStruck = failing > 0 && injects("endpointDown", 1, refusedDelivery)
    failing = isStruck ? failing - 1 : 0
    return isStruck
  }
  const transport = Layer.effect(
    WebhookTransport,
    Effect.gen(function* () {
      const inner = yield* WebhookTransport
      const wall = yield* WallTime
      return WebhookTransport.of({
        ...inner,
        send: Effect.fnUntraced(function* (request) {
          const sentAt = yield* Clock.currentTimeMillis
          const wallAt = yield* wall.now
          const down = isDown()
          // An endpoint that is down receives the event, or does not.
          const received = down && random.once(2) ? undefined : yield* inner.send(request)
          const result = !down && received !== undefined ? received : unavailable
          const { id, type } = JSON.parse(request.body) as Pick<SentWebhook, "id" | "type">
          const { body, headers, url } = request
          const isAcknowledged = result._tag === "Answered" && (result.status < 300 || result.status === 409)
          outside.deliver({ id, type, body, headers, url, sentAt, wallAt, isAcknowledged })
          return result
        }),
      })
    }),
  )
  return Layer.merge(transport, signer)
}
