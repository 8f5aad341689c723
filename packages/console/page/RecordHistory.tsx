/**
 * Who changed a record, when, and how its states did: its versions, each with what the audit has of it, and in a sandbox the kept requests
 * that wrote it, because the audit records only some operations.
 * Source: D-467, D-469.
 */
import { useEffect, useState } from "preact/hooks"
import { AuditDetails } from "./AuditEntry.tsx"
import { actorText, auditText, OutcomeBadge } from "./AuditNames.tsx"
import { dateTime, pathText } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { useLoaded } from "./Loaded.ts"
import { isSandbox } from "./Mode.ts"
import { StateBadge } from "./RecordNames.tsx"
import { callerOf, StatusBadge } from "./RequestParts.tsx"
import { useSession } from "./Session.ts"
import type { AuditRecord, ListedRequest, Page, RecordDetail } from "./Wire.ts"

type Version = RecordDetail["versions"][number]

interface Moment {
  readonly at: string
  readonly version?: Version
  readonly before?: Version | undefined
  readonly audits: ReadonlyArray<AuditRecord>
  readonly request?: ListedRequest
}

/** The states that differ from the version before. */
const changesOf = ({ before, version }: Moment) =>
  Object.entries(version?.states ?? {}).flatMap(([field, state]) => {
    const from = before?.states[field]
    return from === state ? [] : [{ field, from, state }]
  })

/** What was committed together has one time; the request for it began before. The newest first. */
const momentsOf = (
  versions: ReadonlyArray<Version>,
  audits: ReadonlyArray<AuditRecord>,
  requests: ReadonlyArray<ListedRequest>,
): ReadonlyArray<Moment> => {
  const times = new Set(versions.map(({ at }) => at))
  const ofVersions = versions.map((version, index) => ({
    at: version.at,
    version,
    before: versions[index - 1],
    // Of several versions of one moment the last shows who.
    audits: versions[index + 1]?.at === version.at ? [] : audits.filter(({ createdAt }) => createdAt === version.at),
  }))
  const others = audits
    .filter(({ createdAt }) => !times.has(createdAt))
    .map((each) => ({ at: each.createdAt, audits: [each] }))
  const ofRequests = requests.toReversed().map((request) => ({ at: request.at, audits: [], request }))
  return [...ofRequests, ...ofVersions, ...others].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).toReversed()
}

const RequestLine = ({ request }: { readonly request: ListedRequest }) => (
  <p>
    <a href={hashOf("requests", request.id)}>
      {request.method} {pathText(request.path)}
    </a>{" "}
    <StatusBadge request={request} /> <span class="soft">by</span> {callerOf(request)}
  </p>
)

const MomentRow = ({ moment }: { readonly moment: Moment }) => (
  <li class="attempt">
    {moment.request === undefined ? null : <RequestLine request={moment.request} />}
    {moment.version === undefined ? null : (
      <p>
        <span class="name">{moment.version.version === 1 ? "Created" : "Changed"}</span>{" "}
        {changesOf(moment).map(({ field, from, state }) => (
          <span key={field} class="change">
            {from === undefined ? null : (
              <>
                <StateBadge state={from} /> to{" "}
              </>
            )}
            <StateBadge state={state} />
          </span>
        ))}
      </p>
    )}
    {moment.audits.map((record) => (
      <div key={record.id}>
        <p>
          {auditText(record)} <OutcomeBadge record={record} /> <span class="soft">by</span> {actorText(record)}
        </p>
        <AuditDetails record={record} />
      </div>
    ))}
    <p class="soft small">
      <time dateTime={moment.at}>{dateTime(moment.at)}</time>
    </p>
  </li>
)

/** The kept requests that wrote the record; none in live mode, which keeps no requests. */
const useWriters = (id: string, round: number): ReadonlyArray<ListedRequest> => {
  const { api } = useSession()
  const [requests, setRequests] = useState<ReadonlyArray<ListedRequest>>([])
  useEffect(() => {
    if (!isSandbox()) return
    const path = `/sandbox/requests?limit=50&record=${encodeURIComponent(id)}`
    api.get<Page<ListedRequest>>(path).then(
      ({ data }) => setRequests(data),
      () => setRequests([]),
    )
  }, [id, round])
  return requests
}

interface Props {
  readonly record: RecordDetail
  readonly round: number
}

export const RecordHistory = ({ record: { id, versions }, round }: Props) => {
  const path = `/audit-records?limit=50&target=${encodeURIComponent(id)}`
  const { problem, value } = useLoaded<Page<AuditRecord>>(path, round)
  const requests = useWriters(id, round)
  return (
    <>
      {problem === undefined ? null : <p class="soft small">Who changed it is not shown: {problem}</p>}
      <ol class="panel history">
        {momentsOf(versions, value?.data ?? [], requests).map((moment) => (
          <MomentRow
            key={`${moment.at} ${moment.version?.version ?? moment.request?.id ?? moment.audits[0]?.id}`}
            moment={moment}
          />
        ))}
      </ol>
      {value?.hasMore === true ? <a href={hashOf("audit", "record", id)}>All audit records of it</a> : null}
    </>
  )
}
