/** A webhook transport of your own: events go to the log of this program instead of over the network. */
import { WebhookTransport } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

export const layer = Layer.succeed(WebhookTransport, {
  check: () => Effect.undefined,
  send: ({ body }) =>
    Effect.gen(function* () {
      const { type } = JSON.parse(body) as { readonly type: string }
      yield* Effect.logInfo("event", { type })
      return { _tag: "Answered", status: 200, body: "" }
    }),
})
