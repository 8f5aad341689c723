/** The changes of a policy as lines that a person confirms. Source: D-477. */
import { shortId } from "./Format.ts"
import type { PolicyDraft } from "./PolicyDraft.ts"
import { modeNames, permissionNames } from "./PolicyNames.ts"

const modeName = (mode: string) => modeNames.find(([each]) => each === mode)?.[1] ?? "as every action"
const orNone = (text: string, unit: string) => (text.trim() === "" ? "none" : `${text.trim()} ${unit}`.trim())

type Line = readonly [what: string, value: string]

const linesOf = (draft: PolicyDraft): ReadonlyArray<Line> => [
  ...permissionNames.map(
    ([permission, name]): Line => [`The agent may ${name}`, draft.permissions.includes(permission) ? "yes" : "no"],
  ),
  ["Limit per action", orNone(draft.perTransactionLimit, draft.currency)],
  ["Limit per day", orNone(draft.dailyLimit, draft.currency)],
  ["Limit per month", orNone(draft.monthlyLimit, draft.currency)],
  ["Actions per day", orNone(draft.dailyTransactionLimit, "")],
  ["Every action", modeName(draft.mode)],
  ["Approval above", orNone(draft.threshold, draft.thresholdCurrency)],
  ...draft.accounts.flatMap(({ accountId, currency, isAllowed, limit, mode }): ReadonlyArray<Line> => {
    const name = `${currency} ${shortId(accountId)}`
    return [
      [`May use ${name}`, !draft.isRestricted || isAllowed ? "yes" : "no"],
      [`Actions on ${name}`, modeName(mode)],
      [`Limit per action on ${name}`, orNone(limit, currency)],
    ]
  }),
  ["Accounts", draft.isRestricted ? "only some" : "all"],
]

export interface PolicyChange {
  readonly what: string
  readonly before: string
  readonly after: string
}

/** Both drafts have the same accounts. */
export const changesOf = (before: PolicyDraft, after: PolicyDraft): ReadonlyArray<PolicyChange> => {
  const next = linesOf(after)
  return linesOf(before).flatMap(([what, value], at) => {
    const changed = next[at]?.[1] ?? value
    return changed === value ? [] : [{ what, before: value, after: changed }]
  })
}
