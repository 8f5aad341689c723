/** The form of a policy: every member with its unit. Source: D-477. */
import type { ComponentChildren } from "preact"
import { PolicyAccounts } from "./PolicyAccounts.tsx"
import type { Mode, PolicyDraft } from "./PolicyDraft.ts"
import { modeNames, permissionNames } from "./PolicyNames.ts"

interface Props {
  readonly draft: PolicyDraft
  readonly problems: Readonly<Record<string, string>>
  readonly currencies: ReadonlyArray<string>
  readonly onChange: (draft: PolicyDraft) => void
}

interface TextProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly unit?: string
  readonly onText: (text: string) => void
}

/** A labelled text, with its unit and what is wrong with it. */
export const TextField = ({ id, label, onText, problem, unit, value }: TextProps) => (
  <div class="field">
    <label for={id}>
      {label}
      {unit === undefined ? null : <span class="soft"> ({unit})</span>}
    </label>
    <input
      id={id}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      value={value}
      aria-invalid={problem !== undefined}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
    {problem === undefined ? null : (
      <p id={`${id}-problem`} class="wrong small">
        {problem}
      </p>
    )}
  </div>
)

interface SelectProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, name: string]>
  readonly onValue: (value: string) => void
}

export const SelectField = ({ id, label, onValue, options, value }: SelectProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  </div>
)

const Group = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <fieldset>
    <legend>{name}</legend>
    {children}
  </fieldset>
)

export const PolicyForm = ({ currencies, draft, onChange, problems }: Props) => {
  const set = (patch: Partial<PolicyDraft>) => onChange({ ...draft, ...patch })
  const text = (field: keyof PolicyDraft & string, label: string, unit?: string) => (
    <TextField
      id={field}
      label={label}
      value={String(draft[field])}
      problem={problems[field]}
      {...(unit === undefined ? {} : { unit })}
      onText={(value) => set({ [field]: value })}
    />
  )
  const codes = currencies.map((code) => [code, code] as const)
  return (
    <form class="panel policy-form" aria-label="Policy" onSubmit={(event) => event.preventDefault()}>
      <Group name="The agent may">
        {permissionNames.map(([permission, name]) => (
          <label key={permission} class="check">
            <input
              type="checkbox"
              checked={draft.permissions.includes(permission)}
              onChange={({ currentTarget }) => {
                const others = draft.permissions.filter((each) => each !== permission)
                set({ permissions: currentTarget.checked ? [...others, permission] : others })
              }}
            />
            {name}
          </label>
        ))}
      </Group>
      <Group name="Limits">
        <SelectField
          id="currency"
          label="Currency of the limits"
          value={draft.currency}
          options={codes}
          onValue={(currency) => set({ currency })}
        />
        {text("perTransactionLimit", "Per action", draft.currency)}
        {text("dailyLimit", "Per day, empty for none", draft.currency)}
        {text("monthlyLimit", "Per month, empty for none", draft.currency)}
        {text("dailyTransactionLimit", "Actions per day")}
      </Group>
      <Group name="Approvals">
        <SelectField
          id="mode"
          label="Every action"
          value={draft.mode}
          options={modeNames}
          onValue={(mode) => set({ mode: mode as Mode })}
        />
        {text("threshold", "Needs an approval above, empty for none", draft.thresholdCurrency)}
        <SelectField
          id="thresholdCurrency"
          label="Currency of the threshold"
          value={draft.thresholdCurrency}
          options={codes}
          onValue={(thresholdCurrency) => set({ thresholdCurrency })}
        />
      </Group>
      <Group name="Accounts">
        <PolicyAccounts draft={draft} problems={problems} onChange={onChange} />
      </Group>
    </form>
  )
}
