/** The form of a policy: what it shows of a policy, and the update that saves what was changed. D-477. */
import { describe, expect, it } from "vitest"
import { majorText, minorAmount } from "../../../packages/console/page/MinorUnits.ts"
import { draftOf, type PolicyDraft, updateOf } from "../../../packages/console/page/PolicyDraft.ts"

type Policy = Parameters<typeof draftOf>[0]

const decimalsOf = (currency: string) => (currency === "JPY" ? 0 : 2)
const own = [
  { id: "InternalAccount:1", currency: "USD" },
  { id: "InternalAccount:2", currency: "JPY" },
]
const policy: Policy = {
  permissions: ["VIEW_TRANSACTIONS"],
  defaultExecutionMode: "APPROVAL_REQUIRED",
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 5000,
    dailyLimit: 10_000,
    monthlyLimit: null,
    dailyTransactionLimit: 3,
  },
}
const draftWith = (more: Partial<Policy> = {}) => draftOf({ ...policy, ...more }, own, decimalsOf)
const before = draftWith()
const accountOf = (at: number, draft = before) => {
  const found = draft.accounts[at]
  if (found === undefined) throw new Error("no account")
  return found
}
const changed = (more: Partial<PolicyDraft>, from = before) => updateOf(from, { ...from, ...more }, decimalsOf)
const [one, two] = [accountOf(0), accountOf(1)]

describe("the form of a policy", () => {
  it("has the amounts in major units, and every account of the customer", () => {
    expect(before).toEqual({
      permissions: ["VIEW_TRANSACTIONS"],
      mode: "APPROVAL_REQUIRED",
      currency: "USD",
      perTransactionLimit: "50.00",
      dailyLimit: "100.00",
      monthlyLimit: "",
      dailyTransactionLimit: "3",
      threshold: "",
      thresholdCurrency: "USD",
      isRestricted: false,
      accounts: [
        { accountId: "InternalAccount:1", currency: "USD", isAllowed: true, mode: "", limit: "" },
        { accountId: "InternalAccount:2", currency: "JPY", isAllowed: true, mode: "", limit: "" },
      ],
    })
  })

  it("has the rules of accounts, and the threshold in its own currency", () => {
    const draft = draftWith({
      approvalThresholds: { currency: "JPY", amount: 700 },
      accountRestrictions: {
        allowedAccountIds: ["InternalAccount:2"],
        accountRules: [
          { accountId: "InternalAccount:2", executionMode: "AUTO", perTransactionLimit: 700 },
          { accountId: "InternalAccount:9", perTransactionLimit: 1 },
        ],
      },
    })
    expect(draft).toMatchObject({ threshold: "700", thresholdCurrency: "JPY", isRestricted: true })
    expect(draft.accounts).toEqual([
      { ...one, isAllowed: false },
      { ...two, mode: "AUTO", limit: "700" },
    ])
  })

  it("without a change updates nothing", () => {
    expect(changed({})).toEqual({ update: {}, problems: {} })
    expect(changed({ accounts: before.accounts.map((account) => ({ ...account })) })).toEqual({
      update: {},
      problems: {},
    })
  })
})

