/**
 * An agent's policy: permissions, limits, allowed accounts and approvals.
 * Source: wire contract 1.3.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { atMost } from "../../foundation/kit/Lengths.ts"
import * as Table from "../../foundation/kit/Table.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"

/** The table of an agent's permissions, each with what it grants. */
export const AgentPermissions = Table.make("AgentPermissions", {
  VIEW_TRANSACTIONS: "Read transactions and account balances.",
  CREATE_TRANSFERS: "Start same-currency transfers.",
  CREATE_QUOTES: "Create quotes.",
  EXECUTE_QUOTES: "Execute quotes.",
  MANAGE_EXTERNAL_ACCOUNTS: "List, read, create and delete external accounts.",
})
/** An entry of the allow list of a policy. What is not listed is refused with 403. */
export const AgentPermission = Schema.Literals(AgentPermissions.keys)
export type AgentPermission = typeof AgentPermission.Type

/** `AUTO`: an action that passes the policy is executed at once. `APPROVAL_REQUIRED`: every action waits for an approval. */
export const ExecutionMode = Schema.Literals(["AUTO", "APPROVAL_REQUIRED"])
export type ExecutionMode = typeof ExecutionMode.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
  description: "Number of actions, at least 1.",
})
const Limit = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
  description: "Integer in the smallest unit of the currency, at least 1.",
})

/** The limits of one action, a UTC day and a UTC month, in the smallest unit of `currency`. `null` or absent: no such limit. */
export const AgentSpendingLimits = Schema.Struct({
  currency: CurrencyCode,
  perTransactionLimit: Limit,
  dailyLimit: Schema.optionalKey(Schema.NullOr(Limit)),
  dailyTransactionLimit: Schema.optionalKey(Count),
  monthlyLimit: Schema.optionalKey(Schema.NullOr(Limit)),
}).annotate({ identifier: "AgentSpendingLimits" })
export type AgentSpendingLimits = typeof AgentSpendingLimits.Type

/** The amount above which an action needs an approval even in `AUTO`, in the smallest unit of `currency`, which must be given with it. */
export const AgentApprovalThresholds = Schema.Struct({
  currency: Schema.optionalKey(CurrencyCode),
  amount: Schema.optionalKey(Schema.NullOr(Limit)),
}).annotate({ identifier: "AgentApprovalThresholds" })
export type AgentApprovalThresholds = typeof AgentApprovalThresholds.Type

/**
 * An exception for one internal account. Its limit is in the smallest unit of the account's own currency; `null` or absent inherits
 * the general limit.
 */
export const AgentAccountRule = Schema.Struct({
  accountId: Id("InternalAccount"),
  executionMode: Schema.optionalKey(ExecutionMode),
  perTransactionLimit: Schema.optionalKey(Schema.NullOr(Limit)),
}).annotate({ identifier: "AgentAccountRule" })
export type AgentAccountRule = typeof AgentAccountRule.Type

/**
 * The internal accounts that an agent may use, and exceptions for some of them. `allowedAccountIds` `null` or absent: all accounts
 * of the customer.
 */
export const AgentAccountRestrictions = Schema.Struct({
  allowedAccountIds: Schema.optionalKey(Schema.NullOr(Schema.Array(Id("InternalAccount")).check(atMost("list")))),
  accountRules: Schema.optionalKey(Schema.Array(AgentAccountRule).check(atMost("list"))),
}).annotate({ identifier: "AgentAccountRestrictions" })

/** What an agent may do, how much it may spend from which accounts, and which of its actions need an approval. */
export const AgentPolicy = Schema.Struct({
  permissions: Schema.Array(AgentPermission).check(Schema.isMaxLength(AgentPermissions.keys.length)),
  defaultExecutionMode: ExecutionMode,
  spendingLimits: AgentSpendingLimits,
  accountRestrictions: Schema.optionalKey(AgentAccountRestrictions),
  approvalThresholds: Schema.optionalKey(AgentApprovalThresholds),
}).annotate({ identifier: "AgentPolicy" })
export type AgentPolicy = typeof AgentPolicy.Type
