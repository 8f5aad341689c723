/** What the list of requests and a single request show alike: the outcome, and who called. */
import { shortId } from "./Format.ts"
import type { ListedRequest } from "./Wire.ts"

export const StatusBadge = ({ request: { code, isReplay, status } }: { readonly request: ListedRequest }) => (
  <>
    <span class={`badge ${status < 400 ? "approved" : "failed"}`}>
      {code === undefined ? status : `${status} ${code}`}
    </span>
    {isReplay ? <span class="badge sandbox">Replayed</span> : null}
  </>
)

const kinds = { API_TOKEN: "API token", AGENT: "Agent", APPROVER: "Console", NOBODY: "Without credentials" } as const

/** The caller in words. */
export const callerOf = ({ caller: { id, kind, name } }: ListedRequest): string =>
  [kinds[kind], name ?? (id === undefined ? "" : shortId(id))].filter((part) => part !== "").join(" ")
