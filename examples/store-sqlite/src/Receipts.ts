/** What makes a repeated change set harmless: the facts of its operation, or the stored answer of its idempotency key. */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type CommitFacts,
  Placeholders,
  receiptRetentionMillis,
  type StoredAnswer,
} from "@countersign/core/store"
import type { Database } from "./Database.ts"

type Answer = StoredAnswer & { readonly operationId: string }

const liveAnswer = (db: Database, { platformId }: Caller, key: string, wallNow: number): Answer | undefined => {
  const row = db.get<Omit<Answer, "answer" | "facts"> & { readonly answer: string; readonly facts: string }>(
    `select operationId, fingerprint, status, answer, facts from answer
     where platformId = $platformId and key = $key and expiresAt > $wallNow`,
    { platformId, key, wallNow },
  )
  return row && { ...row, answer: JSON.parse(row.answer), facts: JSON.parse(row.facts) }
}

export const answerOf = (db: Database, caller: Caller, key: string, wallNow: number): StoredAnswer | undefined => {
  const { operationId: _, ...answer } = liveAnswer(db, caller, key, wallNow) ?? {}
  return "answer" in answer ? answer : undefined
}

/** The facts of a set that was committed before; `undefined` if it was not. */
export const factsOf = (db: Database, caller: Caller, set: ChangeSet, wallNow: number): CommitFacts | undefined => {
  const { operationId: id, replay } = set
  if (replay !== undefined) {
    const stored = liveAnswer(db, caller, replay.key, wallNow)
    return stored?.operationId === id ? stored.facts : undefined
  }
  const { platformId } = caller
  const where = "platformId = $platformId and id = $id"
  const row = db.get<{ readonly facts: string }>(`select facts from operation where ${where}`, { platformId, id })
  return row && JSON.parse(row.facts)
}

export const add = (
  db: Database,
  set: ChangeSet,
  { platformId }: Caller,
  facts: CommitFacts,
  wallNow: number,
): void => {
  const { operationId, replay } = set
  if (replay === undefined) {
    const expiresAt = wallNow + receiptRetentionMillis
    db.insert("operation", { platformId, id: operationId, facts: JSON.stringify(facts), expiresAt })
    return
  }
  const { answer, expiresAt, fingerprint, key, status } = replay
  const texts = { answer: JSON.stringify(answer), facts: JSON.stringify(Placeholders.factsToStore(answer, facts)) }
  // An expired answer of the key may still be there.
  db.run("delete from answer where platformId = $platformId and key = $key", { platformId, key })
  db.insert("answer", { platformId, key, operationId, fingerprint, status, ...texts, expiresAt })
}

/** Deletes a few expired receipts: more than a commit adds, so that the sweep keeps up. */
export const sweep = (db: Database, wallNow: number): void => {
  for (const [table, key] of [
    ["operation", "id"],
    ["answer", "key"],
  ] as const) {
    db.run(
      `delete from ${table} where (platformId, ${key}) in (
         select platformId, ${key} from ${table} where expiresAt <= $wallNow order by expiresAt limit 4)`,
      { wallNow },
    )
  }
}
