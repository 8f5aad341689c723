/** A policy as its form has it: texts in major units and checked boxes; and the update that saves what the form shows. Source: D-477. */
import { majorText, minorAmount } from "./MinorUnits.ts"
import type { Policy, PolicyUpdate } from "./Wire.ts"

export type Mode = Policy["defaultExecutionMode"]
type Permission = Policy["permissions"][number]

/** What the policy says of one internal account. */
export interface AccountDraft {
  readonly accountId: string
  readonly currency: string
  readonly isAllowed: boolean
  /** Empty: the default mode. */
  readonly mode: Mode | ""
  readonly limit: string
}

export interface PolicyDraft {
  readonly permissions: ReadonlyArray<Permission>
  readonly mode: Mode
  readonly currency: string
  readonly perTransactionLimit: string
  readonly dailyLimit: string
  readonly monthlyLimit: string
  readonly dailyTransactionLimit: string
  readonly threshold: string
  readonly thresholdCurrency: string
  readonly isRestricted: boolean
  readonly accounts: ReadonlyArray<AccountDraft>
}

export type DecimalsOf = (currency: string) => number

/** An internal account of the agent's customer. */
export interface OwnAccount {
  readonly id: string
  readonly currency: string
}

export const draftOf = (policy: Policy, own: ReadonlyArray<OwnAccount>, decimalsOf: DecimalsOf): PolicyDraft => {
  const { accountRestrictions, approvalThresholds, spendingLimits } = policy
  const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit, perTransactionLimit } = spendingLimits
  const text = (amount: number | null | undefined, of: string) =>
    amount === undefined || amount === null ? "" : majorText(amount, decimalsOf(of))
  const allowed = accountRestrictions?.allowedAccountIds ?? undefined
  const thresholdCurrency = approvalThresholds?.currency ?? currency
  return {
    permissions: policy.permissions,
    mode: policy.defaultExecutionMode,
    currency,
    perTransactionLimit: text(perTransactionLimit, currency),
    dailyLimit: text(dailyLimit, currency),
    monthlyLimit: text(monthlyLimit, currency),
    dailyTransactionLimit: dailyTransactionLimit === undefined ? "" : String(dailyTransactionLimit),
    threshold: text(approvalThresholds?.amount, thresholdCurrency),
    thresholdCurrency,
    isRestricted: allowed !== undefined,
    accounts: own.map(({ currency: of, id }) => {
      const rule = accountRestrictions?.accountRules?.find(({ accountId }) => accountId === id)
      return {
        accountId: id,
        currency: of,
        isAllowed: allowed?.includes(id) ?? true,
        mode: rule?.executionMode ?? "",
        limit: text(rule?.perTransactionLimit, of),
      }
    }),
  }
}

/** The update that makes the policy what the form shows, and why it cannot be saved, by field. */
export interface DraftUpdate {
  readonly update: PolicyUpdate
  readonly problems: Readonly<Record<string, string>>
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const limitFields = ["perTransactionLimit", "dailyLimit", "monthlyLimit"] as const

/** The members that the form has changed, each as a whole. Both drafts are of the same policy. */
export const updateOf = (before: PolicyDraft, draft: PolicyDraft, decimalsOf: DecimalsOf): DraftUpdate => {
  const problems: Record<string, string> = {}
  const amountOf = (field: string, text: string, currency: string): number | null => {
    if (text.trim() === "") return null
    const amount = minorAmount(text, decimalsOf(currency))
    if (amount === undefined) {
      const decimals = decimalsOf(currency)
      problems[field] =
        `Type an amount above 0 with at most ${decimals} decimals, such as ${majorText(12 * 10 ** decimals, decimals)}.`
    }
    return amount ?? null
  }
  const limits = (value: PolicyDraft) => limitFields.map((field) => value[field])
  const { currency, dailyTransactionLimit: count } = draft
  const [single, daily, monthly] = limitFields.map((field) => amountOf(field, draft[field], currency))
  if (draft.perTransactionLimit.trim() === "") problems["perTransactionLimit"] = "Every policy has a limit per action."
  const isCount = /^[1-9]\d{0,8}$/u.test(count.trim())
  if (count.trim() === "" ? before.dailyTransactionLimit !== "" : !isCount) {
    problems["dailyTransactionLimit"] =
      count.trim() === "" ? "A number of actions can be changed, not removed." : "Type a whole number above 0."
  }
  const areLimitsChanged = !same(
    [before.currency, before.dailyTransactionLimit, limits(before)],
    [currency, count, limits(draft)],
  )
  const threshold = amountOf("threshold", draft.threshold, draft.thresholdCurrency)
  const rules = draft.accounts.flatMap(({ accountId, currency: of, limit, mode }) => {
    const perTransactionLimit = amountOf(`limit ${accountId}`, limit, of)
    return mode === "" && perTransactionLimit === null
      ? []
      : [
          {
            accountId,
            ...(mode === "" ? {} : { executionMode: mode }),
            ...(perTransactionLimit === null ? {} : { perTransactionLimit }),
          },
        ]
  })
  const scope = (value: PolicyDraft) => [value.isRestricted, value.accounts]
  const allowed = draft.accounts.filter(({ isAllowed }) => isAllowed).map(({ accountId }) => accountId)
  const update = {
    ...(same(before.permissions, draft.permissions) ? {} : { permissions: draft.permissions }),
    ...(before.mode === draft.mode ? {} : { defaultExecutionMode: draft.mode }),
    ...(areLimitsChanged
      ? {
          spendingLimits: {
            currency,
            ...(single === null || single === undefined ? {} : { perTransactionLimit: single }),
            dailyLimit: daily ?? null,
            monthlyLimit: monthly ?? null,
            ...(isCount ? { dailyTransactionLimit: Number(count) } : {}),
          },
        }
      : {}),
    ...(same([before.threshold, before.thresholdCurrency], [draft.threshold, draft.thresholdCurrency])
      ? {}
      : { approvalThresholds: { currency: draft.thresholdCurrency, amount: threshold } }),
    ...(same(scope(before), scope(draft))
      ? {}
      : { accountRestrictions: { allowedAccountIds: draft.isRestricted ? allowed : null, accountRules: rules } }),
  }
  return { update: update as PolicyUpdate, problems }
}
