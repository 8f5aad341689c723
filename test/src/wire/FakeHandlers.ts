/** Handlers that return the decoded request, for tests of everything around handlers. */

import { Api } from "@countersign/client/api"
import { ServiceError } from "@countersign/core"
import { StoreUnavailable } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond } from "../../../packages/adapter-http/src/middleware/Answers.ts"
import { keyed } from "../../../packages/adapter-http/src/middleware/Idempotency.ts"
import { echo, noContent, ok, read, wrote } from "./FakeAnswers.ts"
import { OperatorEvents, SandboxEvents, Webhooks } from "./FakeEvents.ts"
import {
  OperatorBooks,
  OperatorChanges,
  OperatorPolicies,
  OperatorRecords,
  OperatorTime,
  SandboxInbox,
  SandboxRequests,
} from "./FakeOperator.ts"
import { Stablecoins } from "./FakeStablecoins.ts"
import { BulkImports, Documents } from "./FakeUploads.ts"
import { SandboxWorlds } from "./FakeWorlds.ts"

/** What `getCustomer` of the id `held` waits for. */
export const Held = Context.Reference<Effect.Effect<void>>("@countersign/tests/Held", {
  defaultValue: () => Effect.void,
})

/** The failures of `getCustomer` for these ids. */
const failuresById: { readonly [id: string]: Effect.Effect<never, ServiceError | StoreUnavailable> } = {
  conflict: Effect.fail(new ServiceError({ code: "CONFLICT", message: "Twice.", details: { reason: "TWICE" } })),
  limited: Effect.fail(
    new ServiceError({ code: "RATE_LIMITED", message: "Slower.", details: { retryAfterSeconds: 7 } }),
  ),
  replayed: Effect.fail(new ServiceError({ code: "INVALID_AMOUNT", message: "Again.", replayed: true })),
  away: Effect.fail(new StoreUnavailable({ unknown: false, cause: new Error("secret host name") })),
  defect: Effect.die(new Error("secret inside")),
}

const AgentsMe = HttpApiBuilder.group(Api, "agentsMe", (handlers) =>
  handlers.handleAll({
    getAgentMe: read("agentsMe.getAgentMe"),
    agentListActions: read("agentsMe.agentListActions"),
    agentGetAction: read("agentsMe.agentGetAction"),
    agentCreateTransferIn: (request) =>
      respond(
        Effect.map(echo("agentsMe.agentCreateTransferIn", request), (body) => ({
          status: 201,
          body: { ...body, keyed: keyed(request) },
          replayed: request.headers["idempotency-key"] === "again",
        })),
      ),
    agentCreateTransferOut: wrote("agentsMe.agentCreateTransferOut", 201),
    agentCreateQuote: wrote("agentsMe.agentCreateQuote", 201),
    agentGetQuote: read("agentsMe.agentGetQuote"),
    agentExecuteQuote: wrote("agentsMe.agentExecuteQuote", 200),
    agentListInternalAccounts: read("agentsMe.agentListInternalAccounts"),
    agentListExternalAccounts: read("agentsMe.agentListExternalAccounts"),
    agentCreateExternalAccount: wrote("agentsMe.agentCreateExternalAccount", 201),
    agentGetExternalAccount: read("agentsMe.agentGetExternalAccount"),
    agentDeleteExternalAccount: noContent,
    agentListTransactions: read("agentsMe.agentListTransactions"),
    agentGetTransaction: read("agentsMe.agentGetTransaction"),
  }),
)

const Agents = HttpApiBuilder.group(Api, "agents", (handlers) =>
  handlers.handleAll({
    listAgents: read("agents.listAgents"),
    createAgent: wrote("agents.createAgent", 201),
    listAgentApprovals: read("agents.listAgentApprovals"),
    getAgentById: read("agents.getAgentById"),
    updateAgent: wrote("agents.updateAgent", 200),
    deleteAgent: noContent,
    updateAgentPolicy: wrote("agents.updateAgentPolicy", 200),
    evaluateAgentPolicy: wrote("agents.evaluateAgentPolicy", 200),
    evaluateAgentActionApproval: read("agents.evaluateAgentActionApproval"),
    rotateAgentToken: wrote("agents.rotateAgentToken", 201),
    regenerateAgentDeviceCode: wrote("agents.regenerateAgentDeviceCode", 201),
    getAgentDeviceCodeStatus: read("agents.getAgentDeviceCodeStatus"),
    approveAgentAction: wrote("agents.approveAgentAction", 200),
    rejectAgentAction: wrote("agents.rejectAgentAction", 200),
    redeemAgentDeviceCode: ({ params }) => ok(Effect.succeed({ endpoint: "agents.redeemAgentDeviceCode", params })),
  }),
)

