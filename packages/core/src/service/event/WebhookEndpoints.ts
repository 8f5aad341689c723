/**
 * The webhook endpoint of a platform: its state, its proof, and being disabled and enabled.
 * Source: wire contract 6.2; D-332, D-333.
 */
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { failureOf } from "../../decision/event/DeliveryDecision.ts"
import {
  type ChallengePermit,
  countChallenge,
  disableEndpoint,
  enableEndpoint,
  proveEndpoint,
} from "../../decision/event/EndpointDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import { unsetEndpoint } from "../../model/event/WebhookEndpoint.ts"
import {
  toWebhookEndpoint,
  type WebhookEndpointResource,
  waitingEventsMax,
} from "../../model/event/WebhookEndpointResource.ts"
import { finish, finishing, JobDeferred, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { WallTime } from "../../ports/WallTime.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"
import { WebhookTrust } from "../../settings/WebhookTrust.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadEndpoint, makeSending } from "./WebhookSending.ts"

type Changed = Effect.Effect<WebhookEndpointResource, ServiceError | StoreUnavailable, CurrentCaller>

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ number: Schema.Int }))

/**
 * Whether the endpoint has shown that it understood the challenge: JSON whose own member `challenge` is it. An endpoint that only
 * sends back what it received has the challenge in `data`, so that it proves nothing.
 */
const answersChallenge = (result: WebhookResult, challenge: string): boolean => {
  if (failureOf(result) !== undefined || result._tag !== "Answered") return false
  const body = Result.getOrUndefined(Outside.parseClean(result.body))
  const answered = isObject(body) ? body["challenge"] : undefined
  return typeof answered === "string" && Secrets.equal(answered, challenge)
}

export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    readonly get: Changed
    /** Events are recorded and not sent from now on. Errors: `WEBHOOK_ENDPOINT_NOT_SET`. */
    readonly disable: Changed
    /** Events are sent again; asks for the proof again where one is needed. Errors: `WEBHOOK_ENDPOINT_NOT_SET`. */
    readonly enable: Changed
    /** The handler that sends a challenge to a pending endpoint. */
    readonly prove: JobHandler
  }
>()("@countersign/core/WebhookEndpoints") {
  static readonly layer = Layer.effect(
    WebhookEndpoints,
    Effect.gen(function* () {
      const store = yield* Store
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom
      const trust = yield* WebhookTrust
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const { loadTarget, send } = yield* makeSending

      const get = Effect.gen(function* () {
        const { endpoint } = yield* loadEndpoint(store.read)
        const waiting = yield* store.countJobs({ kinds: ["webhook.deliver", "webhook.test"], max: waitingEventsMax })
        return toWebhookEndpoint(endpoint?.data ?? unsetEndpoint, waiting)
      })

      const change = (name: string, decide: ReturnType<typeof enableEndpoint>) =>
        Operation.run({ name, load: loadEndpoint, decide }).pipe(
          Effect.andThen(get),
          platformOnly,
          Effect.provideContext(services),
        )

      const counted = Effect.fnUntraced(function* (number: number) {
        const decide = countChallenge(number, yield* wall.now)
        const { body } = yield* Operation.run({ name: "WebhookEndpoints.challenge", load: loadEndpoint, decide })
        return body satisfies ChallengePermit
      }, Effect.provideContext(services))

      const sendChallenge = Effect.fnUntraced(function* (challenge: string) {
        const target = yield* loadTarget()
        if (target === undefined) return undefined
        const id = yield* IdPool.draw("Webhook").pipe(Effect.provideService(SecureRandom.SecureRandom, random))
        const sent = yield* send(target, {
          id,
          type: "WEBHOOK_ENDPOINT.VERIFICATION",
          timestamp: iso(yield* Clock.currentTimeMillis),
          data: { challenge },
        })
        return sent.result
      })

      const prove: JobHandler = Effect.fnUntraced(function* (job) {
        const { number } = yield* Effect.orDie(decodePayload(job.payload))
        const permit = yield* counted(number)
        if (permit._tag === "Stale") return yield* finish(job)
        if (permit._tag === "Wait") {
          return yield* new JobDeferred({ reason: "too many challenges were sent", notBefore: permit.notBefore })
        }
        const challenge = Hex.encode(yield* random.randomBytes(32))
        const result = yield* sendChallenge(challenge)
        if (result === undefined) return yield* finish(job)
        if (!answersChallenge(result, challenge)) {
          const reason = failureOf(result) ?? "the endpoint did not answer the challenge"
          return yield* new JobFailed({ reason })
        }
        const decide = proveEndpoint(number, finishing(job))
        return yield* Operation.run({ name: "WebhookEndpoints.prove", load: loadEndpoint, decide }).pipe(Effect.asVoid)
      })

      return WebhookEndpoints.of({
        get: platformOnly(get),
        disable: change("WebhookEndpoints.disable", disableEndpoint),
        enable: change("WebhookEndpoints.enable", enableEndpoint(trust)),
        prove,
      })
    }),
  )
}
