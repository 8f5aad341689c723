/** The agent's rule lists: their precedence, and each row on both sides of its boundary. */
import { amountMax } from "@countersign/core/models"
import { expect, it } from "vitest"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import { ApprovalRules } from "../../../packages/core/src/model/agent/ApprovalRules.ts"
import * as PolicyRules from "../../../packages/core/src/model/agent/PolicyRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
import { accountId, agentWith, policy, spending } from "./SpendingFacts.ts"

const { AccessRules, SpendingRules } = PolicyRules
const revoked = { ...agentWith({ permissions: [] }), isDeleted: true, isPaused: true }

provePrecedence(AccessRules, {
  broken: { agent: revoked, permission: "CREATE_TRANSFERS" },
  steps: [
    [
      "NOT_REVOKED",
      { agent: { ...revoked, isDeleted: false } },
      { code: "FORBIDDEN", details: { reason: "AGENT_REVOKED" } },
    ],
    [
      "NOT_PAUSED",
      { agent: agentWith({ permissions: [] }) },
      { code: "FORBIDDEN", details: { reason: "AGENT_PAUSED" } },
    ],
    [
      "PERMISSION_GRANTED",
      { agent: agentWith() },
      { code: "FORBIDDEN", details: { reason: "PERMISSION_MISSING", permission: "CREATE_TRANSFERS" } },
    ],
  ],
})

const tight = {
  currency: "USD",
  perTransactionLimit: 50,
  dailyLimit: 99,
  monthlyLimit: 99,
  dailyTransactionLimit: 1,
} as const

const limited = (limits: Partial<typeof tight> | object, allowed: ReadonlyArray<string> = [accountId]) =>
  agentWith({ spendingLimits: { ...tight, ...limits }, accountRestrictions: { allowedAccountIds: allowed } })

provePrecedence(SpendingRules, {
  broken: spending({
    agent: limited({}, []),
    rates: new Map(),
    usage: { dailyCount: 1, dailySpend: 0, monthlySpend: amountMax },
  }),
  steps: [
    [
      "ACCOUNTS_IN_SCOPE",
      { agent: limited({}) },
      { code: "FORBIDDEN", details: { reason: "ACCOUNT_NOT_ALLOWED", accountId } },
    ],
    [
      "RATES_KNOWN",
      { rates: new Map([["USD", Rate.identity("USD")]]) },
      { code: "FORBIDDEN", details: { reason: "RATE_UNAVAILABLE", currency: "USD" } },
    ],
    [
      "PER_TRANSACTION_LIMIT",
      { agent: limited({ perTransactionLimit: 100 }) },
      {
        code: "FORBIDDEN",
        details: { reason: "LIMIT_EXCEEDED", limit: "perTransactionLimit", value: 50, amount: 100 },
      },
    ],
    [
      "DAILY_LIMIT",
      { agent: limited({ perTransactionLimit: 100, dailyLimit: 100 }) },
      { code: "FORBIDDEN", details: { limit: "dailyLimit", value: 99, used: 0, amount: 100 } },
    ],
    [
      "MONTHLY_LIMIT",
      { agent: limited({ perTransactionLimit: 100, dailyLimit: 100, monthlyLimit: null }) },
      { code: "FORBIDDEN", details: { limit: "monthlyLimit", value: 99, used: amountMax, amount: 100 } },
    ],
    [
      "DAILY_TRANSACTION_LIMIT",
      { usage: { dailyCount: 0, dailySpend: 0, monthlySpend: amountMax } },
      { code: "FORBIDDEN", details: { limit: "dailyTransactionLimit", value: 1, used: 1 } },
    ],
    ["COUNTED_EXACTLY", { usage: { dailyCount: 0, dailySpend: 0, monthlySpend: 0 } }, { code: "AMOUNT_OUT_OF_RANGE" }],
  ],
})

const otherId = "InternalAccount:00000000-0000-7000-8000-000000000003"
const two = [
  { id: accountId, currency: "USD" },
  { id: otherId, currency: "USD" },
] as const
const rulesOf = (
  ...accountRules: ReadonlyArray<{ readonly accountId: string; readonly perTransactionLimit: number }>
) => agentWith({ accountRestrictions: { accountRules } })

