/** The form of an action that the agent could submit, to see what would happen. Source: D-477. */

import { type ActionDraft, outsideFor } from "./ActionDraft.ts"
import { shortId } from "./Format.ts"
import { externalParty } from "./Names.ts"
import type { OwnAccount } from "./PolicyDraft.ts"
import { SelectField, TextField } from "./PolicyForm.tsx"
import type { ExternalAccount } from "./Wire.ts"

interface Props {
  readonly draft: ActionDraft
  readonly own: ReadonlyArray<OwnAccount>
  readonly outside: ReadonlyArray<ExternalAccount>
  readonly isInvalid: boolean
  readonly onChange: (draft: ActionDraft) => void
}

const types = [
  ["TRANSFER_OUT", "Transfer out, to an external account"],
  ["TRANSFER_IN", "Transfer in, from an external account"],
  ["EXECUTE_QUOTE", "Execution of a quote of the agent"],
] as const

export const TriedAction = ({ draft, isInvalid, onChange, outside, own }: Props) => {
  const set = (patch: Partial<ActionDraft>) => onChange({ ...draft, ...patch })
  const currency = own.find(({ id }) => id === draft.accountId)?.currency ?? ""
  const fitting = outside.filter((account) => account.currency === currency)
  const named = fitting.map((account): readonly [string, string] => {
    const { detail, name } = externalParty(account)
    return [account.id, `${name}, ${detail}`]
  })
  return (
    <form aria-label="Action to try" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        id="try-type"
        label="Action"
        value={draft.type}
        options={types}
        onValue={(type) => set({ type: type as ActionDraft["type"] })}
      />
      {draft.type === "EXECUTE_QUOTE" ? (
        <div class="field">
          <label for="try-quote">Quote id</label>
          <input
            id="try-quote"
            maxLength={80}
            autoComplete="off"
            value={draft.quoteId}
            onInput={({ currentTarget }) => set({ quoteId: currentTarget.value })}
          />
        </div>
      ) : (
        <>
          <TextField
            id="try-amount"
            label="Amount"
            unit={currency}
            value={draft.amount}
            problem={
              isInvalid && draft.amount.trim() !== "" && draft.outsideId !== ""
                ? "Type an amount above 0 of this currency."
                : undefined
            }
            onText={(amount) => set({ amount })}
          />
          <SelectField
            id="try-account"
            label="Account"
            value={draft.accountId}
            options={own.map(({ currency: of, id }) => [id, `${of} ${shortId(id)}`])}
            onValue={(accountId) => {
              const account = own.find(({ id }) => id === accountId)
              set({ accountId, outsideId: outsideFor(outside, account) })
            }}
          />
          <SelectField
            id="try-outside"
            label="External account"
            value={draft.outsideId}
            options={named.length === 0 ? [["", `No ${currency} account`]] : named}
            onValue={(outsideId) => set({ outsideId })}
          />
        </>
      )}
    </form>
  )
}
