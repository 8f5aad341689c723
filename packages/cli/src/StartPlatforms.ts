/**
 * The platforms of the options. The first one's credentials are given, known from an earlier start, or generated.
 * Source: D-030, D-036.
 */
import { CurrentCaller, Platforms, Secrets, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { clientClaim, Store } from "@countersign/core/store"
import { Effect, Option, Redacted } from "effect"
import { storeError, unsafeError, usageError } from "./CommandError.ts"
import { duplicateClientId } from "./OptionCheck.ts"
import type { Credentials, ServeOptions } from "./ServeFlags.ts"
import { ServerStore } from "./ServerStore.ts"

export interface StartPlatforms {
  readonly clientId: string
  /** Origin of the first platform's secret. A generated secret is shown only once. */
  readonly secret: "given" | "unchanged" | { readonly generated: string }
  readonly otherClientIds: ReadonlyArray<string>
  /** The first platform's secret, if this start created the platform. */
  readonly createdWithSecret: Redacted.Redacted | undefined
}

const noStore = () => storeError("the store does not answer")

const isKnown = (clientId: string) =>
  Store.use((store) => store.resolve(clientClaim(clientId))).pipe(
    Effect.map((found) => found !== undefined),
    Effect.mapError(noStore),
  )

/** Returns the first platform's client id and its new secret; without a secret the platform keeps its present one. */
const firstCredentials = Effect.fnUntraced(function* ({ clientId, clientSecret, mode }: ServeOptions) {
  const serverStore = yield* ServerStore
  const knownClientId = Option.isSome(clientId) ? clientId.value : yield* serverStore.firstClientId
  if (Option.isNone(clientSecret) && knownClientId !== undefined && (yield* isKnown(knownClientId))) {
    return { clientId: knownClientId, clientSecret: undefined, secret: "unchanged" as const }
  }
  if (mode === "live" && (knownClientId === undefined || Option.isNone(clientSecret))) {
    return yield* unsafeError("live mode generates no credentials: it needs --client-id and --client-secret")
  }
  const generated = yield* Secrets.clientCredentials
  return {
    clientId: knownClientId ?? generated.clientId,
    clientSecret: Option.getOrElse(clientSecret, () => Redacted.make(generated.clientSecret)),
    secret: Option.isSome(clientSecret) ? ("given" as const) : { generated: generated.clientSecret },
  }
})

/** Names the option of a refused value: only the webhook endpoint can be refused. */
const toUsageError = (error: { readonly _tag: string; readonly message: string }) =>
  error._tag === "ServiceError" ? usageError(error.message.replace("webhookEndpoint", "--webhook-url")) : noStore()

const setUp = (credentials: Credentials, webhookEndpoint: Option.Option<string>) =>
  Platforms.use((platforms) =>
    platforms.setUp({
      ...credentials,
      name: credentials.clientId,
      currencies: sandboxCurrencies,
      ...Option.match(webhookEndpoint, { onNone: () => ({}), onSome: (url) => ({ webhookEndpoint: url }) }),
    }),
  ).pipe(Effect.mapError(toUsageError))

/** Updates the endpoint of an existing platform through its configuration, which sends a test event. */
const updateWebhookEndpoint = Effect.fnUntraced(function* (clientId: string, url: string) {
  const store = yield* Store
  const platforms = yield* Platforms
  const owner = yield* store.resolve(clientClaim(clientId))
  if (owner === undefined) return
  const change = Effect.gen(function* () {
    const { webhookEndpoint } = yield* platforms.config
    if (webhookEndpoint !== url) yield* platforms.updateConfig({ webhookEndpoint: url })
  })
  yield* Effect.provideService(change, CurrentCaller, tenant(owner.platformId))
}, Effect.mapError(toUsageError))

/** Sets up the first platform, and `others`, the platforms of `--platform`. */
export const setUpPlatforms = Effect.fnUntraced(function* (options: ServeOptions, others: ReadonlyArray<Credentials>) {
  const { clientId, clientSecret, secret } = yield* firstCredentials(options)
  // The first one may have been knownClientId, or drawn.
  if (others.some((other) => other.clientId === clientId)) return yield* duplicateClientId(clientId)
  const isExisting = yield* isKnown(clientId)
  if (isExisting && Option.isSome(options.webhookUrl)) yield* updateWebhookEndpoint(clientId, options.webhookUrl.value)
  if (clientSecret !== undefined)
    yield* setUp(
      { clientId, clientSecret, nextClientSecret: Option.getOrUndefined(options.nextClientSecret) },
      options.webhookUrl,
    )
  yield* Effect.forEach(others, (other) => setUp(other, Option.none()), { discard: true })
  return {
    clientId,
    secret,
    otherClientIds: others.map((other) => other.clientId),
    createdWithSecret: isExisting ? undefined : clientSecret,
  } satisfies StartPlatforms
})
