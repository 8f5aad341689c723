/** The banks: their statements against the orders and the ledger, day by day, and what needs attention. */
import type { ReconciliationResponse } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { dateTime } from "./Format.ts"
import { useLoaded } from "./Loaded.ts"
import { ReconciledDays, ReconciledTotals } from "./ReconciledTables.tsx"
import { ReconciliationFilter, type Shown } from "./ReconciliationFilter.tsx"
import { ReconciliationFindings } from "./ReconciliationFindings.tsx"

const pathOf = ({ bank, from, to }: Shown): string => {
  const query = new URLSearchParams(Object.entries({ bank, from, to }).filter(([, value]) => value !== ""))
  return `/operator/books/reconciliation?${query}`
}

const Found = ({ found }: { readonly found: ReconciliationResponse }) => {
  const { agrees, asOf, banks, days, findings, findingsCount, totals } = found
  if (banks.length === 0) {
    return (
      <div class="empty">
        <p class="name">No bank is reconciled here.</p>
        <p class="soft">The ports of this server exchange no statements with a bank.</p>
      </div>
    )
  }
  return (
    <>
      <p>
        <span class={agrees ? "badge approved" : "badge failed"}>
          {agrees ? "Everything agrees" : "Something does not agree"}
        </span>{" "}
        <span class="soft small">As of {dateTime(asOf)}.</span>
      </p>
      {findings.length === 0 ? null : <ReconciliationFindings findings={findings} count={findingsCount} />}
      {totals.length === 0 ? null : <ReconciledTotals totals={totals} />}
      {days.length === 0 ? (
        <p class="soft">No line and no order is of these days.</p>
      ) : (
        <ReconciledDays days={days} banks={banks} />
      )}
    </>
  )
}

export const Reconciliation = ({ round }: { readonly round: number }) => {
  const [shown, setShown] = useState<Shown>({ bank: "", from: "", to: "" })
  const { problem, value } = useLoaded<ReconciliationResponse>(pathOf(shown), round)
  return (
    <section aria-labelledby="banks-title">
      <h2 id="banks-title" tabIndex={-1}>
        Reconciliation
      </h2>
      <ReconciliationFilter onShow={setShown} />
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {value === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <>
          <p class="soft small">
            {value.from} to {value.to}, as the calendars of the banks have it.
          </p>
          <Found found={value} />
        </>
      )}
    </section>
  )
}
