/**
 * By what the records of each kind are listed. Adapters derive their indexes from it; kinds that are not here have none but those of every kind.
 * Source: D-500.
 */
import { ExternalAccountMachine } from "../model/account/ExternalAccountMachine.ts"
import { InternalAccountStatus, InternalAccountType } from "../model/account/InternalAccount.ts"
import { AgentActionMachine } from "../model/agent/AgentActionMachine.ts"
import { AuditOutcome } from "../model/audit/AuditRecord.ts"
import { CardMachine } from "../model/card/CardMachine.ts"
import { CardTransactionMachine } from "../model/card/CardTransactionMachine.ts"
import { DelegatedKeyMachine } from "../model/card/DelegatedKeyMachine.ts"
import { CustomerType } from "../model/customer/Customer.ts"
import { VerificationMachine } from "../model/customer/VerificationMachine.ts"
import { IssuanceMachine } from "../model/stablecoin/IssuanceMachine.ts"
import { ProviderAccountMachine } from "../model/stablecoin/ProviderAccountMachine.ts"
import { StablecoinServiceOperationsStatus } from "../model/stablecoin/Stablecoin.ts"
import * as Operations from "../model/stablecoin/StablecoinOperation.ts"
import { StablecoinProviderName } from "../model/stablecoin/StablecoinProviderAccount.ts"
import { IncomingMachine } from "../model/transaction/IncomingMachine.ts"
import { OutgoingMachine } from "../model/transaction/OutgoingMachine.ts"
import type { Transaction } from "../model/transaction/Transaction.ts"
import { SessionMachine } from "../model/wallet/SessionMachine.ts"
import type { KindRow } from "./KindRow.ts"

type KindList = Partial<
  Pick<KindRow<never>, "indexed" | "parts" | "indexedMembers" | "partialIndex" | "isPaged" | "isListedByUpdate">
>

const flags: ReadonlyArray<boolean> = [false, true]

const transferTypes: ReadonlyArray<Transaction["type"]> = ["INCOMING", "OUTGOING"]
const transferStatuses = [...new Set([...IncomingMachine.states, ...OutgoingMachine.states])]

export const KindLists = {
  Customer: {
    indexed: ["platformCustomerId", "umaAddress", "region"],
    parts: { isDeleted: flags, customerType: CustomerType.literals },
    indexedMembers: ["currencies"],
    isPaged: true,
    isListedByUpdate: true,
  },
  BeneficialOwner: { isPaged: true },
  Verification: { parts: { verificationStatus: VerificationMachine.states }, isPaged: true },
  BulkImportError: { indexed: ["importId"] },
  Document: { indexed: ["documentHolder"], parts: { isDeleted: flags }, isPaged: true },
  InternalAccount: {
    indexed: ["currency"],
    parts: { isPlatform: flags, type: InternalAccountType.literals, status: InternalAccountStatus.literals },
    isPaged: true,
  },
  ExternalAccount: {
    indexed: ["currency"],
    parts: { isOfPlatform: flags, isDeleted: flags, status: ExternalAccountMachine.states },
    isPaged: true,
  },
  Agent: { parts: { isDeleted: flags, isPaused: flags, isConnected: flags }, isPaged: true, isListedByUpdate: true },
  AgentAction: { indexed: ["agentId"], parts: { status: AgentActionMachine.states }, isPaged: true },
  Invitation: { isPaged: true },
  Transaction: {
    partialIndex: { isUnapplied: [true] },
    indexed: ["reference", "sourceAccountId", "destinationAccountId", "agentId"],
    parts: { status: transferStatuses, type: transferTypes },
    isPaged: true,
  },
  Approver: { indexed: ["key"] },
  Credential: { indexed: ["accountId", "contact"], isPaged: true },
  Session: { indexed: ["accountId", "authMethodId"], parts: { status: SessionMachine.states }, isPaged: true },
  AuditRecord: {
    indexed: ["target", "actorId", "operation"],
    parts: { outcome: AuditOutcome.literals },
    isPaged: true,
  },
  Card: {
    indexed: ["platformCardId"],
    parts: { state: CardMachine.states },
    indexedMembers: ["fundingSources"],
    isPaged: true,
  },
  CardTransaction: {
    partialIndex: { isUnapplied: [true] },
    indexed: ["cardId", "accountId", "issuerTransactionToken"],
    parts: { status: CardTransactionMachine.states },
    isPaged: true,
  },
  DelegatedKey: {
    indexed: ["accountId", "fundingSourceId"],
    parts: { status: DelegatedKeyMachine.states },
    isPaged: true,
  },
  StablecoinProviderAccount: {
    indexed: ["providerAccountId"],
    parts: { provider: StablecoinProviderName.literals, status: ProviderAccountMachine.states },
    isPaged: true,
  },
  Stablecoin: {
    parts: {
      provider: StablecoinProviderName.literals,
      issuanceStatus: IssuanceMachine.states,
      serviceOperationsStatus: StablecoinServiceOperationsStatus.literals,
    },
    isPaged: true,
  },
  StablecoinOperation: {
    indexed: ["stablecoinId", "requestKey"],
    parts: {
      operationType: Operations.StablecoinOperationType.literals,
      status: Operations.StablecoinOperationStatus.literals,
    },
    isPaged: true,
  },
  ApiToken: { indexed: ["name"], parts: { isDeleted: flags }, isPaged: true, isListedByUpdate: true },
  Quote: { isPaged: true },
} as const satisfies { readonly [kind: string]: KindList }
