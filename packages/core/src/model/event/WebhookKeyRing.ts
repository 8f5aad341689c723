/**
 * The webhook keys of a platform: which exist, and until when each signs. The keys themselves are derived and never stored.
 * Source: wire contract 6.2; D-328, D-330.
 */
import { Schema } from "effect"

const WebhookKey = Schema.Struct({
  number: Schema.Int,
  /** The root of the deployment from which it is derived. */
  rootId: Schema.String,
  /** Unix milliseconds of business time. */
  createdAt: Schema.Int,
  /** From this time on it signs nothing. */
  retiresAt: Schema.optionalKey(Schema.Int),
})
export type WebhookKey = typeof WebhookKey.Type

/** The stored data. The record has the platform's id. */
export const WebhookKeyRing = Schema.Struct({
  /** Newest first. */
  keys: Schema.Array(WebhookKey),
})
export type WebhookKeyRing = typeof WebhookKeyRing.Type

/** How many keys are remembered, with those that have retired. */
const ringKeysMax = 10

/** Limits and default of the time in which two keys sign, in seconds. */
export const overlap = { minSeconds: 0, maxSeconds: 7 * 24 * 60 * 60, defaultSeconds: 24 * 60 * 60 } as const

export const WebhookKeyState = Schema.Literals(["ACTIVE", "RETIRING", "RETIRED"]).annotate({
  identifier: "WebhookKeyState",
  description: "`ACTIVE` and `RETIRING` keys sign every delivery; a `RETIRED` key signs nothing.",
})
export type WebhookKeyState = typeof WebhookKeyState.Type

export const keyState = ({ retiresAt }: WebhookKey, now: number): WebhookKeyState => {
  if (retiresAt === undefined) return "ACTIVE"
  return now < retiresAt ? "RETIRING" : "RETIRED"
}

/** Returns the keys that sign at this time, newest first. */
export const signingKeys = ({ keys }: WebhookKeyRing, now: number): ReadonlyArray<WebhookKey> =>
  keys.filter((key) => keyState(key, now) !== "RETIRED")

/** The ring of a new platform. */
export const newRing = (rootId: string, now: number): WebhookKeyRing => ({
  keys: [{ number: 1, rootId, createdAt: now }],
})

/** Adds a key. The others sign until `overlapMillis` from now, or until the earlier time at which they retire anyway. */
export const rotated = (
  { keys }: WebhookKeyRing,
  rootId: string,
  now: number,
  overlapMillis: number,
): WebhookKeyRing => ({
  keys: [
    { number: Math.max(0, ...keys.map(({ number }) => number)) + 1, rootId, createdAt: now },
    ...keys.map((key) => ({ ...key, retiresAt: Math.min(key.retiresAt ?? Infinity, now + overlapMillis) })),
  ].slice(0, ringKeysMax),
})
