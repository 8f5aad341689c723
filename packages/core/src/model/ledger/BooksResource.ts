/**
 * The books of a platform on the wire: an extension of the specification.
 * Source: D-454.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { Currency } from "../../foundation/money/Currencies.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Sum = Schema.String.check(Schema.isPattern(/^-?\d+$/u, { expected: "an integer" })).annotate({
  examples: ["125000"],
})
const Amount = Schema.Int
const LedgerAccountId = Schema.String.annotate({
  description:
    "The ledger account: its role, and what it belongs to. An internal account has two, `available:<id>` and `held:<id>`.",
})
const Role = Schema.String.annotate({
  description: "What the ledger account is for, such as `available`, `held`, `outside` or `transit`.",
})

/** The ledger accounts of one role in one currency. Sums are in its smallest unit, as texts. */
export const TrialBalanceLineResource = Schema.Struct({
  role: Role,
  meaning: Schema.String,
  accounts: Count.annotate({ description: "How many ledger accounts there are." }),
  entries: Count.annotate({ description: "How many entries they have." }),
  debitBalance: Sum.annotate({ description: "The sum of the balances below zero, without the sign." }),
  creditBalance: Sum.annotate({ description: "The sum of the balances above zero." }),
}).annotate({ identifier: "TrialBalanceLine" })

/** The ledger accounts of one currency, by role. Sums are in its smallest unit, as texts. */
export const CurrencyTrialBalance = Schema.Struct({
  currency: Currency,
  debitBalance: Sum,
  creditBalance: Sum,
  isBalanced: Schema.Boolean.annotate({ description: "Whether both sums are equal, as double entry requires." }),
  lines: Schema.Array(TrialBalanceLineResource),
}).annotate({ identifier: "CurrencyTrialBalance" })

/** Answer of `GET /operator/books/trial-balance`: the balances of all ledger accounts of the platform. */
export const TrialBalanceResponse = Schema.Struct({
  asOf: Timestamp.annotate({ description: "Business time of the read." }),
  data: Schema.Array(CurrencyTrialBalance).annotate({
    description:
      "By currency. Sums are integers in the smallest unit, as texts, because they may exceed what a JSON number carries exactly.",
  }),
}).annotate({ identifier: "TrialBalanceResponse" })
export type TrialBalanceResponse = typeof TrialBalanceResponse.Type

/** A ledger account that has entries. Its balance is in the smallest unit of its currency. */
export const LedgerAccountResource = Schema.Struct({
  ledgerAccount: LedgerAccountId,
  role: Role,
  customerId: Schema.optionalKey(Schema.String),
  currency: Currency,
  balance: Amount,
  entries: Count.annotate({ description: "How many entries it has." }),
}).annotate({ identifier: "LedgerAccount" })

/** A page of ledger accounts, by id: the answer of `GET /operator/books/accounts`. */
export const LedgerAccountListResponse = Schema.Struct({
  data: Schema.Array(LedgerAccountResource),
  hasMore: Schema.Boolean.annotate({ description: "Whether another page exists." }),
  nextCursor: Schema.optionalKey(Schema.String.annotate({ description: "Opaque; only when hasMore is true." })),
}).annotate({ identifier: "LedgerAccountListResponse" })
export type LedgerAccountListResponse = typeof LedgerAccountListResponse.Type

/** An entry, which never changes. Amounts are in the smallest unit of the ledger account's currency. */
export const LedgerEntryResource = Schema.Struct({
  sequence: Schema.Int.annotate({ description: "1 for the ledger account's first entry." }),
  amount: Amount.annotate({ description: "Positive if the money came in, negative if it went out." }),
  balanceAfter: Amount,
  counterAccount: LedgerAccountId.annotate({ description: "Where the money came from or went to." }),
  reference: Schema.String.annotate({ description: "The id of the transaction, or of what else moved the money." }),
  at: Timestamp.annotate({ description: "Business time." }),
}).annotate({ identifier: "LedgerEntry" })

/** Answer of `GET /operator/books/accounts/{ledgerAccount}/entries`: the account and a page of its entries, newest first. */
export const LedgerEntryListResponse = Schema.Struct({
  ledgerAccount: LedgerAccountId,
  role: Role,
  customerId: Schema.optionalKey(Schema.String),
  currency: Currency,
  balance: Amount,
  data: Schema.Array(LedgerEntryResource),
  hasMore: Schema.Boolean.annotate({ description: "Whether another page exists." }),
  nextCursor: Schema.optionalKey(Schema.String.annotate({ description: "Opaque; only when hasMore is true." })),
  totalCount: Count.annotate({ description: "The number of all entries of the ledger account." }),
}).annotate({ identifier: "LedgerEntryListResponse" })
export type LedgerEntryListResponse = typeof LedgerEntryListResponse.Type

const Side = Schema.Struct({
  ledgerAccount: LedgerAccountId,
  role: Role,
  sequence: Schema.Int.annotate({ description: "The entry in the ledger account." }),
  balanceAfter: Amount,
}).annotate({ identifier: "LedgerTransferSide" })

/** A transfer between two ledger accounts, with the balance of each after it. */
export const LedgerTransferResource = Schema.Struct({
  amount: Amount.annotate({ description: "How much left `from` and entered `to`, in the smallest unit." }),
  currency: Currency,
  from: Side,
  to: Side,
  at: Timestamp.annotate({ description: "Business time." }),
  operationId: Schema.String.annotate({ description: "Transfers of one operation were committed together." }),
}).annotate({ identifier: "LedgerTransfer" })

/** Answer of `GET /operator/books/transfers/{reference}`: the transfers that one transaction caused. */
export const LedgerTransfersResponse = Schema.Struct({
  reference: Schema.String,
  data: Schema.Array(LedgerTransferResource).annotate({ description: "In the order of their commits." }),
}).annotate({ identifier: "LedgerTransfersResponse" })
export type LedgerTransfersResponse = typeof LedgerTransfersResponse.Type
