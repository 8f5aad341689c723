/**
 * The signing keys of an issuer, found through its discovery document and cached.
 * Source: wire contract 4.12; OpenID Connect Discovery 1.0, 4; D-166.
 */
import { Outside } from "@countersign/core"
import { boundedBytes, OidcUnavailable } from "@countersign/core/ports"
import { Clock, Duration, Effect, Result, Semaphore } from "effect"
import { createLocalJWKSet, type JSONWebKeySet } from "jose"
import { isTrustworthy } from "./OidcTokens.ts"

export interface IssuerKeyOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Time limit for each of the two documents. Default: 5 seconds. */
  readonly timeoutMillis?: number
  /** How long the keys are cached. Default: 10 minutes. */
  readonly keepMillis?: number
  /** Minimum age of cached keys before a token with an unknown key causes a reload. Default: 30 seconds. */
  readonly cooldownMillis?: number
  /** Minimum delay after a failed load. Default: 5 seconds. */
  readonly retryMillis?: number
}

export interface IssuerKeys {
  readonly set: ReturnType<typeof createLocalJWKSet>
  readonly readAt: number
}

/** Size limit of a document; usual ones have a few kilobytes. */
const bytesMax = 256 * 1024

const textOf = async (response: Response): Promise<string> => {
  const bytes = await boundedBytes(response.body, bytesMax)
  if (bytes === undefined) throw new RangeError("the document is too long")
  return Buffer.from(bytes).toString("utf8")
}

export const make = (options: IssuerKeyOptions) => {
  const { cooldownMillis = 30_000, keepMillis = 600_000, retryMillis = 5_000, timeoutMillis = 5_000 } = options
  const fetch = options.fetch ?? globalThis.fetch
  const unavailable = () => new OidcUnavailable()

  /** Loads a JSON document. Redirects are errors. */
  const document = (address: string): Effect.Effect<unknown, OidcUnavailable> =>
    Effect.tryPromise({
      try: async (signal): Promise<unknown> => {
        const response = await fetch(address, { signal, redirect: "error", headers: { accept: "application/json" } })
        if (!response.ok) throw new RangeError("the document cannot be loaded")
        return Result.getOrThrow(Outside.parseClean(await textOf(response)))
      },
      catch: unavailable,
    }).pipe(
      Effect.timeoutOrElse({ duration: Duration.millis(timeoutMillis), orElse: () => Effect.fail(unavailable()) }),
    )

  const read = Effect.fn("IssuerKeys.read")(function* (address: string) {
    const readAt = yield* Clock.currentTimeMillis
    const discovery = (yield* document(`${address.replace(/\/$/u, "")}/.well-known/openid-configuration`)) as {
      readonly issuer?: unknown
      readonly jwks_uri?: unknown
    } | null
    const keysAddress = discovery?.jwks_uri
    if (discovery?.issuer !== address || typeof keysAddress !== "string" || !isTrustworthy(keysAddress)) {
      return yield* unavailable()
    }
    const keys = yield* document(keysAddress)
    // The library throws if the document is not a key set.
    const set = yield* Effect.try({ try: () => createLocalJWKSet(keys as JSONWebKeySet), catch: unavailable })
    return { set, readAt } satisfies IssuerKeys
  })

  /** The cached keys of an issuer. The gate admits one load at a time; callers that waited use its result. */
  interface Entry {
    readonly gate: Semaphore.Semaphore
    keys?: IssuerKeys
    failedAt: number
  }
  const entries = new Map<string, Entry>()
  const entryOf = (address: string): Entry => {
    const entry = entries.get(address) ?? { gate: Semaphore.makeUnsafe(1), failedAt: Number.NEGATIVE_INFINITY }
    entries.set(address, entry)
    return entry
  }

  /** Records the end of a failed load, so that the callers that waited for it do not load one after another. */
  const recordFailure = (entry: Entry) => Effect.map(Clock.currentTimeMillis, (now) => (entry.failedAt = now))

  /** Returns the cached keys if they are usable, else loads the current ones. A failed load keeps the cached keys. */
  const keysThat = (address: string, isUsable: (keys: IssuerKeys, now: number) => boolean) => {
    const entry = entryOf(address)
    return entry.gate.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (entry.keys !== undefined && isUsable(entry.keys, now)) return entry.keys
        if (now - entry.failedAt < retryMillis) return yield* unavailable()
        entry.keys = yield* Effect.tapError(read(address), () => recordFailure(entry))
        return entry.keys
      }),
    )
  }

  return {
    of: (address: string) => keysThat(address, ({ readAt }, now) => now - readAt < keepMillis),
    /** Returns newer keys for a token whose key is not among the known ones, unless the cooldown has not passed. */
    newer: (address: string, known: IssuerKeys) =>
      keysThat(address, (keys, now) => keys !== known || now - keys.readAt < cooldownMillis),
  }
}