const Customers = HttpApiBuilder.group(Api, "customers", (handlers) =>
  handlers.handleAll({
    createCustomer: wrote("customers.createCustomer", 201),
    listCustomers: read("customers.listCustomers"),
    getEndUserTerms: read("customers.getEndUserTerms"),
    updateCustomerById: wrote("customers.updateCustomerById", 200),
    deleteCustomerById: wrote("customers.deleteCustomerById", 200),
    listCustomerInternalAccounts: read("customers.listCustomerInternalAccounts"),
    getCustomerById: (request) =>
      ok(
        request.params.customerId === "held"
          ? Effect.flatten(Held)
          : (failuresById[request.params.customerId] ?? echo("customers.getCustomerById", request)),
      ),
  }),
)

const ExternalAccounts = HttpApiBuilder.group(Api, "externalAccounts", (handlers) =>
  handlers.handleAll({
    getDiscoveries: read("externalAccounts.getDiscoveries"),
    listVasps: read("externalAccounts.listVasps"),
    listCustomerExternalAccounts: read("externalAccounts.listCustomerExternalAccounts"),
    createCustomerExternalAccount: wrote("externalAccounts.createCustomerExternalAccount", 201),
    getCustomerExternalAccountById: read("externalAccounts.getCustomerExternalAccountById"),
    deleteCustomerExternalAccountById: noContent,
    createExternalAccountOwnershipChallenge: wrote("externalAccounts.createExternalAccountOwnershipChallenge", 201),
    verifyExternalAccountOwnership: wrote("externalAccounts.verifyExternalAccountOwnership", 200),
    listPlatformExternalAccounts: read("externalAccounts.listPlatformExternalAccounts"),
    createPlatformExternalAccount: wrote("externalAccounts.createPlatformExternalAccount", 201),
    getPlatformExternalAccountById: read("externalAccounts.getPlatformExternalAccountById"),
    deletePlatformExternalAccountById: noContent,
    createPlatformExternalAccountOwnershipChallenge: wrote(
      "externalAccounts.createPlatformExternalAccountOwnershipChallenge",
      201,
    ),
    verifyPlatformExternalAccountOwnership: wrote("externalAccounts.verifyPlatformExternalAccountOwnership", 200),
  }),
)

const Onboarding = HttpApiBuilder.group(Api, "onboarding", (handlers) =>
  handlers.handleAll({
    listVerifications: read("onboarding.listVerifications"),
    createVerification: wrote("onboarding.createVerification", 200),
    getVerification: read("onboarding.getVerification"),
    listBeneficialOwners: read("onboarding.listBeneficialOwners"),
    createBeneficialOwner: wrote("onboarding.createBeneficialOwner", 201),
    getBeneficialOwner: read("onboarding.getBeneficialOwner"),
    updateBeneficialOwner: wrote("onboarding.updateBeneficialOwner", 200),
    createCustomerKycLink: wrote("onboarding.createCustomerKycLink", 201),
    sendCustomerEmailVerification: noContent,
    confirmCustomerEmailVerification: wrote("onboarding.confirmCustomerEmailVerification", 200),
    sendCustomerPhoneVerification: noContent,
    confirmCustomerPhoneVerification: wrote("onboarding.confirmCustomerPhoneVerification", 200),
  }),
)

const Sca = HttpApiBuilder.group(Api, "sca", (handlers) =>
  handlers.handleAll({
    listScaFactors: read("sca.listScaFactors"),
    startScaFactorEnrollment: read("sca.startScaFactorEnrollment"),
    confirmScaFactorEnrollment: wrote("sca.confirmScaFactorEnrollment", 200),
    deleteScaFactor: noContent,
    startTwoFactorReset: wrote("sca.startTwoFactorReset", 201),
    getTwoFactorResetStatus: read("sca.getTwoFactorResetStatus"),
    completeTwoFactorReset: noContent,
    startScaLogin: wrote("sca.startScaLogin", 200),
    completeScaLogin: wrote("sca.completeScaLogin", 200),
    recordSecurityEvent: wrote("sca.recordSecurityEvent", 200),
    startBeneficiaryTrust: wrote("sca.startBeneficiaryTrust", 200),
    confirmBeneficiaryTrust: wrote("sca.confirmBeneficiaryTrust", 200),
    startBeneficiaryUntrust: wrote("sca.startBeneficiaryUntrust", 200),
    confirmBeneficiaryUntrust: wrote("sca.confirmBeneficiaryUntrust", 200),
  }),
)

