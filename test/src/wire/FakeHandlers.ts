/** Handlers that return the decoded request, for tests of everything around handlers. */

import { Api } from "@countersign/client/api"
import { ServiceError } from "@countersign/core"
import { StoreUnavailable } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond } from "../../../packages/adapter-http/src/middleware/Answers.ts"
import { keyed } from "../../../packages/adapter-http/src/middleware/Idempotency.ts"
import { echo, noContent, ok, read, wrote } from "./FakeAnswers.ts"
import { Stablecoins } from "./FakeStablecoins.ts"
import { BulkImports, Documents } from "./FakeUploads.ts"

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
    me: read("agentsMe.me"),
    actions: read("agentsMe.actions"),
    action: read("agentsMe.action"),
    transferIn: (request) =>
      respond(
        Effect.map(echo("agentsMe.transferIn", request), (body) => ({
          status: 201,
          body: { ...body, keyed: keyed(request) },
          replayed: request.headers["idempotency-key"] === "again",
        })),
      ),
    transferOut: wrote("agentsMe.transferOut", 201),
    createQuote: wrote("agentsMe.createQuote", 201),
    quote: read("agentsMe.quote"),
    executeQuote: wrote("agentsMe.executeQuote", 200),
    internalAccounts: read("agentsMe.internalAccounts"),
    externalAccounts: read("agentsMe.externalAccounts"),
    createExternalAccount: wrote("agentsMe.createExternalAccount", 201),
    externalAccount: read("agentsMe.externalAccount"),
    removeExternalAccount: noContent,
    transactions: read("agentsMe.transactions"),
    transaction: read("agentsMe.transaction"),
  }),
)

const Agents = HttpApiBuilder.group(Api, "agents", (handlers) =>
  handlers.handleAll({
    list: read("agents.list"),
    create: wrote("agents.create", 201),
    approvals: read("agents.approvals"),
    get: read("agents.get"),
    update: wrote("agents.update", 200),
    remove: noContent,
    updatePolicy: wrote("agents.updatePolicy", 200),
    evaluatePolicy: wrote("agents.evaluatePolicy", 200),
    evaluateApproval: read("agents.evaluateApproval"),
    rotateAgentToken: wrote("agents.rotateAgentToken", 201),
    issueDeviceCode: wrote("agents.issueDeviceCode", 201),
    deviceCodeStatus: read("agents.deviceCodeStatus"),
    approve: wrote("agents.approve", 200),
    reject: wrote("agents.reject", 200),
    redeemDeviceCode: ({ params }) => ok(Effect.succeed({ endpoint: "agents.redeemDeviceCode", params })),
  }),
)

const Customers = HttpApiBuilder.group(Api, "customers", (handlers) =>
  handlers.handleAll({
    createCustomer: wrote("customers.createCustomer", 201),
    listCustomers: read("customers.listCustomers"),
    endUserTerms: read("customers.endUserTerms"),
    updateCustomer: wrote("customers.updateCustomer", 200),
    deleteCustomer: wrote("customers.deleteCustomer", 200),
    listInternalAccounts: read("customers.listInternalAccounts"),
    getCustomer: (request) =>
      ok(
        request.params.customerId === "held"
          ? Effect.flatten(Held)
          : (failuresById[request.params.customerId] ?? echo("customers.getCustomer", request)),
      ),
  }),
)

const ExternalAccounts = HttpApiBuilder.group(Api, "externalAccounts", (handlers) =>
  handlers.handleAll({
    discoveries: read("externalAccounts.discoveries"),
    listVasps: read("externalAccounts.listVasps"),
    listOfCustomers: read("externalAccounts.listOfCustomers"),
    createOfCustomer: wrote("externalAccounts.createOfCustomer", 201),
    getOfCustomer: read("externalAccounts.getOfCustomer"),
    removeOfCustomer: noContent,
    challengeOfCustomer: wrote("externalAccounts.challengeOfCustomer", 201),
    verifyOfCustomer: wrote("externalAccounts.verifyOfCustomer", 200),
    listOfPlatform: read("externalAccounts.listOfPlatform"),
    createOfPlatform: wrote("externalAccounts.createOfPlatform", 201),
    getOfPlatform: read("externalAccounts.getOfPlatform"),
    removeOfPlatform: noContent,
    challengeOfPlatform: wrote("externalAccounts.challengeOfPlatform", 201),
    verifyOfPlatform: wrote("externalAccounts.verifyOfPlatform", 200),
  }),
)

