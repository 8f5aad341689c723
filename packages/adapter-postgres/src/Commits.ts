/**
 * Sends change sets to the database and gives each its outcome. Races are tried again here and are never seen outside; an error that
 * nobody expected in a batch is not the fault of all: its sets are sent again one by one.
 * Source: architecture, "The Store port" (PostgreSQL); ports/Store.ts (StoreUnavailable).
 */
import { type CommitOutcome, type Facts, type Queue, type StoredAnswer, StoreUnavailable } from "@countersign/core"
import { batchOf } from "./Batch.ts"
import type { ChangeSetCode } from "./ChangeSetCode.ts"
import type { Connection } from "./connection/Connection.ts"
import { failureOf } from "./connection/Failure.ts"
import { functions } from "./functions/Functions.ts"

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
  | { readonly _tag: "Committed"; readonly facts: Facts; readonly queues?: ReadonlyArray<Queue> }
  | { readonly _tag: "Replayed"; readonly stored: Omit<StoredAnswer, "answer"> & { readonly answer: string } }
  | Exclude<CommitOutcome, { readonly _tag: "Committed" | "Replayed" }>

const outcomeOf = (answer: Answer): CommitOutcome => {
  if (answer._tag === "Committed") return { _tag: "Committed", facts: answer.facts }
  if (answer._tag !== "Replayed") return answer
  const { stored } = answer
  return { _tag: "Replayed", stored: { ...stored, answer: JSON.parse(stored.answer) as StoredAnswer["answer"] } }
}

const resultOf = (answer: Answer): Result => ({
  _tag: "Outcome",
  outcome: outcomeOf(answer),
  queues: answer._tag === "Committed" ? (answer.queues ?? []) : [],
})

/** As the serial commit reads it. */
const alone = ({ coded: { parts, ...head }, isLate }: Sent): object => ({
  ...head,
  ...parts,
  ...(isLate() ? { d: true } : {}),
})

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

/** What the set-based commit answers: facts for each set that it committed. */
interface GroupAnswer {
  readonly facts: ReadonlyArray<Facts | null>
  readonly queues: ReadonlyArray<Queue>
}

/** From so many on, committing together is faster than one by one. */
const togetherMin = 3

const silent: Result = { _tag: "Defect", cause: new Error("the commit function answered too little") }

export const make = (connection: Connection): Commits => {
  const call = async (sets: ReadonlyArray<Sent>): Promise<ReadonlyArray<Result>> => {
    const [answer] = await connection.query({
      name: "countersign_commit_serial",
      text: `select ${functions.commitSerial}($1::jsonb)`,
      values: [JSON.stringify(sets.map(alone))],
    })
    return (JSON.parse(answer ?? "[]") as ReadonlyArray<Answer>).map(resultOf)
  }

  const single = async (set: Sent): Promise<Result> => {
    for (let races = 0; ; races++) {
      try {
        const [result] = await call([set])
        return result ?? { _tag: "Defect", cause: new Error("the commit function answered nothing") }
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

  /** Tells the sets that it could commit; answers the others. */
  const together = async (sets: ReadonlyArray<Sent>): Promise<ReadonlyArray<Sent>> => {
    try {
      const [answer] = await connection.query({
        name: "countersign_commit_group",
        text: `select ${functions.commitGroup}($1::jsonb)`,
        values: [JSON.stringify(batchOf(sets.map(({ coded }) => coded)))],
      })
      const { facts, queues } = JSON.parse(answer ?? "{}") as GroupAnswer
      return sets.filter((set, index) => {
        const own = facts[index]
        if (own === null || own === undefined) return true
        set.settle({ _tag: "Outcome", outcome: { _tag: "Committed", facts: own }, queues })
        return false
      })
    } catch (error) {
      const failure = failureOf(error)
      if (failure !== "unavailable" && failure !== "unknown") return sets
      for (const set of sets) set.settle(failed(error))
      return []
    }
  }

  const send = async (sets: ReadonlyArray<Sent>): Promise<void> => {
    const plain = sets.filter(({ isLate, isPlain }) => isPlain && !isLate())
    const isTogether = plain.length >= togetherMin
    const left = isTogether ? await together(plain) : plain
    const rest = [...sets.filter((set) => !plain.includes(set)), ...left]
    const results = await serial(rest)
    for (const [index, set] of rest.entries()) set.settle(results[index] ?? silent)
  }
  return { serial, send }
}
