/**
 * The operations of the public interface: method, path and operation id.
 * Source: wire contract areas 4.
 */

const table = `
GET /config getPlatformConfig
PATCH /config updatePlatformConfig
GET /exchange-rates getExchangeRates
GET /discoveries getDiscoveries
POST /customers createCustomer
GET /customers listCustomers
GET /customers/{customerId} getCustomerById
PATCH /customers/{customerId} updateCustomerById
DELETE /customers/{customerId} deleteCustomerById
GET /customers/end-user-terms getEndUserTerms
POST /customers/bulk/csv uploadCustomersCsv
GET /customers/bulk/jobs/{jobId} getBulkCustomerImportJob
POST /customers/{customerId}/kyc-link createCustomerKycLink
POST /beneficial-owners createBeneficialOwner
GET /beneficial-owners listBeneficialOwners
GET /beneficial-owners/{beneficialOwnerId} getBeneficialOwner
PATCH /beneficial-owners/{beneficialOwnerId} updateBeneficialOwner
POST /verifications createVerification
GET /verifications listVerifications
GET /verifications/{verificationId} getVerification
POST /customers/{customerId}/verify-email sendCustomerEmailVerification
POST /customers/{customerId}/verify-email/confirm confirmCustomerEmailVerification
POST /customers/{customerId}/verify-phone sendCustomerPhoneVerification
POST /customers/{customerId}/verify-phone/confirm confirmCustomerPhoneVerification
GET /sca/factors listScaFactors
POST /sca/factors startScaFactorEnrollment
POST /sca/factors/confirm confirmScaFactorEnrollment
DELETE /sca/factors/{credentialId} deleteScaFactor
POST /sca/login/start startScaLogin
POST /sca/login/complete completeScaLogin
POST /sca/record-event recordSecurityEvent
POST /sca/factors/reset startTwoFactorReset
GET /sca/factors/reset/{resetId} getTwoFactorResetStatus
POST /sca/factors/reset/{resetId}/complete completeTwoFactorReset
POST /customers/external-accounts/{externalAccountId}/trust startBeneficiaryTrust
POST /customers/external-accounts/{externalAccountId}/trust/confirm confirmBeneficiaryTrust
POST /customers/external-accounts/{externalAccountId}/untrust startBeneficiaryUntrust
POST /customers/external-accounts/{externalAccountId}/untrust/confirm confirmBeneficiaryUntrust
POST /quotes/{quoteId}/authorize authorizeQuote
POST /quotes/{quoteId}/authorize/resend resendQuoteScaCode
GET /customers/internal-accounts listCustomerInternalAccounts
GET /platform/internal-accounts listPlatformInternalAccounts
PATCH /internal-accounts/{id} updateInternalAccount
POST /internal-accounts/{id}/export exportInternalAccount
GET /customers/external-accounts listCustomerExternalAccounts
POST /customers/external-accounts createCustomerExternalAccount
GET /customers/external-accounts/{externalAccountId} getCustomerExternalAccountById
DELETE /customers/external-accounts/{externalAccountId} deleteCustomerExternalAccountById
POST /customers/external-accounts/{externalAccountId}/challenge createExternalAccountOwnershipChallenge
POST /customers/external-accounts/{externalAccountId}/verify verifyExternalAccountOwnership
GET /platform/external-accounts listPlatformExternalAccounts
POST /platform/external-accounts createPlatformExternalAccount
GET /platform/external-accounts/{externalAccountId} getPlatformExternalAccountById
DELETE /platform/external-accounts/{externalAccountId} deletePlatformExternalAccountById
POST /platform/external-accounts/{externalAccountId}/challenge createPlatformExternalAccountOwnershipChallenge
POST /platform/external-accounts/{externalAccountId}/verify verifyPlatformExternalAccountOwnership
POST /documents uploadDocument
GET /documents listDocuments
GET /documents/{documentId} getDocument
PUT /documents/{documentId} replaceDocument
DELETE /documents/{documentId} deleteDocument
POST /transfer-in createTransferIn
POST /transfer-out createTransferOut
GET /receiver/uma/{receiverUmaAddress} lookupUma
GET /receiver/external-account/{accountId} lookupExternalAccount
GET /quotes/{quoteId} getQuoteById
POST /quotes createQuote
POST /quotes/{quoteId}/execute executeQuote
POST /crypto/estimate-withdrawal-fee estimateCryptoWithdrawalFee
GET /transactions listTransactions
GET /transactions/{transactionId} getTransactionById
POST /transactions/{transactionId}/confirm confirmReceiptDelivery
POST /transactions/{transactionId}/approve approvePendingPayment
POST /transactions/{transactionId}/reject rejectPendingPayment
POST /transactions/{transactionId}/cancel cancelTransaction
POST /sandbox/webhooks/test sendTestWebhook
POST /sandbox/send sandboxSend
POST /sandbox/uma/receive sandboxReceive
POST /sandbox/internal-accounts/{accountId}/fund sandboxFundInternalAccount
POST /sandbox/cards/{id}/simulate/authorization sandboxSimulateCardAuthorization
POST /sandbox/cards/{id}/simulate/clearing sandboxSimulateCardClearing
POST /sandbox/cards/{id}/simulate/return sandboxSimulateCardReturn
POST /sandbox/cards/{id}/simulate/balance_inquiry sandboxSimulateCardBalanceInquiry
POST /sandbox/cards/{id}/simulate/credit_authorization sandboxSimulateCardCreditAuthorization
POST /sandbox/cards/{id}/simulate/financial_authorization sandboxSimulateCardFinancialAuthorization
POST /sandbox/cards/{id}/simulate/financial_credit_authorization sandboxSimulateCardFinancialCreditAuthorization
POST /sandbox/cards/{id}/simulate/authorization_advice sandboxSimulateCardAuthorizationAdvice
POST /sandbox/cards/{id}/simulate/credit_authorization_advice sandboxSimulateCardCreditAuthorizationAdvice
POST /sandbox/cards/{id}/simulate/return_reversal sandboxSimulateCardReturnReversal
POST /invitations createInvitation
GET /invitations/{invitationCode} getInvitation
POST /invitations/{invitationCode}/claim claimInvitation
POST /invitations/{invitationCode}/cancel cancelInvitation
GET /uma-providers getAvailableUmaProviders
GET /vasps listVasps
POST /tokens createToken
GET /tokens listTokens
GET /tokens/{tokenId} getTokenById
DELETE /tokens/{tokenId} deleteTokenById
POST /auth/credentials createAuthCredential
GET /auth/credentials listAuthCredentials
DELETE /auth/credentials/{id} revokeAuthCredential
POST /auth/credentials/{id}/verify verifyAuthCredential
POST /auth/credentials/{id}/challenge challengeAuthCredential
GET /auth/sessions listAuthSessions
DELETE /auth/sessions/{id} revokeAuthSession
POST /auth/sessions/{id}/refresh refreshAuthSession
POST /auth/delegated-keys createDelegatedKey
GET /auth/delegated-keys listDelegatedKeys
GET /auth/delegated-keys/{id} getDelegatedKeyById
DELETE /auth/delegated-keys/{id} revokeDelegatedKey
POST /agents createAgent
GET /agents listAgents
GET /agents/approvals listAgentApprovals
GET /agents/{agentId} getAgentById
PATCH /agents/{agentId} updateAgent
DELETE /agents/{agentId} deleteAgent
PATCH /agents/{agentId}/policy updateAgentPolicy
POST /agents/{agentId}/device-codes regenerateAgentDeviceCode
POST /agents/{agentId}/actions/{actionId}/approve approveAgentAction
POST /agents/{agentId}/actions/{actionId}/reject rejectAgentAction
GET /agents/device-codes/{code}/status getAgentDeviceCodeStatus
POST /agents/device-codes/{code}/redeem redeemAgentDeviceCode
GET /agents/me getAgentMe
GET /agents/me/transactions agentListTransactions
GET /agents/me/transactions/{transactionId} agentGetTransaction
POST /agents/me/quotes agentCreateQuote
GET /agents/me/quotes/{quoteId} agentGetQuote
POST /agents/me/quotes/{quoteId}/execute agentExecuteQuote
GET /agents/me/actions agentListActions
GET /agents/me/actions/{actionId} agentGetAction
POST /agents/me/transfer-in agentCreateTransferIn
POST /agents/me/transfer-out agentCreateTransferOut
GET /agents/me/internal-accounts agentListInternalAccounts
GET /agents/me/external-accounts agentListExternalAccounts
POST /agents/me/external-accounts agentCreateExternalAccount
GET /agents/me/external-accounts/{externalAccountId} agentGetExternalAccount
DELETE /agents/me/external-accounts/{externalAccountId} agentDeleteExternalAccount
POST /cards createCard
GET /cards listCards
GET /cards/{id} getCardById
PATCH /cards/{id} updateCardById
POST /cards/{id}/reveal revealCard
POST /stablecoins registerStablecoin
GET /stablecoins listStablecoins
GET /stablecoins/{stablecoinId} getStablecoin
POST /stablecoins/{stablecoinId}/mints createStablecoinMint
POST /stablecoins/{stablecoinId}/burns createStablecoinBurn
GET /stablecoins/{stablecoinId}/operations listStablecoinOperations
GET /stablecoin-operations/{stablecoinOperationId} getStablecoinOperation
POST /stablecoin-provider-accounts linkStablecoinProviderAccount
GET /stablecoin-provider-accounts listStablecoinProviderAccounts
GET /stablecoin-provider-accounts/{stablecoinProviderAccountId} getStablecoinProviderAccount
`

export interface PublicOperation {
  readonly method: string
  readonly path: string
  readonly operationId: string
}

export const publicOperations: ReadonlyArray<PublicOperation> = table
  .trim()
  .split("\n")
  .map((row) => {
    const [method = "", path = "", operationId = ""] = row.split(" ")
    return { method, path, operationId }
  })
