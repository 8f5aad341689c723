/**
 * Sends change sets to the database and gives each its outcome. Races are tried again here and are never seen outside; an error that
 * nobody expected in a batch is not the fault of all: its sets are sent again one by one.
 * Source: architecture, "The Store port" (PostgreSQL); ports/Store.ts (StoreUnavailable).
 */

import { type CommitOutcome, type Queue, type StoredAnswer, StoreUnavailable } from "@countersign/core/store"
import type { Connection } from "../connection/Connection.ts"
import { codeOf, detailOf, failureOf } from "../connection/Failure.ts"
import { togetherState } from "../functions/CommitGroup.ts"
import { functions } from "../functions/Functions.ts"
import { given } from "../schema/BatchParts.ts"
import { decodeTemplate, type StoredTemplate } from "../schema/StoredTemplate.ts"
import { type Batch, batchOf, inexact, type Sums } from "./Batch.ts"
import { type ChangeSetCode, serialOf } from "./ChangeSetCode.ts"
import { type KeptSums, keptFacts, type Shown } from "./Sums.ts"

/** What became of a change set. */
export type Result =
  | { readonly _tag: "Outcome"; readonly outcome: CommitOutcome; readonly queues: ReadonlyArray<Queue> }
  | { readonly _tag: "Unavailable"; readonly error: StoreUnavailable }
  | { readonly _tag: "Defect"; readonly cause: unknown }

export interface Sent extends ChangeSetCode {
  /** Whether the decision no longer holds; asked when the set leaves. */
  readonly isLate: () => boolean
  readonly settle: (result: Result) => void
}

/** What the commit functions answer for one set. */
type Answer =
  | { readonly _tag: "Committed"; readonly sums: string | null; readonly queues?: ReadonlyArray<Queue> }
  | {
      readonly _tag: "Replayed"
      readonly stored: Pick<StoredAnswer, "fingerprint" | "status"> & KeptSums & { readonly answer: string }
    }
  | Exclude<CommitOutcome, { readonly _tag: "Committed" | "Replayed" }>

const outcomeOf = (answer: Answer, shown: Shown): CommitOutcome => {
  if (answer._tag === "Committed") return { _tag: "Committed", facts: keptFacts({ shown, sums: answer.sums }) }
  if (answer._tag !== "Replayed") return answer
  const { fingerprint, status, ...stored } = answer.stored
  const template = decodeTemplate(JSON.parse(stored.answer) as StoredTemplate)
  return { _tag: "Replayed", stored: { fingerprint, status, answer: template, facts: keptFacts(stored) } }
}

const resultOf = (answer: Answer, { shown }: Sent): Result => ({
  _tag: "Outcome",
  outcome: outcomeOf(answer, shown),
  queues: answer._tag === "Committed" ? (answer.queues ?? []) : [],
})

/** As the serial commit reads it. */
const alone = (sent: Sent): object => ({ ...serialOf(sent), ...(sent.isLate() ? { d: true } : {}) })

/** Far more than a storm needs; who still loses then is told that the store is busy. */
const racesMax = 50

const failed = (error: unknown): Result => {
  const failure = failureOf(error)
  return failure === "unavailable" || failure === "unknown" || failure === "race"
    ? { _tag: "Unavailable", error: new StoreUnavailable({ unknown: failure === "unknown", cause: error }) }
    : { _tag: "Defect", cause: error }
}

export interface Commits {
  /** One by one in one transaction, in one trip. */
  readonly serial: (sets: ReadonlyArray<Sent>) => Promise<ReadonlyArray<Result>>
  /** A batch: all together what can be, and one by one the rest; tells each its outcome. */
  readonly send: (sets: ReadonlyArray<Sent>) => Promise<void>
}

/** What the set-based commit answers: the sums and the queues of finished jobs, or which sets keep it from committing. */
type GroupAnswer = (Sums & { readonly queues: ReadonlyArray<Queue> }) | { readonly bad: ReadonlyArray<number> }

/** From so many on, committing together is faster than one by one. */
const togetherMin = 3

/** One set that cannot be told (a body that is nested too deep) is no fault of the others: it is found when they go one by one. */
const batchOrNot = (sets: ReadonlyArray<Sent>): Batch | typeof inexact => {
  try {
    return batchOf(sets)
  } catch {
    return inexact
  }
}

const silent: Result = { _tag: "Defect", cause: new Error("the commit function answered too little") }

/** A batch that was tried without looking, and something was in its way. */
const isInTheWay = (error: unknown): boolean => [togetherState, "23505"].includes(codeOf(error) ?? "")

