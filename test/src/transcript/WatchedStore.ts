/** A store that writes down each change set that it commits. Of an updated record it writes the members that differ from its last version. */
import { type ChangeSet, type CommitOutcome, Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import type { Lines } from "./Lines.ts"

type Members = Readonly<Record<string, unknown>>

/** What identifies a commit, and not what it does. */
const unwritten = new Set(["operationId", "at", "inserts", "updates", "events", "attempts", "replay"])

const membersOf = (data: unknown): Members => Object(data)

/** The members that were added or changed, and the names of those that were removed. */
const differenceOf = (before: Members, after: Members): Members => {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  )
  const removed = Object.keys(before).filter((name) => !(name in after))
  return { ...Object.fromEntries(changed), ...(removed.length === 0 ? {} : { removed }) }
}

export const watchStore = (lines: Lines): Layer.Layer<Store, never, Store> => {
  const known = new Map<string, Members>()

  const write = (set: ChangeSet, { _tag }: CommitOutcome): void => {
    if (_tag !== "Committed") {
      lines.add("    commit", _tag)
      return
    }
    for (const insert of set.inserts) {
      const { customerId, data, id, kind, platformId } = insert
      known.set(`${kind} ${id}`, membersOf(data))
      lines.add("    insert", kind, id, { platformId, customerId }, data)
    }
    for (const { data, id, kind, version, ...more } of set.updates) {
      lines.add("    update", kind, id, version, differenceOf(known.get(`${kind} ${id}`) ?? {}, membersOf(data)), more)
      known.set(`${kind} ${id}`, membersOf(data))
    }
    for (const [part, changes] of Object.entries<unknown>(Object(set))) {
      if (unwritten.has(part)) continue
      for (const change of Array.isArray(changes) ? changes : [changes]) lines.add(`    ${part}`, change)
    }
    for (const { data, ...event } of set.events) lines.add("    event", event, data.placeholders)
    for (const { attempt, eventId } of set.attempts) {
      // Its headers have a signature for each webhook, which the inbox verifies.
      const { headers: _, ...rest }: Members = membersOf(attempt)
      lines.add("    attempt", eventId, rest)
    }
    if (set.replay !== undefined)
      lines.add("    replay", { status: set.replay.status, expiresAt: set.replay.expiresAt })
  }

  return Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        commit: (set) => Effect.tap(store.commit(set), (outcome) => Effect.sync(() => write(set, outcome))),
      }),
    ),
  )
}
