/**
 * An incoming transaction on the wire.
 * Source: wire contract 5.7.
 */
import { Schema } from "effect"
import { Id } from "../ids/IdTypes.ts"
import { iso, Timestamp } from "../kit/Instant.ts"
import { CurrencyAmount, currencyAmount } from "../money/Amount.ts"
import { CurrencyCode } from "../money/Currencies.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { IncomingFailureReason, TransactionStatus } from "./Transaction.ts"

const account = { accountId: Schema.String, currency: Schema.optionalKey(CurrencyCode) }
const AccountSource = Schema.Struct({ sourceType: Schema.Literal("ACCOUNT"), ...account }).annotate({
  identifier: "AccountTransactionSource",
})
const AccountDestination = Schema.Struct({ destinationType: Schema.Literal("ACCOUNT"), ...account }).annotate({
  identifier: "AccountTransactionDestination",
})

const FundingSource = Schema.Struct({
  sourceType: Schema.Literal("REALTIME_FUNDING"),
  currency: CurrencyCode,
  customerId: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "RealtimeFundingTransactionSource" })

export const IncomingTransactionResource = Schema.Struct({
  id: Id("Transaction"),
  type: Schema.Literal("INCOMING"),
  status: TransactionStatus,
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  source: Schema.Union([AccountSource, FundingSource]).annotate({ identifier: "TransactionSource" }),
  destination: AccountDestination,
  customerId: Schema.String,
  platformCustomerId: Schema.String,
  receivedAmount: CurrencyAmount,
  agentId: Schema.optionalKey(Id("Agent").annotate({ description: "Only when an agent started it." })),
  failureReason: Schema.optionalKey(IncomingFailureReason),
  settledAt: Schema.optionalKey(Timestamp.annotate({ description: "Absent until the money has arrived." })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "IncomingTransaction" })
export type IncomingTransactionResource = typeof IncomingTransactionResource.Type

export const toIncomingTransaction = ({
  createdAt,
  customerId,
  data,
  id,
  platformId,
  updatedAt,
}: Stored<"Transaction">): IncomingTransactionResource => ({
  id,
  type: data.type,
  status: data.status,
  direction: data.direction,
  source:
    data.sourceAccountId === undefined
      ? { sourceType: "REALTIME_FUNDING", currency: data.currency, ...(customerId === null ? {} : { customerId }) }
      : { sourceType: "ACCOUNT", accountId: data.sourceAccountId, currency: data.currency },
  destination: { destinationType: "ACCOUNT", accountId: data.destinationAccountId, currency: data.currency },
  // A transaction of the platform itself carries the platform's own id (wire contract 5.7, list filters).
  customerId: customerId ?? platformId,
  platformCustomerId: data.platformCustomerId,
  receivedAmount: currencyAmount(data.amount, data.currency),
  ...(data.agentId === undefined ? {} : { agentId: data.agentId }),
  ...(data.failureReason === undefined ? {} : { failureReason: data.failureReason }),
  ...(data.settledAt === undefined ? {} : { settledAt: iso(data.settledAt) }),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