/** Where one thing was in the way more is soon to come: so many batches look first. */
const lookingAfter = 16

const togetherText = `select ${functions.commitGroup}($1::boolean, $2::boolean, ${given(3)})`

export const make = (connection: Connection): Commits => {
  const call = async (sets: ReadonlyArray<Sent>): Promise<ReadonlyArray<Result>> => {
    const [answer] = await connection.query({
      name: "countersign_commit_serial",
      text: `select ${functions.commitSerial}($1::jsonb)`,
      values: [JSON.stringify(sets.map(alone))],
    })
    const answers = JSON.parse(answer ?? "[]") as ReadonlyArray<Answer>
    return sets.map((set, index) => {
      const own = answers[index]
      return own === undefined ? silent : resultOf(own, set)
    })
  }

  const single = async (set: Sent): Promise<Result> => {
    for (let races = 0; ; races++) {
      try {
        const [result] = await call([set])
        return result ?? silent
      } catch (error) {
        const isAgain = failureOf(error) === "race" && races < racesMax && !connection.isTransaction
        if (!isAgain) return failed(error)
      }
    }
  }

  const serial = async (sets: ReadonlyArray<Sent>): Promise<ReadonlyArray<Result>> => {
    const [first] = sets
    if (first === undefined) return []
    if (sets.length === 1) return [await single(first)]
    try {
      return await call(sets)
    } catch (error) {
      const failure = failureOf(error)
      if (failure === "unavailable" || failure === "unknown") return sets.map(() => failed(error))
      const results: Array<Result> = []
      for (const set of sets) results.push(await single(set))
      return results
    }
  }

  let looking = 0

  /** Tells the sets that it could commit; answers the others, in their order. */
  const together = async (sets: ReadonlyArray<Sent>, isLooking: boolean): Promise<ReadonlyArray<Sent>> => {
    // A decision may have become late while an earlier trip was on its way.
    const inTime = sets.filter(({ isLate }) => !isLate())
    if (inTime.length === sets.length) return inTimeTogether(sets, isLooking)
    const left = await inTimeTogether(inTime, isLooking)
    return sets.filter((set) => !inTime.includes(set) || left.includes(set))
  }

  const inTimeTogether = async (sets: ReadonlyArray<Sent>, isLooking: boolean): Promise<ReadonlyArray<Sent>> => {
    const batch = sets.length < togetherMin ? inexact : batchOrNot(sets)
    if (batch === inexact) return sets
    try {
      const [text] = await connection.query({
        name: "countersign_commit_group",
        text: togetherText,
        values: [String(isLooking), ...batch.parameters],
      })
      const answer = JSON.parse(text ?? '{"bad":[]}') as GroupAnswer
      if ("bad" in answer) {
        looking = lookingAfter
        return await without(sets, new Set(answer.bad))
      }
      const queues = [...new Set([...batch.queues, ...answer.queues])]
      for (const [index, facts] of batch.facts(answer).entries()) {
        sets[index]?.settle({ _tag: "Outcome", outcome: { _tag: "Committed", facts }, queues })
      }
      return []
    } catch (error) {
      if (isInTheWay(error)) {
        looking = lookingAfter
        const named = batch.setsOf(codeOf(error) === togetherState ? JSON.parse(detailOf(error) || "{}") : {})
        if (named.size > 0) return without(sets, named)
        return isLooking ? sets : together(sets, true)
      }
      const failure = failureOf(error)
      if (failure !== "unavailable" && failure !== "unknown") return sets
      for (const set of sets) set.settle(failed(error))
      return []
    }
  }

  /** Sends the others again; answers those that are left. */
  const without = async (sets: ReadonlyArray<Sent>, bad: ReadonlySet<number>): Promise<ReadonlyArray<Sent>> => {
    const rest = sets.filter((_, index) => !bad.has(index + 1))
    // None was named: nobody knows why.
    if (rest.length === sets.length) return sets
    const left = await together(rest, true)
    return sets.filter((set, index) => bad.has(index + 1) || left.includes(set))
  }

  const send = async (sets: ReadonlyArray<Sent>): Promise<void> => {
    const plain = sets.filter(({ isPlain }) => isPlain)
    looking = Math.max(0, looking - 1)
    const left = await together(plain, looking > 0)
    const rest = [...sets.filter((set) => !plain.includes(set)), ...left]
    const results = await serial(rest)
    for (const [index, set] of rest.entries()) set.settle(results[index] ?? silent)
  }
  return { serial, send }
}
