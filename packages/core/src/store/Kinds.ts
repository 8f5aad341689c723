/**
 * The table of stored kinds: schema, list filters, unique keys and state fields of each. Adapters derive their tables from it.
 * Source: architecture, "A change set is the only way to write".
 */
import * as Table from "../foundation/kit/Table.ts"
import { ExternalAccount, erasedExternalAccount } from "../model/account/ExternalAccount.ts"
import { ExternalAccountMachine } from "../model/account/ExternalAccountMachine.ts"
import { InternalAccount } from "../model/account/InternalAccount.ts"
import { Agent, DeviceCode } from "../model/agent/Agent.ts"
import { AgentAction } from "../model/agent/AgentAction.ts"
import { AgentActionMachine } from "../model/agent/AgentActionMachine.ts"
import { Approver } from "../model/approval/Approver.ts"
import { ConsoleSession } from "../model/approval/ConsoleSession.ts"
import { AuditRecord } from "../model/audit/AuditRecord.ts"
import { BulkImport, BulkImportError } from "../model/bulk/BulkImport.ts"
import { BulkImportMachine } from "../model/bulk/BulkImportMachine.ts"
import { Card, closedByService, fundingAccountIds } from "../model/card/Card.ts"
import { CardMachine } from "../model/card/CardMachine.ts"
import { CardTransaction, isInProgress } from "../model/card/CardTransaction.ts"
import { CardTransactionMachine } from "../model/card/CardTransactionMachine.ts"
import { DelegatedKey } from "../model/card/DelegatedKey.ts"
import { DelegatedKeyMachine } from "../model/card/DelegatedKeyMachine.ts"
import { BeneficialOwner } from "../model/customer/BeneficialOwner.ts"
import { KybMachine, KycMachine, OwnerKycMachine } from "../model/customer/CheckMachine.ts"
import { Customer } from "../model/customer/Customer.ts"
import { umaAddressKey } from "../model/customer/UmaAddress.ts"
import { isOpen, Verification } from "../model/customer/Verification.ts"
import { VerificationMachine } from "../model/customer/VerificationMachine.ts"
import { Document, endedDocument } from "../model/document/Document.ts"
import { DocumentMachine } from "../model/document/DocumentMachine.ts"
import { CircuitMachine } from "../model/event/CircuitMachine.ts"
import { WebhookEndpoint } from "../model/event/WebhookEndpoint.ts"
import { WebhookEndpointMachine } from "../model/event/WebhookEndpointMachine.ts"
import { WebhookKeyRing } from "../model/event/WebhookKeyRing.ts"
import { FileMachine } from "../model/file/FileMachine.ts"
import { StoredFile } from "../model/file/StoredFile.ts"
import { Invitation, invitationAsOf, withoutInviter } from "../model/invitation/Invitation.ts"
import { InvitationMachine } from "../model/invitation/InvitationMachine.ts"
import { ApiToken, Platform } from "../model/platform/Platform.ts"
import { Quote, quoteAsOf } from "../model/quote/Quote.ts"
import { QuoteMachine } from "../model/quote/QuoteMachine.ts"
import { ScaProfile } from "../model/sca/ScaProfile.ts"
import { IssuanceMachine } from "../model/stablecoin/IssuanceMachine.ts"
import { ProviderAccountMachine } from "../model/stablecoin/ProviderAccountMachine.ts"
import { isUnissued, Stablecoin } from "../model/stablecoin/Stablecoin.ts"
import * as Operations from "../model/stablecoin/StablecoinOperation.ts"
import { StablecoinOperationMachine } from "../model/stablecoin/StablecoinOperationMachine.ts"
import { StablecoinProviderAccount } from "../model/stablecoin/StablecoinProviderAccount.ts"
import { IncomingMachine } from "../model/transaction/IncomingMachine.ts"
import { IncomingRefundMachine } from "../model/transaction/IncomingRefundMachine.ts"
import { OutgoingMachine } from "../model/transaction/OutgoingMachine.ts"
import { RefundMachine } from "../model/transaction/RefundMachine.ts"
import { Transaction } from "../model/transaction/Transaction.ts"
import { Credential, credentialClaims, revoked } from "../model/wallet/Credential.ts"
import { OtpChallenge } from "../model/wallet/OtpChallenge.ts"
import { Session } from "../model/wallet/Session.ts"
import { SessionMachine } from "../model/wallet/SessionMachine.ts"
import { SignedRequest } from "../model/wallet/SignedRequest.ts"
import { Wallet } from "../model/wallet/Wallet.ts"
import { WalletRoot } from "../model/wallet/WalletRoot.ts"
import * as Claims from "./Claims.ts"
import { KindLists } from "./KindLists.ts"
import { type KindRow, kind } from "./KindRow.ts"

