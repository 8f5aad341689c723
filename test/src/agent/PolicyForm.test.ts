/** The schema of a policy: accepted and rejected values. Wire contract 1.3. */
import { AgentPermissions, AgentPolicy } from "@countersign/core/models"
import { Result, Schema } from "effect"
import { expect, it } from "vitest"
import { accountId, policy } from "./SpendingFacts.ts"

const decode = Schema.decodeUnknownResult(AgentPolicy)
const isRead = (value: unknown) => Result.isSuccess(decode(value))
const limits = { currency: "USD", perTransactionLimit: 1 }

it("has the specification's permissions, each with a description", () => {
  expect(AgentPermissions.keys).toEqual([
    "VIEW_TRANSACTIONS",
    "CREATE_TRANSFERS",
    "CREATE_QUOTES",
    "EXECUTE_QUOTES",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ])
  for (const [, text] of AgentPermissions.entries) expect(text.length).toBeGreaterThan(0)
})

it("decodes a policy with every member unchanged", () => {
  const whole = policy({
    permissions: [...AgentPermissions.keys],
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: {
      currency: "USD",
      perTransactionLimit: 1,
      dailyLimit: null,
      dailyTransactionLimit: 1,
      monthlyLimit: 2,
    },
    accountRestrictions: {
      allowedAccountIds: [accountId],
      accountRules: [{ accountId, executionMode: "AUTO", perTransactionLimit: null }],
    },
    approvalThresholds: { currency: "EUR", amount: 1 },
  })
  expect(decode(whole)).toEqual(Result.succeed(whole))
  expect(decode(policy())).toEqual(Result.succeed(policy()))
})

it.each<[string, unknown]>([
  ["no policy", {}],
  ["without permissions", { ...policy(), permissions: undefined }],
  ["with an unknown permission", { ...policy(), permissions: ["FLY"] }],
  ["with an empty permission", { ...policy(), permissions: [""] }],
  ["without a mode", { ...policy(), defaultExecutionMode: undefined }],
  ["with an unknown mode", { ...policy(), defaultExecutionMode: "MANUAL" }],
  ["without limits", { ...policy(), spendingLimits: undefined }],
  ["with a limit of nothing", { ...policy(), spendingLimits: { ...limits, perTransactionLimit: 0 } }],
  ["without the limit of one action", { ...policy(), spendingLimits: { currency: "USD" } }],
  ["without a currency", { ...policy(), spendingLimits: { perTransactionLimit: 1 } }],
  ["with a daily limit of nothing", { ...policy(), spendingLimits: { ...limits, dailyLimit: 0 } }],
  ["with no actions a day", { ...policy(), spendingLimits: { ...limits, dailyTransactionLimit: 0 } }],
  ["with half a limit", { ...policy(), spendingLimits: { ...limits, monthlyLimit: 0.5 } }],
  ["with a threshold of nothing", { ...policy(), approvalThresholds: { amount: 0 } }],
  ["with a threshold in no currency", { ...policy(), approvalThresholds: { currency: "GOLD" } }],
  ["with another kind of account", { ...policy(), accountRestrictions: { allowedAccountIds: ["Customer:1"] } }],
  ["with a rule for no account", { ...policy(), accountRestrictions: { accountRules: [{}] } }],
  [
    "with a rule for another kind",
    { ...policy(), accountRestrictions: { accountRules: [{ accountId: "Customer:1" }] } },
  ],
  [
    "with a rule of an unknown mode",
    { ...policy(), accountRestrictions: { accountRules: [{ accountId, executionMode: "" }] } },
  ],
])("rejects a policy %s", (_what, value) => {
  expect(isRead(value)).toBe(false)
})
