/** What a request wrote: records, ledger transfers, events and jobs. Source: D-465. */
import type { ComponentChildren } from "preact"
import { money } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { jobName } from "./JobNames.ts"
import { AccountLink } from "./LedgerNames.tsx"
import { IdLink } from "./RecordNames.tsx"
import type { KeptRequest } from "./Wire.ts"

type Commit = KeptRequest["commits"][number]

interface PartProps {
  readonly name: string
  readonly lines: ReadonlyArray<readonly [key: string, line: ComponentChildren]>
}

const Part = ({ lines, name }: PartProps) => (
  <>
    <dt class="soft">{name}</dt>
    <dd>
      <ul>
        {lines.map(([key, line]) => (
          <li key={key}>{line}</li>
        ))}
      </ul>
    </dd>
  </>
)

const records = ({ records: changed }: Commit): PartProps["lines"] =>
  changed.map(({ change, id, kind }) => [
    id,
    <>
      {change === "INSERTED" ? "New" : "Changed"} {kind} <IdLink id={id} />
    </>,
  ])

const transfers = ({ transfers: moved }: Commit): PartProps["lines"] =>
  moved.map(({ amount, currency: { code, decimals }, from, reference, to }, index) => [
    `${reference} ${index}`,
    <>
      <a href={hashOf("books", "transfers", reference)}>{money(amount, code, decimals)}</a> from{" "}
      <AccountLink id={from} /> to <AccountLink id={to} />
    </>,
  ])

const events = ({ events: emitted }: Commit): PartProps["lines"] =>
  emitted.map(({ id, type }) => [id, <a href={hashOf("events", id)}>{type}</a>])

const jobs = ({ jobs: started }: Commit): PartProps["lines"] =>
  started.map(({ id, kind }) => [
    id,
    <>
      {jobName(kind)} <span class="soft small">{kind}</span>
    </>,
  ])

const partsOf = (commit: Commit): ReadonlyArray<PartProps> =>
  [
    { name: "Records", lines: records(commit) },
    { name: "Ledger", lines: transfers(commit) },
    { name: "Events", lines: events(commit) },
    { name: "Jobs", lines: jobs(commit) },
  ].filter(({ lines }) => lines.length > 0)

const CommitPart = ({ commit }: { readonly commit: Commit }) => (
  <>
    <p class="soft small">{commit.operation}</p>
    {partsOf(commit).length === 0 ? (
      <p class="soft small">No record, ledger transfer, event or job; a response that an idempotency key repeats.</p>
    ) : (
      <dl class="panel event-facts">
        {partsOf(commit).map((part) => (
          <Part key={part.name} {...part} />
        ))}
      </dl>
    )}
    {commit.omitted === 0 ? null : <p class="soft small">And {commit.omitted} more.</p>}
  </>
)

export const RequestCommits = ({ commits }: { readonly commits: ReadonlyArray<Commit> }) => (
  <>
    <h3>Commit</h3>
    {commits.length === 0 ? <p class="soft small">Nothing was written.</p> : null}
    {commits.map((commit, index) => (
      <CommitPart key={`${commit.operation} ${index}`} commit={commit} />
    ))}
  </>
)
