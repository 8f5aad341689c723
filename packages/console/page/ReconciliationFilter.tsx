/** Which days of which bank a reconciliation shows; an empty field leaves it to the service. */
import { useState } from "preact/hooks"

export interface Shown {
  readonly bank: string
  readonly from: string
  readonly to: string
}

const days = [
  { name: "from", label: "First day" },
  { name: "to", label: "Last day" },
] as const

export const ReconciliationFilter = ({ onShow }: { readonly onShow: (shown: Shown) => void }) => {
  const [asked, setAsked] = useState<Shown>({ bank: "", from: "", to: "" })
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault()
        onShow({ ...asked, bank: asked.bank.trim() })
      }}
    >
      {days.map(({ label, name }) => (
        <div key={name}>
          <label for={`reconcile-${name}`}>{label}</label>
          <input
            id={`reconcile-${name}`}
            type="date"
            value={asked[name]}
            onInput={({ currentTarget }) => setAsked((known) => ({ ...known, [name]: currentTarget.value }))}
          />
        </div>
      ))}
      <div>
        <label for="reconcile-bank">Bank</label>
        <input
          id="reconcile-bank"
          value={asked.bank}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => setAsked((known) => ({ ...known, bank: value }))}
        />
      </div>
      <button type="submit">Show</button>
    </form>
  )
}