/** The counters of the records that block a customer's deletion, and of the changes in what it ends. */
export const deletionBlockerCounter = (customerId: string): string => `kept:${customerId}`
export const dependentCounter = (customerId: string): string => `attached:${customerId}`

/** In these a transaction may still move money. */
const openStatuses: ReadonlyArray<Transaction["status"]> = ["PENDING", "PENDING_AUTHORIZATION", "PROCESSING"]

export const Kinds = Table.make("Kinds", {
  Platform: kind<Platform>(Platform, {}, (p) => [
    Claims.umaDomainClaim(p.umaDomain),
    ...(p.proxyUmaSubdomain === undefined ? [] : [Claims.umaSubdomainClaim(p.proxyUmaSubdomain)]),
  ]),
  ApiToken: kind<ApiToken>(
    ApiToken,
    { name: (t) => t.name, isDeleted: (t) => t.isDeleted },
    (t) => (t.isDeleted ? [] : [Claims.clientClaim(t.clientId)]),
    KindLists.ApiToken,
  ),
  WebhookEndpoint: kind<WebhookEndpoint>(WebhookEndpoint, {}, () => [], {
    states: { state: [WebhookEndpointMachine], "circuit.state": [CircuitMachine] },
  }),
  WebhookKeyRing: kind<WebhookKeyRing>(WebhookKeyRing),
  Customer: kind<Customer>(
    Customer,
    {
      platformCustomerId: (c) => c.platformCustomerId,
      customerType: (c) => c.customerType,
      umaAddress: (c) => umaAddressKey(c.umaAddress),
      region: (c) => c.region ?? null,
      currencies: (c) => c.currencies,
      isDeleted: (c) => c.isDeleted,
    },
    (c) =>
      c.isDeleted
        ? []
        : [
            { scope: "platform", key: `platformCustomerId:${c.platformCustomerId}` },
            Claims.umaAddressClaim(c.umaAddress),
          ],
    { ...KindLists.Customer, states: { checkStatus: [KycMachine, KybMachine] } },
  ),
  BeneficialOwner: kind<BeneficialOwner>(BeneficialOwner, {}, () => [], {
    ...KindLists.BeneficialOwner,
    states: { kycStatus: [OwnerKycMachine] },
  }),
  Verification: kind<Verification>(
    Verification,
    { verificationStatus: (v) => v.verificationStatus },
    // One open verification at a time: a repeated submission continues it.
    (v, { customerId }) => (isOpen(v) ? [{ scope: "platform", key: `verification:${customerId}` }] : []),
    { ...KindLists.Verification, states: { verificationStatus: [VerificationMachine] } },
  ),
  BulkImport: kind<BulkImport>(BulkImport, {}, () => [], { states: { status: [BulkImportMachine] } }),
  BulkImportError: kind<BulkImportError>(BulkImportError, { importId: (e) => e.importId }, () => [], {
    ...KindLists.BulkImportError,
  }),
  StoredFile: kind<StoredFile>(StoredFile, {}, () => [], { states: { status: [FileMachine] } }),
  Document: kind<Document>(
    Document,
    { documentHolder: (d) => d.documentHolder, isDeleted: (d) => d.status === "DELETED" },
    () => [],
    {
      onCustomerDeleted: (d) => (d.status === "DELETED" ? undefined : endedDocument(d, "End")),
      erasesHistory: true,
      ...KindLists.Document,
      states: { status: [DocumentMachine] },
    },
  ),
  ScaProfile: kind<ScaProfile>(ScaProfile),
  InternalAccount: kind<InternalAccount>(
    InternalAccount,
    {
      currency: (a) => a.currency,
      type: (a) => a.type,
      status: (a) => a.status,
      isPlatform: (a) => a.isPlatform ?? false,
    },
    (a, { customerId }) =>
      a.status === "CLOSED" || a.status === "FAILED"
        ? []
        : [{ scope: "platform", key: `internal-account:${customerId ?? "platform"}:${a.currency}:${a.type}` }],
    {
      onCustomerDeleted: (a) => (a.status === "CLOSED" ? undefined : { ...a, status: "CLOSED" }),
      ...KindLists.InternalAccount,
      states: { status: [] },
    },
  ),
  ExternalAccount: kind<ExternalAccount>(
    ExternalAccount,
    {
      currency: (a) => a.currency,
      status: (a) => a.status,
      isDefaultUmaDeposit: (a) => a.defaultUmaDepositAccount,
      isOfPlatform: (a) => a.isOfPlatform ?? false,
      isDeleted: (a) => a.isDeleted,
    },
    (a, owner) => (a.isDeleted ? [] : [Claims.sameAccountClaim(a, owner), ...Claims.umaDepositClaims(a, owner)]),
    {
      onCustomerDeleted: (a) => (a.isDeleted ? undefined : erasedExternalAccount(a)),
      erasesHistory: true,
      ...KindLists.ExternalAccount,
      states: { status: [ExternalAccountMachine] },
    },
  ),
  Agent: kind<Agent>(
    Agent,
    { isPaused: (a) => a.isPaused, isConnected: (a) => a.isConnected, isDeleted: (a) => a.isDeleted },
    (a) => (a.isDeleted ? [] : a.tokens.map(({ hash }) => Claims.agentTokenClaim(hash))),
    {
      onCustomerDeleted: (a) => (a.isDeleted ? undefined : { ...a, isDeleted: true, isConnected: false }),
      ...KindLists.Agent,
    },
  ),
  DeviceCode: kind<DeviceCode>(
    DeviceCode,
    { agentId: (c) => c.agentId, status: (c) => c.status },
    (c) => [Claims.deviceCodeClaim(c.codeHash)],
    { indexed: ["agentId"], states: { status: [] } },
  ),
  AgentAction: kind<AgentAction>(
    AgentAction,
    { agentId: (a) => a.agentId, status: (a) => a.status, type: (a) => a.type },
    // One held action per quote.
    ({ quoteId, status }) =>
      quoteId !== undefined && status === "PENDING_APPROVAL" ? [Claims.heldQuoteClaim(quoteId)] : [],
    { ...KindLists.AgentAction, states: { status: [AgentActionMachine] } },
  ),
  Invitation: kind<Invitation>(Invitation, {}, (i) => [Claims.invitationClaim(i.codeHash)], {
    onCustomerDeleted: withoutInviter,
    asOf: invitationAsOf,
    ...KindLists.Invitation,
    states: { status: [InvitationMachine] },
  }),
  // Its open transaction blocks the deletion of the customer.
  Quote: kind<Quote>(Quote, {}, () => [], { asOf: quoteAsOf, ...KindLists.Quote, states: { status: [QuoteMachine] } }),
  Transaction: kind<Transaction>(
    Transaction,
    {
      status: (t) => t.status,
      type: (t) => t.type,
      platformCustomerId: (t) => t.platformCustomerId,
      reference: (t) => t.reference ?? null,
      sourceAccountId: (t) => t.sourceAccountId ?? null,
      destinationAccountId: (t) => t.destinationAccountId,
      agentId: (t) => t.agentId ?? null,
      isUnapplied: (t) => t.isUnapplied ?? null,
    },
    (t) => {
      const depositId = t.type === "INCOMING" ? t.deposit?.depositId : undefined
      return depositId === undefined ? [] : [{ scope: "platform", key: `deposit:${depositId}` }]
    },
    {
      ...KindLists.Transaction,
      blocksDeletion: (t) =>
        t.isUnapplied === true || t.refund?.status === "PENDING" || openStatuses.some((status) => status === t.status),
      states: { status: [IncomingMachine, OutgoingMachine], "refund.status": [RefundMachine, IncomingRefundMachine] },
    },
  ),
  Approver: kind<Approver>(
    Approver,
    { key: (a) => Claims.approverClaim(a.name).key },
    (a) => [Claims.approverClaim(a.name)],
    KindLists.Approver,
  ),
  ConsoleSession: kind<ConsoleSession>(
    ConsoleSession,
    { status: (s) => s.status, tokenId: (s) => s.tokenId },
    ({ secretHash, status }) =>
      status === "ACTIVE" && secretHash !== undefined ? [Claims.consoleSessionClaim(secretHash)] : [],
    { states: { status: [] } },
  ),
  WalletRoot: kind<WalletRoot>(WalletRoot, {}, () => [Claims.walletRootClaim]),
  Wallet: kind<Wallet>(Wallet),
  Credential: kind<Credential>(
    Credential,
    {
      accountId: (c) => c.accountId,
      type: (c) => c.type,
      contact: (c) => ("contact" in c ? c.contact : null),
      isRevoked: (c) => c.isRevoked,
    },
    credentialClaims,
    { onCustomerDeleted: (c) => (c.isRevoked ? undefined : revoked(c)), ...KindLists.Credential },
  ),
  OtpChallenge: kind<OtpChallenge>(OtpChallenge),
  Session: kind<Session>(
    Session,
    {
      accountId: (s) => s.accountId,
      authMethodId: (s) => s.authMethodId,
      publicKey: (s) => s.publicKey,
      status: (s) => s.status,
      expiresAt: (s) => s.expiresAt,
    },
    () => [],
    {
      onCustomerDeleted: (s) =>
        SessionMachine.isTerminal(s.status)
          ? undefined
          : { ...s, status: SessionMachine.follow(s.status, "Revoke").state },
      ...KindLists.Session,
      states: { status: [SessionMachine] },
    },
  ),
  SignedRequest: kind<SignedRequest>(SignedRequest),
  AuditRecord: kind<AuditRecord>(
    AuditRecord,
    {
      actorId: (a) => a.actor.id ?? null,
      operation: (a) => a.operation,
      target: (a) => a.target,
      outcome: (a) => a.outcome,
    },
    () => [],
    { ...KindLists.AuditRecord, isFinal: true },
  ),
  Card: kind<Card>(
    Card,
    { platformCardId: (c) => c.platformCardId, state: (c) => c.state, fundingSources: fundingAccountIds },
    (c) => [Claims.cardClaim(c.platformCardId)],
    { onCustomerDeleted: closedByService, ...KindLists.Card, states: { state: [CardMachine] } },
  ),
  CardTransaction: kind<CardTransaction>(
    CardTransaction,
    {
      cardId: (t) => t.cardId,
      status: (t) => t.status,
      platformCustomerId: (t) => t.platformCustomerId,
      accountId: (t) => t.accountId,
      issuerTransactionToken: (t) => t.issuerTransactionToken,
      isUnapplied: (t) => t.isUnapplied ?? null,
    },
    (t) => [Claims.cardTransactionClaim(t.issuerTransactionToken)],
    { ...KindLists.CardTransaction, blocksDeletion: isInProgress, states: { status: [CardTransactionMachine] } },
  ),
  DelegatedKey: kind<DelegatedKey>(
    DelegatedKey,
    { accountId: (k) => k.accountId, fundingSourceId: (k) => k.fundingSourceId, status: (k) => k.status },
    (k) => (k.status === "ACTIVE" ? [Claims.delegatedKeyClaim(k.fundingSourceId)] : []),
    {
      onCustomerDeleted: (k) =>
        DelegatedKeyMachine.isTerminal(k.status)
          ? undefined
          : { ...k, status: DelegatedKeyMachine.follow(k.status, "Revoke").state },
      ...KindLists.DelegatedKey,
      states: { status: [DelegatedKeyMachine] },
    },
  ),
  StablecoinProviderAccount: kind<StablecoinProviderAccount>(
    StablecoinProviderAccount,
    { provider: (a) => a.provider, status: (a) => a.status, providerAccountId: (a) => a.providerAccountId },
    (a) => (a.status === "REVOKED" ? [] : [Claims.providerAccountClaim(a)]),
    { ...KindLists.StablecoinProviderAccount, states: { status: [ProviderAccountMachine] } },
  ),
  Stablecoin: kind<Stablecoin>(
    Stablecoin,
    {
      provider: (s) => s.provider,
      issuanceStatus: (s) => s.issuanceStatus,
      serviceOperationsStatus: (s) => s.serviceOperationsStatus,
    },
    (s) => (isUnissued(s) ? [] : Claims.stablecoinClaims(s)),
    { ...KindLists.Stablecoin, states: { issuanceStatus: [IssuanceMachine] } },
  ),
  StablecoinOperation: kind<Operations.StablecoinOperation>(
    Operations.StablecoinOperation,
    {
      stablecoinId: (o) => o.stablecoinId,
      operationType: (o) => o.operationType,
      status: (o) => o.status,
      requestKey: (o) => o.request?.key ?? null,
    },
    ({ request }) => (request === undefined ? [] : [Claims.stablecoinRequestClaim(request.key)]),
    {
      customers: Operations.customersOfOperation,
      blocksDeletion: Operations.isOpenOperation,
      asOf: Operations.stablecoinOperationAsOf,
      ...KindLists.StablecoinOperation,
      states: { status: [StablecoinOperationMachine] },
    },
  ),
})
/** A key of the table, the name of a type of record. */
export type Kind = (typeof Kinds.keys)[number]
/** The stored data of a kind. */
export type DataOf<K extends Kind> = (typeof Kinds.rows)[K] extends KindRow<infer Data> ? Data : never
