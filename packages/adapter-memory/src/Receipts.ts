/**
 * Receipts of commits, so that a change set that is sent again is applied once: the facts of an operation, or the stored response
 * under its idempotency key until it expires.
 * Source: architecture, "Load, ask, decide, commit"; ports/ChangeSet.ts (ReplayRecord).
 */
import type { Caller } from "@countersign/core"
import {
  type ChangeSet,
  type CommitFacts,
  Placeholders,
  receiptRetentionMillis,
  type StoredAnswer,
} from "@countersign/core/store"
import { frozen } from "./Frozen.ts"
import { key } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

interface Retained<A> {
  readonly value: A
  /** Wall time (ms) from which it may be deleted. */
  readonly expiresAt: number
}

/** The stored response under a key, which is also the receipt of its operation. */
interface RetainedAnswer extends Retained<StoredAnswer> {
  readonly operationId: string
}

type Expiry = readonly [at: number, what: "answer" | "operation", name: string]

export interface Receipts {
  /** By platform and operation id. */
  readonly operations: SortedMap.SortedMap<string, Retained<CommitFacts>>
  /** By platform and idempotency key. */
  readonly answers: SortedMap.SortedMap<string, RetainedAnswer>
  readonly expiries: SortedMap.SortedMap<Expiry, true>
}

/** Twice what a commit can add, so that the sweep keeps up, and few enough that no commit is slow. */
const sweptPerCommit = 4

export const empty: Receipts = {
  operations: SortedMap.empty(SortedMap.natural),
  answers: SortedMap.empty(SortedMap.natural),
  expiries: SortedMap.empty<Expiry, true>(SortedMap.lexical),
}

const liveAnswer = (
  receipts: Receipts,
  caller: Caller,
  replay: string,
  wallNow: number,
): RetainedAnswer | undefined => {
  const retained = SortedMap.get(receipts.answers, key(caller.platformId, replay))
  return retained !== undefined && wallNow < retained.expiresAt ? retained : undefined
}

/** The facts of a set that was committed before; `undefined` if it was not. */
export const factsOf = (
  receipts: Receipts,
  caller: Caller,
  { operationId, replay }: Pick<ChangeSet, "operationId" | "replay">,
  wallNow: number,
): CommitFacts | undefined => {
  if (replay === undefined) return SortedMap.get(receipts.operations, key(caller.platformId, operationId))?.value
  const retained = liveAnswer(receipts, caller, replay.key, wallNow)
  return retained?.operationId === operationId ? retained.value.facts : undefined
}

/** The stored response of an idempotency key; `undefined` once it has expired. */
export const answerOf = (
  receipts: Receipts,
  caller: Caller,
  replay: string,
  wallNow: number,
): StoredAnswer | undefined => liveAnswer(receipts, caller, replay, wallNow)?.value

/** Stores facts under a name of the `operations` map. */
export const addOperation = (receipts: Receipts, name: string, retained: Retained<CommitFacts>): Receipts => ({
  ...receipts,
  operations: SortedMap.set(receipts.operations, name, retained),
  expiries: SortedMap.set(receipts.expiries, [retained.expiresAt, "operation", name], true),
})

/** Stores a response under a name of the `answers` map; it replaces an expired one. */
export const addAnswer = (receipts: Receipts, name: string, retained: RetainedAnswer): Receipts => {
  const old = SortedMap.get(receipts.answers, name)
  const expiries =
    old === undefined ? receipts.expiries : SortedMap.remove(receipts.expiries, [old.expiresAt, "answer", name])
  return {
    ...receipts,
    answers: SortedMap.set(receipts.answers, name, retained),
    expiries: SortedMap.set(expiries, [retained.expiresAt, "answer", name], true),
  }
}

const sweep = (receipts: Receipts, wallNow: number): Receipts => {
  let next = receipts
  for (let i = 0; i < sweptPerCommit; i++) {
    const [expiry] = SortedMap.first(next.expiries) ?? []
    if (expiry === undefined || expiry[0] > wallNow) break
    const [, what, name] = expiry
    next = {
      operations: what === "operation" ? SortedMap.remove(next.operations, name) : next.operations,
      answers: what === "answer" ? SortedMap.remove(next.answers, name) : next.answers,
      expiries: SortedMap.remove(next.expiries, expiry),
    }
  }
  return next
}

/** Stores the receipt of a commit and deletes a few expired ones. */
export const add = (
  receipts: Receipts,
  set: ChangeSet,
  caller: Caller,
  facts: CommitFacts,
  wallNow: number,
): Receipts => {
  const left = sweep(receipts, wallNow)
  const { operationId } = set
  if (set.replay === undefined) {
    return addOperation(left, key(caller.platformId, operationId), {
      value: facts,
      expiresAt: wallNow + receiptRetentionMillis,
    })
  }
  const { answer, expiresAt, fingerprint, key: replay, status } = set.replay
  return addAnswer(left, key(caller.platformId, replay), {
    value: Object.freeze({
      fingerprint,
      status,
      answer: frozen(answer),
      facts: Placeholders.factsToStore(answer, facts),
    }),
    expiresAt,
    operationId,
  })
}
