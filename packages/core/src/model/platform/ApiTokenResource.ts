/**
 * API tokens on the wire. Only the response to the creation of a token or of a secret contains a secret.
 * Source: wire contract 5.12; D-343.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { InstantMillis, iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { RecordOf } from "../record/Record.ts"
import type { ApiToken } from "./Platform.ts"
import { TokenPermission } from "./Platform.ts"
import { hourMillis, lastUseCounter, overlapSecondsMax, type StoredSecret, validSecrets } from "./StoredSecret.ts"

/** Body of `POST /tokens`. */
export const ApiTokenCreateRequest = Schema.Struct({
  name: Text(255, "What the platform calls it."),
  permissions: Schema.Array(TokenPermission)
    .check(Schema.isMinLength(1), Schema.isMaxLength(TokenPermission.literals.length).abort(), Schema.isUnique())
    .annotate({ description: "None implies another." }),
  expiresAt: Schema.optionalKey(
    InstantMillis.annotate({ description: "From then on the token is refused. Absent: never." }),
  ),
}).annotate({ identifier: "ApiTokenCreateRequest" })
export type ApiTokenCreateRequest = typeof ApiTokenCreateRequest.Type

const lastUsedAt = Schema.optionalKey(
  Timestamp.annotate({ description: "When it last authenticated a request, by the hour. Absent: never." }),
)

/** A secret of an API token, without its text except in the answer that creates it. */
export const ApiTokenSecretResource = Schema.Struct({
  id: Id("Secret"),
  createdAt: Timestamp,
  expiresAt: Schema.optionalKey(
    Timestamp.annotate({ description: "From then on it is refused. Absent: until it is retired." }),
  ),
  lastUsedAt,
  clientSecret: Schema.optionalKey(
    Schema.String.annotate({ ...secret, description: "Only in the answer to the creation: it is shown this once." }),
  ),
}).annotate({ identifier: "ApiTokenSecret" })
export type ApiTokenSecretResource = typeof ApiTokenSecretResource.Type

/** Optional body of `POST /tokens/{tokenId}/secrets`, which adds a secret to a token. */
export const ApiTokenSecretCreateRequest = Schema.Struct({
  overlapSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: overlapSecondsMax })).annotate({
      description: "How long the present secret stays valid. 0 retires it now. Absent: until it is retired.",
    }),
  ),
}).annotate({ identifier: "ApiTokenSecretCreateRequest" })
export type ApiTokenSecretCreateRequest = typeof ApiTokenSecretCreateRequest.Type

export const ApiTokenResource = Schema.Struct({
  id: Id("Token"),
  name: Schema.String,
  permissions: Schema.Array(TokenPermission),
  clientId: Schema.String,
  clientSecret: Schema.optionalKey(
    Schema.String.annotate({ ...secret, description: "Only in the answer to the creation: it is shown this once." }),
  ),
  secrets: Schema.Array(ApiTokenSecretResource).annotate({ description: "The secrets that are valid, oldest first." }),
  expiresAt: Schema.optionalKey(Timestamp.annotate({ description: "From then on it is refused. Absent: never." })),
  lastUsedAt,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "ApiToken" })
export type ApiTokenResource = typeof ApiTokenResource.Type

/** A page of API tokens, newest first and without secrets. */
export const TokenListResponse = PageOf(ApiTokenResource, "TokenListResponse")

/** Returns the value of a counter. */
type Counter = (key: string) => number

const expiry = ({ expiresAt }: { readonly expiresAt?: number }) =>
  expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }
const lastUse = (hours: number) => (hours === 0 ? {} : { lastUsedAt: iso(hours * hourMillis) })

export const toApiTokenSecret = (secret: StoredSecret, counter: Counter): ApiTokenSecretResource => ({
  id: secret.id,
  createdAt: iso(secret.createdAt),
  ...expiry(secret),
  ...lastUse(counter(lastUseCounter(secret.id))),
})

/** `counter` gives the last uses, of which a new token has none. */
export const toApiToken = (
  { createdAt, data, id, updatedAt }: RecordOf<"ApiToken", ApiToken>,
  now: number,
  counter: Counter = () => 0,
): ApiTokenResource => ({
  id,
  name: data.name,
  permissions: data.permissions,
  clientId: data.clientId,
  secrets: validSecrets(data.secrets, now).map((secret) => toApiTokenSecret(secret, counter)),
  ...expiry(data),
  ...lastUse(Math.max(0, ...data.secrets.map((secret) => counter(lastUseCounter(secret.id))))),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
