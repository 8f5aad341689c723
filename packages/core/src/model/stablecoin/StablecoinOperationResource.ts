/**
 * Mints and burns on the wire.
 * Source: wire contract areas 1.6.5.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import type { RecordOf } from "../record/Record.ts"
import { PayoutRail, PayoutRails } from "./PayoutRails.ts"
import {
  StablecoinFailureReason,
  StablecoinFundingInstructions,
  type StablecoinOperation,
  StablecoinOperationStatus,
  StablecoinOperationType,
  StablecoinSourceType,
} from "./StablecoinOperation.ts"
import { ProviderEnvironment, StablecoinProviderName } from "./StablecoinProviderAccount.ts"

const optionalText = Schema.optionalKey(Schema.String)

const StablecoinOperationSource = Schema.Struct({
  type: StablecoinSourceType,
  externalAccountId: optionalText,
  accountId: optionalText,
  sourceTokenIdentifier: optionalText,
  cryptoNetwork: optionalText,
}).annotate({ identifier: "StablecoinOperationSource" })

const StablecoinOperationDestination = Schema.Struct({
  accountId: Schema.String,
  rail: Schema.optionalKey(PayoutRail.annotate({ description: "Only of burns." })),
}).annotate({ identifier: "StablecoinOperationDestination" })

const StablecoinEstimatedDelivery = Schema.Struct({
  rail: optionalText,
  amount: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[0-9]+$/u)).annotate({
      description: "In cents of `currency`.",
      examples: ["100"],
    }),
  ),
  currency: optionalText,
  timing: optionalText,
}).annotate({ identifier: "StablecoinEstimatedDelivery" })

export const StablecoinOperationResource = Schema.Struct({
  id: Id("StablecoinOperation"),
  stablecoinId: Id("Stablecoin"),
  operationType: StablecoinOperationType,
  status: StablecoinOperationStatus,
  amount: Schema.String.annotate({ description: "In the token's smallest unit." }),
  provider: StablecoinProviderName,
  providerEnvironment: ProviderEnvironment,
  stablecoinProviderAccountId: Id("StablecoinProviderAccount"),
  source: Schema.optionalKey(StablecoinOperationSource),
  fundingInstructions: Schema.optionalKey(
    StablecoinFundingInstructions.annotate({ description: "How to send the money or the tokens." }),
  ),
  destination: Schema.optionalKey(StablecoinOperationDestination),
  estimatedDelivery: Schema.optionalKey(StablecoinEstimatedDelivery.annotate({ description: "Only of burns." })),
  expiresAt: Schema.optionalKey(
    Timestamp.annotate({ description: "Funding that has not arrived by then ends the operation." }),
  ),
  providerStatus: Schema.optionalKey(Schema.String.annotate({ description: "The provider's own word." })),
  failureReason: Schema.optionalKey(StablecoinFailureReason.annotate({ description: "Only of `FAILED`." })),
  description: optionalText,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "StablecoinOperation" })
export type StablecoinOperationResource = typeof StablecoinOperationResource.Type

/** A page of the mints and burns of a stablecoin, newest first. */
export const StablecoinOperationListResponse = PageOf(StablecoinOperationResource, "StablecoinOperationListResponse")

/** Whether the end of the time for funding still matters, or has ended the operation. */
const endsAtExpiry = ({ status }: StablecoinOperation): boolean => status === "PENDING_FUNDING" || status === "EXPIRED"

/** When the money of a burn arrives, by its rail. */
const estimatedDelivery = ({ cents, destination, rail }: StablecoinOperation) =>
  rail === undefined
    ? {}
    : {
        estimatedDelivery: {
          rail,
          amount: String(cents),
          currency: destination.currency,
          timing: PayoutRails.get(rail).timing,
        },
      }

export const toStablecoinOperation = ({
  createdAt,
  data,
  id,
  updatedAt,
}: RecordOf<"StablecoinOperation", StablecoinOperation>): StablecoinOperationResource => {
  const { description, destination, expiresAt, failureReason, fundingInstructions, providerStatus, rail, source } = data
  return {
    id,
    stablecoinId: data.stablecoinId,
    operationType: data.operationType,
    status: data.status,
    amount: data.amount,
    provider: data.provider,
    providerEnvironment: data.providerEnvironment,
    stablecoinProviderAccountId: data.stablecoinProviderAccountId,
    source: { type: data.sourceType, ...(source === undefined ? {} : { externalAccountId: source.accountId }) },
    ...(fundingInstructions === undefined ? {} : { fundingInstructions }),
    destination: { accountId: destination.accountId, ...(rail === undefined ? {} : { rail }) },
    ...estimatedDelivery(data),
    ...(expiresAt === undefined || !endsAtExpiry(data) ? {} : { expiresAt: iso(expiresAt) }),
    ...(providerStatus === undefined ? {} : { providerStatus }),
    ...(failureReason === undefined ? {} : { failureReason }),
    ...(description === undefined ? {} : { description }),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}
