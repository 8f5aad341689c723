/**
 * The schema of each resource that an event carries, by the names in the table of events.
 * Source: wire contract 6.1; wire contract areas 2.6.
 */
import { Schema } from "effect"
import * as Table from "../foundation/kit/Table.ts"
import { ExternalAccountResource } from "./account/ExternalAccountResource.ts"
import { InternalAccountResource } from "./account/InternalAccountResource.ts"
import { AgentActionResource } from "./agent/AgentActionResource.ts"
import { BulkCustomerImportJob } from "./bulk/BulkImportResource.ts"
import { CardResource } from "./card/CardResource.ts"
import { CardTransactionResource } from "./card/CardTransactionResource.ts"
import { CustomerResource } from "./customer/CustomerResource.ts"
import { VerificationResource } from "./customer/VerificationResource.ts"
import type { EventTypes } from "./event/EventTypes.ts"
import { UmaInvitation } from "./invitation/InvitationResource.ts"
import { IncomingTransactionResource, OutgoingTransactionResource } from "./transaction/TransactionResource.ts"

type EventResource = (typeof EventTypes.entries)[number][1]

export const EventResources = Table.make("EventResources", {
  AgentAction: AgentActionResource,
  ExternalAccount: ExternalAccountResource,
  IncomingTransaction: IncomingTransactionResource,
  OutgoingTransaction: OutgoingTransactionResource,
  InternalAccount: InternalAccountResource,
  UmaInvitation,
  Card: CardResource,
  CardTransaction: CardTransactionResource,
  Customer: CustomerResource,
  Verification: VerificationResource,
  BulkImport: BulkCustomerImportJob,
  /** The endpoint proves that it is the platform's: see `challengeAnswer` of the client. */
  EndpointChallenge: Schema.Struct({ challenge: Schema.String }),
  none: Schema.Struct({}),
} satisfies Record<EventResource, Schema.Top>)
