/**
 * Wire schemas and tables, without services: a browser or a typed client imports them.
 * Source: D-002.
 */
export * from "./foundation/errors/ErrorCodes.ts"
export * from "./foundation/errors/ErrorResource.ts"
export { type UnauthorizedReason, UnauthorizedReasons } from "./foundation/errors/UnauthorizedReasons.ts"
export * from "./foundation/ids/IdTypes.ts"
export type { Json } from "./foundation/kit/CanonicalJson.ts"
export * as CrossField from "./foundation/kit/CrossField.ts"
export * from "./foundation/kit/Instant.ts"
export { atMost, FreeObject, jsonMaxOf, type LengthName, Lengths, Matching } from "./foundation/kit/Lengths.ts"
export { isSecret, secret } from "./foundation/kit/Secret.ts"
export * from "./foundation/kit/Text.ts"
export { amountMax, CurrencyAmount, NonNegativeAmount, PositiveAmount } from "./foundation/money/Amount.ts"
export { amountText, decimalText } from "./foundation/money/AmountText.ts"
export { CryptoNetwork } from "./foundation/money/CryptoNetwork.ts"
export { Currencies, Currency, CurrencyCode, sandboxCurrencies } from "./foundation/money/Currencies.ts"
export { respellPath } from "./foundation/names/RespelledPath.ts"
export { inwards, outwards, type Respell } from "./foundation/names/Respelling.ts"
export { type ServiceElement, ServiceElements } from "./foundation/names/ServiceElements.ts"
export { isServiceName, serviceNameDefault, serviceNameRule, spelled } from "./foundation/names/ServiceName.ts"
export { respellText, type Spellings, spellingsOf } from "./foundation/names/Spellings.ts"
export { AccountInfoResource, CreateAccountInfo, type CreateAccountInfoOf } from "./model/account/AccountInfo.ts"
export { routeOf } from "./model/account/AccountRoute.ts"
export {
  type AccountTypeRow,
  type Members,
  PaymentRail,
  type PaymentRoute,
  type RouteKind,
} from "./model/account/AccountTypeRow.ts"
export * from "./model/account/AccountTypes.ts"
export {
  BusinessMinimums,
  businessMinimum,
  IndividualMinimums,
  individualMinimum,
} from "./model/account/BeneficiaryRules.ts"
export { DepositSource, PendingReason } from "./model/account/Deposit.ts"
export * from "./model/account/DiscoveryResource.ts"
export {
  AccountInfo,
  BeneficiaryVerificationStatus,
  BeneficiaryVerifiedData,
  ExternalAccount,
  ExternalAccountStatus,
} from "./model/account/ExternalAccount.ts"
export * from "./model/account/ExternalAccountListResource.ts"
export {
  ExternalAccountCreateRequest,
  ExternalAccountResource,
  PlatformExternalAccountCreateRequest,
} from "./model/account/ExternalAccountResource.ts"
export * from "./model/account/InternalAccount.ts"
export {
  InternalAccountListResponse,
  InternalAccountResource,
  PlatformInternalAccountListResponse,
  SandboxFundRequest,
} from "./model/account/InternalAccountResource.ts"
export { mainIdentifier } from "./model/account/MainIdentifier.ts"
export { OwnershipChallenge, OwnershipMethod } from "./model/account/OwnershipChallenge.ts"
export * from "./model/account/OwnershipResource.ts"
export * from "./model/account/PaymentInstruction.ts"
export {
  type InstructionInfo,
  type InstructionInfoOf,
  isPaymentInstructions,
  PaymentInstructions,
} from "./model/account/PaymentInstruction.ts"
export {
  type InstructionRow,
  type InstructionType,
  PaymentInstructionTypes,
} from "./model/account/PaymentInstructionTypes.ts"
export {
  UnappliedApplyRequest,
  UnappliedMoneyListResponse,
  UnappliedMoneyResource,
} from "./model/account/UnappliedMoney.ts"
export * from "./model/account/VaspResource.ts"
export { SignatureScheme } from "./model/account/WalletSignature.ts"
export type { ActionVotesResource, StepUpChallenge } from "./model/agent/ActionVotesResource.ts"
export * from "./model/agent/Agent.ts"
export * from "./model/agent/AgentAction.ts"
export {
  AgentActionListResponse,
  AgentActionRejectRequest,
  AgentActionResource,
} from "./model/agent/AgentActionResource.ts"
export {
  AgentCreateRequest,
  AgentCreateResponse,
  AgentDeviceCode,
  AgentDeviceCodeRedeemResponse,
  AgentDeviceCodeStatusResponse,
  AgentListResponse,
  AgentPolicyUpdateRequest,
  AgentResource,
  AgentUpdateRequest,
  AgentUsage,
} from "./model/agent/AgentResource.ts"
export { AgentTokenResource, AgentTokenRotateRequest } from "./model/agent/AgentTokenResource.ts"
export * from "./model/agent/Policy.ts"
export * from "./model/agent/PolicyComparisonResource.ts"
export * from "./model/agent/PolicyEvaluationResource.ts"
export { RemainingLimit } from "./model/agent/RemainingLimits.ts"
export { ApprovalPolicy, type ApprovalRow } from "./model/approval/ApprovalPolicy.ts"
export { problemsOfApprovalPolicy } from "./model/approval/ApprovalPolicyShape.ts"
export type { ConsoleChallenge, ConsoleSessionResource } from "./model/approval/ConsoleSession.ts"
export { toConsoleSession } from "./model/approval/ConsoleSession.ts"
export * from "./model/audit/AuditRecord.ts"
export { AuditRecordListResponse, AuditRecordResource } from "./model/audit/AuditRecordResource.ts"
export { importBytesMax, importRowsMax, importsMax } from "./model/bulk/BulkImport.ts"
export { BulkCustomerImportJob, BulkCustomerImportJobAccepted } from "./model/bulk/BulkImportResource.ts"
export { Card, CardBrand, CardForm, CardState, CardStateReason } from "./model/card/Card.ts"
export { DeclineReason, DeclineReasons } from "./model/card/CardAuthorizationRules.ts"
export {
  CardCreateRequest,
  CardListResponse,
  CardResource,
  CardRevealResponse,
  CardUpdateRequest,
} from "./model/card/CardResource.ts"
export { CardMerchant, CardTransactionStatus } from "./model/card/CardTransaction.ts"
export {
  CardTransactionResource,
  SandboxCardAuthorizationAdviceRequest,
  SandboxCardAuthorizationRequest,
  SandboxCardBalanceInquiryRequest,
  SandboxCardClearingRequest,
  SandboxCardReturnRequest,
  SandboxCardSimulationResponse,
  SandboxCardTransactionRefRequest,
} from "./model/card/CardTransactionResource.ts"
export {
  DelegatedKey,
  DelegatedKeyCreateRequest,
  DelegatedKeyListResponse,
  DelegatedKeyResource,
  DelegatedKeyStatus,
} from "./model/card/DelegatedKey.ts"
export * from "./model/customer/BeneficialOwner.ts"
export {
  BeneficialOwnerCreateRequest,
  BeneficialOwnerListResponse,
  BeneficialOwnerResource,
  BeneficialOwnerUpdateRequest,
} from "./model/customer/BeneficialOwnerResource.ts"
export * from "./model/customer/BusinessProfile.ts"
export {
  Address,
  ContactVerification,
  Customer,
  CustomerType,
  EndUserTermsConsent,
  KycStatus,
} from "./model/customer/Customer.ts"
export { CustomerAccessEnd } from "./model/customer/CustomerAccess.ts"
export * from "./model/customer/CustomerRequest.ts"
export {
  CustomerListResponse,
  CustomerResource,
  EndUserTermsResource,
  KycLinkResponse,
} from "./model/customer/CustomerResource.ts"
export {
  AnnualIncomeRange,
  IdentificationType,
  IndividualSourceOfFundsCategory,
  NetWorthRange,
  PepStatus,
  SourceOfWealthCategory,
} from "./model/customer/IndividualProfile.ts"
export {
  Verification,
  VerificationError,
  VerificationErrorType,
  VerificationStatus,
} from "./model/customer/Verification.ts"
export {
  VerificationListResponse,
  VerificationRequest,
  VerificationResource,
} from "./model/customer/VerificationResource.ts"
export { Document, DocumentSide, DocumentType } from "./model/document/Document.ts"
export { type DocumentRefusal, DocumentRefusals } from "./model/document/DocumentRefusals.ts"
export {
  DocumentHolder,
  DocumentListResponse,
  DocumentReplaceRequest,
  DocumentResource,
  DocumentUploadRequest,
  documentBytesMax,
} from "./model/document/DocumentResource.ts"
export { documentsMax } from "./model/document/DocumentRules.ts"
export { EventResources } from "./model/EventResources.ts"
export * from "./model/event/EventResource.ts"
export * from "./model/event/EventTypes.ts"
export { WebhookEndpointResource } from "./model/event/WebhookEndpointResource.ts"
export * from "./model/event/WebhookKeyResource.ts"
export * from "./model/fault/FaultResource.ts"
export { receiveMillisMax } from "./model/file/StoredFile.ts"
export * from "./model/inbox/InboxResource.ts"
export { Invitation, InvitationStatus } from "./model/invitation/Invitation.ts"
export {
  UmaInvitation,
  UmaInvitationClaimRequest,
  UmaInvitationCreateRequest,
} from "./model/invitation/InvitationResource.ts"
export * from "./model/ledger/BooksResource.ts"
export * from "./model/ledger/ReconciliationResource.ts"
export { limitRefusal } from "./model/limit/LimitCounter.ts"
export { countOf, type UseLimit, type UseLimitCounts, type UseLimitName, UseLimits } from "./model/limit/UseLimits.ts"
export {
  ApiTokenCreateRequest,
  ApiTokenResource,
  ApiTokenSecretCreateRequest,
  ApiTokenSecretResource,
  TokenListResponse,
} from "./model/platform/ApiTokenResource.ts"
export { ParkedJobListResponse, ParkedJobResource } from "./model/platform/ParkedJobResource.ts"
export * from "./model/platform/Platform.ts"
export {
  PlatformConfigResource,
  PlatformConfigUpdateRequest,
  TestWebhookResponse,
} from "./model/platform/PlatformConfigResource.ts"
export {
  CardTokenization2FAConfig,
  CustomerInfoFieldName,
  EmbeddedWalletConfig,
  FeeConfig,
} from "./model/platform/PlatformSetting.ts"
export * from "./model/quote/ExchangeRateResource.ts"
export {
  CounterpartyInformation,
  Quote,
  QuoteChallenge,
  QuoteDestination,
  QuoteSource,
  QuoteStatus,
} from "./model/quote/Quote.ts"
export {
  ExecuteQuoteRequest,
  QuoteRequest,
  QuoteResource,
  SandboxSendRequest,
  ScaAuthorization,
} from "./model/quote/QuoteResource.ts"
export * from "./model/receiver/ReceiverResource.ts"
export * from "./model/receiver/WithdrawalFeeResource.ts"
export * from "./model/record/RecordResource.ts"
export * from "./model/request/RequestResource.ts"
export * from "./model/sca/BeneficiaryTrustResource.ts"
export { ScaFactor, ScaProfile, TwoFactorResetState } from "./model/sca/ScaProfile.ts"
export * from "./model/sca/ScaResource.ts"
// scenario
export * from "./model/scenario/ScenarioResource.ts"
export { PayoutRail, PayoutRails } from "./model/stablecoin/PayoutRails.ts"
export {
  StablecoinProviderAccountLinkRequest,
  StablecoinProviderAccountListResponse,
  StablecoinProviderAccountResource,
} from "./model/stablecoin/ProviderAccountResource.ts"
export {
  Stablecoin,
  StablecoinIssuanceStatus,
  StablecoinNetwork,
  StablecoinServiceOperationsStatus,
} from "./model/stablecoin/Stablecoin.ts"
export {
  OperationAccount,
  StablecoinFailureReason,
  StablecoinFundingInstructions,
  StablecoinOperation,
  StablecoinOperationStatus,
  StablecoinOperationType,
  StablecoinSourceType,
} from "./model/stablecoin/StablecoinOperation.ts"
export {
  StablecoinOperationListResponse,
  StablecoinOperationResource,
} from "./model/stablecoin/StablecoinOperationResource.ts"
export {
  ProviderAccountStatus,
  ProviderEnvironment,
  StablecoinProviderAccount,
  StablecoinProviderName,
} from "./model/stablecoin/StablecoinProviderAccount.ts"
export * from "./model/stablecoin/StablecoinRequests.ts"
export {
  StablecoinListResponse,
  StablecoinRegisterRequest,
  StablecoinResource,
} from "./model/stablecoin/StablecoinResource.ts"
export * from "./model/time/ClockResource.ts"
export * from "./model/time/UpcomingJobResource.ts"
export * from "./model/transaction/Exchange.ts"
export {
  AnyTransactionStatus,
  IncomingFailureReason,
  IncomingTransaction,
  OutgoingFailureReason,
  OutgoingTransaction,
  OutgoingTransactionStatus,
  PurposeOfPayment,
  Refund,
  RefundReason,
  RemittanceInformation,
  RequestedField,
  Transaction,
  TransactionStatus,
  TransactionType,
} from "./model/transaction/Transaction.ts"
export * from "./model/transaction/TransactionRequests.ts"
export {
  IncomingTransactionResource,
  OutgoingTransactionResource,
  TransactionListResponse,
  TransactionResource,
  type TransferResource,
} from "./model/transaction/TransactionResource.ts"
export * from "./model/wallet/CredentialRequest.ts"
export {
  AuthCredentialChallenge,
  AuthMethodResponse,
  AuthSession,
  CredentialListResponse,
  CredentialResource,
  type PasskeyAuthChallenge,
  SessionListResponse,
  SessionResource,
  WalletExportResponse,
} from "./model/wallet/CredentialResource.ts"
export * from "./model/wallet/CredentialType.ts"
export {
  AuthSignedRequestChallenge,
  SignedRequest,
  SignedRequestChallenge,
  type WalletHeaders,
} from "./model/wallet/SignedRequest.ts"
// world
export * from "./model/world/WorldFileText.ts"
export * from "./model/world/WorldResource.ts"
