/**
 * API tokens on the wire. Only the response to the creation contains the secret.
 * Source: wire contract 5.12.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { RecordOf } from "../record/Record.ts"
import type { ApiToken } from "./Platform.ts"
import { TokenPermission } from "./Platform.ts"

export const ApiTokenCreateRequest = Schema.Struct({
  name: Text(255, "What the platform calls it."),
  permissions: Schema.Array(TokenPermission)
    .check(Schema.isMinLength(1), Schema.isMaxLength(TokenPermission.literals.length).abort(), Schema.isUnique())
    .annotate({ description: "None implies another." }),
}).annotate({ identifier: "ApiTokenCreateRequest" })
export type ApiTokenCreateRequest = typeof ApiTokenCreateRequest.Type

export const ApiTokenResource = Schema.Struct({
  id: Id("Token"),
  name: Schema.String,
  permissions: Schema.Array(TokenPermission),
  clientId: Schema.String,
  clientSecret: Schema.optionalKey(
    Schema.String.annotate({ description: "Only in the answer to the creation: it is shown this once." }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "ApiToken" })
export type ApiTokenResource = typeof ApiTokenResource.Type

export const TokenListResponse = PageOf(ApiTokenResource, "TokenListResponse")

export const toApiToken = ({ createdAt, data, id, updatedAt }: RecordOf<"ApiToken", ApiToken>): ApiTokenResource => ({
  id,
  name: data.name,
  permissions: data.permissions,
  clientId: data.clientId,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
