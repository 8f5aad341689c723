/**
 * Receivers on the wire: the answer to a lookup, and the providers of UMA addresses.
 * Source: wire contract 5.10; D-250, D-253.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { atMost } from "../../foundation/kit/Lengths.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { NonNegativeAmount, PositiveAmount } from "../../foundation/money/Amount.ts"
import { Currency, CurrencyCode } from "../../foundation/money/Currencies.ts"
import { RequestedField } from "../transaction/Transaction.ts"

const lookup = {
  lookupId: Id("Lookup").annotate({ description: "Names this receiver when a quote is asked for." }),
  supportedCurrencies: Schema.Array(
    Schema.Struct({
      currency: Currency,
      estimatedExchangeRate: Schema.Finite.annotate({
        description: "Sending per receiving currency, without fees; only a quote holds a rate.",
      }),
      min: NonNegativeAmount,
      max: NonNegativeAmount,
    }).annotate({ identifier: "ReceiverCurrency" }),
  ),
  requiredPayerDataFields: Schema.Array(RequestedField.annotate({ identifier: "RequiredPayerDataField" })).annotate({
    description: "What the receiver wants to know of who pays: `senderCustomerInfo` of a quote.",
  }),
}

/** Answer of `GET /receiver/uma/{receiverUmaAddress}`. `min` and `max` are in the smallest unit of their currency. */
export const ReceiverUmaLookupResponse = Schema.Struct({ receiverUmaAddress: Schema.String, ...lookup }).annotate({
  identifier: "ReceiverUmaLookupResponse",
})
export type ReceiverUmaLookupResponse = typeof ReceiverUmaLookupResponse.Type

/** Answer of `GET /receiver/external-account/{accountId}`. `min` and `max` are in the smallest unit of their currency. */
export const ReceiverExternalAccountLookupResponse = Schema.Struct({
  accountId: Id("ExternalAccount"),
  ...lookup,
}).annotate({ identifier: "ReceiverExternalAccountLookupResponse" })
export type ReceiverExternalAccountLookupResponse = typeof ReceiverExternalAccountLookupResponse.Type

/** A provider of UMA addresses, with the countries and currencies that it serves. */
export const UmaProviderResource = Schema.Struct({
  name: Schema.String,
  domain: Schema.String,
  supportedRegions: Schema.Array(Schema.String).annotate({ description: "ISO 3166-1 alpha-2 country codes." }),
  supportedCurrencies: Schema.Array(Currency),
  logoUrl: Schema.optionalKey(Schema.String.annotate({ format: "uri" })),
  lei: Schema.optionalKey(Schema.String.annotate({ description: "Legal Entity Identifier." })),
  allowListStatus: Schema.Boolean.annotate({ description: "Whether it may be paid." }),
}).annotate({ identifier: "UmaProvider" })
export type UmaProviderResource = typeof UmaProviderResource.Type

/** A page of providers: the answer of `GET /uma-providers`. */
export const UmaProviderListResponse = PageOf(UmaProviderResource, "UmaProviderListResponse")
export type UmaProviderListResponse = typeof UmaProviderListResponse.Type

/** A payment that the sandbox simulates as the sender. Spec: 4.6; wire contract 7.1. */
export const SandboxUmaReceiveRequest = Schema.Struct({
  senderUmaAddress: Schema.String.check(atMost("accountDetail")),
  receiverUmaAddress: Schema.optionalKey(
    Schema.String.check(atMost("accountDetail")).annotate({ description: "This, or `customerId`." }),
  ),
  customerId: Schema.optionalKey(Id("Customer")),
  receivingCurrencyCode: CurrencyCode,
  receivingCurrencyAmount: PositiveAmount,
}).annotate({
  identifier: "SandboxUmaReceiveRequest",
  examples: [
    {
      senderUmaAddress: "$success.usd@uma.sandbox.example",
      customerId: "Customer:00000000-0000-4000-8000-000000000001",
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 1000,
    },
  ],
})
export type SandboxUmaReceiveRequest = typeof SandboxUmaReceiveRequest.Type
