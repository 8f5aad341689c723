/**
 * The secrets of a credential. Two may be valid at once, so that a platform can replace one without downtime. Only hashes are stored.
 * Source: wire contract 9 and 1.5; D-343.
 */
import { Schema } from "effect"
import * as Secrets from "../../foundation/crypto/Secrets.ts"

export const StoredSecret = Schema.Struct({
  id: Schema.String,
  hash: Schema.String,
  createdAt: Schema.Int,
  /** From then on (ms) it is refused. */
  expiresAt: Schema.optionalKey(Schema.Int),
  /** The deployment's configuration gives it, and takes it away. */
  isConfigured: Schema.optionalKey(Schema.Boolean),
})
export type StoredSecret = typeof StoredSecret.Type

/** The most valid secrets of a credential that its platform may have. */
export const secretsMax = 2

/** The longest time for which a replaced secret stays valid: a week. */
export const overlapSecondsMax = 7 * 24 * 60 * 60

/** Whether something with this expiry is still valid. */
export const isValidAt = ({ expiresAt }: { readonly expiresAt?: number }, now: number): boolean =>
  expiresAt === undefined || now < expiresAt

export const validSecrets = (secrets: ReadonlyArray<StoredSecret>, now: number): ReadonlyArray<StoredSecret> =>
  secrets.filter((secret) => isValidAt(secret, now))

/** Returns the valid secret with this hash. It compares with every secret, so that the duration does not reveal which one matches. */
export const matchingSecret = (
  secrets: ReadonlyArray<StoredSecret>,
  hash: string,
  now: number,
): StoredSecret | undefined => {
  let match: StoredSecret | undefined
  for (const secret of secrets) {
    if (Secrets.equal(hash, secret.hash) && isValidAt(secret, now)) match = secret
  }
  return match
}

/** Returns the valid secrets and a new one. The others are valid until `overlapUntil` at the latest. */
export const withNewSecret = (
  secrets: ReadonlyArray<StoredSecret>,
  added: StoredSecret,
  overlapUntil: number | undefined,
): ReadonlyArray<StoredSecret> => [
  ...validSecrets(secrets, added.createdAt)
    .map((secret) =>
      overlapUntil === undefined
        ? secret
        : { ...secret, expiresAt: Math.min(secret.expiresAt ?? overlapUntil, overlapUntil) },
    )
    .filter((secret) => isValidAt(secret, added.createdAt)),
  added,
]

/** The counter of a secret's last use: the hour, since 1970. It is coarse, so that a request costs no commit. */
export const lastUseCounter = (secretId: string): string => `last-use:${secretId}`

export const hourMillis = 60 * 60 * 1000
