/** The internal accounts that a policy allows, and its rule for each. Source: D-477. */
import { shortId } from "./Format.ts"
import type { AccountDraft, Mode, PolicyDraft } from "./PolicyDraft.ts"
import { SelectField, TextField } from "./PolicyForm.tsx"
import { modeNames } from "./PolicyNames.ts"

interface Props {
  readonly draft: PolicyDraft
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (draft: PolicyDraft) => void
}

export const PolicyAccounts = ({ draft, onChange, problems }: Props) => {
  const setAccount = (accountId: string, patch: Partial<AccountDraft>) =>
    onChange({
      ...draft,
      accounts: draft.accounts.map((each) => (each.accountId === accountId ? { ...each, ...patch } : each)),
    })
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.isRestricted}
          onChange={({ currentTarget }) => onChange({ ...draft, isRestricted: currentTarget.checked })}
        />
        Only some accounts
      </label>
      <details>
        <summary>Each of the {draft.accounts.length} accounts</summary>
        <ul>
          {draft.accounts.map(({ accountId, currency, isAllowed, limit, mode }) => {
            const name = `${currency} ${shortId(accountId)}`
            return (
              <li key={accountId} class="account-rule">
                {draft.isRestricted ? (
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={isAllowed}
                      onChange={({ currentTarget }) => setAccount(accountId, { isAllowed: currentTarget.checked })}
                    />
                    May use {name}
                  </label>
                ) : (
                  <p class="name">{name}</p>
                )}
                <div class="pair">
                  <SelectField
                    id={`mode ${accountId}`}
                    label={`Actions on ${name}`}
                    value={mode}
                    options={[["", "as every action"], ...modeNames]}
                    onValue={(value) => setAccount(accountId, { mode: value as Mode | "" })}
                  />
                  <TextField
                    id={`limit ${accountId}`}
                    label={`Per action on ${name}`}
                    unit={currency}
                    value={limit}
                    problem={problems[`limit ${accountId}`]}
                    onText={(value) => setAccount(accountId, { limit: value })}
                  />
                </div>
              </li>
            )
          })}
        </ul>
      </details>
    </>
  )
}
