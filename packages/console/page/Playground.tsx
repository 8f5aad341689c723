/** The form of a policy beside an action to try and the latest actions; and saving what the form shows. Source: D-475, D-477. */
import { useMemo, useState } from "preact/hooks"
import { firstAction, requestOf } from "./ActionDraft.ts"
import { useCompared } from "./Compared.ts"
import { EvaluationTable } from "./EvaluationTable.tsx"
import { changesOf } from "./PolicyChanges.ts"
import { draftOf, updateOf } from "./PolicyDraft.ts"
import { PolicyForm } from "./PolicyForm.tsx"
import type { PolicySubject } from "./PolicyLoads.ts"
import { outcomeNames } from "./PolicyNames.ts"
import { usualDecimals } from "./Reasons.ts"
import { RecentTable, recentSummary } from "./RecentTable.tsx"
import { SavePolicy } from "./SavePolicy.tsx"
import { TriedAction } from "./TriedAction.tsx"
import type { Agent, Comparison } from "./Wire.ts"

interface Props {
  readonly subject: PolicySubject
  readonly onSaved: (agent: Agent) => void
}

const saidOf = (comparison: Comparison): string => {
  const [tried] = comparison.actions
  const one =
    tried &&
    `The tried action: ${outcomeNames[tried.present.outcome]} today, ${outcomeNames[(tried.proposed ?? tried.present).outcome]} after saving. `
  return `${one ?? ""}${recentSummary(comparison.recent)}`
}

export const Playground = ({ onSaved, subject: { agent, external, internal } }: Props) => {
  const own = useMemo(() => internal.map(({ balance, id }) => ({ id, currency: balance.currency.code })), [internal])
  const decimals = useMemo(
    () => new Map<string, number>(internal.map(({ balance: { currency } }) => [currency.code, currency.decimals])),
    [internal],
  )
  const decimalsOf = (currency: string) => decimals.get(currency) ?? usualDecimals(currency)
  const before = useMemo(() => draftOf(agent.policy, own, decimalsOf), [agent, own])
  const [draft, setDraft] = useState(before)
  const [action, setAction] = useState(() => firstAction(own, external, before.currency))
  const [isSaving, setIsSaving] = useState(false)
  const currencies = [...new Set([before.currency, before.thresholdCurrency, ...own.map(({ currency }) => currency)])]
  const { problems, update } = updateOf(before, draft, decimalsOf)
  const isWrong = Object.keys(problems).length > 0
  const tried = requestOf(action, own, decimalsOf)
  const body = isWrong
    ? undefined
    : JSON.stringify({ policy: update, actions: tried === undefined ? [] : [tried], recent: 100 })
  const { comparison, isAsking, problem } = useCompared(agent.id, body, 0)
  const changes = changesOf(before, draft)
  const isChanged = Object.keys(update).length > 0
  const [compared] = comparison?.actions ?? []
  return (
    <div class="playground">
      <div>
        <PolicyForm draft={draft} problems={problems} currencies={currencies} onChange={setDraft} />
        <div class="buttons">
          <button type="button" disabled={!isChanged} onClick={() => setDraft(before)}>
            Undo the changes
          </button>
          <button type="button" class="primary" disabled={!isChanged || isWrong} onClick={() => setIsSaving(true)}>
            Save…
          </button>
        </div>
      </div>
      <div class="panel would">
        <h3>What would happen</h3>
        <p role="status" aria-live="polite">
          {isWrong
            ? "The policy cannot be compared yet: see its fields."
            : comparison === undefined
              ? isAsking
                ? "Comparing…"
                : ""
              : saidOf(comparison)}
        </p>
        <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
        <TriedAction draft={action} own={own} outside={external} isInvalid={tried === undefined} onChange={setAction} />
        {compared === undefined ? null : <EvaluationTable compared={compared} decimalsOf={decimalsOf} />}
        <h3>The latest actions</h3>
        {comparison === undefined ? null : <RecentTable recent={comparison.recent} decimalsOf={decimalsOf} />}
      </div>
      {isSaving ? (
        <SavePolicy
          agent={agent}
          update={update}
          changes={changes}
          onClose={(saved) => {
            setIsSaving(false)
            if (saved !== undefined) onSaved(saved)
          }}
        />
      ) : null}
    </div>
  )
}