describe("an update by the form", () => {
  const limits = {
    currency: "USD",
    perTransactionLimit: 5000,
    dailyLimit: 10_000,
    monthlyLimit: null,
    dailyTransactionLimit: 3,
  }

  it.each<[Partial<PolicyDraft>, object]>([
    [{ permissions: [] }, { permissions: [] }],
    [{ mode: "AUTO" }, { defaultExecutionMode: "AUTO" }],
    [{ perTransactionLimit: "0.01" }, { spendingLimits: { ...limits, perTransactionLimit: 1 } }],
    [{ dailyLimit: " " }, { spendingLimits: { ...limits, dailyLimit: null } }],
    [{ monthlyLimit: "7" }, { spendingLimits: { ...limits, monthlyLimit: 700 } }],
    [{ dailyTransactionLimit: " 12 " }, { spendingLimits: { ...limits, dailyTransactionLimit: 12 } }],
    [
      { currency: "JPY", perTransactionLimit: "50", dailyLimit: "", monthlyLimit: "7" },
      { spendingLimits: { ...limits, currency: "JPY", perTransactionLimit: 50, dailyLimit: null, monthlyLimit: 7 } },
    ],
    [{ threshold: "2.5" }, { approvalThresholds: { currency: "USD", amount: 250 } }],
    [{ thresholdCurrency: "JPY" }, { approvalThresholds: { currency: "JPY", amount: null } }],
    [
      { isRestricted: true },
      { accountRestrictions: { allowedAccountIds: ["InternalAccount:1", "InternalAccount:2"], accountRules: [] } },
    ],
    [
      { isRestricted: true, accounts: [{ ...one, isAllowed: false }, two] },
      { accountRestrictions: { allowedAccountIds: ["InternalAccount:2"], accountRules: [] } },
    ],
    [
      {
        accounts: [
          { ...one, limit: "9" },
          { ...two, mode: "AUTO" },
        ],
      },
      {
        accountRestrictions: {
          allowedAccountIds: null,
          accountRules: [
            { accountId: "InternalAccount:1", perTransactionLimit: 900 },
            { accountId: "InternalAccount:2", executionMode: "AUTO" },
          ],
        },
      },
    ],
    [
      { accounts: [one, { ...two, mode: "AUTO", limit: "9" }] },
      {
        accountRestrictions: {
          allowedAccountIds: null,
          accountRules: [{ accountId: "InternalAccount:2", executionMode: "AUTO", perTransactionLimit: 9 }],
        },
      },
    ],
  ])("of %j sends %j", (more, update) => {
    expect(changed(more)).toEqual({ update, problems: {} })
  })

  it.each<[Partial<PolicyDraft>, string, string]>([
    [{ perTransactionLimit: "" }, "perTransactionLimit", "Every policy has a limit per action."],
    [{ perTransactionLimit: "1.001" }, "perTransactionLimit", "at most 2 decimals, such as 12.00."],
    [{ dailyLimit: "0" }, "dailyLimit", "above 0"],
    [{ monthlyLimit: "-1" }, "monthlyLimit", "above 0"],
    [{ threshold: "1.5", thresholdCurrency: "JPY" }, "threshold", "at most 0 decimals, such as 12."],
    [{ dailyTransactionLimit: "" }, "dailyTransactionLimit", "can be changed, not removed."],
    [{ dailyTransactionLimit: "0" }, "dailyTransactionLimit", "a whole number above 0."],
    [{ dailyTransactionLimit: "1.5" }, "dailyTransactionLimit", "a whole number above 0."],
    [{ dailyTransactionLimit: "1234567890" }, "dailyTransactionLimit", "a whole number above 0."],
    [{ accounts: [one, { ...two, limit: "1.5" }] }, "limit InternalAccount:2", "at most 0 decimals"],
  ])("of %j cannot be saved: %s %s", (more, field, problem) => {
    expect(changed(more).problems).toEqual({ [field]: expect.stringContaining(problem) })
  })

  it("needs no number of actions where there was none", () => {
    const { dailyTransactionLimit: _none, ...others } = policy.spendingLimits
    const free = draftWith({ spendingLimits: others })
    expect(free.dailyTransactionLimit).toBe("")
    const { dailyTransactionLimit: _three, ...sent } = limits
    expect(changed({ dailyLimit: "" }, free)).toEqual({
      update: { spendingLimits: { ...sent, dailyLimit: null } },
      problems: {},
    })
  })
})

describe("an amount in major units", () => {
  it.each([
    [0, 2, "0.00"],
    [5, 2, "0.05"],
    [1234, 2, "12.34"],
    [1234, 0, "1234"],
    [1, 8, "0.00000001"],
  ])("%i with %i decimals is %s", (amount, decimals, text) => {
    expect(majorText(amount, decimals)).toBe(text)
    expect(minorAmount(text, decimals)).toBe(amount === 0 ? undefined : amount)
  })

  it.each(["", ".5", "1,5", "1.005", "-1", "1e3", "0", "0.00", "9007199254740.993", "1234567890123456"])(
    "%j is not valid in a currency with two decimals",
    (text) => {
      expect(minorAmount(text, 2)).toBeUndefined()
    },
  )

  it("may have fewer decimals than its currency, and spaces around it", () => {
    expect([" 1 ", "1.", "1.5", "01.50"].map((text) => minorAmount(text, 2))).toEqual([100, 100, 150, 150])
    expect(minorAmount("90071992547409.91", 2)).toBe(Number.MAX_SAFE_INTEGER)
    expect(minorAmount("90071992547409.92", 2)).toBeUndefined()
  })
})
