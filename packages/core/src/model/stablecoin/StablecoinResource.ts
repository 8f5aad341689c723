/**
 * Stablecoins on the wire.
 * Source: wire contract areas 1.6.3.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { RecordOf } from "../record/Record.ts"
import {
  type Stablecoin,
  StablecoinIssuanceStatus,
  StablecoinNetwork,
  StablecoinServiceOperationsStatus,
} from "./Stablecoin.ts"
import { ProviderEnvironment, StablecoinProviderName } from "./StablecoinProviderAccount.ts"

/** Body of `POST /stablecoins`: a token that the provider has created. */
export const StablecoinRegisterRequest = Schema.Struct({
  providerTokenIdentifier: Text(64, "The provider's name of the token."),
  networkTokenIdentifier: Text(255, "The token's identifier on its network."),
  network: StablecoinNetwork,
  stablecoinProviderAccountId: Schema.optionalKey(
    Id("StablecoinProviderAccount").annotate({ description: "May be left out while exactly one is `ACTIVE`." }),
  ),
}).annotate({ identifier: "StablecoinRegisterRequest" })
export type StablecoinRegisterRequest = typeof StablecoinRegisterRequest.Type

export const StablecoinResource = Schema.Struct({
  id: Id("Stablecoin"),
  name: Schema.String,
  symbol: Schema.String,
  baseCurrency: Schema.String.annotate({ description: "The currency that backs the token." }),
  network: StablecoinNetwork,
  decimals: Schema.Int,
  issuanceStatus: StablecoinIssuanceStatus.annotate({
    description: "Only a `PROVISIONED` token is minted and burned.",
  }),
  serviceOperationsStatus: StablecoinServiceOperationsStatus.annotate({
    description: "Whether the service itself holds and moves the token.",
  }),
  networkTokenIdentifier: Schema.String,
  currency: Schema.optionalKey(Schema.String.annotate({ description: "Only while the service holds the token." })),
  provider: StablecoinProviderName,
  stablecoinProviderAccountId: Id("StablecoinProviderAccount"),
  providerEnvironment: ProviderEnvironment,
  providerTokenIdentifier: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Stablecoin" })
export type StablecoinResource = typeof StablecoinResource.Type

/** A page of registered stablecoins, newest first. */
export const StablecoinListResponse = PageOf(StablecoinResource, "StablecoinListResponse")

export const toStablecoin = ({
  createdAt,
  data: { registeredAt: _registeredAt, ...data },
  id,
  updatedAt,
}: RecordOf<"Stablecoin", Stablecoin>): StablecoinResource => ({
  id,
  ...data,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
