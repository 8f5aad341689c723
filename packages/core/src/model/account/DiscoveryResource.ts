/**
 * Banks of the directory on the wire.
 * Spec: Discovery entry; wire contract 2.8.
 */
import { Schema } from "effect"
import { CountryCode } from "../../foundation/kit/Text.ts"

/** A bank, or an operator of mobile money, which `bankName` of an external account may name. */
export const Discovery = Schema.Struct({
  bankName: Schema.String.annotate({ description: "The exact value for `bankName` of an external account." }),
  displayName: Schema.String.annotate({ description: "What a person reads." }),
  country: CountryCode,
  currency: Schema.String,
}).annotate({ identifier: "Discovery" })
export type Discovery = typeof Discovery.Type

/** Answer of `GET /discoveries`: the entries of the given country and currency, without pages. */
export const DiscoveryListResponse = Schema.Struct({ data: Schema.Array(Discovery) }).annotate({
  identifier: "DiscoveryListResponse",
})
export type DiscoveryListResponse = typeof DiscoveryListResponse.Type
