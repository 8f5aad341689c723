/**
 * A platform's configuration on the wire.
 * Source: wire contract 5.12.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { Matching } from "../../foundation/kit/Lengths.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Platform } from "./Platform.ts"
import { PlatformCurrency } from "./Platform.ts"
import { platformSettings } from "./PlatformSetting.ts"

export const PlatformConfigResource = Schema.Struct({
  id: Id("PlatformConfig"),
  umaDomain: Schema.String.annotate({ description: "The domain of the customers' UMA addresses." }),
  webhookEndpoint: Schema.optionalKey(Schema.String.annotate({ description: "Where events are delivered." })),
  supportedCurrencies: Schema.Array(PlatformCurrency),
  isRegulatedFinancialInstitution: Schema.Boolean,
  ...platformSettings,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "PlatformConfig" })
export type PlatformConfigResource = typeof PlatformConfigResource.Type

export const PlatformConfigUpdateRequest = Schema.Struct({
  umaDomain: Schema.optionalKey(Matching("text", /^[a-z0-9-]+(\.[a-z0-9-]+)+$/u, "a domain name")),
  webhookEndpoint: Schema.optionalKey(
    Schema.NullOr(
      Schema.String.annotate({ format: "uri" }).check(
        Schema.isMaxLength(2048).abort(),
        Schema.isPattern(/^https?:\/\/[^\s/]+/u, { expected: "an http or https address" }),
      ),
    ).annotate({
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

export const toPlatformConfig = ({
  createdAt,
  data,
  id,
  updatedAt,
}: RecordOf<"Platform", Platform>): PlatformConfigResource => ({
  id,
  umaDomain: data.umaDomain,
  ...(data.webhookEndpoint === undefined ? {} : { webhookEndpoint: data.webhookEndpoint }),
  supportedCurrencies: data.supportedCurrencies,
  isRegulatedFinancialInstitution: data.isRegulatedFinancialInstitution,
  ...(data.feeConfigs === undefined ? {} : { feeConfigs: data.feeConfigs }),
  ...(data.embeddedWalletConfig === undefined ? {} : { embeddedWalletConfig: data.embeddedWalletConfig }),
  ...(data.cardTokenization2faConfig === undefined
    ? {}
    : { cardTokenization2faConfig: data.cardTokenization2faConfig }),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
