/** Valid facts for the tests of the rules of quotes. */

import type {
  Customer,
  ExternalAccount,
  InternalAccount,
  Platform,
  Quote,
  QuoteRequest,
} from "@countersign/core/models"
import type { QuoteExecutionRules } from "../../../packages/core/src/model/quote/QuoteExecutionRules.ts"
import type { QuoteRules } from "../../../packages/core/src/model/quote/QuoteRules.ts"

export type Facts = Parameters<typeof QuoteRules.first>[0]
export type ExecutionFacts = Parameters<typeof QuoteExecutionRules.first>[0]

export const request: QuoteRequest = {
  source: { sourceType: "ACCOUNT", accountId: "InternalAccount:a" },
  destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:b" },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 100,
}
export const account: InternalAccount = { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" }
export const external: ExternalAccount = {
  currency: "GBP",
  status: "ACTIVE",
  defaultUmaDepositAccount: false,
  accountInfo: { accountType: "GBP_ACCOUNT", beneficiary: { beneficiaryType: "BUSINESS", legalName: "Engines Ltd" } },
  isDeleted: false,
}
export const customer: Customer = {
  platformCustomerId: "engines",
  customerType: "BUSINESS",
  checkStatus: "APPROVED",
  currencies: ["USD"],
  umaAddress: "$engines@example.com",
  businessInfo: { registrationNumber: "123" },
  isDeleted: false,
}
export const platform: Platform = {
  name: "Test",
  umaDomain: "example.com",
  supportedCurrencies: [
    {
      currencyCode: "USD",
      minAmount: 10,
      maxAmount: 1000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["OUTGOING"],
    },
  ],
  isRegulatedFinancialInstitution: true,
}
export const uma: Extract<Facts["receiver"], { readonly _tag: "Found" }> = {
  _tag: "Found",
  accounts: [],
  currencies: [{ code: "GBP", minAmount: 5, maxAmount: 500 }],
  requiredPayerData: [],
  information: {},
}
export const fees = { serviceFixed: 0, serviceVariable: 0, platformFixed: 0, platformVariable: 0 }
export const validFacts: Facts = {
  request,
  isCustomerKnown: true,
  receiver: undefined,
  isLookupKnown: true,
  missingPayerFields: [],
  isSelfPayment: false,
  source: { _tag: "Internal", account },
  destination: { _tag: "External", account: external },
  isOwnersAccount: true,
  customer,
  platform,
  sendingCurrency: "USD",
  receivingCurrency: "GBP",
  rate: { from: "USD", to: "GBP", numerator: 1n, denominator: 1n },
  price: { sending: 100, receiving: 100, fees },
}
export const requestFacts = (more: Partial<QuoteRequest>): Facts => ({
  ...validFacts,
  request: { ...request, ...more },
})
const usd = { amount: 1, currency: "USD" } as const
export const override = { platformFixedFee: usd, platformVariableFeeBps: 0 }
export const payer = (source: Extract<QuoteRequest["source"], { readonly sourceType: "REALTIME_FUNDING" }>): Facts => ({
  ...requestFacts({ source }),
  source: {
    _tag: "Payer",
    instructions: [{ accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: ["UPI"] } }],
  },
})
export const funding = { sourceType: "REALTIME_FUNDING" } as const

export const quote: Quote = {
  status: "PENDING",
  expiresAt: 1,
  source: request.source,
  destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:b" },
  sendingCurrency: "USD",
  receivingCurrency: "GBP",
  totalSendingAmount: 100,
  totalReceivingAmount: 100,
  rate: { numerator: "1", denominator: "1" },
  feesIncluded: 0,
  platformFeesIncluded: 0,
  transactionId: "Transaction:a",
  funding: "ACCOUNT",
}
export const executable: ExecutionFacts = { quote, customer, source: account, destination: external }