const Onboarding = HttpApiBuilder.group(Api, "onboarding", (handlers) =>
  handlers.handleAll({
    listVerifications: read("onboarding.listVerifications"),
    createVerification: wrote("onboarding.createVerification", 200),
    getVerification: read("onboarding.getVerification"),
    listOwners: read("onboarding.listOwners"),
    createOwner: wrote("onboarding.createOwner", 201),
    getOwner: read("onboarding.getOwner"),
    updateOwner: wrote("onboarding.updateOwner", 200),
    createKycLink: wrote("onboarding.createKycLink", 201),
    verifyEmail: noContent,
    confirmEmail: wrote("onboarding.confirmEmail", 200),
    verifyPhone: noContent,
    confirmPhone: wrote("onboarding.confirmPhone", 200),
  }),
)

const Sca = HttpApiBuilder.group(Api, "sca", (handlers) =>
  handlers.handleAll({
    listFactors: read("sca.listFactors"),
    enrollFactor: read("sca.enrollFactor"),
    confirmFactor: wrote("sca.confirmFactor", 200),
    removeFactor: noContent,
    startReset: wrote("sca.startReset", 201),
    getReset: read("sca.getReset"),
    completeReset: noContent,
    startLogin: wrote("sca.startLogin", 200),
    completeLogin: wrote("sca.completeLogin", 200),
    recordEvent: wrote("sca.recordEvent", 200),
    startTrust: wrote("sca.startTrust", 200),
    confirmTrust: wrote("sca.confirmTrust", 200),
    startUntrust: wrote("sca.startUntrust", 200),
    confirmUntrust: wrote("sca.confirmUntrust", 200),
  }),
)

const Accounts = HttpApiBuilder.group(Api, "accounts", (handlers) =>
  handlers.handleAll({
    listPlatformAccounts: read("accounts.listPlatformAccounts"),
    listAccounts: read("accounts.listAccounts"),
    getAccount: read("accounts.getAccount"),
    updateAccount: wrote("accounts.updateAccount", 200),
    exportWallet: wrote("accounts.exportWallet", 200),
  }),
)

const Wallet = HttpApiBuilder.group(Api, "wallet", (handlers) =>
  handlers.handleAll({
    listCredentials: read("wallet.listCredentials"),
    registerCredential: wrote("wallet.registerCredential", 201),
    revokeCredential: noContent,
    challengeCredential: wrote("wallet.challengeCredential", 200),
    verifyCredential: wrote("wallet.verifyCredential", 200),
    listSessions: read("wallet.listSessions"),
    revokeSession: noContent,
    refreshSession: wrote("wallet.refreshSession", 201),
  }),
)

const Tokens = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  handlers.handleAll({
    listTokens: read("tokens.listTokens"),
    createToken: wrote("tokens.createToken", 201),
    getToken: read("tokens.getToken"),
    createTokenSecret: wrote("tokens.createTokenSecret", 201),
    retireTokenSecret: noContent,
    deleteToken: noContent,
  }),
)

const Webhooks = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    getEndpoint: read("webhooks.getEndpoint"),
    disableEndpoint: read("webhooks.disableEndpoint"),
    enableEndpoint: read("webhooks.enableEndpoint"),
    listKeys: read("webhooks.listKeys"),
    rotateKeys: wrote("webhooks.rotateKeys", 201),
    revealSecret: read("webhooks.revealSecret"),
  }),
)

