/**
 * Sends change sets to the database and gives each its outcome. Lost races are retried here. An unexpected error of a batch does not
 * fail all its sets: they are sent again one by one. A set that waits too long for a lock leaves its batch and waits aside.
 * Source: architecture, "The Store port" (PostgreSQL); ports/Store.ts (StoreUnavailable); D-318.
 */
import { type CommitOutcome, type Queue, type StoredAnswer, StoreUnavailable } from "@countersign/core/store"
import type { Connection } from "../connection/Connection.ts"
import { codeOf, detailOf, failureOf } from "../connection/Failure.ts"
import { functions } from "../functions/Functions.ts"
import { parameterList } from "../schema/BatchColumns.ts"
import { decodeTemplate, type StoredTemplate } from "../schema/StoredTemplate.ts"
import { type Batch, type BatchSums, batchOf, inexact } from "./Batch.ts"
import { encodeLockNames } from "./LockNames.ts"
import * as LockWaits from "./LockWaits.ts"
import type { PendingCommit, Result } from "./PendingCommit.ts"
import { serialChangeSet } from "./SerialChangeSet.ts"
import { decodeFacts, type StoredSums, type SumNames } from "./StoredSums.ts"

type Pending = ReadonlyArray<PendingCommit>

/** What the commit functions return for one set. */
export type Answer =
  | { readonly _tag: "Committed"; readonly sums: string | null; readonly queues?: ReadonlyArray<Queue> }
  | {
      readonly _tag: "Replayed"
      readonly stored: Pick<StoredAnswer, "fingerprint" | "status"> & StoredSums & { readonly answer: string }
    }
  | Exclude<CommitOutcome, { readonly _tag: "Committed" | "Replayed" }>

const outcomeOf = (answer: Answer, shown: SumNames): CommitOutcome => {
  if (answer._tag === "Committed") return { _tag: "Committed", facts: decodeFacts({ shown, sums: answer.sums }) }
  if (answer._tag !== "Replayed") return answer
  const { fingerprint, status, ...stored } = answer.stored
  const template = decodeTemplate(JSON.parse(stored.answer) as StoredTemplate)
  return { _tag: "Replayed", stored: { fingerprint, status, answer: template, facts: decodeFacts(stored) } }
}

export const resultOf = (
  answer: Answer,
  { sumNames }: Pick<PendingCommit, "sumNames">,
): Extract<Result, { readonly _tag: "Outcome" }> => ({
  _tag: "Outcome",
  outcome: outcomeOf(answer, sumNames),
  queues: answer._tag === "Committed" ? (answer.queues ?? []) : [],
})

/** Far more than any load needs. A set that still loses is answered that the store is unavailable. */
export const raceRetriesMax = 50

export const resultOfError = (error: unknown): Result => {
  const failure = failureOf(error)
  return failure === "unavailable" || failure === "unknown" || failure === "race"
    ? { _tag: "Unavailable", error: new StoreUnavailable({ unknown: failure === "unknown", cause: error }) }
    : { _tag: "Defect", cause: error }
}

export interface Commits {
  /** Commits a batch, as many sets as possible at once and the rest one by one. Settles every set that waits for no lock of others. */
  readonly send: (sets: Pending) => Promise<void>
  /** The sets that wait for a lock of others. */
  readonly waits: LockWaits.LockWaits
}

export type CommitsOptions = Omit<LockWaits.LockWaitsOptions, "findLocked" | "sendAlone">

/** What the set-based commit returns: sums and the queues of finished jobs, or the numbers of the sets that prevent it. */
type GroupAnswer =
  | (BatchSums & { readonly queues: ReadonlyArray<Queue> })
  | { readonly failedSets: ReadonlyArray<number> }

/** A set that cannot be encoded (a body nested too deep) must not fail the others: committed one by one, it fails alone. */
const batchOrInexact = (sets: Pending): Batch | typeof inexact => {
  try {
    return batchOf(sets)
  } catch {
    return inexact
  }
}