const other = "InternalAccount:00000000-0000-7000-8000-000000000003"
const accountRules = [{ accountId, executionMode: "APPROVAL_REQUIRED" as const }]
const threshold = (amount: number) => ({ currency: "USD" as const, amount })
const holding = { defaultExecutionMode: "APPROVAL_REQUIRED" as const, approvalThresholds: threshold(99) }

provePrecedence(ApprovalRules, {
  broken: spending({
    agent: agentWith({ ...holding, accountRestrictions: { accountRules } }),
    accounts: [
      { id: other, currency: "USD" },
      { id: accountId, currency: "USD" },
    ],
    approvalRow: { name: "large", approvers: "finance", needed: 2 },
  }),
  steps: [
    ["ACCOUNT_EXECUTION_MODE", { agent: agentWith(holding) }, { accountId }],
    [
      "DEFAULT_EXECUTION_MODE",
      { agent: agentWith({ approvalThresholds: threshold(99) }) },
      { message: "The agent's policy holds every action." },
    ],
    [
      "APPROVAL_THRESHOLD",
      { agent: agentWith({ approvalThresholds: threshold(100) }) },
      { currency: "USD", threshold: 99, amount: 100 },
    ],
    ["APPROVAL_POLICY", { approvalRow: undefined }, { row: "large", needed: 2 }],
  ],
})

proveRow(SpendingRules, "PER_TRANSACTION_LIMIT", [
  [
    "the rule of each account applies to it",
    spending({
      accounts: two,
      agent: rulesOf({ accountId, perTransactionLimit: 100 }, { accountId: otherId, perTransactionLimit: 100 }),
    }),
    "holds",
  ],
  [
    "the rule of another account does not apply",
    spending({
      agent: rulesOf({ accountId: otherId, perTransactionLimit: 1 }, { accountId, perTransactionLimit: 100 }),
    }),
    "holds",
  ],
  [
    "the account whose limit is exceeded is named",
    spending({ accounts: two, agent: rulesOf({ accountId: otherId, perTransactionLimit: 99 }) }),
    { answer: { details: { accountId: otherId, value: 99, currency: "USD" } } },
  ],
  [
    "the general limit applies to an account without a rule",
    spending({ accounts: two, amount: 1001, agent: rulesOf({ accountId: otherId, perTransactionLimit: 2000 }) }),
    { answer: { details: { value: 1000 } } },
  ],
])

it("describes an exceeded limit with its own members only", () => {
  const agent = (limits: object) => agentWith({ spendingLimits: { ...tight, perTransactionLimit: 1000, ...limits } })
  const usage = { dailyCount: 1, dailySpend: 0, monthlySpend: 0 }
  const refused = (facts: PolicyRules.SpendingFacts) => SpendingRules.first(facts)?.refusal.details
  expect(refused(spending({ amount: 1001 }))).toStrictEqual({
    reason: "LIMIT_EXCEEDED",
    limit: "perTransactionLimit",
    currency: "USD",
    value: 1000,
    amount: 1001,
  })
  const own = agentWith({ accountRestrictions: { accountRules: [{ accountId, perTransactionLimit: 5 }] } })
  expect(refused(spending({ agent: own }))).toStrictEqual({
    reason: "LIMIT_EXCEEDED",
    limit: "perTransactionLimit",
    currency: "USD",
    accountId,
    value: 5,
    amount: 100,
  })
  const counted = agent({ dailyLimit: null, monthlyLimit: null })
  expect(refused(spending({ agent: counted, usage }))).toStrictEqual({
    reason: "LIMIT_EXCEEDED",
    limit: "dailyTransactionLimit",
    value: 1,
    used: 1,
    amount: 1,
  })
})

it("puts an amount without a rate above every limit", () => {
  expect(PolicyRules.amountIn(spending({ rates: new Map() }), "USD")).toBe(amountMax + 1)
})

