/**
 * The rule list of approvals: why an action that the policy covers waits for the platform. Each row can only require more approvals.
 * Source: wire contract 1.4 (step 7); D-475.
 */
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { accountRuleOf, amountIn, type SpendingFacts } from "./PolicyRules.ts"

/** Why an action is held: a message and the rule's numbers. */
export type ApprovalReason = { readonly [name: string]: Json }

/** The threshold above which an action is held, in its own currency, and the action's amount in that currency. */
export interface ComparedThreshold {
  readonly currency: CurrencyCode
  readonly value: number
  readonly amount: number
}

/** Returns the policy's threshold compared with the action, or `undefined` if it sets none. */
export const comparedThreshold = (facts: SpendingFacts): ComparedThreshold | undefined => {
  const { approvalThresholds, spendingLimits } = facts.agent.policy
  const value = approvalThresholds?.amount
  if (value === undefined || value === null) return undefined
  const currency = approvalThresholds?.currency ?? spendingLimits.currency
  return { currency, value, amount: amountIn(facts, currency) }
}

const ownModeOf = (facts: SpendingFacts, accountId: string) => accountRuleOf(facts, accountId)?.executionMode

export const ApprovalRules = Rules.make<SpendingFacts, ApprovalReason>("AgentApproval", [
  [
    "ACCOUNT_EXECUTION_MODE",
    (facts) => {
      const account = facts.accounts.find(({ id }) => ownModeOf(facts, id) === "APPROVAL_REQUIRED")
      return account && { message: "The agent's policy holds every action on this account.", accountId: account.id }
    },
  ],
  [
    "DEFAULT_EXECUTION_MODE",
    (facts) => {
      const { accounts, agent } = facts
      // A payment from one external account to another touches no internal account.
      const isDefault = accounts.length === 0 || accounts.some(({ id }) => ownModeOf(facts, id) === undefined)
      return isDefault && agent.policy.defaultExecutionMode === "APPROVAL_REQUIRED"
        ? { message: "The agent's policy holds every action." }
        : undefined
    },
  ],
  [
    "APPROVAL_THRESHOLD",
    (facts) => {
      const compared = comparedThreshold(facts)
      if (compared === undefined || compared.amount <= compared.value) return undefined
      const { amount, currency, value: threshold } = compared
      return { message: "The amount is above the approval threshold.", currency, threshold, amount }
    },
  ],
  [
    // The agent's policy is the platform's own, which must not be a way around the deployment's.
    "APPROVAL_POLICY",
    ({ approvalRow }) =>
      approvalRow && {
        message: "The deployment's approval policy holds the action.",
        row: approvalRow.name,
        needed: approvalRow.needed,
      },
  ],
])