const Accounts = HttpApiBuilder.group(Api, "accounts", (handlers) =>
  handlers.handleAll({
    listPlatformInternalAccounts: read("accounts.listPlatformInternalAccounts"),
    listInternalAccounts: read("accounts.listInternalAccounts"),
    getInternalAccount: read("accounts.getInternalAccount"),
    updateInternalAccount: wrote("accounts.updateInternalAccount", 200),
    exportInternalAccount: wrote("accounts.exportInternalAccount", 200),
  }),
)

const Wallet = HttpApiBuilder.group(Api, "wallet", (handlers) =>
  handlers.handleAll({
    listAuthCredentials: read("wallet.listAuthCredentials"),
    createAuthCredential: wrote("wallet.createAuthCredential", 201),
    revokeAuthCredential: noContent,
    challengeAuthCredential: wrote("wallet.challengeAuthCredential", 200),
    verifyAuthCredential: wrote("wallet.verifyAuthCredential", 200),
    listAuthSessions: read("wallet.listAuthSessions"),
    revokeAuthSession: noContent,
    refreshAuthSession: wrote("wallet.refreshAuthSession", 201),
  }),
)

const Tokens = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  handlers.handleAll({
    listTokens: read("tokens.listTokens"),
    createToken: wrote("tokens.createToken", 201),
    getTokenById: read("tokens.getTokenById"),
    createTokenSecret: wrote("tokens.createTokenSecret", 201),
    retireTokenSecret: noContent,
    deleteTokenById: noContent,
  }),
)

const Transactions = HttpApiBuilder.group(Api, "transactions", (handlers) =>
  handlers.handleAll({
    listTransactions: read("transactions.listTransactions"),
    getTransactionById: read("transactions.getTransactionById"),
    confirmReceiptDelivery: wrote("transactions.confirmReceiptDelivery", 200),
    cancelTransaction: wrote("transactions.cancelTransaction", 200),
    approvePendingPayment: wrote("transactions.approvePendingPayment", 200),
    rejectPendingPayment: wrote("transactions.rejectPendingPayment", 200),
  }),
)

const Transfers = HttpApiBuilder.group(Api, "transfers", (handlers) =>
  handlers.handleAll({
    createTransferIn: wrote("transfers.createTransferIn", 201),
    createTransferOut: wrote("transfers.createTransferOut", 201),
  }),
)

const Quotes = HttpApiBuilder.group(Api, "quotes", (handlers) =>
  handlers.handleAll({
    getExchangeRates: read("quotes.getExchangeRates"),
    createQuote: wrote("quotes.createQuote", 201),
    getQuoteById: read("quotes.getQuoteById"),
    executeQuote: wrote("quotes.executeQuote", 200),
    authorizeQuote: wrote("quotes.authorizeQuote", 200),
    resendQuoteScaCode: noContent,
  }),
)

const Receivers = HttpApiBuilder.group(Api, "receivers", (handlers) =>
  handlers.handleAll({
    lookupUma: read("receivers.lookupUma"),
    lookupExternalAccount: read("receivers.lookupExternalAccount"),
    getAvailableUmaProviders: read("receivers.getAvailableUmaProviders"),
    estimateCryptoWithdrawalFee: read("receivers.estimateCryptoWithdrawalFee"),
  }),
)

const Platform = HttpApiBuilder.group(Api, "platform", (handlers) =>
  handlers.handleAll({
    getPlatformConfig: read("platform.getPlatformConfig"),
    updatePlatformConfig: wrote("platform.updatePlatformConfig", 200),
  }),
)

const Sandbox = HttpApiBuilder.group(Api, "sandbox", (handlers) =>
  handlers.handleAll({
    sandboxFundInternalAccount: wrote("sandbox.sandboxFundInternalAccount", 200),
    sandboxSend: wrote("sandbox.sandboxSend", 200),
    sandboxReceive: wrote("sandbox.sandboxReceive", 200),
    sandboxSetExternalAccountStatus: wrote("sandbox.sandboxSetExternalAccountStatus", 200),
    sendTestWebhook: wrote("sandbox.sendTestWebhook", 200),
    sendTestWebhookAlias: wrote("sandbox.sendTestWebhookAlias", 200),
    sandboxGetClock: read("sandbox.sandboxGetClock"),
    sandboxAdvanceClock: wrote("sandbox.sandboxAdvanceClock", 200),
  }),
)

