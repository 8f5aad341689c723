/** A change set of a few parts; what is not given is empty, and each has an operation id of its own. */
import type { ChangeSet, ReplayRecord } from "@countersign/core/store"
import { operationId } from "./Examples.ts"

let drawn = 0

export const changeSet = (parts: Partial<ChangeSet> = {}): ChangeSet => {
  drawn += 1
  return {
    operationId: operationId(drawn),
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
