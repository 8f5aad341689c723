/** The problems of a policy, field by field, all reported together. Wire contract 1.3 and 11 (15, 17). */

import type { AgentPolicy } from "@countersign/core/models"
import { expect, it } from "vitest"
import { policyProblems } from "../../../packages/core/src/model/agent/PolicyShapeRules.ts"
import { accountId, policy } from "./SpendingFacts.ts"

const known = new Set([accountId, "other"])
const foreign = "must be an internal account of the agent's customer"
const restricted = (accountRestrictions: AgentPolicy["accountRestrictions"]): Partial<AgentPolicy> =>
  accountRestrictions === undefined ? {} : { accountRestrictions }

it.each<[string, Partial<AgentPolicy>, ReadonlyArray<readonly [field: string, message: string]>]>([
  ["nothing is restricted", {}, []],
  ["no permission", { permissions: [] }, []],
  ["each permission once", { permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"] }, []],
  [
    "a repeated permission",
    { permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS", "CREATE_TRANSFERS"] },
    [["permissions.2", "must not repeat an earlier permission"]],
  ],
  ["all accounts", restricted({ allowedAccountIds: null }), []],
  ["known accounts", restricted({ allowedAccountIds: [accountId, "other"] }), []],
  [
    "an account of another customer",
    restricted({ allowedAccountIds: [accountId, "foreign"] }),
    [["accountRestrictions.allowedAccountIds.1", foreign]],
  ],
  ["a rule for each of two accounts", restricted({ accountRules: [{ accountId }, { accountId: "other" }] }), []],
  [
    "a rule for an account of another customer",
    restricted({ accountRules: [{ accountId }, { accountId: "foreign" }] }),
    [["accountRestrictions.accountRules.1.accountId", foreign]],
  ],
  [
    "two rules for one account",
    restricted({ accountRules: [{ accountId: "other" }, { accountId }, { accountId }] }),
    [["accountRestrictions.accountRules.2.accountId", "must not have two rules for one account"]],
  ],
  ["a threshold with its currency", { approvalThresholds: { currency: "USD", amount: 5 } }, []],
  ["no threshold", { approvalThresholds: {} }, []],
  ["a removed threshold", { approvalThresholds: { amount: null } }, []],
  [
    "a threshold without a currency",
    { approvalThresholds: { amount: 5 } },
    [["approvalThresholds.currency", "is required as soon as amount is set"]],
  ],
  [
    "all problems at once",
    {
      permissions: ["CREATE_TRANSFERS", "CREATE_TRANSFERS"],
      ...restricted({
        allowedAccountIds: ["foreign"],
        accountRules: [{ accountId: "foreign" }, { accountId: "foreign" }],
      }),
      approvalThresholds: { amount: 5 },
    },
    [
      ["permissions.1", "must not repeat an earlier permission"],
      ["accountRestrictions.allowedAccountIds.0", foreign],
      ["accountRestrictions.accountRules.0.accountId", foreign],
      ["accountRestrictions.accountRules.1.accountId", foreign],
      ["accountRestrictions.accountRules.1.accountId", "must not have two rules for one account"],
      ["approvalThresholds.currency", "is required as soon as amount is set"],
    ],
  ],
])("reports the exact problems of a policy with %s", (_what, patch, problems) => {
  expect(policyProblems(policy(patch), known)).toEqual(problems.map(([field, message]) => ({ field, message })))
  expect(policyProblems(policy(patch), known, "policy.").map(({ field }) => field)).toEqual(
    problems.map(([field]) => `policy.${field}`),
  )
})
