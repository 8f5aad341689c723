/** The stored fields that are not personal, by kind: each other field is named by the page about personal data. */
import type { Kind } from "@countersign/core/store"

const rows = {
  Platform:
    "name umaDomain proxyUmaSubdomain webhookEndpoint supportedCurrencies isRegulatedFinancialInstitution feeConfigs embeddedWalletConfig cardTokenization2faConfig",
  ApiToken: "name clientId secrets permissions expiresAt isDeleted",
  WebhookEndpoint: "url state circuit proof lastSuccessAt lastFailure",
  WebhookKeyRing: "keys",
  Customer: "customerType checkStatus currencies beneficialOwnerIds awaitsTerms contactVerification isDeleted",
  BeneficialOwner: "kycStatus",
  Verification: "verificationStatus",
  BulkImport: "status fileId columns width position total processed successful problem endedAt",
  BulkImportError: "importId row code message details",
  StoredFile: "status",
  Document: "status fileId size",
  ScaProfile: "challenge sessionExpiresAt failedAttempts lockedUntil suspended resets",
  InternalAccount: "type status currency isPlatform hasCollectionAccount privateEnabled",
  ExternalAccount: "currency status ownershipType defaultUmaDepositAccount isTrusted isOfPlatform isDeleted",
  Agent: "name isPaused isConnected isDeleted policy recastCount recasts tokens givenTo",
  DeviceCode: "agentId codeHash expiresAt status",
  AgentAction:
    "agentId status type transferDetails quoteId walletSignature transactionId explanation charges usageBefore",
  Invitation: "status codeHash urlBase amountToSend expiresAt endsAt claimedAt",
  Quote:
    "status expiresAt source sendingCurrency receivingCurrency totalSendingAmount totalReceivingAmount rate feesIncluded platformFeesIncluded rateDetails transactionId funding accountId receiverAccountId challenge agentId signed",
  Transaction:
    "type status direction amount currency destinationAccountId agentId actionId submittedAt settledAt transactionHash receiptDeliveryConfirmedAt isUnapplied sourceAccountId pendingReason sent exchangeRate fees quoteId failureReason refund exchange railSelectionMode settlementTimelineSeconds purposeOfPayment volume",
  Approver: "",
  ConsoleSession: "status tokenId clientId approverId proof challenge origin secretHash expiresAt activeAt stepUp",
  WalletRoot: "secretId service firstRootId newestSince roots",
  Wallet: "credentialIds rootId",
  Credential: "type accountId isRevoked challengeHash",
  OtpChallenge: "challengeId codeMark expiresAt isAnswered wrongCodes wrongAt",
  Session: "accountId authMethodId type credentialId publicKey status expiresAt",
  SignedRequest: "operation target bodyMark expiresAt use",
  AuditRecord: "operation target outcome requestId",
  Card: "form state stateReason brand expMonth expYear fundingSources maxSpendPerTransaction currency processorRef issuerRef",
  CardTransaction:
    "cardId issuerTransactionToken status direction currency accountId authorized held isExpired clearings pulls refunds isUnapplied unappliedResolution messageIds authorizedAt lastEventAt",
  DelegatedKey: "cardId fundingSourceId accountId publicKey status rootId",
  StablecoinProviderAccount:
    "provider providerAccountId providerEnvironment status apiClientId sealedSecret linkedAt lastVerifiedAt",
  Stablecoin:
    "name symbol baseCurrency network decimals issuanceStatus serviceOperationsStatus networkTokenIdentifier provider stablecoinProviderAccountId providerEnvironment providerTokenIdentifier registeredAt",
  StablecoinOperation:
    "stablecoinId stablecoinProviderAccountId provider providerEnvironment operationType status amount cents sourceType source destination rail description submittedAt providerKey request attemptedAt fundingInstructions expiresAt providerStatus failureReason",
} satisfies { readonly [kind in Kind]: string }

/** Returns the names of a kind's fields that say nothing about a person beyond what its owner's records say. */
export const fieldsWithoutPerson = (kind: Kind): ReadonlyArray<string> => rows[kind].split(" ").filter(Boolean)
