/** Change sets with a new operation id each and empty parts by default, and replay records. */
import type { ChangeSet, ReplayRecord } from "@countersign/core/store"
import { operationId } from "./Examples.ts"

let operations = 0

export const changeSet = (parts: Partial<ChangeSet> = {}): ChangeSet => {
  operations += 1
  return {
    operationId: operationId(operations),
    at: 1000,
    inserts: [],
    updates: [],
    guards: [],
    claims: [],
    releases: [],
    ledgerAccounts: [],
    transfers: [],
    assertions: [],
    observes: [],
    counters: [],
    events: [],
    attempts: [],
    jobs: [],
    finishes: [],
    returns: [],
    ...parts,
  }
}

export const replayRecord = (key: string, changes: Partial<ReplayRecord> = {}): ReplayRecord => ({
  key,
  fingerprint: "fingerprint",
  status: 201,
  answer: { body: { key }, placeholders: [] },
  expiresAt: 100_000,
  ...changes,
})
