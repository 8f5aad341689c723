/**
 * The platforms that the options name, and the first one's credentials: given, kept from an earlier start, or drawn.
 * Source: D-030, D-036.
 */
import { CurrentCaller, Platforms, Secrets, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { clientClaim, Store } from "@countersign/core/store"
import { Effect, Option, Redacted } from "effect"
import { Keeping } from "./Keeping.ts"
import { twice } from "./OptionCheck.ts"
import type { Credentials, ServeOptions } from "./ServeFlags.ts"
import { usageError } from "./UsageError.ts"

export interface StartPlatforms {
  readonly clientId: string
  /** Where the first platform's secret comes from; a drawn one is shown this once. */
  readonly secret: "given" | "kept" | { readonly drawn: string }
  readonly further: ReadonlyArray<string>
  /** The first platform's secret where this start made the platform. */
  readonly made: Redacted.Redacted | undefined
}

const noStore = () => usageError("the store does not answer")

const isKnown = (clientId: string) =>
  Store.use((store) => store.resolve(clientClaim(clientId))).pipe(
    Effect.map((found) => found !== undefined),
    Effect.mapError(noStore),
  )

/** The first platform's client id, and the secret that it shall have; none: it keeps the one it has. */
const first = Effect.fnUntraced(function* ({ clientId, clientSecret, mode }: ServeOptions) {
  const keeping = yield* Keeping
  const remembered = Option.isSome(clientId)
    ? clientId.value
    : yield* keeping.firstClientId.pipe(Effect.mapError(({ message }) => usageError(message)))
  if (Option.isNone(clientSecret) && remembered !== undefined && (yield* isKnown(remembered))) {
    return { clientId: remembered, clientSecret: undefined, secret: "kept" as const }
  }
  if (mode === "live" && (remembered === undefined || Option.isNone(clientSecret))) {
    return yield* usageError("live mode draws no credentials: it needs --client-id and --client-secret")
  }
  const drawn = yield* Secrets.clientCredentials
  return {
    clientId: remembered ?? drawn.clientId,
    clientSecret: Option.getOrElse(clientSecret, () => Redacted.make(drawn.clientSecret)),
    secret: Option.isSome(clientSecret) ? ("given" as const) : { drawn: drawn.clientSecret },
  }
})

/** The one thing of a platform that can be refused came by an option. */
const refused = (error: { readonly _tag: string; readonly message: string }) =>
  error._tag === "ServiceError" ? usageError(error.message.replace("webhookEndpoint", "--webhook-url")) : noStore()

const setUp = (credentials: Credentials, webhookEndpoint: Option.Option<string>) =>
  Platforms.use((platforms) =>
    platforms.setUp({
      ...credentials,
      name: credentials.clientId,
      currencies: sandboxCurrencies,
      ...Option.match(webhookEndpoint, { onNone: () => ({}), onSome: (url) => ({ webhookEndpoint: url }) }),
    }),
  ).pipe(Effect.mapError(refused))

/** A platform that was there before gets the endpoint as by its configuration, and hears of it. */
const pointWebhooks = Effect.fnUntraced(function* (clientId: string, url: string) {
  const store = yield* Store
  const platforms = yield* Platforms
  const owner = yield* store.resolve(clientClaim(clientId))
  if (owner === undefined) return
  const change = Effect.gen(function* () {
    const { webhookEndpoint } = yield* platforms.config
    if (webhookEndpoint !== url) yield* platforms.updateConfig({ webhookEndpoint: url })
  })
  yield* Effect.provideService(change, CurrentCaller, tenant(owner.platformId))
}, Effect.mapError(refused))

/** `others`: those of `--platform`. */
export const startPlatforms = Effect.fnUntraced(function* (options: ServeOptions, others: ReadonlyArray<Credentials>) {
  const { clientId, clientSecret, secret } = yield* first(options)
  // The first one may have been remembered, or drawn.
  if (others.some((other) => other.clientId === clientId)) return yield* twice(clientId)
  const wasKnown = yield* isKnown(clientId)
  if (wasKnown && Option.isSome(options.webhookUrl)) yield* pointWebhooks(clientId, options.webhookUrl.value)
  if (clientSecret !== undefined) yield* setUp({ clientId, clientSecret }, options.webhookUrl)
  yield* Effect.forEach(others, (other) => setUp(other, Option.none()), { discard: true })
  const made = wasKnown ? undefined : clientSecret
  return { clientId, secret, further: others.map((other) => other.clientId), made } satisfies StartPlatforms
})