const noAnswer: Result = { _tag: "Defect", cause: new Error("the commit function returned too few outcomes") }

/** SQLSTATE of the set-based commit when sets cannot be committed together. */
const groupFailed = "CS002"
const uniqueViolation = "23505"

/** Whether an optimistic batch met a conflict that a diagnosis may attribute to some of its sets. */
const isConflict = (error: unknown): boolean => [groupFailed, uniqueViolation].includes(codeOf(error) ?? "")

/** After a conflict more are likely: this number of batches is diagnosed before it is attempted. */
const diagnosedBatches = 16

/**
 * How long a statement waits for a lock: longer than a batch of another process takes, so that contending processes queue in the
 * database, and short enough that the other sets of the batch hardly notice.
 */
const lockWaitMillis = 200

/** SQLSTATE of a statement that waited too long for a lock. It was rolled back, so nothing is unknown. */
const lockTimeout = "55P03"

/** What a set is answered that waits for a lock. */
const blocked = Symbol("blocked")

/** Without options a statement waits as the session does: in the embedder's transaction, and where no other session exists. */
const noWaits: CommitsOptions = {
  intervalsMax: 0,
  release: () => undefined,
  startInterval: () => undefined,
}

export const make = (connection: Connection, options?: CommitsOptions): Commits => {
  const lockWait = options === undefined ? "null" : lockWaitMillis
  /** The set-based commit ends the embedder's transaction where it meets a conflict; it is faster for a single set, too (D-522). */
  const isSerial = connection.isTransaction === true
  const serialText = `select ${functions.commitSerial}($1::jsonb, ${lockWait})`
  const groupText = `select ${functions.commitGroup}($1::boolean, $2::boolean, ${lockWait}, ${parameterList(3)})`

  const isLockTimeout = (error: unknown): boolean => options !== undefined && codeOf(error) === lockTimeout

  const findLocked: LockWaits.FindLocked = async (locks) => {
    try {
      const [text] = await connection.query({
        name: "countersign_find_locked",
        text: `select ${functions.findLocked}($1::jsonb)`,
        values: [encodeLockNames(locks)],
      })
      const answer = JSON.parse(text ?? "[]") as ReadonlyArray<readonly [number: number, holder: string]>
      return new Map(answer.flatMap(([number, holder]) => (locks[number] ? [[locks[number], holder]] : [])))
    } catch (error) {
      // A table is locked. After any other error the sets are sent again, and have the same error.
      return isLockTimeout(error) ? undefined : new Map()
    }
  }

  const callSerial = async (sets: Pending): Promise<ReadonlyArray<Result>> => {
    const [text] = await connection.query({
      name: "countersign_commit_serial",
      text: serialText,
      values: [JSON.stringify(sets.map((set) => serialChangeSet(set, set.isLate())))],
    })
    const answers = JSON.parse(text ?? "[]") as ReadonlyArray<Answer>
    return sets.map((set, index) => {
      const answer = answers[index]
      return answer === undefined ? noAnswer : resultOf(answer, set)
    })
  }

  const commitOne = async (set: PendingCommit): Promise<Result | typeof blocked> => {
    for (let retries = 0; ; retries++) {
      try {
        const [result] = await callSerial([set])
        return result ?? noAnswer
      } catch (error) {
        if (isLockTimeout(error)) return blocked
        const isRetried = failureOf(error) === "race" && retries < raceRetriesMax && !connection.isTransaction
        if (!isRetried) return resultOfError(error)
      }
    }
  }

  const sendAlone = async (set: PendingCommit): Promise<boolean> => {
    const result = await commitOne(set)
    if (result === blocked) return false
    set.settle(result)
    return true
  }

  const waits = LockWaits.make({ ...(options ?? noWaits), findLocked, sendAlone })

  const sendOneByOne = async (sets: Pending): Promise<void> => {
    for (const set of sets) {
      if (waits.hold(set) || (await sendAlone(set))) continue
      for (const free of await waits.holdBlocked([set])) waits.holdUnnamed(free)
    }
  }

  /** Commits the sets one after another in one trip. */
  const sendSerial = async (sets: Pending): Promise<void> => {
    if (sets.length <= 1) return sendOneByOne(sets)
    try {
      const results = await callSerial(sets)
      for (const [index, set] of sets.entries()) set.settle(results[index] ?? noAnswer)
    } catch (error) {
      if (isLockTimeout(error)) {
        const others = await waits.holdBlocked(sets)
        return others.length < sets.length ? sendSerial(others) : sendOneByOne(sets)
      }
      const failure = failureOf(error)
      if (failure !== "unavailable" && failure !== "unknown") return sendOneByOne(sets)
      for (const set of sets) set.settle(resultOfError(error))
    }
  }

  let diagnosedBatchesLeft = 0

  /** Settles the sets that it could commit and returns the others in their order. */
  const commitBatch = async (sets: Pending, diagnoseConflicts: boolean): Promise<Pending> => {
    // A decision may have expired while an earlier trip was in flight.
    const inTime = sets.filter(({ isLate }) => !isLate())
    if (inTime.length === sets.length) return commitInTime(sets, diagnoseConflicts)
    const left = await commitInTime(inTime, diagnoseConflicts)
    return sets.filter((set) => !inTime.includes(set) || left.includes(set))
  }

  const commitInTime = async (sets: Pending, diagnoseConflicts: boolean): Promise<Pending> => {
    const batch = sets.length === 0 || isSerial ? inexact : batchOrInexact(sets)
    if (batch === inexact) return sets
    try {
      const [text] = await connection.query({
        name: "countersign_commit_group",
        text: groupText,
        values: [String(diagnoseConflicts), ...batch.parameters],
      })
      const answer = JSON.parse(text ?? '{"failedSets":[]}') as GroupAnswer
      if ("failedSets" in answer) {
        diagnosedBatchesLeft = diagnosedBatches
        return await excludeFailedSets(sets, new Set(answer.failedSets))
      }
      const queues = [...new Set([...batch.queues, ...answer.queues])]
      for (const [index, facts] of batch.facts(answer).entries()) {
        sets[index]?.settle({ _tag: "Outcome", outcome: { _tag: "Committed", facts }, queues })
      }
      return []
    } catch (error) {
      if (isConflict(error)) {
        // The serial commit says why.
        if (sets.length === 1) return sets
        diagnosedBatchesLeft = diagnosedBatches
        const named = batch.setsOf(codeOf(error) === groupFailed ? JSON.parse(detailOf(error) || "{}") : {})
        if (named.size > 0) return excludeFailedSets(sets, named)
        return diagnoseConflicts ? sets : commitBatch(sets, true)
      }
      if (isLockTimeout(error)) {
        const others = await waits.holdBlocked(sets)
        return others.length < sets.length ? commitBatch(others, diagnoseConflicts) : sets
      }
      const failure = failureOf(error)
      if (failure !== "unavailable" && failure !== "unknown") return sets
      for (const set of sets) set.settle(resultOfError(error))
      return []
    }
  }

  /** Sends the other sets again and returns those that are left. */
  const excludeFailedSets = async (sets: Pending, failedSets: ReadonlySet<number>): Promise<Pending> => {
    const others = sets.filter((_, index) => !failedSets.has(index + 1))
    // The diagnosis named no set: the cause is unknown, and a second attempt would fail alike.
    if (others.length === sets.length) return sets
    const left = await commitBatch(others, true)
    return sets.filter((set, index) => failedSets.has(index + 1) || left.includes(set))
  }

  const send = async (sets: Pending): Promise<void> => {
    const batchable = sets.filter(({ isBatchable }) => isBatchable)
    diagnosedBatchesLeft = Math.max(0, diagnosedBatchesLeft - 1)
    const left = await commitBatch(batchable, diagnosedBatchesLeft > 0)
    await sendSerial([...sets.filter((set) => !batchable.includes(set)), ...left])
  }
  return { send, waits }
}
