/**
 * Sends change sets to the database and gives each its outcome. Lost races are retried here. An unexpected error of a batch does not
 * fail all its sets: they are sent again one by one.
 * Source: architecture, "The Store port" (PostgreSQL); ports/Store.ts (StoreUnavailable).
 */
import { type CommitOutcome, type Queue, type StoredAnswer, StoreUnavailable } from "@countersign/core/store"
import type { Connection } from "../connection/Connection.ts"
import { codeOf, detailOf, failureOf } from "../connection/Failure.ts"
import { functions } from "../functions/Functions.ts"
import { parameterList } from "../schema/BatchColumns.ts"
import { decodeTemplate, type StoredTemplate } from "../schema/StoredTemplate.ts"
import { type Batch, type BatchSums, batchOf, inexact } from "./Batch.ts"
import type { EncodedChangeSet } from "./EncodedChangeSet.ts"
import { serialChangeSet } from "./SerialChangeSet.ts"
import { decodeFacts, type StoredSums, type SumNames } from "./StoredSums.ts"

/** What became of a change set. */
export type Result =
  | { readonly _tag: "Outcome"; readonly outcome: CommitOutcome; readonly queues: ReadonlyArray<Queue> }
  | { readonly _tag: "Unavailable"; readonly error: StoreUnavailable }
  | { readonly _tag: "Defect"; readonly cause: unknown }

export interface PendingCommit extends EncodedChangeSet {
  /** Whether the decision has expired; asked whenever the set is sent. */
  readonly isLate: () => boolean
  readonly settle: (result: Result) => void
}

type Pending = ReadonlyArray<PendingCommit>

/** What the commit functions return for one set. */
type Answer =
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

const resultOf = (answer: Answer, { sumNames }: PendingCommit): Result => ({
  _tag: "Outcome",
  outcome: outcomeOf(answer, sumNames),
  queues: answer._tag === "Committed" ? (answer.queues ?? []) : [],
})

/** Far more than any load needs. A set that still loses is answered that the store is unavailable. */
const raceRetriesMax = 50

const resultOfError = (error: unknown): Result => {
  const failure = failureOf(error)
  return failure === "unavailable" || failure === "unknown" || failure === "race"
    ? { _tag: "Unavailable", error: new StoreUnavailable({ unknown: failure === "unknown", cause: error }) }
    : { _tag: "Defect", cause: error }
}

export interface Commits {
  /** Commits the sets one after another in one transaction and one trip. */
  readonly serial: (sets: Pending) => Promise<ReadonlyArray<Result>>
  /** Commits a batch, as many sets as possible at once and the rest one by one, and settles every set. */
  readonly send: (sets: Pending) => Promise<void>
}

/** What the set-based commit returns: sums and the queues of finished jobs, or the numbers of the sets that prevent it. */
type GroupAnswer =
  | (BatchSums & { readonly queues: ReadonlyArray<Queue> })
  | { readonly failedSets: ReadonlyArray<number> }

/** From this number of sets on, the set-based commit is faster than the serial one. */
const batchMin = 3

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

const groupText = `select ${functions.commitGroup}($1::boolean, $2::boolean, ${parameterList(3)})`

export const make = (connection: Connection): Commits => {
  const callSerial = async (sets: Pending): Promise<ReadonlyArray<Result>> => {
    const [text] = await connection.query({
      name: "countersign_commit_serial",
      text: `select ${functions.commitSerial}($1::jsonb)`,
      values: [JSON.stringify(sets.map((set) => serialChangeSet(set, set.isLate())))],
    })
    const answers = JSON.parse(text ?? "[]") as ReadonlyArray<Answer>
    return sets.map((set, index) => {
      const answer = answers[index]
      return answer === undefined ? noAnswer : resultOf(answer, set)
    })
  }

  const commitOne = async (set: PendingCommit): Promise<Result> => {
    for (let retries = 0; ; retries++) {
      try {
        const [result] = await callSerial([set])
        return result ?? noAnswer
      } catch (error) {
        const isRetried = failureOf(error) === "race" && retries < raceRetriesMax && !connection.isTransaction
        if (!isRetried) return resultOfError(error)
      }
    }
  }

  const serial = async (sets: Pending): Promise<ReadonlyArray<Result>> => {
    const [first] = sets
    if (first === undefined) return []
    if (sets.length === 1) return [await commitOne(first)]
    try {
      return await callSerial(sets)
    } catch (error) {
      const failure = failureOf(error)
      if (failure === "unavailable" || failure === "unknown") return sets.map(() => resultOfError(error))
      const results: Array<Result> = []
      for (const set of sets) results.push(await commitOne(set))
      return results
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
    const batch = sets.length < batchMin ? inexact : batchOrInexact(sets)
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
        diagnosedBatchesLeft = diagnosedBatches
        const named = batch.setsOf(codeOf(error) === groupFailed ? JSON.parse(detailOf(error) || "{}") : {})
        if (named.size > 0) return excludeFailedSets(sets, named)
        return diagnoseConflicts ? sets : commitBatch(sets, true)
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
    const others = [...sets.filter((set) => !batchable.includes(set)), ...left]
    const results = await serial(others)
    for (const [index, set] of others.entries()) set.settle(results[index] ?? noAnswer)
  }
  return { serial, send }
}
