/**
 * The keys with which webhooks are verified, and a cache of those that the service lists.
 * Source: wire contract 6.2; D-330, D-331, D-443.
 */

/** A key of the platform: an entry of `GET /webhooks/keys`. */
export interface WebhookPublicKey {
  readonly id: string
  /** SPKI PEM. */
  readonly publicKey: string
  /** A key that is `RETIRED` verifies nothing. */
  readonly state?: string
  /** ISO 8601. The key verifies no attempt from this time on. */
  readonly retiresAt?: string
}

/** Keys that are fetched when they are needed. */
export interface WebhookKeySource {
  readonly current: () => Promise<ReadonlyArray<WebhookPublicKey>>
  /** Is called after `current` had none of the keys that signed. */
  readonly refreshed: () => Promise<ReadonlyArray<WebhookPublicKey>>
}

export type WebhookKeys =
  /** `data` of `GET /webhooks/keys`. */
  | ReadonlyArray<WebhookPublicKey>
  | WebhookKeySource
  /** Of `POST /webhooks/keys/{keyId}/reveal`, for the symmetric signatures of Standard Webhooks. */
  | { readonly secrets: ReadonlyArray<string> }
  /** SPKI PEM of `GET /webhooks/public-key`, for the specified header, which has no time and so does not prevent replays. */
  | { readonly publicKey: string }

/** How often keys are fetched again. */
export interface CachedKeysOptions {
  /** From this age on, keys are fetched again before they are used. Default: 3600. */
  readonly maxAgeSeconds?: number
  /** At least this long between two fetches, whatever ids of keys the requests name. Default: 10. */
  readonly minAgeSeconds?: number
  /** Unix milliseconds. Default: the system's clock. */
  readonly now?: () => number
}

/** Returns a source that remembers the fetched keys. A fetch that fails is not remembered, and rejects the verification with its error. */
export const cachedKeys = (
  fetchKeys: () => Promise<ReadonlyArray<WebhookPublicKey>>,
  { maxAgeSeconds = 3600, minAgeSeconds = 10, now = Date.now }: CachedKeysOptions = {},
): WebhookKeySource => {
  let cached: { readonly keys: ReturnType<typeof fetchKeys>; readonly at: number } | undefined

  const fetchList = async () => {
    const keys = await fetchKeys()
    // The answer of a request that was refused has no `data`.
    if (!Array.isArray(keys))
      throw new TypeError("The fetched keys must be the `data` of `GET /webhooks/keys`, a list.")
    return keys
  }
  const youngerThan = (seconds: number): ReturnType<typeof fetchKeys> => {
    if (cached !== undefined && now() - cached.at < seconds * 1000) return cached.keys
    const fetched = { keys: fetchList(), at: now() }
    cached = fetched
    fetched.keys.catch(() => {
      if (cached === fetched) cached = undefined
    })
    return fetched.keys
  }
  return { current: () => youngerThan(maxAgeSeconds), refreshed: () => youngerThan(minAgeSeconds) }
}
