/** What an approval is given for: the terms that its digest covers. */
import { money, shortId } from "./Format.ts"
import { usualDecimals } from "./Reasons.ts"
import type { Votes } from "./Wire.ts"

const amount = ({ amount: value, currency }: Votes["shown"]["sending"]) =>
  money(value, currency, usualDecimals(currency))

/** The terms by name, in the order in which they are read. */
const termsOf = ({
  actionId,
  agent,
  destination,
  fees,
  instructions,
  receiving,
  row,
  sending,
}: Votes["shown"]): ReadonlyArray<readonly [name: string, value: string]> => [
  ["Amount", amount(sending)],
  ...(receiving === undefined ? [] : [["Receives", amount(receiving)] as const]),
  ...(fees === undefined ? [] : [["Fees", amount({ amount: fees, currency: sending.currency })] as const]),
  ["To", `${destination.name ?? "Account"} ${destination.id.includes(":") ? shortId(destination.id) : destination.id}`],
  ...(instructions?.remittanceInformation === undefined ? [] : [["Text", instructions.remittanceInformation] as const]),
  ["Agent", `${agent.name} ${shortId(agent.id)}`],
  ["Action", shortId(actionId)],
  ["Rule", row],
]

export const ShownTerms = ({ shown }: Pick<Votes, "shown">) => (
  <dl class="numbers">
    {termsOf(shown).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
