/** How a person reads the members of a policy, its rules and its outcomes. */
import type { Comparison, Policy } from "./Wire.ts"

export const permissionNames: ReadonlyArray<readonly [Policy["permissions"][number], string]> = [
  ["VIEW_TRANSACTIONS", "read transactions and balances"],
  ["CREATE_TRANSFERS", "start transfers"],
  ["CREATE_QUOTES", "create quotes"],
  ["EXECUTE_QUOTES", "execute quotes"],
  ["MANAGE_EXTERNAL_ACCOUNTS", "manage external accounts"],
]

export const modeNames: ReadonlyArray<readonly [Policy["defaultExecutionMode"], string]> = [
  ["AUTO", "runs at once"],
  ["APPROVAL_REQUIRED", "needs an approval"],
]

const rules: Readonly<Record<string, string>> = {
  NOT_REVOKED: "The agent exists",
  NOT_PAUSED: "The agent is not paused",
  PERMISSION_GRANTED: "It may do this",
  ACTION_POSSIBLE: "Accounts and amount fit",
  ACCOUNTS_IN_SCOPE: "It may use the accounts",
  RATES_KNOWN: "The amount can be compared",
  PER_TRANSACTION_LIMIT: "Limit per action",
  DAILY_LIMIT: "Limit per day",
  MONTHLY_LIMIT: "Limit per month",
  DAILY_TRANSACTION_LIMIT: "Actions per day",
  COUNTED_EXACTLY: "The sum can be counted",
  ACTION_EXECUTABLE: "The quote can be executed",
  ACCOUNT_EXECUTION_MODE: "Mode of the account",
  DEFAULT_EXECUTION_MODE: "Mode of every action",
  APPROVAL_THRESHOLD: "Approval threshold",
  APPROVAL_POLICY: "Approval policy of the deployment",
  FUNDS: "Funds",
  STRONG_AUTHENTICATION: "Strong authentication",
}
export const ruleName = (rule: string): string => rules[rule] ?? rule

export type Outcome = Comparison["recent"][number]["present"]["outcome"]

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  APPROVED: "Runs",
  PENDING_APPROVAL: "Needs approval",
  REFUSED: "Refused",
  FAILED: "Fails",
}

export const typeNames: Readonly<Record<Comparison["recent"][number]["type"], string>> = {
  TRANSFER_IN: "Transfer in",
  TRANSFER_OUT: "Transfer out",
  EXECUTE_QUOTE: "Quote",
}
