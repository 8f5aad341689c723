/**
 * Complete examples of request bodies, by the names of their schemas. None relies on a default that stands for everything: each states its
 * amount, its target and its reason.
 * Source: D-438.
 */
import type { Json } from "./Json.ts"
import { placeholders } from "./Placeholders.ts"

const { idOf } = placeholders
const customerId = placeholders.customer
const internal = { accountId: placeholders.internal }
const external = { accountId: placeholders.external }

const address = { line1: "1 Main Street", city: "Springfield", state: "IL", postalCode: "62701", country: "US" }
const merchant = { descriptor: "COFFEE BAR", mcc: "5814", country: "US" }
const cardMessage = { cardTransactionId: idOf("CardTransaction"), amount: 1250 }
const spendingLimits = { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 200_000, dailyTransactionLimit: 20 }
const overlap = { overlapSeconds: 3600 }

export const requestExamples: Readonly<Record<string, Json>> = {
  InboxRequest: { setAsEndpoint: true },
  RequestSendRequest: { idempotencyKey: "NEW" },
  InboxAnswers: { status: 500, count: 2, delayMillis: 1_000 },
  TransferInRequest: { source: external, destination: internal, amount: 25_000 },
  TransferOutRequest: {
    source: internal,
    destination: { ...external, paymentRail: "ACH" },
    amount: 12_500,
    remittanceInformation: "Invoice 42",
  },
  EvaluatedTransferIn: { type: "TRANSFER_IN", source: external, destination: internal, amount: 25_000 },
  EvaluatedTransferOut: { type: "TRANSFER_OUT", source: internal, destination: external, amount: 12_500 },
  AgentPolicyCompareRequest: {
    policy: { approvalThresholds: { currency: "USD", amount: 10_000 } },
    actions: [{ type: "TRANSFER_OUT", source: internal, destination: external, amount: 12_500 }],
    recent: 100,
  },
  QuoteRequest: {
    source: { sourceType: "ACCOUNT", ...internal },
    destination: { destinationType: "ACCOUNT", ...external },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 10_000,
    description: "Invoice 42",
  },
  ExecuteQuoteRequest: { scaFactor: "SMS_OTP" },
  EstimateCryptoWithdrawalFeeRequest: {
    internalAccountId: placeholders.bitcoin,
    currency: "BTC",
    cryptoNetwork: "BITCOIN",
    amount: 50_000,
    destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  },
  AgentCreateRequest: {
    name: "Bookkeeper",
    customerId,
    policy: {
      permissions: [
        "VIEW_TRANSACTIONS",
        "CREATE_TRANSFERS",
        "CREATE_QUOTES",
        "EXECUTE_QUOTES",
        "MANAGE_EXTERNAL_ACCOUNTS",
      ],
      defaultExecutionMode: "AUTO",
      spendingLimits,
      approvalThresholds: { currency: "USD", amount: 10_000 },
    },
  },
  AgentUpdateRequest: { name: "Bookkeeper", isPaused: true },
  AgentPolicyUpdateRequest: { spendingLimits: { perTransactionLimit: 75_000 } },
  AgentTokenRotateRequest: overlap,
  AgentActionRejectRequest: { reason: "The invoice was paid already." },
  IndividualCustomerCreateRequest: {
    customerType: "INDIVIDUAL",
    platformCustomerId: "customer-42",
    region: "US",
    currencies: ["USD"],
    email: "ada@platform.example",
    fullName: "Ada Lovelace",
    birthDate: "1990-01-31",
    nationality: "US",
    address,
  },
  IndividualCustomerUpdateRequest: { customerType: "INDIVIDUAL", email: "ada.lovelace@platform.example" },
  VerificationRequest: { customerId: placeholders.business },
  BeneficialOwnerCreateRequest: {
    customerId: placeholders.business,
    roles: ["UBO"],
    ownershipPercentage: 40,
    personalInfo: {
      firstName: "Ada",
      lastName: "Lovelace",
      birthDate: "1990-01-31",
      nationality: "US",
      address,
      idType: "SSN",
      identifier: "123456789",
    },
  },
  BeneficialOwnerUpdateRequest: { ownershipPercentage: 25 },
  KycLinkCreateRequest: { redirectUri: "https://platform.example/verified" },
  ContactVerificationConfirmRequest: { code: "123456" },
  TotpEnrollmentConfirmRequest: { type: "TOTP", secret: "JBSWY3DPEHPK3PXP", code: "123456" },
  TwoFactorResetCompleteRequest: { mobile: { countryCode: "+1", number: "4155550123" } },
  ConfirmReceiptDeliveryRequest: { receiptDeliveryConfirmedAt: "2025-10-03T15:00:00Z" },
  CancelTransactionRequest: { reason: "Entered twice" },
  ApprovePaymentRequest: { receiverCustomerInfo: { FULL_NAME: "Ada Lovelace", NATIONALITY: "US" } },
  RejectPaymentRequest: { reason: "The sender is not known to us." },
  PlatformConfigUpdateRequest: { webhookEndpoint: "https://platform.example/webhooks" },
  ApiTokenCreateRequest: { name: "Reporting", permissions: ["VIEW"], expiresAt: "2099-12-31T00:00:00Z" },
  ApiTokenSecretCreateRequest: overlap,
  WebhookKeyRotateRequest: overlap,
  AuthCredentialChallengeRequest: {
    clientPublicKey:
      "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
  },
  EmailOtpCredentialCreateRequest: { type: "EMAIL_OTP", accountId: placeholders.wallet },
  StablecoinMintRequest: {
    amount: "1000000",
    fundingSource: { type: "WIRE" },
    destination: { accountId: placeholders.spark },
  },
  ExternalAccountCreateRequest: {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "123456789",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address },
    },
  },
  UnappliedApplyRequest: internal,
  CardCreateRequest: {
    cardholderId: customerId,
    form: "VIRTUAL",
    fundingSources: [internal.accountId],
    maxSpendPerTransaction: 20_000,
  },
  CardUpdateRequest: { state: "FROZEN" },
  DelegatedKeyCreateRequest: {
    cardId: idOf("Card", 2),
    internalAccountId: placeholders.wallet,
    nickname: "Card spending",
  },
  UmaInvitationCreateRequest: { inviterUma: placeholders.inviter, firstName: "Ada", amountToSend: 1000 },
  UmaInvitationClaimRequest: { inviteeUma: "$grace@platform.example" },
  SandboxFundRequest: { amount: 100_000 },
  SandboxWorldForkRequest: { name: "without-refunds" },
  SandboxSendRequest: { quoteId: idOf("Quote"), currencyCode: "USD", currencyAmount: 10_000 },
  SandboxExternalAccountStatusRequest: { status: "INACTIVE" },
  SandboxCardAuthorizationRequest: { amount: 1250, currency: "USD", merchant },
  SandboxCardBalanceInquiryRequest: { merchant },
  SandboxCardClearingRequest: cardMessage,
  SandboxCardReturnRequest: cardMessage,
  SandboxCardAuthorizationAdviceRequest: cardMessage,
}