it("compares a currency once even if several limits use it", () => {
  const agent = agentWith({ approvalThresholds: { currency: "EUR", amount: 5 } })
  expect(PolicyRules.comparedCurrencies({ agent, accounts: [...two, { id: "c", currency: "EUR" }] })).toEqual([
    "USD",
    "EUR",
  ])
})

it("refuses another customer with the same message to every agent", () => {
  expect(PolicyRules.customerNotAllowed).toEqual({
    code: "FORBIDDEN",
    message: "An agent acts for its own customer only.",
    details: { reason: "CUSTOMER_NOT_ALLOWED" },
  })
})

const withRule = (perTransactionLimit: number | null) =>
  spending({
    agent: agentWith({ accountRestrictions: { accountRules: [{ accountId, perTransactionLimit }] } }),
    amount: 1001,
  })

proveRow(SpendingRules, "PER_TRANSACTION_LIMIT", [
  ["exactly the limit", spending({ amount: 1000 }), "holds"],
  ["one unit above the limit", spending({ amount: 1001 }), { answer: { details: { value: 1000, amount: 1001 } } }],
  ["a larger limit of the account replaces the general one", withRule(1001), "holds"],
  ["a smaller limit of the account", withRule(500), { answer: { details: { value: 500 } } }],
  ["a limit of null inherits the general one", withRule(null), { answer: { details: { value: 1000 } } }],
  [
    "conversion to the limit's currency rounds up: 1000.1 cents are 1001",
    spending({
      amount: 10_001,
      currency: "MXN",
      accounts: [],
      rates: new Map([["USD", { from: "MXN", to: "USD", numerator: 10n, denominator: 1n }]]),
    }),
    { answer: { details: { amount: 1001, currency: "USD" } } },
  ],
])

const daily = (dailyLimit: number | null, dailySpend: number) =>
  spending({
    agent: agentWith({ spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit } }),
    usage: { dailyCount: 0, dailySpend, monthlySpend: 0 },
  })

proveRow(SpendingRules, "DAILY_LIMIT", [
  ["reaches the limit", daily(500, 400), "holds"],
  ["exceeds the limit by one", daily(500, 401), { answer: { details: { used: 401, value: 500 } } }],
  ["a limit of null does not apply", daily(null, 10_000), "holds"],
])

const monthly = (monthlySpend: number) =>
  spending({
    agent: agentWith({ spendingLimits: { currency: "USD", perTransactionLimit: 1000, monthlyLimit: 500 } }),
    usage: { dailyCount: 0, dailySpend: 0, monthlySpend },
  })

proveRow(SpendingRules, "MONTHLY_LIMIT", [
  ["reaches the limit", monthly(400), "holds"],
  ["exceeds the limit by one", monthly(401), "fails"],
])

const counted = (dailyCount: number) =>
  spending({
    agent: agentWith({ spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyTransactionLimit: 3 } }),
    usage: { dailyCount, dailySpend: 0, monthlySpend: 0 },
  })

proveRow(SpendingRules, "DAILY_TRANSACTION_LIMIT", [
  ["the last transaction within the limit", counted(2), "holds"],
  ["one transaction above the limit", counted(3), "fails"],
])

const counting = (dailySpend: number) =>
  spending({ agent: agentWith(), usage: { dailyCount: 0, dailySpend, monthlySpend: dailySpend } })

proveRow(SpendingRules, "COUNTED_EXACTLY", [
  ["the largest exact sum", counting(amountMax - 100), "holds"],
  ["one above the largest exact sum", counting(amountMax - 99), { answer: { code: "AMOUNT_OUT_OF_RANGE" } }],
])

const scoped = (allowedAccountIds: ReadonlyArray<string> | null) =>
  spending({ agent: { ...agentWith(), policy: policy({ accountRestrictions: { allowedAccountIds } }) } })

proveRow(SpendingRules, "ACCOUNTS_IN_SCOPE", [
  ["null: all accounts", scoped(null), "holds"],
  ["a listed account", scoped([accountId]), "holds"],
  ["an empty list allows none", scoped([]), "fails"],
])
