/**
 * Requests for mints and burns. Variants that the service reserves are described and refused.
 * Source: wire contract areas 1.6.4.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Matching } from "../../foundation/kit/Lengths.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { PayoutRail } from "./PayoutRails.ts"

const Amount = Matching("code", /^[0-9]+$/u, "a text of digits").annotate({
  description: "In the token's smallest unit: a whole number of cents of the currency that backs it.",
  examples: ["1000000"],
})

const description = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024)))

const variant = <const Type extends string, Fields extends Schema.Struct.Fields>(
  identifier: string,
  type: Type,
  fields: Fields,
  text: string,
) => Schema.Struct({ type: Schema.Literal(type), ...fields }).annotate({ identifier, description: text })

const serviceAccount = { accountId: Id("InternalAccount") }
const reserved = "Reserved: refused with `details.reason` FUNDING_SOURCE_RESERVED."

/** Where the money for a mint comes from. */
export const MintFundingSource = Schema.Union([
  variant("WireFundingSource", "WIRE", {}, "The platform sends a wire by the `fundingInstructions` of the answer."),
  variant(
    "AchDebitFundingSource",
    "ACH_DEBIT",
    { externalAccountId: Id("ExternalAccount") },
    "The provider debits an active `USD_ACCOUNT`.",
  ),
  variant(
    "SameDayAchDebitFundingSource",
    "SAME_DAY_ACH_DEBIT",
    { externalAccountId: Id("ExternalAccount") },
    "The provider debits an active `USD_ACCOUNT` on the same day.",
  ),
  variant("ServiceAccountFundingSource", "SERVICE_INTERNAL_ACCOUNT", serviceAccount, reserved),
  variant(
    "ProviderBalanceFundingSource",
    "PROVIDER_INTERNAL_BALANCE",
    { sourceTokenIdentifier: Text(255), cryptoNetwork: Text(64) },
    reserved,
  ),
]).annotate({ identifier: "StablecoinMintFundingSource" })
export type MintFundingSource = typeof MintFundingSource.Type

/** Body of `POST /stablecoins/{stablecoinId}/mints`. */
export const StablecoinMintRequest = Schema.Struct({
  amount: Amount,
  fundingSource: MintFundingSource,
  destination: Schema.Struct({
    accountId: Id("ExternalAccount", "InternalAccount").annotate({
      description: "An active `SPARK_WALLET` outside the service. Internal accounts are not supported yet.",
    }),
  }).annotate({ identifier: "StablecoinMintDestination" }),
  description,
}).annotate({ identifier: "StablecoinMintRequest" })
export type StablecoinMintRequest = typeof StablecoinMintRequest.Type

/** Where the tokens of a burn come from. */
export const BurnSource = Schema.Union([
  variant(
    "ExternalAccountBurnSource",
    "EXTERNAL_ACCOUNT",
    {},
    "The burn is funded when the tokens arrive at the address of `fundingInstructions`.",
  ),
  variant("ServiceAccountBurnSource", "SERVICE_INTERNAL_ACCOUNT", serviceAccount, reserved),
  variant("ProviderBalanceBurnSource", "PROVIDER_INTERNAL_BALANCE", {}, "Spends tokens that the provider holds."),
]).annotate({ identifier: "StablecoinBurnSource" })
export type BurnSource = typeof BurnSource.Type

/** Body of `POST /stablecoins/{stablecoinId}/burns`. */
export const StablecoinBurnRequest = Schema.Struct({
  amount: Amount,
  source: BurnSource,
  destination: Schema.Struct({
    type: Schema.Literal("EXTERNAL_ACCOUNT"),
    externalAccountId: Id("ExternalAccount").annotate({ description: "An active `USD_ACCOUNT`." }),
    rail: PayoutRail.annotate({ description: "One that the account's `paymentRails` allow." }),
  }).annotate({ identifier: "StablecoinBurnDestination" }),
  description,
}).annotate({ identifier: "StablecoinBurnRequest" })
export type StablecoinBurnRequest = typeof StablecoinBurnRequest.Type
