/** Records and facts that the creation of a quote is decided on, for tests of the decision: a customer pays its external account. */
import type { ExternalAccount, InternalAccount } from "@countersign/core/models"
import type { QuoteCreationLoaded } from "../../../packages/core/src/decision/quote/QuoteCreationLoaded.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { account, customer, external, platform, validFacts } from "./QuoteFacts.ts"

const record = { platformId: "PlatformConfig:1", version: 1, createdAt: 0, updatedAt: 0 }

export const customerOf = (id = "Customer:1"): Stored<"Customer"> => ({
  ...record,
  kind: "Customer",
  id,
  customerId: id,
  data: { ...customer, platformCustomerId: `own ${id}` },
})

export const internalOf = (
  customerId: string | null = "Customer:1",
  more: Partial<InternalAccount> = {},
  id = "InternalAccount:a",
): Stored<"InternalAccount"> => ({ ...record, kind: "InternalAccount", id, customerId, data: { ...account, ...more } })

export const externalOf = (
  customerId: string | null = "Customer:1",
  more: Partial<ExternalAccount> = {},
  id = "ExternalAccount:b",
): Stored<"ExternalAccount"> => ({
  ...record,
  kind: "ExternalAccount",
  id,
  customerId,
  data: { ...external, ...more },
})

export const creation: QuoteCreationLoaded = {
  platform: { ...record, kind: "Platform", id: "PlatformConfig:1", customerId: null, data: platform },
  customer: customerOf(),
  receivingCustomer: undefined,
  isCustomerKnown: true,
  sourceAccount: internalOf(),
  available: 500,
  namedDestination: externalOf(),
  destinationAccount: externalOf(),
  refundAccount: undefined,
  sca: undefined,
  receiver: undefined,
  isPullable: false,
  instructions: [],
  paymentReference: "Q-1",
  rate: validFacts.rate,
  toBitcoin: undefined,
  requiredChallenge: undefined,
  requiredSession: undefined,
}
