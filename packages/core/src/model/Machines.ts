/**
 * The list of all state machines. The diagrams and the exhaustive tests are derived from it.
 * Source: D-003.
 */
import { ExternalAccountMachine } from "./account/ExternalAccountMachine.ts"
import { AgentActionMachine } from "./agent/AgentActionMachine.ts"
import { BulkImportMachine } from "./bulk/BulkImportMachine.ts"
import { CardMachine } from "./card/CardMachine.ts"
import { CardTransactionMachine } from "./card/CardTransactionMachine.ts"
import { DelegatedKeyMachine } from "./card/DelegatedKeyMachine.ts"
import { KybMachine, KycMachine, OwnerKycMachine } from "./customer/CheckMachine.ts"
import { VerificationMachine } from "./customer/VerificationMachine.ts"
import { DocumentMachine } from "./document/DocumentMachine.ts"
import { CircuitMachine } from "./event/CircuitMachine.ts"
import { WebhookEndpointMachine } from "./event/WebhookEndpointMachine.ts"
import { FileMachine } from "./file/FileMachine.ts"
import { InvitationMachine } from "./invitation/InvitationMachine.ts"
import { QuoteMachine } from "./quote/QuoteMachine.ts"
import { IssuanceMachine } from "./stablecoin/IssuanceMachine.ts"
import { ProviderAccountMachine } from "./stablecoin/ProviderAccountMachine.ts"
import { StablecoinOperationMachine } from "./stablecoin/StablecoinOperationMachine.ts"
import { IncomingMachine } from "./transaction/IncomingMachine.ts"
import { IncomingRefundMachine } from "./transaction/IncomingRefundMachine.ts"
import { OutgoingMachine } from "./transaction/OutgoingMachine.ts"
import { RefundMachine } from "./transaction/RefundMachine.ts"
import { SessionMachine } from "./wallet/SessionMachine.ts"

export const machines = {
  AgentActionMachine,
  ExternalAccountMachine,
  IncomingMachine,
  IncomingRefundMachine,
  OutgoingMachine,
  RefundMachine,
  CardMachine,
  CardTransactionMachine,
  DelegatedKeyMachine,
  QuoteMachine,
  InvitationMachine,
  KycMachine,
  KybMachine,
  OwnerKycMachine,
  VerificationMachine,
  DocumentMachine,
  FileMachine,
  BulkImportMachine,
  SessionMachine,
  WebhookEndpointMachine,
  CircuitMachine,
  ProviderAccountMachine,
  IssuanceMachine,
  StablecoinOperationMachine,
}