const Audit = HttpApiBuilder.group(Api, "audit", (handlers) =>
  handlers.handleAll({ listAuditRecords: read("audit.listAuditRecords") }),
)

const Operations = HttpApiBuilder.group(Api, "operations", (handlers) =>
  handlers.handleAll({
    listParkedJobs: read("operations.listParkedJobs"),
    resumeJob: wrote("operations.resumeJob", 200),
    dropJob: wrote("operations.dropJob", 200),
    listUnappliedMoney: read("operations.listUnappliedMoney"),
    applyUnappliedMoney: wrote("operations.applyUnappliedMoney", 200),
    retryRefund: wrote("operations.retryRefund", 200),
    endCustomerAccess: wrote("operations.endCustomerAccess", 200),
  }),
)

const Cards = HttpApiBuilder.group(Api, "cards", (handlers) =>
  handlers.handleAll({
    listCards: read("cards.listCards"),
    createCard: wrote("cards.createCard", 201),
    getCardById: read("cards.getCardById"),
    updateCardById: wrote("cards.updateCardById", 200),
    revealCard: wrote("cards.revealCard", 200),
    createDelegatedKey: wrote("cards.createDelegatedKey", 201),
    listDelegatedKeys: read("cards.listDelegatedKeys"),
    getDelegatedKeyById: read("cards.getDelegatedKeyById"),
    revokeDelegatedKey: noContent,
  }),
)

const Invitations = HttpApiBuilder.group(Api, "invitations", (handlers) =>
  handlers.handleAll({
    createInvitation: wrote("invitations.createInvitation", 201),
    getInvitation: read("invitations.getInvitation"),
    claimInvitation: wrote("invitations.claimInvitation", 200),
    cancelInvitation: wrote("invitations.cancelInvitation", 200),
  }),
)

const SandboxCards = HttpApiBuilder.group(Api, "sandboxCards", (handlers) =>
  handlers.handleAll({
    sandboxSimulateCardAuthorization: wrote("sandboxCards.sandboxSimulateCardAuthorization", 202),
    sandboxSimulateCardClearing: wrote("sandboxCards.sandboxSimulateCardClearing", 202),
    sandboxSimulateCardReturn: wrote("sandboxCards.sandboxSimulateCardReturn", 202),
    sandboxSimulateCardBalanceInquiry: wrote("sandboxCards.sandboxSimulateCardBalanceInquiry", 202),
    sandboxSimulateCardCreditAuthorization: wrote("sandboxCards.sandboxSimulateCardCreditAuthorization", 202),
    sandboxSimulateCardFinancialAuthorization: wrote("sandboxCards.sandboxSimulateCardFinancialAuthorization", 202),
    sandboxSimulateCardFinancialCreditAuthorization: wrote(
      "sandboxCards.sandboxSimulateCardFinancialCreditAuthorization",
      202,
    ),
    sandboxSimulateCardAuthorizationAdvice: wrote("sandboxCards.sandboxSimulateCardAuthorizationAdvice", 202),
    sandboxSimulateCardCreditAuthorizationAdvice: wrote(
      "sandboxCards.sandboxSimulateCardCreditAuthorizationAdvice",
      202,
    ),
    sandboxSimulateCardReturnReversal: wrote("sandboxCards.sandboxSimulateCardReturnReversal", 202),
  }),
)

export const fakeHandlers = Layer.mergeAll(
  AgentsMe,
  Agents,
  Customers,
  ExternalAccounts,
  Onboarding,
  Documents,
  BulkImports,
  Sca,
  Accounts,
  Transactions,
  Transfers,
  Quotes,
  Receivers,
  Platform,
  Tokens,
  Webhooks,
  OperatorEvents,
  SandboxEvents,
  SandboxWorlds,
  Wallet,
  Audit,
  Operations,
  OperatorBooks,
  OperatorRecords,
  OperatorPolicies,
  OperatorChanges,
  OperatorTime,
  SandboxInbox,
  SandboxRequests,
  Sandbox,
  Cards,
  SandboxCards,
  Stablecoins,
  Invitations,
)
