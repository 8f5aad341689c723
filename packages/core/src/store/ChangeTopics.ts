/**
 * What a commit may have changed, as topics: enough to know which lists to read again, and nothing of what they contain.
 * Source: D-453. A new topic is a name in `changeTopics`, and the kinds that belong to it or a line of `topicsOf`. What no commit changes, such
 * as the journal of requests, the inbox and the faults, is reported by `service/platform/ChangeWatch.ts`.
 */
import type { ChangeSet } from "./ChangeSet.ts"
import type { Kind } from "./Kinds.ts"

export const changeTopics = [
  "approvals",
  "events",
  "deliveries",
  "records",
  "books",
  "jobs",
  "clock",
  "audit",
  "access",
  "requests",
  "inbox",
  "faults",
] as const
/** A name of lists that belong together. */
export type ChangeTopic = (typeof changeTopics)[number]

/** The topics of kinds that are no mere records. `access`: a credential or a session may have ended. */
const topicOfKind: { readonly [K in Kind]?: ChangeTopic } = {
  AgentAction: "approvals",
  AuditRecord: "audit",
  ApiToken: "access",
  ConsoleSession: "access",
}

/** Returns what a change set may have changed, for the watchers of its platform. */
export const topicsOf = (set: ChangeSet): ReadonlySet<ChangeTopic> => {
  const topics = new Set<ChangeTopic>()
  for (const { kind } of set.inserts) topics.add(topicOfKind[kind] ?? "records")
  for (const { kind } of set.updates) topics.add(topicOfKind[kind] ?? "records")
  if (set.events.length > 0) topics.add("events")
  if (set.attempts.length > 0) topics.add("deliveries")
  if (set.transfers.length > 0) topics.add("books")
  if (set.jobs.length + set.finishes.length + set.returns.length > 0) topics.add("jobs")
  return topics
}
