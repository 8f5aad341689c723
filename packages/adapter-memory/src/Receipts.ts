/**
 * What is remembered of commits, so that sending one again counts once: the facts of an operation, or, where it has an idempotency
 * key, the answer under it until it expires.
 * Source: architecture, "Load, ask, decide, commit"; ports/ChangeSet.ts (ReplayRecord).
 */
import type { Caller } from "@countersign/core"
import { type ChangeSet, type CommitFacts, Placeholders as Holes, type StoredAnswer } from "@countersign/core/store"
import { frozen } from "./Frozen.ts"
import { key } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

interface Kept<A> {
  readonly value: A
  /** Wall time (ms) from which it may be forgotten. */
  readonly expiresAt: number
}

/** The answer under a key is the receipt of its operation, too. */
interface KeptAnswer extends Kept<StoredAnswer> {
  readonly operationId: string
}

type Expiry = readonly [at: number, what: "answer" | "operation", name: string]

export interface Receipts {
  /** By platform and operation id. */
  readonly operations: SortedMap.SortedMap<string, Kept<CommitFacts>>
  /** By platform and idempotency key. */
  readonly answers: SortedMap.SortedMap<string, KeptAnswer>
  readonly expiries: SortedMap.SortedMap<Expiry, true>
}

/** Longer than any caller goes on sending a change set whose outcome it does not know. */
const operationMillis = 8 * 24 * 60 * 60 * 1000

/** Twice what a commit can add, so that forgetting keeps up and no commit pays for many. */
const forgottenPerCommit = 4

export const empty: Receipts = {
  operations: SortedMap.empty(SortedMap.natural),
  answers: SortedMap.empty(SortedMap.natural),
  expiries: SortedMap.empty<Expiry, true>(SortedMap.lexical),
}

const keptAnswer = (receipts: Receipts, caller: Caller, replay: string, wallNow: number): KeptAnswer | undefined => {
  const kept = SortedMap.get(receipts.answers, key(caller.platformId, replay))
  return kept !== undefined && wallNow < kept.expiresAt ? kept : undefined
}

/** The facts of a set that was committed before. */
export const factsOf = (
  receipts: Receipts,
  caller: Caller,
  { operationId, replay }: Pick<ChangeSet, "operationId" | "replay">,
  wallNow: number,
): CommitFacts | undefined => {
  if (replay === undefined) return SortedMap.get(receipts.operations, key(caller.platformId, operationId))?.value
  const kept = keptAnswer(receipts, caller, replay.key, wallNow)
  return kept?.operationId === operationId ? kept.value.facts : undefined
}

/** The answer of an idempotency key, as long as it is kept. */
export const answerOf = (
  receipts: Receipts,
  caller: Caller,
  replay: string,
  wallNow: number,
): StoredAnswer | undefined => keptAnswer(receipts, caller, replay, wallNow)?.value

/** Remembers facts under a name of the `operations` map. */
export const keepOperation = (receipts: Receipts, name: string, kept: Kept<CommitFacts>): Receipts => ({
  ...receipts,
  operations: SortedMap.set(receipts.operations, name, kept),
  expiries: SortedMap.set(receipts.expiries, [kept.expiresAt, "operation", name], true),
})

/** Remembers an answer under a name of the `answers` map, in the place of an expired one. */
export const keepAnswer = (receipts: Receipts, name: string, kept: KeptAnswer): Receipts => {
  const old = SortedMap.get(receipts.answers, name)
  const expiries =
    old === undefined ? receipts.expiries : SortedMap.remove(receipts.expiries, [old.expiresAt, "answer", name])
  return {
    ...receipts,
    answers: SortedMap.set(receipts.answers, name, kept),
    expiries: SortedMap.set(expiries, [kept.expiresAt, "answer", name], true),
  }
}

const forget = (receipts: Receipts, wallNow: number): Receipts => {
  let next = receipts
  for (let i = 0; i < forgottenPerCommit; i++) {
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

/** Remembers a commit, and forgets a few that are old enough. */
export const keep = (
  receipts: Receipts,
  set: ChangeSet,
  caller: Caller,
  facts: CommitFacts,
  wallNow: number,
): Receipts => {
  const left = forget(receipts, wallNow)
  const { operationId } = set
  if (set.replay === undefined) {
    return keepOperation(left, key(caller.platformId, operationId), {
      value: facts,
      expiresAt: wallNow + operationMillis,
    })
  }
  const { answer, expiresAt, fingerprint, key: replay, status } = set.replay
  return keepAnswer(left, key(caller.platformId, replay), {
    value: Object.freeze({ fingerprint, status, answer: frozen(answer), facts: Holes.factsToStore(answer, facts) }),
    expiresAt,
    operationId,
  })
}
