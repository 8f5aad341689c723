/** What a reconciliation found: suspicious first, each with its reason and the record that it is about. */
import type { ReconciliationFinding } from "@countersign/core/models"
import { useState } from "preact/hooks"
import { count, many, money } from "./Format.ts"
import { ShortIdLink } from "./RecordNames.tsx"

const verdicts = { SUSPICIOUS: "Suspicious", UNMATCHED: "Unmatched", OPEN: "Open" } as const
const kinds = { LINE: "statement line", ORDER: "order", TRANSACTION: "transaction without an order" } as const
type Verdict = keyof typeof verdicts

const isVerdict = (text: string): text is Verdict => Object.hasOwn(verdicts, text)

const Finding = ({ of }: { readonly of: ReconciliationFinding }) => {
  const { amount, bank, currency, day, decimals, direction, kind, meaning, problem, statementId, transactionId } = of
  return (
    <li>
      <span>
        <span class="name">
          {verdicts[of.verdict]} {kinds[kind]}
        </span>
        {meaning === undefined ? null : (
          <span class="small">
            {problem}: {meaning}
          </span>
        )}
        <span class="soft small">
          {[day, bank, statementId === undefined ? undefined : `statement ${statementId}`]
            .filter((part) => part !== undefined)
            .join(", ")}{" "}
          {transactionId === undefined ? null : <ShortIdLink id={transactionId} />}
        </span>
      </span>
      <span class="sum name">
        {direction === "IN" ? "+" : "−"}
        {money(amount, currency, decimals)}
      </span>
    </li>
  )
}

interface Props {
  readonly findings: ReadonlyArray<ReconciliationFinding>
  /** Of all findings, of which the list may have a part. */
  readonly count: number
}

export const ReconciliationFindings = ({ count: all, findings }: Props) => {
  const [chosen, setChosen] = useState<Verdict>()
  const listed = findings.filter(({ verdict }) => chosen === undefined || verdict === chosen)
  return (
    <section aria-labelledby="findings-title">
      <h3 id="findings-title">{many(all, "finding")}</h3>
      <p>
        <label for="finding-verdict">Verdict</label>{" "}
        <select
          id="finding-verdict"
          onInput={({ currentTarget: { value } }) => setChosen(isVerdict(value) ? value : undefined)}
        >
          <option value="">All</option>
          {Object.entries(verdicts).map(([verdict, name]) => (
            <option key={verdict} value={verdict}>
              {name}
            </option>
          ))}
        </select>
      </p>
      {listed.length === 0 ? (
        <p class="soft">There are no such findings.</p>
      ) : (
        <ul class="panel ledger">
          {listed.map((finding, n) => (
            <Finding key={`${n} ${finding.transactionId ?? finding.statementId}`} of={finding} />
          ))}
        </ul>
      )}
      {all > findings.length ? (
        <p class="soft small">{count(all - findings.length)} more are not shown. Choose fewer days or one bank.</p>
      ) : null}
    </section>
  )
}
