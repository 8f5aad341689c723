/**
 * Provider accounts of stablecoins on the wire. No answer contains the credentials.
 * Source: wire contract areas 1.6.2.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { RecordOf } from "../record/Record.ts"
import {
  ProviderAccountStatus,
  ProviderEnvironment,
  type StablecoinProviderAccount,
  StablecoinProviderName,
} from "./StablecoinProviderAccount.ts"

/** Body of `POST /stablecoin-provider-accounts`: credentials of the platform at the provider, which the provider checks. */
export const StablecoinProviderAccountLinkRequest = Schema.Struct({
  provider: StablecoinProviderName,
  apiClientId: Text(255, "The client id that the provider gave the platform."),
  apiClientSecret: Text(255, "Its secret. Stored sealed, and never shown.").annotate({ writeOnly: true }),
  providerAccountId: Schema.optionalKey(
    Text(255, "The account at the provider; required if the credentials reach several."),
  ),
}).annotate({ identifier: "StablecoinProviderAccountLinkRequest" })
export type StablecoinProviderAccountLinkRequest = typeof StablecoinProviderAccountLinkRequest.Type

/** A linked account of the platform at a provider. */
export const StablecoinProviderAccountResource = Schema.Struct({
  id: Id("StablecoinProviderAccount"),
  provider: StablecoinProviderName,
  providerAccountId: Schema.String,
  providerEnvironment: ProviderEnvironment,
  status: ProviderAccountStatus.annotate({
    description: "`INVALID`: the provider refuses the credentials; link the account again. `REVOKED` is final.",
  }),
  lastVerifiedAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When the provider last accepted the credentials." }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "StablecoinProviderAccount" })
export type StablecoinProviderAccountResource = typeof StablecoinProviderAccountResource.Type

/** A page of linked provider accounts, newest first. */
export const StablecoinProviderAccountListResponse = PageOf(
  StablecoinProviderAccountResource,
  "StablecoinProviderAccountListResponse",
)

export const toProviderAccount = ({
  createdAt,
  data,
  id,
  updatedAt,
}: RecordOf<"StablecoinProviderAccount", StablecoinProviderAccount>): StablecoinProviderAccountResource => ({
  id,
  provider: data.provider,
  providerAccountId: data.providerAccountId,
  providerEnvironment: data.providerEnvironment,
  status: data.status,
  lastVerifiedAt: iso(data.lastVerifiedAt),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