const Transactions = HttpApiBuilder.group(Api, "transactions", (handlers) =>
  handlers.handleAll({
    list: read("transactions.list"),
    getTransaction: read("transactions.getTransaction"),
    confirm: wrote("transactions.confirm", 200),
    cancel: wrote("transactions.cancel", 200),
    approve: wrote("transactions.approve", 200),
    reject: wrote("transactions.reject", 200),
  }),
)

const Transfers = HttpApiBuilder.group(Api, "transfers", (handlers) =>
  handlers.handleAll({
    transferIn: wrote("transfers.transferIn", 201),
    transferOut: wrote("transfers.transferOut", 201),
  }),
)

const Quotes = HttpApiBuilder.group(Api, "quotes", (handlers) =>
  handlers.handleAll({
    listExchangeRates: read("quotes.listExchangeRates"),
    createQuote: wrote("quotes.createQuote", 201),
    getQuote: read("quotes.getQuote"),
    executeQuote: wrote("quotes.executeQuote", 200),
    authorizeQuote: wrote("quotes.authorizeQuote", 200),
    resendQuoteAuthorization: noContent,
  }),
)

const Receivers = HttpApiBuilder.group(Api, "receivers", (handlers) =>
  handlers.handleAll({
    lookupUma: read("receivers.lookupUma"),
    lookupExternalAccount: read("receivers.lookupExternalAccount"),
    listUmaProviders: read("receivers.listUmaProviders"),
    estimateWithdrawalFee: read("receivers.estimateWithdrawalFee"),
  }),
)

const Platform = HttpApiBuilder.group(Api, "platform", (handlers) =>
  handlers.handleAll({ getConfig: read("platform.getConfig"), updateConfig: wrote("platform.updateConfig", 200) }),
)

const Sandbox = HttpApiBuilder.group(Api, "sandbox", (handlers) =>
  handlers.handleAll({
    fundInternalAccount: wrote("sandbox.fundInternalAccount", 200),
    sandboxSend: wrote("sandbox.sandboxSend", 200),
    umaReceive: wrote("sandbox.umaReceive", 200),
    setExternalAccountStatus: wrote("sandbox.setExternalAccountStatus", 200),
    testWebhook: wrote("sandbox.testWebhook", 200),
    testWebhookAlias: wrote("sandbox.testWebhookAlias", 200),
    clock: read("sandbox.clock"),
    advanceClock: wrote("sandbox.advanceClock", 200),
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
    getCard: read("cards.getCard"),
    updateCard: wrote("cards.updateCard", 200),
    revealCard: wrote("cards.revealCard", 200),
    createDelegatedKey: wrote("cards.createDelegatedKey", 201),
    listDelegatedKeys: read("cards.listDelegatedKeys"),
    getDelegatedKey: read("cards.getDelegatedKey"),
    revokeDelegatedKey: noContent,
  }),
)

const Invitations = HttpApiBuilder.group(Api, "invitations", (handlers) =>
  handlers.handleAll({
    create: wrote("invitations.create", 201),
    get: read("invitations.get"),
    claim: wrote("invitations.claim", 200),
    cancel: wrote("invitations.cancel", 200),
  }),
)

const SandboxCards = HttpApiBuilder.group(Api, "sandboxCards", (handlers) =>
  handlers.handleAll({
    authorization: wrote("sandboxCards.authorization", 202),
    clearing: wrote("sandboxCards.clearing", 202),
    return: wrote("sandboxCards.return", 202),
    balanceInquiry: wrote("sandboxCards.balanceInquiry", 202),
    creditAuthorization: wrote("sandboxCards.creditAuthorization", 202),
    financialAuthorization: wrote("sandboxCards.financialAuthorization", 202),
    financialCreditAuthorization: wrote("sandboxCards.financialCreditAuthorization", 202),
    authorizationAdvice: wrote("sandboxCards.authorizationAdvice", 202),
    creditAuthorizationAdvice: wrote("sandboxCards.creditAuthorizationAdvice", 202),
    returnReversal: wrote("sandboxCards.returnReversal", 202),
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
  Wallet,
  Audit,
  Operations,
  Sandbox,
  Cards,
  SandboxCards,
  Stablecoins,
  Invitations,
)
