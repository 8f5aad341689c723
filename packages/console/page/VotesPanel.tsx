/** Who has approved a waiting action, who still may, until when, and why the reader may not. */
import { dateTime, many } from "./Format.ts"
import type { Votes } from "./Wire.ts"

const listed = new Intl.ListFormat("en", { type: "conjunction" })
const either = new Intl.ListFormat("en", { type: "disjunction" })
const timeOf = (millis: number) => dateTime(new Date(millis).toISOString())

/** How many approvals are missing. */
export const missing = ({ needed, votes }: Votes): number => needed - votes.filter(({ counts }) => counts).length

export const VotesPanel = ({ votes: all }: { readonly votes: Votes }) => {
  const { awaited, escalatesAt, expiresAt, needed, refusal, votes } = all
  const counted = votes.filter(({ counts }) => counts).map(({ approver }) => approver)
  const stale = votes.filter(({ counts }) => !counts).map(({ approver }) => approver)
  const lost = stale.filter((approver) => !counted.includes(approver))
  return (
    <section aria-label="Approvals">
      <h4>
        {counted.length} of {many(needed, "approval")}
      </h4>
      <p>
        {counted.length === 0 ? "Nobody has approved yet. " : `Approved by ${listed.format(counted)}. `}
        {missing(all)} more needed from {either.format(awaited)}.
      </p>
      {lost.length === 0 ? null : (
        <p>The action has changed since {listed.format(lost)} approved it, so that it needs that approval again.</p>
      )}
      {escalatesAt === undefined ? null : <p class="soft small">Further approvers from {timeOf(escalatesAt)} on.</p>}
      {expiresAt === undefined ? null : <p class="soft small">Rejected by itself at {timeOf(expiresAt)}.</p>}
      {refusal === undefined ? null : <p class="why-not">{refusal.message}</p>}
    </section>
  )
}
