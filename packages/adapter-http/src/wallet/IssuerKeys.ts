/**
 * The keys by which an issuer signs, found through its discovery document and kept for a while.
 * Source: wire contract 4.12; OpenID Connect Discovery 1.0, 4; D-166.
 */
import { OidcUnavailable } from "@countersign/core/ports"
import { Clock, Duration, Effect, Semaphore } from "effect"
import { createLocalJWKSet, type JSONWebKeySet } from "jose"
import { isTrustworthy } from "./OidcTokens.ts"

export interface IssuerKeyOptions {
  readonly fetch?: typeof globalThis.fetch
  /** For each of the two documents; by default 5 seconds. */
  readonly timeoutMillis?: number
  /** How long keys are taken as they were read; by default 10 minutes. */
  readonly keepMillis?: number
  /** How soon keys may be read again: after a token of an unknown key, or a failure; by default 30 seconds and 5. */
  readonly cooldownMillis?: number
  readonly retryMillis?: number
}

export interface IssuerKeys {
  readonly set: ReturnType<typeof createLocalJWKSet>
  readonly readAt: number
}

/** A document of this kind has a few kilobytes. */
const bytesMax = 256 * 1024

const textOf = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new RangeError("the document is too long")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

export const make = (options: IssuerKeyOptions) => {
  const { cooldownMillis = 30_000, keepMillis = 600_000, retryMillis = 5_000, timeoutMillis = 5_000 } = options
  const fetch = options.fetch ?? globalThis.fetch
  const unavailable = () => new OidcUnavailable()

  /** A JSON document; its address is not left for another. */
  const document = (address: string): Effect.Effect<unknown, OidcUnavailable> =>
    Effect.tryPromise({
      try: async (signal): Promise<unknown> => {
        const response = await fetch(address, { signal, redirect: "error", headers: { accept: "application/json" } })
        if (!response.ok) throw new RangeError("the document is not there")
        return JSON.parse(await textOf(response))
      },
      catch: unavailable,
    }).pipe(
      Effect.timeoutOrElse({ duration: Duration.millis(timeoutMillis), orElse: () => Effect.fail(unavailable()) }),
    )

  const read = Effect.fn("IssuerKeys.read")(function* (address: string) {
    const readAt = yield* Clock.currentTimeMillis
    const found = (yield* document(`${address.replace(/\/$/u, "")}/.well-known/openid-configuration`)) as {
      readonly issuer?: unknown
      readonly jwks_uri?: unknown
    } | null
    const keysAddress = found?.jwks_uri
    if (found?.issuer !== address || typeof keysAddress !== "string" || !isTrustworthy(keysAddress)) {
      return yield* unavailable()
    }
    const keys = yield* document(keysAddress)
    // The library throws where the document is no set of keys.
    const set = yield* Effect.try({ try: () => createLocalJWKSet(keys as JSONWebKeySet), catch: unavailable })
    return { set, readAt } satisfies IssuerKeys
  })

  /** What is known of each issuer. The gate lets one read, and the others take what it read. */
  interface Entry {
    readonly gate: Semaphore.Semaphore
    keys?: IssuerKeys
    failedAt: number
  }
  const entries = new Map<string, Entry>()
  const entryOf = (address: string): Entry => {
    const found = entries.get(address) ?? { gate: Semaphore.makeUnsafe(1), failedAt: Number.NEGATIVE_INFINITY }
    entries.set(address, found)
    return found
  }

  /** From its end: those who waited for it must not each wait as long again. */
  const failed = (entry: Entry) => Effect.map(Clock.currentTimeMillis, (now) => (entry.failedAt = now))

  /** The keys that are known if they will do, and else those that are there now. What fails leaves the known ones alone. */
  const keysThat = (address: string, willDo: (keys: IssuerKeys, now: number) => boolean) => {
    const entry = entryOf(address)
    return entry.gate.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (entry.keys !== undefined && willDo(entry.keys, now)) return entry.keys
        if (now - entry.failedAt < retryMillis) return yield* unavailable()
        entry.keys = yield* Effect.tapError(read(address), () => failed(entry))
        return entry.keys
      }),
    )
  }

  return {
    of: (address: string) => keysThat(address, ({ readAt }, now) => now - readAt < keepMillis),
    /** For a token of a key that is not among the known ones: newer keys, if they may be read so soon. */
    newer: (address: string, known: IssuerKeys) =>
      keysThat(address, (keys, now) => keys !== known || now - keys.readAt < cooldownMillis),
  }
}
