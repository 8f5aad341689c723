/** The rules that failed while a request was decided, and the facts that they saw. Source: D-465. */
import type { KeptRequest } from "./Wire.ts"

type Rule = KeptRequest["rules"][number]

const RulePart = ({ rule: { facts, isRefusal, list, operation, position, rows, rule } }: { readonly rule: Rule }) => (
  <li class="attempt">
    <p>
      <span class="name">{rule}</span>{" "}
      <span class={`badge ${isRefusal ? "failed" : "rejected"}`}>{isRefusal ? "Refused" : "Did not pass"}</span>
    </p>
    <p class="soft small">
      Rule {position} of {rows} in {list}, for {operation}
    </p>
    <details>
      <summary>What {rule} saw</summary>
      <dl class="fact-list code">
        {Object.entries(facts).flatMap(([path, fact]) => [
          <dt key={`${path} name`}>{path}</dt>,
          <dd key={path}>{fact}</dd>,
        ])}
      </dl>
    </details>
  </li>
)

export const RequestRules = ({ rules }: { readonly rules: ReadonlyArray<Rule> }) => (
  <>
    <h3>Rule</h3>
    {rules.length === 0 ? (
      <p class="soft small">No rule failed.</p>
    ) : (
      <ol class="panel history">
        {rules.map((rule) => (
          <RulePart key={`${rule.operation} ${rule.list} ${rule.rule}`} rule={rule} />
        ))}
      </ol>
    )}
  </>
)
