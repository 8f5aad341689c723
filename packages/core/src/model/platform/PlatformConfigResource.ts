/**
 * A platform's configuration on the wire.
 * Source: wire contract 5.12; wire contract areas 2.9; D-404.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { HttpUrl } from "../../foundation/kit/HttpUrl.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { Matching } from "../../foundation/kit/Lengths.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Platform } from "./Platform.ts"
import { PlatformCurrency } from "./Platform.ts"
import { CustomerInfoFieldName, platformSettings } from "./PlatformSetting.ts"

const fields = Schema.optionalKey(Schema.Array(CustomerInfoFieldName))

/** A currency as it is shown: with what the UMA network needs, which a platform cannot change. */
const ShownCurrency = Schema.Struct({
  ...PlatformCurrency.fields,
  providerRequiredCustomerFields: fields.pipe(
    Schema.annotateKey({ description: "Read-only. What the UMA network needs of the platform's own customer." }),
  ),
  providerRequiredCounterpartyCustomerFields: fields.pipe(
    Schema.annotateKey({ description: "Read-only. What the UMA network needs of the other side." }),
  ),
}).annotate({ identifier: "PlatformCurrency" })

export const PlatformConfigResource = Schema.Struct({
  id: Id("PlatformConfig"),
  umaDomain: Schema.String.annotate({ description: "The domain of the customers' UMA addresses." }),
  proxyUmaSubdomain: Schema.optionalKey(
    Schema.String.annotate({
      description: "Read-only. The first label of `umaDomain`, with a number if it was taken.",
    }),
  ),
  sandboxUmaDomain: Schema.optionalKey(
    Schema.String.annotate({ description: "Read-only. The domain of the sandbox's scenario addresses." }),
  ),
  webhookEndpoint: Schema.optionalKey(Schema.String.annotate({ description: "Where events are delivered." })),
  supportedCurrencies: Schema.Array(ShownCurrency),
  isRegulatedFinancialInstitution: Schema.Boolean,
  ...platformSettings,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "PlatformConfig" })
export type PlatformConfigResource = typeof PlatformConfigResource.Type

/** Body of `PATCH /config`. Omitted fields keep their value; `feeConfigs` are merged by type and currency. */
export const PlatformConfigUpdateRequest = Schema.Struct({
  umaDomain: Schema.optionalKey(Matching("text", /^[a-z0-9-]+(\.[a-z0-9-]+)+$/u, "a domain name")),
  webhookEndpoint: Schema.optionalKey(
    Schema.NullOr(HttpUrl(2048)).annotate({
      description: "A new one is sent a TEST event; `null` unsets it: events are then recorded, not sent.",
    }),
  ),
  supportedCurrencies: Schema.optionalKey(
    Schema.Array(PlatformCurrency).check(Schema.isMaxLength(Currencies.keys.length)),
  ),
  ...platformSettings,
}).annotate({ identifier: "PlatformConfigUpdateRequest" })
export type PlatformConfigUpdateRequest = typeof PlatformConfigUpdateRequest.Type

/** The response to the sandbox's webhook test. Source: wire contract 6.4. */
export const TestWebhookResponse = Schema.Struct({
  url: Schema.String,
  response_status: Schema.Int,
  response_body: Schema.String.annotate({ description: "Empty: the body of the endpoint's answer is not shown." }),
}).annotate({ identifier: "TestWebhookResponse" })

/** What the UMA network adds to a platform's configuration. */
export interface UmaNetworkNeeds {
  readonly scenarioDomain: string | undefined
  readonly requirements: ReadonlyArray<{
    readonly currency: CurrencyCode
    readonly customer: ReadonlyArray<typeof CustomerInfoFieldName.Type>
    readonly counterparty: ReadonlyArray<typeof CustomerInfoFieldName.Type>
  }>
}

const toCurrency = (
  currency: typeof PlatformCurrency.Type,
  { requirements }: UmaNetworkNeeds,
): typeof ShownCurrency.Type => {
  const needs = requirements.find((requirement) => requirement.currency === currency.currencyCode)
  return {
    ...currency,
    ...(needs === undefined || needs.customer.length === 0 ? {} : { providerRequiredCustomerFields: needs.customer }),
    ...(needs === undefined || needs.counterparty.length === 0
      ? {}
      : { providerRequiredCounterpartyCustomerFields: needs.counterparty }),
  }
}

export const toPlatformConfig = (
  { createdAt, data, id, updatedAt }: RecordOf<"Platform", Platform>,
  network: UmaNetworkNeeds,
): PlatformConfigResource => ({
  id,
  umaDomain: data.umaDomain,
  ...(data.proxyUmaSubdomain === undefined ? {} : { proxyUmaSubdomain: data.proxyUmaSubdomain }),
  ...(network.scenarioDomain === undefined ? {} : { sandboxUmaDomain: network.scenarioDomain }),
  ...(data.webhookEndpoint === undefined ? {} : { webhookEndpoint: data.webhookEndpoint }),
  supportedCurrencies: data.supportedCurrencies.map((currency) => toCurrency(currency, network)),
  isRegulatedFinancialInstitution: data.isRegulatedFinancialInstitution,
  ...(data.feeConfigs === undefined ? {} : { feeConfigs: data.feeConfigs }),
  ...(data.embeddedWalletConfig === undefined ? {} : { embeddedWalletConfig: data.embeddedWalletConfig }),
  ...(data.cardTokenization2faConfig === undefined
    ? {}
    : { cardTokenization2faConfig: data.cardTokenization2faConfig }),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
